"""What is held out is never seen, nothing is lost, and it is the same for ever."""

from __future__ import annotations

import hashlib
import json
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from agents.setups import read_setups
from training.splits import Split, draw_setups, main, split, split_of, training_setups
from winterkingdom_env.games.winter_kingdom import Config, tables

OLD_NAMES = {"scoring": "scoring", "economies": "economy", "twists": "twist", "boards": "boards"}
# Changes only if the cards do. A change makes every agent that was trained before meet "held-out" set-ups that it has seen.
DIGEST = "cd78e014a9a291d3"


# The same for both splits of Kingdom Builder.
KINGDOM_BUILDER_DIGESTS = {"": "5709e19919c404df", "whole_box": "f81e2dd612f706fb"}


def digest(content: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=8).hexdigest()


def test_split__is_the_one_that_was_published() -> None:
    sides = {
        name: {old: split().of(which)[field] for old, field in OLD_NAMES.items()}
        for name, which in (("seen", Split.SEEN), ("held_out", Split.HELD_OUT))
    }
    assert digest({"game": "winter_kingdom", **sides}) == DIGEST


@pytest.mark.parametrize("split_name", KINGDOM_BUILDER_DIGESTS)
def test_split__of_kingdom_builder__is_the_one_that_was_published(split_name: str) -> None:
    sides = [split("kingdom_builder", split_name).of(which) for which in Split]
    assert digest(sides) == KINGDOM_BUILDER_DIGESTS[split_name]


def test_split__is_disjoint_and_complete() -> None:
    seen, held_out = split().of(Split.SEEN), split().of(Split.HELD_OUT)
    names = [card.name for card in tables.SCORINGS]
    for of_seen, of_held_out, everything in (
        (seen["scoring"], held_out["scoring"], set(combinations(names, 3))),
        (seen["economy"], held_out["economy"], {card.name for card in tables.ECONOMIES}),
        (seen["twist"], held_out["twist"], {card.name for card in tables.TWISTS} | {None}),
        (
            seen["boards"],
            held_out["boards"],
            {"standard", *(f"generated:{i}" for i in (*range(16), *range(1000, 1016)))},
        ),
    ):
        assert set(of_seen) | set(of_held_out) == everything
        assert len(of_seen) + len(of_held_out) == len(everything)  # nothing is there twice or on both sides


def test_split__sizes() -> None:
    seen, held_out = split().of(Split.SEEN), split().of(Split.HELD_OUT)
    assert (len(seen["scoring"]), len(held_out["scoring"])) == (653, 163)
    assert (len(seen["economy"]), len(held_out["economy"])) == (6, 2)
    assert (len(seen["twist"]), len(held_out["twist"])) == (7, 2) and None in seen["twist"]
    assert "standard" in seen["boards"]


def test_page__shows_the_split_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    seen, held_out = split().of(Split.SEEN), split().of(Split.HELD_OUT)
    assert f"| Economy | {', '.join(seen['economy'])} | {', '.join(held_out['economy'])} |" in page
    held = ", ".join(filter(None, held_out["twist"]))
    assert f"| Twist | {', '.join(twist or 'none' for twist in seen['twist'])} | {held} |" in page


@pytest.mark.parametrize("which", Split)
def test_split__every_scoring_card_is_on_both_sides(which: Split) -> None:
    assert {name for triple in split().of(which)["scoring"] for name in triple} == {
        card.name for card in tables.SCORINGS
    }


@pytest.mark.parametrize("which", Split)
def test_draw__has_every_part_from_its_side(which: Split) -> None:
    choices = split().of(which)
    drawn = draw_setups(which, 400, 3, seed=4)
    assert len(drawn) == 400
    for config in drawn:
        assert config.num_players == 3
        assert config.scoring in choices["scoring"] and config.economy in choices["economy"]
        assert config.twist in choices["twist"] and config.boards in choices["boards"]
        assert split_of(config) is which
    assert {config.economy for config in drawn} == set(choices["economy"])
    assert {config.twist for config in drawn} == set(choices["twist"])
    assert {config.boards for config in drawn} == set(choices["boards"])


def test_draw__is_the_same_again_and_longer_lists_begin_alike() -> None:
    for which in Split:
        assert draw_setups(which, 20, 2, seed=1) == draw_setups(which, 30, 2, seed=1)[:20]
        assert draw_setups(which, 20, 2, seed=1) != draw_setups(which, 20, 2, seed=2)
    published = [
        [
            {k: v for k, v in msgspec.to_builtins(config).items() if k != "house_rules"}
            for config in draw_setups(which, 20, 2, 1)
        ]
        for which in Split
    ]
    assert digest(published) == "3c926e84c9da29f7"


def test_draw__random_house_rules__differ_in_every_set_up_and_between_the_sides() -> None:
    seen, held_out = (draw_setups(which, 30, 2, 1, house_rules="random") for which in Split)
    rules = [config.house_rules for config in (*seen, *held_out)]
    assert len(set(rules)) > 55 and not {*rules[:30]} & {*rules[30:]}
    plain = draw_setups(Split.SEEN, 30, 2, 1)
    assert [msgspec.structs.replace(config, house_rules="") for config in seen] == plain
    assert {split_of(config) for config in seen} == {Split.SEEN}


def test_training_setups__house_rules__are_those_of_every_config() -> None:
    rules = "[scoring.Loners]\npoints = 3\n"
    for which in ("seen", "all"):
        assert {config.house_rules for config in training_setups(which, 4, (2, 3), 1, house_rules=rules)} == {rules}
        pool = training_setups(which, 4, (2, 3), 1, house_rules="random")
        assert len(pool) == 8 and len({config.house_rules for config in pool}) == 4


def test_split_of__mixed_or_drawn_parts_are_on_no_side() -> None:
    (seen,), (held_out,) = draw_setups(Split.SEEN, 1, 2, 0), draw_setups(Split.HELD_OUT, 1, 2, 0)
    for part in ("scoring", "economy", "twist", "boards"):
        for whole, other in ((seen, held_out), (held_out, seen)):
            assert split_of(msgspec.structs.replace(whole, **{part: getattr(other, part)})) is None
    assert split_of(msgspec.structs.replace(seen, scoring=None)) is None
    assert split_of(msgspec.structs.replace(seen, economy=None)) is None
    assert split_of(msgspec.structs.replace(seen, twist="random")) is None
    assert split_of(Config()) is None


def test_split_of__the_order_of_the_scoring_cards_does_not_matter() -> None:
    for which in Split:
        for config in draw_setups(which, 20, 2, seed=3):
            assert config.scoring is not None
            assert split_of(msgspec.structs.replace(config, scoring=config.scoring[::-1])) is which


def test_command__prints_the_split(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "653 triples" in printed and "163 triples" in printed
    assert all(card.name in printed for card in tables.ECONOMIES)
    assert main(["--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert len(json.loads(printed)["held_out"]["scoring"]) == 163


def test_command__another_split__is_printed_and_drawn_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "kingdom_builder"]) == 0
    told = capsys.readouterr()
    assert "132 triples" in told.out and "further splits, for --split: whole_box" in told.err
    path, which = tmp_path / "setups.json", ["--game", "kingdom_builder", "--split", "whole_box"]
    assert main([*which, "--seen", "4", "--out", str(path)]) == 0
    assert main(which) == 0
    assert "tree house" in capsys.readouterr().out
    setups = read_setups(path, "kingdom_builder", 2)
    assert len(setups) == 4 and all(setup["boards"] == "own" and len(setup["sets"]) == 4 for setup in setups)


def test_command__writes_a_file_for_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "setups.json"
    assert main(["--seen", "5", "--held-out", "7", "--players", "3", "--seed", "1", "--out", str(path)]) == 0
    assert "12 set-ups for 3 players" in capsys.readouterr().err
    configs = [Config(**setup, num_players=3) for setup in read_setups(path, "winter_kingdom", 3)]
    assert configs == [*draw_setups(Split.SEEN, 5, 3, 1), *draw_setups(Split.HELD_OUT, 7, 3, 1)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seen", "5"], "--out FILE needs a number of set-ups"),
        (["--out", "x.json"], "--out FILE needs a number of set-ups"),
        (["--seen", "-5", "--held-out", "6", "--out", "x.json"], "-5 set-ups cannot be drawn"),
        (["--seen", "5", "--players", "5", "--out", "x.json"], "2, 3 or 4 players"),
        (["--game", "chess"], "known games: winter_kingdom"),
        (["--split", "whole_box"], "the game has no split 'whole_box'; it has one"),
        (["--game", "kingdom_builder", "--split", "box"], "no split 'box'; there is whole_box"),
    ],
)
def test_command__wrong_use_is_told(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_help__has_two_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.count("winterkingdom train splits") >= 2

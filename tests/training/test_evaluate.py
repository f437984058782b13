"""An agent is measured by the arena's games, on both sides of the split."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from agents.results import read_results, read_tournament
from tests.arena.helpers import n_lines
from training.evaluate import evaluate, main, slug
from training.splits import Split, draw_setups
from training.winrates import by_fact, by_split, gaps, overall
from winterkingdom_env.games.winter_kingdom import Config


def test_evaluate__every_setup_in_every_rotation_for_each_number_of_players(tmp_path: Path) -> None:
    setups = [config for which in Split for players in (2, 3) for config in draw_setups(which, 1, players, 3)]
    rows = evaluate("greedy", ["random"], setups, seed=3, folder=tmp_path / "games")
    assert [(row.num_players, row.setups, row.games) for row in overall(rows)] == [(2, 2, 4), (3, 2, 6)]
    assert all(
        row.agent == "greedy" and row.opponent == "random" and row.win_rate > row.chance for row in overall(rows)
    )
    assert {(row.split, row.num_players) for row in by_split(rows)} == {(s.value, n) for s in Split for n in (2, 3)}
    for fact in ("economy", "twist"):
        found = {row.value for row in by_fact(rows) if row.fact == fact}
        assert found == {getattr(config, fact) or "none" for config in setups}
    assert len(gaps(rows)) == 2
    three = tmp_path / "games" / "greedy-random-3"
    assert [result.numbers for result in read_results(three)] == [
        [0, 1, 1], [1, 1, 0], [1, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1],
    ]  # fmt: skip
    assert evaluate("greedy", ["random"], setups, seed=3, folder=tmp_path / "games") == rows  # nothing is played again
    assert n_lines(three) == 6
    kept = read_tournament(three).settings.setups
    assert kept is not None and [Config(**setup, num_players=3) for setup in kept] == [setups[1], setups[3]]


def test_evaluate__forfeits_are_lost_and_counted() -> None:
    (config,) = draw_setups(Split.SEEN, 1, 2, 1)
    rows = evaluate("tests.arena.zoo:Raises", ["random"], [config])
    (row,) = overall(rows)
    assert (row.wins, row.games, row.forfeits) == (0.0, 2, 2)


def test_evaluate__an_agent_against_itself_goes_by_its_own_name() -> None:
    rows = evaluate("random", ["random"], [Config(twist="random")], seed=1)
    assert {row.agent for row in rows} == {row.opponent for row in rows} == {"random"}
    assert {row.split for row in rows} == {"all", "mixed"}


def test_evaluate__without_setups_is_refused() -> None:
    with pytest.raises(ValueError, match="no set-ups for random"):
        evaluate("random", ["greedy"], [])


def test_slug__is_a_file_name_and_tells_texts_apart() -> None:
    texts = ["greedy", "search:simulations=400", "search:simulations,400", "policy:path=a/b.pt", "x" * 300]
    assert slug("greedy") == "greedy" and len({slug(text) for text in texts}) == len(texts)
    assert all("/" not in slug(text) and len(slug(text)) < 80 for text in texts)


def test_command__prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["random", "--against", "random", "--setups-per-split", "1", "--seed", "1", "--out", str(tmp_path)]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert (
        "Win rates" in printed
        and "50.0 %" in printed
        and "By twist" in printed
        and "By economy" in printed
        and "held-out" in printed
    )
    with open(tmp_path / "evaluation.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["split"] for line in lines] == ["all", *["seen", "held-out"] * 3]
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert [row["win_rate"] for row in json.loads(printed)["rows"]] == [float(line["win_rate"]) for line in lines]


def test_command__another_split__plays_its_set_ups(capsys: pytest.CaptureFixture[str]) -> None:
    which = ["--game", "kingdom_builder", "--split", "whole_box", "--setups-per-split", "1", "--set", "round_limit=3"]
    assert main(["random", "--against", "random", *which, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {(row["split"], row["games"]) for row in rows if row["fact"] == "all"} == {
        ("all", 4), ("seen", 2), ("held-out", 2),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "no agent is called 'nobody'"),
        (["random", "--setups-per-split", "0"], "--setups-per-split 0: 1 or more"),
        (["random", "--players", "5"], "2, 3 or 4 players"),
        (["random", "--processes", "0"], "--processes 0: 1 or more is needed"),
        (["random", "--game", "chess"], "known games"),
        (["random", "--split", "box"], "the game has no split 'box'"),
    ],
)
def test_command__wrong_use_is_told(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert words in capsys.readouterr().err

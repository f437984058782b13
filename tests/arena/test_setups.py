"""A tournament over a given list of set-ups: played in its order, kept with the tournament, refused if it is wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agents.arena import main
from agents.results import StoreError, Tournament, read_results, read_tournament
from agents.schedule import Mode, ScheduleError, Settings
from agents.setups import as_setup, read_setups, write_setups
from agents.tournament import play
from tests.arena.helpers import n_lines, timeless
from winterkingdom_env.games.winter_kingdom import Config
from winterkingdom_env.records import replay

SETUPS: list[dict[str, Any]] = [
    {"scoring": ["Knights", "Loners", "Scouts"], "economy": "Furs", "twist": None, "boards": "generated:3"},
    {"scoring": ["miners", "merchants", "royalty"], "economy": "arms", "twist": "wolves"},
    {"economy": "Marble", "twist": "Roads"},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "setups.json"
    path.write_text(json.dumps(SETUPS))
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament whose file is gone."""
    folder = tmp_path_factory.mktemp("given")
    path = folder / "setups.json"
    path.write_text(json.dumps(SETUPS))
    assert main(["random", "random", "--setups", str(path), "--seed", "5", "--out", str(folder / "out")]) == 0
    path.unlink()
    return folder / "out"


def test_setups__setup_i_is_played_with_config_i_in_every_rotation(played: Path) -> None:
    results = read_results(played)
    assert [(result.setup, result.rotation) for result in results] == [(i, r) for i in range(3) for r in range(2)]
    for result in results:
        asked, cards = SETUPS[result.setup], result.cards
        assert cards["economy"].casefold() == asked["economy"].casefold()
        assert (cards["twist"] or "").casefold() == (asked["twist"] or "").casefold()
        if "scoring" in asked:
            assert {name.casefold() for name in cards["scoring"]} == {name.casefold() for name in asked["scoring"]}
        report = replay(played / "records" / f"{result.id}.jsonl.gz")
        assert report.is_seed_confirmed and report.record.header.config is not None
        assert report.record.header.config["boards"] == asked.get("boards", "standard")


def test_setups__are_kept_in_the_settings_as_the_cards_spell_them(played: Path) -> None:
    settings = read_tournament(played).settings
    assert settings.games == 6 and settings.setups is not None
    assert [Config(**setup) for setup in settings.setups] == [Config(**setup) for setup in SETUPS]
    assert settings.setups[1]["twist"] == "Wolves"


def test_resume__needs_no_file(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(played, folder)
    path = folder / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    assert main(["--resume", "--out", str(folder)]) == 0
    assert timeless(folder) == timeless(played)


def test_resume__the_same_file_is_no_contradiction_another_is(
    played: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--resume", "--out", str(played), "--setups", str(file)]) == 0
    file.write_text(json.dumps(SETUPS[::-1]))
    assert main(["--resume", "--out", str(played), "--setups", str(file)]) == 2
    assert "the list of --setups contradicts" in capsys.readouterr().err


def test_tournament__without_setups_in_its_settings_is_an_old_one(reference: Path) -> None:
    raw = json.loads((reference / "tournament.json").read_text())
    del raw["settings"]["setups"]
    assert msgspec.json.decode(json.dumps(raw), type=Tournament) == read_tournament(reference)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not valid JSON: "),
        ("{}", "a list of at least one set-up"),
        ("[]", "a list of at least one set-up"),
        ('[{}, "Knights"]', "entry 1: 'Knights' is not an object"),
        ('[{}, {"twist": "Sunshine"}]', "entry 1: twist='Sunshine' is not a card of this game; there are: Wolves"),
        ('[{"board": "standard"}]', "entry 0: 'board' is not a field of a set-up; the fields are scoring, economy"),
        ('[{"num_players": 2}]', "entry 0: num_players is not a field of a set-up; use --players"),
    ],
)
def test_file__what_is_wrong_is_named(
    content: str, words: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(content)
    assert main(["random", "random", "--setups", str(file), "--out", str(tmp_path / "out")]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--set", "twist=random"], "--setups and --set exclude each other"),
        (["--games", "7"], "--games 7: the 3 set-ups are enough for 6 games of 2 players"),
        (["--games", "10", "--players", "3"], "enough for 9 games of 3 players"),
    ],
)
def test_options__that_do_not_go_with_a_list(
    more: list[str], words: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["random", "random", "--setups", str(file), "--out", str(tmp_path / "out"), *more]) == 2
    assert words in capsys.readouterr().err


def test_file__that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "random", "--setups", str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file" in capsys.readouterr().err


def test_settings__a_list_and_a_card_exclude_each_other() -> None:
    with pytest.raises(ScheduleError, match="leave out --set"):
        Settings(agents=("a", "b"), game="winter_kingdom", games=2, setups=({},), choices={"economy": "Furs"})


def test_write__what_is_read_again_is_the_same(tmp_path: Path) -> None:
    configs = [Config(**setup, num_players=3) for setup in SETUPS]
    write_setups(tmp_path / "new" / "setups.json", configs)
    assert read_setups(tmp_path / "new" / "setups.json", "winter_kingdom", 3) == tuple(map(as_setup, configs))


def test_play__quietly_from_python_and_on_where_it_stopped(
    played: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    setups = read_tournament(played).settings.setups
    settings = Settings(agents=("random", "random"), game="winter_kingdom", games=6, seed=5, setups=setups)
    folder = tmp_path / "quiet"
    results = play(settings, folder, processes=2)
    assert timeless(folder) == timeless(played) and len(results) == 6
    before = n_lines(folder)
    assert play(settings, folder) == results and n_lines(folder) == before
    with pytest.raises(StoreError, match="other settings"):
        play(msgspec.structs.replace(settings, mode=Mode.GAUNTLET), folder)
    assert capfd.readouterr() == ("", "")

"""Who breaks a rule forfeits the game, for a reason of its own; nobody else notices, and nothing is left behind."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from agents.arena import main
from agents.results import Result, read_results
from tests.arena import zoo
from tests.arena.helpers import is_running, marked_processes
from winterkingdom_env.records import replay

# Kind and reason of each. No limit on their time but one that no machine is too slow for, except where they wait for it anyhow.
REASONS = {
    "Raises": ("raised", "RuntimeError: boom <b>here</b> (zoo.py, line"),
    "Surrogate": ("raised", "RuntimeError: half a \\ud83d pair (zoo.py, line"),
    "Steering": ("raised", "RuntimeError: \\x1b]0;owned\\x07\\x1b[31m [red]:smile:[/red] \\u202e\\x9b2J next (zoo.py"),
    "Formula": ("raised", "=1+1: sum (zoo.py"),
    "Wordless": ("raised", "WordlessError: an error that has no text (zoo.py"),
    "Nameless": ("raised", "NamelessError: an error that has no text (zoo.py"),
    "Illegal": ("illegal", "illegal"),
    "Mute": ("illegal", "answered None, which is no action"),
    "Surreal": ("illegal", "answered '\\udcffxxx"),
    "Exits": ("died", "exit code 0"),
    "Suicidal": ("died", "exit code -9"),
    "Orphans": ("died", "exit code 5"),
    "Patricide": ("died", "exit code -9"),
    "Glutton": ("memory", "600 are allowed"),
    "StrayByte": ("message", "it sent bytes that begin no message: 00"),
    "Deep": ("message", "it sent a message that is no answer: Expected `object`, got `array`"),
    "Liar": ("message", "it sent a message that is no answer: JSON is malformed"),
    "Huge": ("message", "it announced a message of 4294967295 bytes; 65536 are allowed"),
    "FloodsLink": ("message", "it sent bytes that begin no message: ff ff ff"),
    "FloodsOutput": ("output", "it printed more than 1024 KB before it answered"),
    "Forks": ("raised", "somebody is left behind"),
}
LATE = {
    "Hangs": ("timeout", "no answer within 4 seconds"),
    "Half": ("timeout", "half a message, 14 bytes, and no more within 4 seconds"),
    "Stops": ("timeout", "no answer within 4 seconds; its process is stopped"),
    "Arrests": ("timeout", "no answer within 4 seconds"),
}
ZOO = "tests.arena.zoo:"


def play(folder: Path, names: list[str], time_limit: str) -> None:
    """A gauntlet of a part of the zoo; its report lies beside it. Whatever it started is gone when it has ended."""
    options = ["--mode", "gauntlet", "--games", "2", "--seed", "3", "--processes", "2", "--time-limit", time_limit,
               "--memory-limit", "600", "--out", str(folder), "--report", str(folder.parent / "report")]  # fmt: skip
    with marked_processes() as left_behind:
        assert main(["random", *(ZOO + name for name in names), *options]) == 3
        assert left_behind() == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those that break a rule at once."""
    folder = tmp_path_factory.mktemp("zoo") / "out"
    play(folder, list(REASONS), "100")
    return folder


@pytest.fixture(scope="module")
def played_late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those that keep everybody waiting."""
    folder = tmp_path_factory.mktemp("late") / "out"
    play(folder, list(LATE), "4")
    return folder


def results_of(folder: Path, name: str) -> list[Result]:
    return [result for result in read_results(folder) if ZOO + name in result.seats]


@pytest.mark.parametrize("name", [*REASONS, *LATE])
def test_broken_agent__forfeits_with_its_own_reason(name: str, request: pytest.FixtureRequest) -> None:
    kind, words = (REASONS | LATE)[name]
    folder: Path = request.getfixturevalue("played" if name in REASONS else "played_late")
    found = results_of(folder, name)
    assert len(found) == 2
    for result in found:
        seat = result.seats.index(ZOO + name)
        assert result.forfeit is not None
        assert (result.forfeit.seat, result.forfeit.agent, result.forfeit.kind) == (seat, ZOO + name, kind)
        assert words in result.forfeit.reason
        assert len(result.forfeit.reason) <= 600
        assert (result.ranks[seat], result.points[seat], result.points[1 - seat]) == (2, 0.0, 1.0)
        assert result.n_moves[seat] == zoo.GOOD_MOVES
        assert result.restarts == (kind == "died" and "exit code -" in result.forfeit.reason)


def test_records__of_forfeited_games_verify_up_to_the_last_action(played: Path) -> None:
    for result in read_results(played):
        report = replay(played / "records" / f"{result.id}.jsonl.gz")
        assert not report.is_complete and not report.record.torn
        assert (report.n_actions, report.scores) == (result.moves, result.scores)


def test_report__lists_every_forfeit_and_escapes_what_agents_say(played: Path) -> None:
    page = (played.parent / "report" / "report.html").read_text(encoding="utf-8")
    assert "boom &lt;b&gt;here&lt;/b&gt;" in page and "<b>here" not in page
    for file in ("report.html", "report.json", "games.csv"):
        written = (played.parent / "report" / file).read_text(encoding="utf-8")
        assert "[red]:smile:[/red]" in written and not STEERS.search(written)
    with open(played.parent / "report" / "games.csv", encoding="utf-8", newline="") as file:
        reasons = {row["forfeit_reason"] for row in csv.DictReader(file)}
    assert any(reason.startswith("'=1+1: sum") for reason in reasons)
    report = json.loads((played.parent / "report" / "report.json").read_text(encoding="utf-8"))
    assert len(report["forfeits"]) == 2 * len(REASONS)
    assert {row["kind"] for row in report["forfeits"]} == {kind for kind, _ in REASONS.values()}
    assert {rung["rating"]["agent"]: rung["forfeits"] for rung in report["ladder"]} == {
        "random": 0,
        **{ZOO + name: 2 for name in REASONS},
    }


STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def test_reasons__reach_the_terminal_as_they_are_and_steer_nothing(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(played)]) == 0
    printed = capsys.readouterr().out
    assert "\\x1b]0;owned\\x07\\x1b[31m [red]:smile:[/red] \\u202e" in printed
    assert not STEERS.search(printed)


def test_agent_that_prints__does_not_reach_stdout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = [ZOO + "Chatty", "random", "--games", "2", "--seed", "1", "--out", str(tmp_path / "x"), "--json"]
    assert main(arguments) == 0
    printed = capfd.readouterr()
    assert "thinking" in printed.err and json.loads(printed.out)["games"] == 2


def test_forger__that_kills_its_supervisor_and_hides__is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGER_PIDS", str(tmp_path / "pids"))
    assert main(["random", ZOO + "Forger", "--games", "2", "--seed", "3", "--out", str(tmp_path / "out")]) == 3
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= 2 and not any(is_running(pid) for pid in pids)
    assert {result.forfeit.kind for result in read_results(tmp_path / "out") if result.forfeit} == {"died"}


def test_game_played_again__by_processes_that_have_not_met_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = [ZOO + "Mortal", ZOO + "Remembers"]
    assert main([*agents, "--games", "6", "--seed", "5", "--out", str(tmp_path / "out")]) in (0, 3)
    results = read_results(tmp_path / "out")
    again = sum(result.restarts for result in results)
    assert again > 0 and f"{again} games were played again" in capsys.readouterr().out
    assert not [result for result in results if result.forfeit and result.forfeit.agent != ZOO + "Mortal"]

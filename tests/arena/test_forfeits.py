"""Who breaks a rule forfeits the game, for a reason of its own; nobody else notices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.arena import main
from agents.results import Result, read_results
from tests.arena import zoo
from tests.arena.helpers import running
from winterkingdom_env.records import replay

REASONS = {
    "Raises": ("raised", "RuntimeError: boom <b>here</b> (zoo.py, line"),
    "Illegal": ("illegal", "illegal"),
    "Mute": ("illegal", "answered None, which is no action"),
    "Hangs": ("timeout", "no answer within 2.5 seconds"),
    "Exits": ("died", "exit code 0"),
    "Suicidal": ("died", "exit code -9"),
    "Glutton": ("memory", "600 are allowed"),
}
ZOO = "tests.arena.zoo:"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gauntlet of the whole zoo; its report lies beside it."""
    folder = tmp_path_factory.mktemp("zoo") / "out"
    options = ["--mode", "gauntlet", "--games", "2", "--seed", "3", "--processes", "2", "--time-limit", "2.5",
               "--memory-limit", "600", "--out", str(folder), "--report", str(folder.parent / "report")]  # fmt: skip
    assert main(["random", *(ZOO + name for name in REASONS), *options]) == 3
    return folder


def results_of(folder: Path, name: str) -> list[Result]:
    return [result for result in read_results(folder) if ZOO + name in result.seats]


@pytest.mark.parametrize("name", REASONS)
def test_broken_agent__forfeits_with_its_own_reason(played: Path, name: str) -> None:
    kind, words = REASONS[name]
    found = results_of(played, name)
    assert len(found) == 2
    for result in found:
        seat = result.seats.index(ZOO + name)
        assert result.forfeit is not None
        assert (result.forfeit.seat, result.forfeit.agent, result.forfeit.kind) == (seat, ZOO + name, kind)
        assert words in result.forfeit.reason
        assert (result.ranks[seat], result.points[seat], result.points[1 - seat]) == (2, 0.0, 1.0)
        assert result.n_moves[seat] == zoo.GOOD_MOVES
        assert result.restarts == (2 if kind == "died" else 0)


def test_forfeit__ends_what_the_agent_started(played: Path) -> None:
    assert running(*zoo.LEFT_BEHIND) == []


def test_records__of_forfeited_games_verify_up_to_the_last_action(played: Path) -> None:
    for result in read_results(played):
        report = replay(played / "records" / f"{result.id}.jsonl.gz")
        assert not report.is_complete and not report.record.torn
        assert (report.n_actions, report.scores) == (result.moves, result.scores)


def test_report__lists_every_forfeit_and_escapes_what_agents_say(played: Path) -> None:
    page = (played.parent / "report" / "report.html").read_text(encoding="utf-8")
    assert "boom &lt;b&gt;here&lt;/b&gt;" in page and "<b>here" not in page
    report = json.loads((played.parent / "report" / "report.json").read_text(encoding="utf-8"))
    assert len(report["forfeits"]) == 14
    assert {row["kind"] for row in report["forfeits"]} == {"raised", "illegal", "timeout", "died", "memory"}
    assert {rung["rating"]["agent"]: rung["forfeits"] for rung in report["ladder"]} == {
        "random": 0,
        **{ZOO + name: 2 for name in REASONS},
    }


def test_agent_that_prints__does_not_reach_stdout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = [ZOO + "Chatty", "random", "--games", "2", "--seed", "1", "--out", str(tmp_path / "x"), "--json"]
    assert main(arguments) == 0
    printed = capfd.readouterr()
    assert "thinking" in printed.err and json.loads(printed.out)["games"] == 2

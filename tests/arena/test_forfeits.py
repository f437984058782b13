"""Who breaks a rule forfeits the game, for a reason of its own; nobody else notices, and nothing is left behind."""

from __future__ import annotations

import csv
import json
import re
import select
import time
from collections import Counter
from pathlib import Path

import pytest

from agents import desk as desk_module
from agents.arena import main
from agents.desk import Desk
from agents.frames import CHECK, LONGEST_TRACEBACK
from agents.line import Answer, DeskError
from agents.results import read_results
from agents.seat import traced
from tests.arena import zoo
from tests.arena.helpers import announcements, is_running, marked_processes
from winterkingdom_env.records import replay

# Kind and reason of each. The arena's clock stands still (tests/conftest.py): nobody is too slow.
REASONS = {
    "Raises": ("raised", "RuntimeError: boom <b>here</b> (zoo.py, line"),
    "Surrogate": ("raised", "RuntimeError: half a \\ud83d pair (zoo.py, line"),
    "Steering": ("raised", "RuntimeError: \\x1b]0;owned\\x07\\x1b[31m [red]:smile:[/red] \\u202e\\x9b2J next (zoo.py"),
    "Formula": ("raised", "=1+1: sum (zoo.py"),
    "Wordless": ("raised", "WordlessError: an error without a message (zoo.py"),
    "Nameless": ("raised", "NamelessError: an error without a message (zoo.py"),
    "Illegal": ("illegal", "illegal"),
    "Mute": ("illegal", "returned None, which is not an action"),
    "Surreal": ("illegal", "returned '\\udcffxxx"),
    "Exits": ("died", "exit code 0"),
    "Suicidal": ("died", "exit code -9"),
    "Orphans": ("died", "exit code 5"),
    "Patricide": ("died", "exit code -9"),
    "HangsUp": ("died", "it closed its connection"),
    "HangsUpHalf": ("died", "it closed its connection"),
    "Glutton": ("memory", "the limit is 600 MB"),
    "Gulps": ("memory", "the limit is 600 MB"),
    "StrayByte": ("message", "it sent bytes that are not a message: 00"),
    "Deep": ("message", "it sent an invalid answer: Expected `object`, got `array`"),
    "Liar": ("message", "it sent an invalid answer: JSON is malformed"),
    "Huge": ("message", "it announced a message of 4294967295 bytes; the limit is 65536"),
    "FloodsLink": ("message", "it sent bytes that are not a message: ff ff ff"),
    "FloodsOutput": ("output", "it printed more than 1024 KB before it answered"),
    "Forks": ("raised", "somebody is left behind"),
}
# Those for whom the clock goes on when they have begun to keep everybody waiting.
LATE = {
    "Hangs": ("timeout", "no answer within 4 seconds"),
    "Half": ("timeout", "only part of a message (14 bytes) within 4 seconds"),
    "Stops": ("timeout", "no answer within 4 seconds; its process is stopped"),
    "Arrests": ("timeout", "no answer within 4 seconds"),
    "Deserts": ("died", "exit code 3"),
}
TOGETHER = (
    "Raises",
    "Surrogate",
    "Steering",
    "Formula",
    "Suicidal",
    "Glutton",
    "Liar",
)  # in the tournament that is reported
ZOO = "tests.arena.zoo:"


def play(folder: Path, names: list[str], processes: int) -> None:
    """A gauntlet of a part of the zoo; its report lies beside it. Whatever it started is gone when it has ended."""
    options = ["--mode", "gauntlet", "--games", "2", "--seed", "3", "--processes", str(processes), "--time-limit", "4",
               "--memory-limit", "600", "--out", str(folder), "--report", str(folder.parent / "report")]  # fmt: skip
    with marked_processes() as left_behind:
        assert main(["random", *(ZOO + name for name in names), *options]) == 3
        assert left_behind() == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with some of them."""
    folder = tmp_path_factory.mktemp("zoo") / "out"
    play(folder, list(TOGETHER), 2)
    return folder


@pytest.mark.parametrize("name", REASONS)
def test_broken_agent__forfeits_with_its_own_reason(name: str, tmp_path: Path) -> None:
    play(tmp_path / "out", [name], 2)
    check_forfeits(tmp_path / "out", name, *REASONS[name])


@pytest.mark.parametrize("name", LATE)
def test_late_agent__forfeits_with_its_own_reason(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with announcements(tmp_path / "begun") as n_begun:
        monkeypatch.setattr(desk_module, "monotonic", lambda: 3600.0 * n_begun())
        play(tmp_path / "out", [name], 1)
    check_forfeits(tmp_path / "out", name, *LATE[name])


def check_forfeits(folder: Path, name: str, kind: str, words: str) -> None:
    found = read_results(folder)
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


def test_clock_on_the_wall__agent_that_never_answers__is_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "monotonic", time.monotonic)
    desk = Desk(ZOO + "Endless", "winter_kingdom")
    with pytest.raises(DeskError, match=r"no answer within 0\.3 seconds") as error:
        desk.ask(CHECK, 0.3, 4096, lambda: False)
    assert error.value.kind == "timeout"
    desk.kill()


def test_slow_arena__an_answer_that_came_in_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk("random", "winter_kingdom")
    looks = iter(["when it asks"])

    def clock() -> float:
        if next(looks, None):
            return 0.0
        select.select([desk._line._link], [], [])  # the arena sleeps until the answer is there, and much longer
        return 1e6

    monkeypatch.setattr(desk_module, "monotonic", clock)
    assert desk.ask(CHECK, 4.0, 4096, lambda: False) == Answer()
    desk.kill()


def test_records__of_forfeited_games_verify_up_to_the_last_action(played: Path) -> None:
    for result in read_results(played):
        report = replay(played / "records" / f"{result.id}.jsonl.gz")
        assert not report.is_complete and not report.record.torn
        assert (report.n_actions, report.scores) == (result.moves, result.scores)


def test_results__keep_the_traceback_of_what_an_agent_raised(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for result in read_results(played):
        assert result.forfeit is not None
        trace, name = result.forfeit.traceback, result.forfeit.agent.removeprefix(ZOO)
        assert (trace is not None) == (result.forfeit.kind == "raised"), name
        if trace is not None:
            assert trace.startswith("Traceback (most recent call last):\n") and 'zoo.py", line' in trace
            assert "seat.py" not in trace and len(trace) <= LONGEST_TRACEBACK and not STEERS.search(trace)
    main(["report", str(played)])
    told = [line for line in capsys.readouterr().out.splitlines() if " forfeited " in line]
    assert [("its traceback is in results.jsonl" in line) for line in told] == [("(raised)" in line) for line in told]


def test_traceback__long_ones_lose_their_middle() -> None:
    try:
        raise RuntimeError("begin" + "x" * 10 * LONGEST_TRACEBACK + "end")
    except RuntimeError as error:
        found = traced(error)
    assert found is not None and len(found) <= LONGEST_TRACEBACK
    assert "RuntimeError: begin" in found and "[...]" in found and found.endswith("xend\n")


def test_report__lists_every_forfeit_and_escapes_what_agents_say(played: Path) -> None:
    page = (played.parent / "report" / "report.html").read_text(encoding="utf-8")
    assert "boom &lt;b&gt;here&lt;/b&gt;" in page and "<b>here" not in page
    assert page.count("<pre>Traceback (most recent call last):") == 4  # Raises, Surrogate, Steering and Formula
    for file in ("report.html", "report.json", "games.csv"):
        written = (played.parent / "report" / file).read_text(encoding="utf-8")
        assert "[red]:smile:[/red]" in written and not STEERS.search(written)
    with open(played.parent / "report" / "games.csv", encoding="utf-8", newline="") as table:
        reasons = {row["forfeit_reason"] for row in csv.DictReader(table) if row["forfeit"]}
    assert any(reason.startswith("'=1+1: sum") for reason in reasons)
    report = json.loads((played.parent / "report" / "report.json").read_text(encoding="utf-8"))
    assert len(report["forfeits"]) == 2 * len(TOGETHER)
    assert {row["kind"] for row in report["forfeits"]} == {REASONS[name][0] for name in TOGETHER}
    assert {rung["rating"]["agent"]: rung["forfeits"] for rung in report["ladder"]} == {
        "random": 0,
        **{ZOO + name: 2 for name in TOGETHER},
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
    told = json.loads(printed.out)
    assert told["games"] == 2
    lines = Counter(line for line in printed.err.splitlines() if line.endswith(": thinking"))
    results = {result.id: result.n_moves[result.seats.index(ZOO + "Chatty")] for result in read_results(tmp_path / "x")}
    assert lines == {f"game {game}, {ZOO}Chatty: thinking": n for game, n in results.items()}


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
    words = "1 game was" if again == 1 else f"{again} games were"
    printed = capsys.readouterr().out
    assert again > 0 and f"{words} restarted" in printed and f"process ({ZOO}Mortal {again})" in printed
    assert [result.killed for result in results] == [
        [result.seats.index(agents[0])] * result.restarts for result in results
    ]
    assert not [result for result in results if result.forfeit and result.forfeit.agent != ZOO + "Mortal"]

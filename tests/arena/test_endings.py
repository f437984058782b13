"""However an arena or a seat ends, no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agents import desk as desk_module
from agents.arena import main
from agents.frames import CHECK
from agents.results import read_results, read_tournament
from tests.arena.helpers import (
    COMMAND,
    PATIENT,
    ROOT,
    agents_of,
    announcements,
    is_running,
    marked_processes,
    n_lines,
    start,
    supervisors,
    wait_for,
)

ZOO = "tests.arena.zoo:"
GAMES = ("--games", "2", "--seed", "1")


@contextmanager
def begun(name: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """An arena in which an agent of the zoo has begun to do what it is for."""
    with announcements(folder / "begun") as n_begun:
        arena = start(ZOO + name, "random", *GAMES, *PATIENT, "--out", str(folder / "out"))
        try:
            wait_for(lambda: n_begun() > 0, arena)
            yield arena
        finally:
            arena.kill()
            with arena:  # closes its pipes, which a process that is left behind may hold
                pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_arena_asked_to_end__while_it_waits_for_half_a_message(number: signal.Signals, tmp_path: Path) -> None:
    with marked_processes() as left_behind, begun("Half", tmp_path) as arena:
        arena.send_signal(number)
        _, told = arena.communicate()
        assert arena.returncode == 130
        assert "--resume --out" in told and "Traceback" not in told
        assert left_behind() == []


def test_arena_asked_to_end__while_agents_are_made(tmp_path: Path) -> None:
    with marked_processes() as left_behind, begun("Endless", tmp_path) as arena:
        arena.send_signal(signal.SIGTERM)
        arena.communicate()
        assert arena.returncode == 130
        assert left_behind() == []
    assert not (tmp_path / "out").exists()


# Sends itself SIGTERM when it begins to load a module: a moment of its own choice, on every machine.
EARLY = """
import os, signal, sys
from importlib.abc import MetaPathFinder
class Terminates(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGTERM)
sys.meta_path.insert(0, Terminates())
from agents.arena import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "module", ["agents.results", "agents.desk", "numba", "agents.referee", "winterkingdom_env.games"]
)
def test_arena_asked_to_end__while_it_loads(module: str, tmp_path: Path) -> None:
    with marked_processes() as left_behind:
        command = (sys.executable, "-c", EARLY.format(module=module))
        arena = start("random", "random", *GAMES, "--out", str(tmp_path / "out"), command=command)
        _, told = arena.communicate()
        assert (arena.returncode, left_behind()) == (130, [])
    assert "Traceback" not in told and not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["Daemon", "Stops", "Ponders"])
def test_arena_killed__seats_end_with_all_that_they_started(name: str, tmp_path: Path) -> None:
    with marked_processes() as left_behind, begun(name, tmp_path) as arena:
        seats = supervisors(arena.pid) + agents_of(arena.pid)
        assert len(seats) >= 4  # each agent's process has a supervisor
        arena.kill()
        arena.wait()
        wait_for(lambda: not any(map(is_running, seats)) and left_behind() == [])


def test_resume__of_a_tournament_with_a_forfeit_that_has_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert main(["random", ZOO + "Surrogate", *GAMES, "--out", str(folder)]) == 3
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(lines[0])
    assert main(["--resume", "--out", str(folder)]) == 3
    assert n_lines(folder) == 2


def test_agent_text__that_is_no_text_is_refused(tmp_path: Path) -> None:
    command: list[str | bytes] = [*COMMAND, "random", b"policy:path=\xff", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'policy:path=\\udcff' has an unprintable character" in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "out").exists()


def test_out__a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b"))
    done = subprocess.run(
        [*COMMAND, "random", "random", *GAMES, "--out", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path}/\\udcff\\x1b" in done.stderr
    assert read_tournament(folder).command.endswith("\\udcff\\x1b'")


WITHOUT_SUPERVISOR = "import agents.supervisor; agents.supervisor._prctl = lambda option, value: False; "


@pytest.fixture
def no_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats as on a system that knows no child subreaper."""
    head, tail = desk_module.PROGRAM.split("from agents.seat", 1)
    monkeypatch.setattr(desk_module, "PROGRAM", f"{head}{WITHOUT_SUPERVISOR}from agents.seat{tail}")


@pytest.mark.usefixtures("no_supervisor")
def test_no_supervisor__broken_agents_forfeit_and_their_group_ends(tmp_path: Path) -> None:
    agents = [ZOO + name for name in ("Exits", "Helped", "Suicidal", "StrayByte", "HangsUp", "HangsUpHalf")]
    with marked_processes() as left_behind:
        assert main(["random", *agents, "--mode", "gauntlet", *GAMES, "--out", str(tmp_path / "out")]) == 3
        assert left_behind() == []
    reasons = {each.forfeit.agent: each.forfeit.reason for each in read_results(tmp_path / "out") if each.forfeit}
    assert "exit code 0" in reasons[agents[0]] and "left behind" in reasons[agents[1]]
    assert "exit code -9" in reasons[agents[2]] and "not a message" in reasons[agents[3]]
    assert reasons[agents[4]] == reasons[agents[5]] == "it closed its connection"


@pytest.mark.usefixtures("no_supervisor")
def test_no_supervisor__a_seat_ends_with_the_arena_while_its_agent_thinks(tmp_path: Path) -> None:
    with announcements(tmp_path / "begun") as n_begun:
        desk = desk_module.Desk(f"{ZOO}Endless", "winter_kingdom")
        desk.send(CHECK)
        wait_for(lambda: n_begun() > 0)
    desk.hang_up()
    assert desk.process.wait() == -signal.SIGKILL
    desk.kill()

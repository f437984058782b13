"""What tests of the arena share: runs in this process or as a command, results without their times, results made up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from agents.results import Result, read_results, standing
from agents.supervisor import descendants, marked
from tests.arena.tricks import BEGUN, HOLD

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "agents.arena")
TIMES = ("seconds", "slowest", "restarts", "killed")
AGENTS = ("tests.arena.zoo:Slow", "random")
PATIENT = ("--time-limit", "100000")  # for an arena that is a process of its own: no machine is too slow for it
OPTIONS = ("--games", "12", "--seed", "7", *PATIENT)


def start(*arguments: str, command: Sequence[str] = COMMAND) -> subprocess.Popen[str]:
    """The arena as a process of its own."""
    return subprocess.Popen(
        [*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509  # the child sets one signal and takes no lock
    )  # fmt: skip


def heed_interrupts() -> None:
    """Let SIGINT interrupt: a shell has the commands that it starts in the background ignore it, and whatever they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Until something is so, however long it takes; fails if the process that should bring it about has ended."""
    while not condition():
        if process is not None and process.poll() is not None and not condition():
            pytest.fail(f"waited in vain: the process ended with {process.returncode}: {process.communicate()[1]}")
        time.sleep(0.01)


@contextmanager
def announcements(folder: Path) -> Iterator[Callable[[], int]]:
    """How often an agent of the zoo has begun to do what it is for, in processes that are started in between."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(BEGUN, str(folder))
        yield lambda: len(os.listdir(folder))


class Held:
    """Has the agent Slow wait in a tournament as soon as that has some results."""

    def __init__(self, folder: Path, n_results: int) -> None:
        self.gate = folder.parent / f"{folder.name}.gate"
        self.gate.touch()
        self.environment = os.pathsep.join((str(folder / "results.jsonl"), str(n_results), str(self.gate)))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """An arena, when an agent waits in it in the midst of a game."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(HOLD, self.environment)
            arena = start(*arguments)
        wait_for(Path(f"{self.gate}.held").exists, arena)
        return arena

    def let_go(self) -> None:
        self.gate.unlink()


def n_lines(folder: Path) -> int:
    path = folder / "results.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def supervisors(pid: int) -> list[int]:
    """The processes that an arena started for its seats."""
    return [child for child in descendants(pid) if _parent(child) == pid]


def agents_of(pid: int) -> list[int]:
    """The processes of an arena in which the agents live."""
    return [child for supervisor in supervisors(pid) for child in descendants(supervisor)]


def _parent(pid: int) -> int:
    try:
        return int(psutil.Process(pid).ppid())
    except psutil.Error:
        return -1


@contextmanager
def marked_processes() -> Iterator[Callable[[], list[int]]]:
    """What was started in between and is running, whoever its parent is: a mark in the environment tells."""
    mark = f"ARENA_TEST={uuid.uuid4().hex}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(*mark.split("="))
        yield lambda: marked(mark)


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def timeless(folder: Path) -> list[dict[str, Any]]:
    """The results by id, without what differs from run to run."""
    rows = [msgspec.to_builtins(result) for result in read_results(folder)]
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def ranks_of(scores: Sequence[int]) -> list[int]:
    """The ranks of a game in which the highest score wins."""
    return [1 + sum(other > own for other in scores) for own in scores]


def made_up(setup: int, rotation: int, numbers: Sequence[int], scores: Sequence[int], lineup: int = 0) -> Result:
    """A result that nobody played."""
    ranks, points = standing(ranks_of(scores))
    n = len(numbers)
    return Result(
        id=f"{setup:06}-{lineup:04}-{rotation}", setup=setup, lineup=lineup, rotation=rotation,
        seats=["abcdef"[i] for i in numbers], numbers=list(numbers), scores=list(scores),
        score_sheet=[{"Castles": score} for score in scores], ranks=ranks, points=points, forfeit=None, moves=10,
        n_moves=[5] * n, seconds=[0.1] * n, slowest=[0.1] * n, rounds=9, cards={},
    )  # fmt: skip

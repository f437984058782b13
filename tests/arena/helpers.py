"""What tests of the arena share: runs in this process or as a command, results without their times, results made up."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from agents.results import Result, read_results, standing

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "agents.arena")
TIMES = ("seconds", "slowest", "restarts")
AGENTS = ("tests.arena.zoo:Slow", "random")
OPTIONS = ("--games", "12", "--seed", "7")


def start(*arguments: str, command: Sequence[str] = COMMAND) -> subprocess.Popen[str]:
    """The arena as a process of its own."""
    return subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Until something is so; fails if it takes too long."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def n_lines(folder: Path) -> int:
    path = folder / "results.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def family(pid: int) -> list[int]:
    """The seats' processes of an arena."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            line = (folder / "cmdline").read_text()
        except (OSError, IndexError):
            continue
        if parent == str(pid) and "spawn_main" in line:
            found.append(int(folder.name))
    return found


def running(*command: str) -> list[int]:
    """Processes of exactly this command."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if (folder / "cmdline").read_text().split("\0")[:-1] == list(command):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def is_running(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def timeless(folder: Path) -> list[dict[str, Any]]:
    """The results by id, without what differs from run to run."""
    rows = [msgspec.to_builtins(result) for result in read_results(folder)]
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def made_up(setup: int, rotation: int, numbers: Sequence[int], scores: Sequence[int], lineup: int = 0) -> Result:
    """A result that nobody played."""
    ranks, points = standing(scores)
    n = len(numbers)
    return Result(
        id=f"{setup:06}-{lineup:04}-{rotation}", setup=setup, lineup=lineup, rotation=rotation,
        seats=["abcdef"[i] for i in numbers], numbers=list(numbers), scores=list(scores),
        score_sheet=[{"Castles": score} for score in scores], ranks=ranks, points=points, forfeit=None, moves=10,
        n_moves=[5] * n, seconds=[0.1] * n, slowest=[0.1] * n, rounds=9, cards={},
    )  # fmt: skip

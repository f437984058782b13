"""What agents of the zoo can do beside playing: say that they have begun, wait for a test, and leave processes behind."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import NoReturn

import psutil

LEFT_BEHIND = ("sleep", "98765")
BEGUN = "ZOO_BEGUN"  # names a folder in which an agent leaves a file when it has begun to do what it is for
HOLD = "ZOO_HOLD"  # names results.jsonl, a number and a file: with so many results Slow waits while the file is there


def announce() -> None:
    """Say that the agent has begun to do what it is for."""
    if folder := os.environ.get(BEGUN):
        (Path(folder) / f"{time.monotonic_ns()}-{os.getpid()}").touch()


def announce_when(*states: str) -> None:
    """Say it as soon as this process is in one of psutil's states, stopped or ended, say; somebody else must."""
    process = os.getpid()
    if os.fork() == 0:
        while psutil.Process(process).status() not in states:
            time.sleep(0.01)
        announce()
        sleep_forever()


def wait_while_held() -> None:
    """Wait for as long as a test says, and say that somebody waits: no tournament is over before the test has done its part."""
    if HOLD not in os.environ:
        return
    results, n, gate = os.environ[HOLD].split(os.pathsep)
    while Path(gate).exists() and Path(results).exists() and Path(results).read_bytes().count(b"\n") >= int(n):
        Path(f"{gate}.held").touch()
        time.sleep(0.01)


def link() -> int:
    """The file over which this process talks to the arena."""
    return next(file for file in range(3, 256) if is_socket(file))


def is_socket(file: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(file).st_mode)
    except OSError:
        return False


def sleep_forever() -> NoReturn:
    while True:
        time.sleep(0.01)


def leave_behind(is_copy: bool = False) -> None:
    """Start a process that nobody knows: a session of its own, and its parent ends at once. It is another program, or a copy of this one."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if is_copy:
                sleep_forever()
            os.execvp(LEFT_BEHIND[0], LEFT_BEHIND)
        os._exit(0)
    os.wait()


def supervisor() -> int:
    """The parent of this process, but not whoever runs the tests."""
    parent = os.getppid()
    assert "agents.seat" in " ".join(psutil.Process(parent).cmdline())
    return parent

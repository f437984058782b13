"""An agent that digs through its process for anything that could tell it what its seat cannot see."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from winterkingdom_env.search.view import View

MOST_DIGS = 16  # moves of a game: hands and cards are revealed by then
LARGEST_HANDLE = 1 << 32  # numbers up to here are pipes and processes, others in every run; seeds are larger
OURS = ("agents", "winterkingdom_env")
# What differs between two runs whatever is hidden: where a test puts its files, and the mark by which the arena finds a seat's processes.
ENVIRONMENT = ("PYTEST_CURRENT_TEST", "PWD", "OLDPWD", "WINTERKINGDOM_SEAT")


def frames() -> Iterator[FrameType]:
    """The frames of the arena's code that called the agent, whatever they hold."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith((*OURS, "__main__")):
            yield frame
        frame = frame.f_back


def is_game(thing: Any) -> bool:
    """Whether it is a game of any kind; asking the object itself could run whatever it likes."""
    return hasattr(type(thing), "determinize") and hasattr(type(thing), "to_bytes")


def reached_from(things: list[Any]) -> list[str]:
    """Every message, number, text and game that can be reached, as text, sorted."""
    found, seen, waiting = set(), set(), things
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | ModuleType | FrameType | float):
            continue
        seen.add(id(each))
        if isinstance(each, bytes | bytearray | memoryview):
            found.add(f"bytes {bytes(each).hex()}")
        elif isinstance(each, np.ndarray) and each.dtype != object:
            found.add(f"array {each.tobytes().hex()}")
        elif isinstance(each, int):
            if abs(each) > LARGEST_HANDLE:
                found.add(f"int {each}")
        elif isinstance(each, str):
            found.add(f"str {each!r}")
        elif is_game(each):
            found.add(f"game {each.to_bytes().hex()}")
        elif isinstance(each, FunctionType):
            waiting += each.__closure__ or ()
        elif not isinstance(each, dict) or "__builtins__" not in each:
            waiting += gc.get_referents(each)
    return sorted(found)


class Digger:
    """Plays by a rule that looks at no hand, and writes down a digest of all that it finds at every move."""

    def __init__(self, seed: int, path: str = "") -> None:
        self._path, self._seed, self._n = path, seed, 0

    def __call__(self, view: View) -> int:
        self._n += 1
        if self._n <= MOST_DIGS:
            self._dig(view)
        legal = view.legal_actions()
        return legal[-1] if view.label(legal[-1]) == "done" else legal[0]

    def _dig(self, view: View) -> None:
        games = [each for each in gc.get_objects() if is_game(each)]
        messages = [value for frame in frames() for value in frame.f_locals.values() if value is not self]
        environment = {key: value for key, value in os.environ.items() if key not in ENVIRONMENT}
        parts = {
            "seed": [str(self._seed)],
            "view": reached_from([view, *(getattr(view, name) for name in view.__slots__)]),
            "messages": [text for text in reached_from(messages) if self._path not in text],
            "games": sorted({each.to_bytes().hex() for each in games}),
            "process": [json.dumps([sys.argv, sorted(environment.items())])],
        }
        digests = {name: hashlib.sha256(json.dumps(part).encode()).hexdigest() for name, part in parts.items()}
        sizes = {name: sum(map(len, part)) for name, part in parts.items()}
        line = {"move": self._n, "seat": view.seat, "digests": digests, "sizes": sizes}
        with Path(self._path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

"""Agents that test the arena: one that plays at leisure, one that spies, and some that break every rule there is."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from winterkingdom_env.envs.opponents import RandomOpponent, View
from winterkingdom_env.games import name_of

LEFT_BEHIND = ("sleep", "98765")
GOOD_MOVES = 3  # of a broken agent, before it breaks


class Slow(RandomOpponent):
    """Plays at random, but takes its time."""

    def __init__(self, seed: int, pause: float = 0.002) -> None:
        super().__init__(seed)
        self._pause = pause

    def __call__(self, view: View) -> int:
        time.sleep(self._pause)
        return super().__call__(view)


class Chatty(RandomOpponent):
    """Prints on stdout, which is not its own."""

    def __call__(self, view: View) -> int:
        print("thinking")
        return super().__call__(view)


class Broken(RandomOpponent):
    """Plays at random for a few moves and then does what its class is for."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._n = 0

    def __call__(self, view: View) -> int:
        self._n += 1
        return super().__call__(view) if self._n <= GOOD_MOVES else self.misbehave(view)

    def misbehave(self, view: View) -> Any:
        raise NotImplementedError


class Raises(Broken):
    def misbehave(self, view: View) -> Any:
        raise RuntimeError("boom <b>here</b>")


class Illegal(Broken):
    def misbehave(self, view: View) -> Any:
        return next(action for action in range(10_000) if action not in view.legal_actions())


class Mute(Broken):
    def misbehave(self, view: View) -> Any:
        return None


class Hangs(Broken):
    """Also leaves a process of its own behind."""

    def misbehave(self, view: View) -> Any:
        subprocess.Popen(LEFT_BEHIND)
        while True:
            time.sleep(0.01)


class Exits(Broken):
    def misbehave(self, view: View) -> Any:
        os._exit(0)


class Suicidal(Broken):
    def misbehave(self, view: View) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(10)


class Glutton(Broken):
    def misbehave(self, view: View) -> Any:
        eaten = []
        while True:
            eaten.append(b"x" * (64 << 20))
            time.sleep(0.02)


class Picky:
    """Cannot be made."""

    def __init__(self, seed: int, level: int = 0) -> None:
        if level != 7:
            raise ValueError(f"level={level}: only 7 will do")

    def __call__(self, view: View) -> int:
        return view.legal_actions()[0]


def games_in_this_process() -> list[Any]:
    """Every game object that the garbage collector knows of."""
    return [each for each in gc.get_objects() if type(each).__name__ == "Game" and name_of(each)]


class Spy(RandomOpponent):
    """Writes down every hand in every game that it finds in its process, at its first move of a game."""

    def __init__(self, seed: int, path: str = "") -> None:
        super().__init__(seed)
        self._path, self._is_done = path, False

    def __call__(self, view: View) -> int:
        if not self._is_done:
            self._is_done = True
            hands = [[sorted(player["hand"]) for player in g.snapshot()["players"]] for g in games_in_this_process()]
            line = {"seat": view.seat, "hands": hands, "argv": sys.argv}
            with Path(self._path).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        return super().__call__(view)

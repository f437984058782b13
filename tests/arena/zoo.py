"""Agents that test the arena: one that plays at leisure, one that spies, and some that break every rule there is."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import numba
import psutil
from numba.core.event import install_recorder

from agents.frames import HEADER, MAGIC, framed
from tests.arena.tricks import (
    LEFT_BEHIND,
    announce,
    announce_when,
    leave_behind,
    link,
    sleep_forever,
    supervisor,
    wait_while_held,
)
from winterkingdom_env.games import GameRules, name_of
from winterkingdom_env.search.agents import GreedyAgent, PlannerAgent, RandomAgent, SearchAgent
from winterkingdom_env.search.policy import PolicyAgent
from winterkingdom_env.search.view import View

STEERING = "\x1b]0;owned\x07\x1b[31m [red]:smile:[/red] \u202e\x9b2J\r\nnext"  # what would steer a terminal, or rich
GOOD_MOVES = 3  # of a broken agent, before it breaks
MEAL = 1 << 30  # bytes; more than the tests allow


class Slow(RandomAgent):
    """Plays at random, but takes its time; a test can hold it up."""

    def __init__(self, seed: int, pause: float = 0.002) -> None:
        super().__init__(seed)
        self._pause = pause

    def __call__(self, view: View) -> int:
        wait_while_held()
        time.sleep(self._pause)
        return super().__call__(view)


class Timeless(RandomAgent):
    """Plays at random; no time passes in its process."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        time.perf_counter = lambda: 0.0


class Chatty(RandomAgent):
    """Prints on stdout, which is not its own."""

    def __call__(self, view: View) -> int:
        print("thinking")
        return super().__call__(view)


class Listens:
    """Fails if anything is compiled, or loaded as machine code, while it thinks."""

    def __call__(self, view: View) -> int:
        with install_recorder("numba:compiler_lock") as heard:
            action: int = super().__call__(view)  # type: ignore[misc]  # it stands before a class of agents
        if heard.buffer:
            raise RuntimeError(f"{len(heard.buffer)} kernels came while the clock ran")
        return action


class ListensGreedy(Listens, GreedyAgent):
    pass


class ListensPlanner(Listens, PlannerAgent):
    pass


class ListensSearch(Listens, SearchAgent):
    def __init__(self, seed: int) -> None:
        super().__init__(seed, simulations=16)


class ListensPolicy(Listens, PolicyAgent):
    pass


class LateKernel(RandomAgent):
    """Has a kernel of its own, which is compiled when it is called first."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._kernel = numba.njit(lambda x: x + 1)

    def __call__(self, view: View) -> int:
        assert self._kernel(1) == 2
        return super().__call__(view)


class ListensLate(Listens, LateKernel):
    pass


class ReadyKernel(LateKernel):
    """The same, compiled before its clock runs."""

    def get_ready(self, rules: GameRules) -> None:
        self._kernel(1)


class ListensReady(Listens, ReadyKernel):
    pass


class Unready(RandomAgent):
    """Cannot be made for a game, only for the check before the first."""

    def __init__(self, seed: int) -> None:
        if seed:
            raise RuntimeError("not today")
        super().__init__(seed)


class Broken(RandomAgent):
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
        announce()
        sleep_forever()


class Ponders(Broken):
    """Sleeps for a day without waking up once."""

    def misbehave(self, view: View) -> Any:
        announce()
        time.sleep(86_400)


class Exits(Broken):
    def misbehave(self, view: View) -> Any:
        os._exit(0)


class Suicidal(Broken):
    def misbehave(self, view: View) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        sleep_forever()


class Glutton(Broken):
    """Eats too much and keeps it."""

    def misbehave(self, view: View) -> Any:
        self.eaten = b"x" * MEAL
        sleep_forever()


class Gulps(Broken):
    """Eats too much, keeps nothing of it, and answers."""

    def misbehave(self, view: View) -> Any:
        assert len(b"x" * MEAL) == MEAL
        return RandomAgent.__call__(self, view)


class Surrogate(Broken):
    def misbehave(self, view: View) -> Any:
        raise RuntimeError("half a \ud83d pair")


class Steering(Broken):
    def misbehave(self, view: View) -> Any:
        raise RuntimeError(STEERING)


class Formula(Broken):
    """Raises an error that a spreadsheet would compute."""

    def misbehave(self, view: View) -> Any:
        raise type("=1+1", (Exception,), {})("sum")


class Wordless(Broken):
    """Raises an error that raises another one when it is asked for its text."""

    class WordlessError(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    def misbehave(self, view: View) -> Any:
        raise self.WordlessError


class NamelessKind(type):
    """A class whose name nobody can ask for."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise OSError("no name")


class NamelessError(BaseException, metaclass=NamelessKind):
    def __str__(self) -> str:
        raise SystemExit(5)


class Nameless(Broken):
    def misbehave(self, view: View) -> Any:
        raise NamelessError


class Surreal(Broken):
    """Answers with a text that is none."""

    def misbehave(self, view: View) -> Any:
        return "\udcff" + "x" * 100_000


class StrayByte(Broken):
    """Sends a single byte that means nothing."""

    def misbehave(self, view: View) -> Any:
        os.write(link(), b"\0")
        sleep_forever()


class Half(Broken):
    """Sends half a message and waits."""

    def misbehave(self, view: View) -> Any:
        os.write(link(), framed(b'{"action": 1}')[:-7])
        announce()
        sleep_forever()


class Deep(Broken):
    """Answers with lists in lists in lists."""

    def misbehave(self, view: View) -> Any:
        os.write(link(), framed(b"[" * 60_000))
        sleep_forever()


class Liar(Broken):
    """Sends an answer of its own making, with a time that is no number."""

    def misbehave(self, view: View) -> Any:
        os.write(link(), framed(b'{"action": %d, "seconds": NaN}' % view.legal_actions()[0]))
        sleep_forever()


class Huge(Broken):
    """Announces a message of four gigabytes."""

    def misbehave(self, view: View) -> Any:
        os.write(link(), HEADER.pack(MAGIC, 2**32 - 1))
        sleep_forever()


class FloodsLink(Broken):
    def misbehave(self, view: View) -> Any:
        while True:
            os.write(link(), b"\xff" * 65536)


class FloodsOutput(Broken):
    def misbehave(self, view: View) -> Any:
        while True:
            os.write(1, b"flood " * 1000)
            os.write(2, b"flood " * 1000)


class Stops(Broken):
    def misbehave(self, view: View) -> Any:
        announce_when(psutil.STATUS_STOPPED)
        os.kill(os.getpid(), signal.SIGSTOP)
        sleep_forever()


class HangsUp(Broken):
    """Closes its end of the line for good and lives on."""

    how = socket.SHUT_RDWR

    def misbehave(self, view: View) -> Any:
        socket.socket(fileno=os.dup(link())).shutdown(self.how)
        sleep_forever()


class HangsUpHalf(HangsUp):
    """Still listens."""

    how = socket.SHUT_WR


class Forks(Broken):
    """Leaves a process behind that is no longer its child."""

    def misbehave(self, view: View) -> Any:
        leave_behind()
        raise RuntimeError("somebody is left behind")


class Helped(Broken):
    """Leaves a process of its own group behind."""

    def misbehave(self, view: View) -> Any:
        subprocess.Popen(LEFT_BEHIND)
        raise RuntimeError("a helper is left behind")


class Daemon(Broken):
    """The same, and waits."""

    def misbehave(self, view: View) -> Any:
        leave_behind()
        announce()
        sleep_forever()


class Orphans(Broken):
    """Leaves a process behind and ends at once; a copy of it that holds all its files goes on."""

    def misbehave(self, view: View) -> Any:
        leave_behind()
        leave_behind(is_copy=True)
        os._exit(5)


class Patricide(Broken):
    """Leaves somebody behind and kills its supervisor."""

    def misbehave(self, view: View) -> Any:
        leave_behind(is_copy=True)  # another program shows no mark for a moment while it begins
        os.kill(supervisor(), signal.SIGKILL)
        sleep_forever()


class Forger(Broken):
    """Says in its supervisor's place that all is over, kills it, and hides: the mark in its environment is gone."""

    def misbehave(self, view: View) -> Any:
        above = supervisor()
        report = psutil.Process(above).cmdline()[-3]
        Path(f"/proc/{above}/fd/{report}").write_bytes(struct.pack("=i", 7))
        words = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        first, last = int(words[47]), int(words[48])  # where its environment lies
        ctypes.memset(first, 0, last - first)
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # no signal when its parent ends
        with Path(os.environ["FORGER_PIDS"]).open("a") as file:
            file.write(f"{os.getpid()}\n")
        os.kill(above, signal.SIGKILL)
        sleep_forever()


class Mortal(RandomAgent):
    """Ends by a signal now and then, at another place of the game each time."""

    def __call__(self, view: View) -> int:
        if view.round >= 3 and os.urandom(1)[0] < 16:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(view)


class Remembers(RandomAgent):
    """Fails if its process has met the set-up before."""

    met: ClassVar[set[bytes]] = set()

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._is_new = True

    def __call__(self, view: View) -> int:
        if self._is_new:
            self._is_new = False
            seen = view.observation("packed")["observation"].tobytes()
            if seen in self.met:
                raise RuntimeError("I know this game")
            self.met.add(seen)
        return super().__call__(view)


class Arrests(Broken):
    """Leaves somebody behind and stops its supervisor."""

    def misbehave(self, view: View) -> Any:
        leave_behind()
        os.kill(supervisor(), signal.SIGSTOP)
        announce()
        sleep_forever()


class Deserts(Broken):
    """Stops its supervisor and ends: nobody says so until it is too late."""

    def misbehave(self, view: View) -> Any:
        os.kill(supervisor(), signal.SIGSTOP)
        announce_when(psutil.STATUS_ZOMBIE)
        os._exit(3)


class Endless:
    """Is never made."""

    def __init__(self, seed: int) -> None:
        announce()
        sleep_forever()

    def __call__(self, view: View) -> int:
        raise NotImplementedError


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


class Spy(RandomAgent):
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

"""A seat's own process: the agent lives there, the true game never does.

The referee sends a game as the seat sees it, with everything hidden dealt anew, and gets an action back. Messages are bytes both ways and
nothing is unpickled on the referee's side, so what a process answers cannot run there. Nothing heavy is imported at the top: a new process
imports this file first and sets its number of threads before numpy is loaded.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.registry import Agent, AgentSpec

CHECK, BEGIN, MOVE = b"C", b"B", b"M"  # first byte of a message to the process
LOADING = 120.0  # extra seconds for a process until its first move is made: imports, weights, kernels
LOOK = 0.2  # seconds between two looks at the memory
MOST_IDLE = 12  # processes kept for later games
LONGEST_ANSWER = 65536  # bytes
LONGEST_REASON = 300  # characters
LARGEST = 2**53  # no game has so many actions, and every reader of JSON knows the numbers up to it
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
_starting = threading.Lock()


class DeskError(Exception):
    """No answer came. ``kind``: "timeout", "died" or "memory"."""

    def __init__(self, kind: str, reason: str) -> None:
        """Keep the parts."""
        self.kind, self.reason = kind, reason
        super().__init__(f"{kind}: {reason}")


class Stopped(Exception):
    """The tournament is being stopped; nobody waits for the answer."""


# --- in the seat's process -------------------------------------------------------------------------------------------


def serve(pipe: Connection, text: str, game_name: str) -> None:
    """Answer messages until the pipe is closed. ``text`` stands for the agent."""
    _settle()
    player = _Player(text, game_name)
    while True:
        try:
            message = pipe.recv_bytes()
            kind, body = message[:1], message[1:]
            if kind == BEGIN:
                player.begin(int(body))
                continue
            answer = player.check() if kind == CHECK else player.move(body[0], body[1:])
            pipe.send_bytes(json.dumps(answer).encode())
        except (EOFError, OSError):  # the arena closed the pipe, or is gone
            _end_family()


def _settle() -> None:
    """Make the process a family of its own that ends with the arena, uses one thread and prints nothing on stdout."""
    for name in ONE_THREAD:  # several matches share the cores; who has set a variable means it
        os.environ.setdefault(name, "1")
    sys.argv = sys.argv[:1]  # spawn copies the arena's; its --seed is nobody's business here
    if hasattr(os, "setsid"):
        os.setsid()
    os.dup2(2, 1)  # stdout belongs to the arena's table or its line of JSON
    threading.Thread(target=_watch_arena, daemon=True).start()


def _watch_arena() -> None:
    """End with the arena even while the agent thinks."""
    arena = multiprocessing.parent_process()
    if arena is not None:
        arena.join()
        _end_family()


def _end_family() -> None:
    """Leave at once, with every process that the agent started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():  # its own family, not the arena's
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


class _Player:
    """The agent of one process, made anew for every game."""

    def __init__(self, text: str, game_name: str) -> None:
        self._text, self._game_name = text, game_name
        self._spec: AgentSpec | None = None
        self._agent: Agent | None = None
        self._seed = 0

    def _made(self, seed: int) -> Agent:
        from agents.registry import agent_spec

        self._spec = self._spec or agent_spec(self._text)
        return self._spec.make(seed)

    def check(self) -> dict[str, Any]:
        """Whether the agent can be made."""
        from winterkingdom_env.games import get_game

        get_game(self._game_name)  # loaded before anybody's clock runs
        try:
            self._made(0)
        except BaseException as error:  # whatever it is, it is the agent's
            return {"refused": told(error) if not isinstance(error, ValueError) else str(error)}
        return {"refused": None}

    def begin(self, seed: int) -> None:
        """A new game: the agent of the last one is forgotten."""
        self._agent, self._seed = None, seed

    def move(self, seat: int, data: bytes) -> dict[str, Any]:
        """The agent's answer to a game that could be the true one, and the seconds it took."""
        from winterkingdom_env.envs.opponents import View
        from winterkingdom_env.games import get_game

        view = View(get_game(self._game_name).from_bytes(data), seat)
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = self._made(self._seed)
                start = time.perf_counter()  # making it counts for the limit, not as thinking
            answer = self._agent(view)
        except BaseException as error:  # SystemExit too: an agent must answer, not leave
            return {"raised": told(error), "seconds": time.perf_counter() - start}
        return {**_as_action(answer), "seconds": time.perf_counter() - start}


def _as_action(answer: object) -> dict[str, Any]:
    """The answer as a number, or as text if it is none."""
    try:
        if not isinstance(answer, bool):
            number = int(answer.__index__())  # type: ignore[attr-defined]  # that is the question
            if abs(number) <= LARGEST:
                return {"action": number}
    except Exception:  # also what a hostile __index__ raises
        pass
    try:
        return {"odd": repr(answer)[:LONGEST_REASON]}
    except Exception:
        return {"odd": f"a {type(answer).__name__} that has no repr"}


def told(error: BaseException) -> str:
    """An error in one line: what, and where in the agent's code."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    words = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return words[:LONGEST_REASON] + place


# --- in the arena's process ------------------------------------------------------------------------------------------


class Desk:
    """The arena's end of a seat's process. It serves one agent, and no set-up twice (``seen``)."""

    def __init__(self, text: str, game_name: str) -> None:
        """Start the process; it gets ready on its own."""
        self.text = text
        self.seen: set[int] = set()
        context = multiprocessing.get_context("spawn")  # fork would copy the true games
        self._pipe, far = context.Pipe()
        # Not a daemon: those may not have processes of their own, which a search may want.
        self.process = context.Process(target=serve, args=(far, text, game_name), name=f"seat of {text}", daemon=False)
        with _starting, _without_ctrl_c():
            self.process.start()
        far.close()  # or the end of the process would go unnoticed
        self._is_fresh = True

    def tell(self, message: bytes) -> None:
        """Send a message that has no answer. If the process is dead, the next question says so."""
        with contextlib.suppress(OSError):
            self._pipe.send_bytes(message)

    def ask(self, message: bytes, seconds: float, megabytes: int, is_stopped: Callable[[], bool]) -> dict[str, Any]:
        """The answer to a message; DeskError if none comes in time or the process ends or grows too big."""
        allowed = seconds + (LOADING if self._is_fresh else 0.0)
        deadline = time.monotonic() + allowed
        self.tell(message)
        while not self._has_answer(min(LOOK, max(0.0, deadline - time.monotonic()))):
            if is_stopped():
                raise Stopped
            self._check_memory(megabytes)
            if time.monotonic() >= deadline:
                raise DeskError("timeout", f"no answer within {allowed:g} seconds")
        answer = self._answer()
        self._check_memory(megabytes)
        self._is_fresh = self._is_fresh and message[:1] != MOVE  # being made compiles nothing, the first move may
        return answer

    def _has_answer(self, seconds: float) -> bool:
        try:
            return self._pipe.poll(seconds)
        except OSError:
            return True  # reading it will say that it is broken

    def _answer(self) -> dict[str, Any]:
        try:
            answer = json.loads(self._pipe.recv_bytes(LONGEST_ANSWER))
        except (EOFError, OSError):
            self.process.join(1.0)
            code = self.process.exitcode
            raise DeskError("died", "it hung up" if code is None else f"its process ended, exit code {code}") from None
        except ValueError:
            answer = None
        return answer if isinstance(answer, dict) else {"odd": "something that is no message of the arena"}

    def _check_memory(self, megabytes: int) -> None:
        used = resident_megabytes(self.process.pid)
        if used is not None and used > megabytes:
            raise DeskError("memory", f"its process holds {used:.0f} MB, {megabytes} are allowed")

    def kill(self) -> None:
        """End the process and all that it started."""
        pid = self.process.pid
        if pid is not None and self.process.is_alive() and hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) == pid:  # not before it has become a family of its own
                    os.killpg(pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self._pipe.close()


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """A process that is started here inherits that Ctrl-C does not reach it: only the arena ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def resident_megabytes(pid: int | None) -> float | None:
    """Memory that a process holds; None where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return None


class DeskPool:
    """Processes that wait for their agent's next game."""

    def __init__(self) -> None:
        """No process yet."""
        self._idle: list[Desk] = []  # the longest unused first
        self._busy: set[Desk] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def __enter__(self) -> DeskPool:
        """The pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every process."""
        self.close()

    def take(self, text: str, game_name: str, setup: int) -> Desk:
        """A process for this agent that has not met the set-up; a new one if none waits."""
        with self._lock:
            if self._is_closed:
                raise Stopped
            found = next((desk for desk in self._idle if desk.text == text and setup not in desk.seen), None)
            if found is not None:
                self._idle.remove(found)
            desk = found or Desk(text, game_name)
            desk.seen.add(setup)
            self._busy.add(desk)
            return desk

    def give_back(self, desk: Desk) -> None:
        """Keep a process for later; the one unused for longest ends if there are too many."""
        with self._lock:
            self._busy.discard(desk)
            self._idle.append(desk)
            surplus = self._idle.pop(0) if self._is_closed or len(self._idle) > MOST_IDLE else None
        if surplus is not None:
            surplus.kill()

    def discard(self, desk: Desk) -> None:
        """End a process that failed."""
        with self._lock:
            self._busy.discard(desk)
        desk.kill()

    def pids(self) -> list[int]:
        """Ids of all processes."""
        with self._lock:
            return [desk.process.pid for desk in (*self._idle, *self._busy) if desk.process.pid is not None]

    def close(self) -> None:
        """End every process that waits; those of running games end with their games."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for desk in idle:
            desk.kill()

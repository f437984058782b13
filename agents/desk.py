"""The arena's side of a seat's process: start it, ask it, end it with all that it started, and keep it for later games.

Messages are bytes both ways and nothing is unpickled, so what a process answers cannot run here. Whatever a process does or sends, a question ends in an
answer, in ``DeskError`` with a reason, or in ``Stopped``.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

from agents.line import Answer, DeskError, HungUpError, Line
from agents.supervisor import HUNG_UP, NUMBER, descendants, kill_all, marked

LOOK = 0.2  # seconds between two looks at the memory
MOST_IDLE = 12  # processes kept for later games
ENDING = 10.0  # seconds for a supervisor to end its family; usually it takes some milliseconds
# Looks without a find, and seconds between them: a process that begins a program shows no environment for a moment.
CLEAN_LOOKS, PAUSE = 5, 0.02
# Of libraries that an agent may use; our own kernels start no threads by themselves.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
MARK = "WINTERKINGDOM_SEAT"  # in the environment of a seat's processes, with a value of the seat's own
PROGRAM = "import sys; sys.path[:] = {path!r}; from agents.seat import main; main({code!r})"


class Stopped(Exception):
    """The tournament is being stopped; nobody waits for the answer."""


class Desk:
    """A seat's process as the arena sees it. It serves one agent, and no set-up twice (``seen``)."""

    def __init__(self, text: str, game: str) -> None:
        """Start the process, which finds the game by ``games.address_of``; it gets ready on its own."""
        self.text = text
        self.seen: set[int] = set()
        self._mark = secrets.token_hex(16)
        near, far = socket.socketpair()
        self._report, report = os.pipe()
        output, printed = os.pipe()
        os.set_blocking(self._report, False)
        self._reported = b""
        self._agent: int | None = None  # a handle of the agent's process, which is no other's when that has ended
        try:
            # A new program, since fork would copy the true games; a new session, so Ctrl-C reaches the arena alone.
            self.process = subprocess.Popen(
                [sys.executable, *_flags(), "-c", _program(), str(far.fileno()), str(report), text, game],
                stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, pass_fds=(far.fileno(), report),
                start_new_session=True, env=self._environment(),
            )  # fmt: skip
        finally:
            far.close()  # or the end of the process would go unnoticed
            os.close(report)
            os.close(printed)
        self._line = Line(near, output, text)
        self.is_asked = False  # a question waits for its answer
        self._asked_at = 0.0

    def _environment(self) -> dict[str, str]:
        """One thread, since several matches share the cores; somebody who has set a variable means it."""
        return {**dict.fromkeys(ONE_THREAD, "1"), **os.environ, MARK: self._mark}

    def begin(self, speaker: str) -> None:
        """From now on what the process prints is printed with this in front."""
        self._line.speaker = speaker

    def ask(self, message: bytes, seconds: float, megabytes: int, is_stopped: Callable[[], bool]) -> Answer:
        """Send a message and wait for its answer."""
        self.send(message)
        return self.wait(seconds, megabytes, is_stopped)

    def send(self, message: bytes) -> None:
        """Send a message; ``wait`` has its answer. If the process is dead, that says so."""
        self.is_asked = True
        self._asked_at = monotonic()  # before the process can have begun
        self._line.begin_question()
        self._line.queue(message)

    def wait(self, seconds: float, megabytes: int, is_stopped: Callable[[], bool]) -> Answer:
        """The answer to what was sent; DeskError if none comes in time, what comes is none, or the process ends or grows too big."""
        deadline = self._asked_at + seconds
        while (answer := self._exchange(left := deadline - monotonic())) is None:
            if is_stopped():
                raise Stopped
            self._check_memory(megabytes)
            if left <= 0:  # no time was left before the last look: whatever came in time was seen, also by a slow arena
                raise self._late(seconds)
        self._check_memory(megabytes)
        self.is_asked = False
        return answer

    def _exchange(self, seconds: float) -> Answer | None:
        """The answer if it comes now or within a moment; after the deadline and the end of the process, if it has come."""
        has_ended = self.process.poll() is not None  # looked at first: what it sent before is still read
        try:
            answer = self._line.drain() if has_ended or seconds <= 0 else self._line.exchange(min(LOOK, seconds))
        except HungUpError:
            raise self._death() from None
        if answer is None and has_ended:  # somebody else may hold the other end of the line
            raise self._death()
        return answer

    def _death(self) -> DeskError:
        """Why nobody can answer any more. A process that lives is ended now, and what is said about it tells that from a death of its own."""
        self.hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        code = self._exit_code()
        if code is None or code == HUNG_UP:
            return DeskError("died", "it hung up")
        return DeskError("died", f"its process ended, exit code {code}", was_killed=code < 0)

    def _late(self, allowed: float) -> DeskError:
        """Why no answer came in time. A process that has ended is not late: its supervisor had no time yet to say how it ended."""
        import psutil

        state = _state(self._pid())
        if state == psutil.STATUS_ZOMBIE:
            return self._death()
        if self._line.n_held:
            return DeskError(
                "timeout", f"half a message, {self._line.n_held} bytes, and no more within {allowed:g} seconds"
            )
        told = "; its process is stopped" if state == psutil.STATUS_STOPPED else ""
        return DeskError("timeout", f"no answer within {allowed:g} seconds{told}")

    def _check_memory(self, megabytes: int) -> None:
        used = peak_megabytes(self._pid())
        if used is not None and used > megabytes:
            raise DeskError("memory", f"its process held {used:.0f} MB, {megabytes} are allowed")

    def _numbers(self) -> list[int]:
        """What the supervisor has said so far: the id of the agent's process, and its exit code when all is over."""
        if len(self._reported) < 2 * NUMBER.size:
            with contextlib.suppress(OSError):
                self._reported += os.read(self._report, 2 * NUMBER.size - len(self._reported))
        whole = len(self._reported) // NUMBER.size * NUMBER.size
        numbers = [number for (number,) in NUMBER.iter_unpack(self._reported[:whole])]
        if numbers and self._agent is None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # it has ended already
                self._agent = os.pidfd_open(numbers[0])
        return numbers

    def _pid(self) -> int | None:
        """The agent's process, once it has begun."""
        return next(iter(self._numbers()), None)

    def _exit_code(self) -> int | None:
        """That of the agent's process; of its supervisor if that had no time to tell; None if it goes on."""
        numbers = self._numbers()
        return numbers[1] if len(numbers) > 1 else self.process.poll()

    def pids(self) -> list[int]:
        """The processes of the seat that belong to the arena: the supervisor and the agent's."""
        return sorted({self.process.pid, *self._numbers()[:1]})

    def hang_up(self) -> None:
        """Close the line: the supervisor takes it as its cue to end the process and all that it started."""
        self._line.flush()
        self._line.close()
        with contextlib.suppress(OSError):
            self.process.send_signal(signal.SIGCONT)  # an agent may have stopped it

    def kill(self) -> None:
        """End the process and all that it started, and wait until that is done; a desk that was hung up may be killed."""
        if not self._line.is_closed:
            self.hang_up()
        if self._pid() != self.process.pid:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDING)
        # An agent may have written a number in its supervisor's place: only one that ended as it should has cleaned up.
        if len(self._numbers()) < 2 or self.process.poll() != 0:
            self._sweep()
        os.close(self._report)
        if self._agent is not None:
            os.close(self._agent)
            self._agent = None

    def _sweep(self) -> None:
        """End what is left where there is no supervisor, or it was killed or is stuck."""
        if self.process.poll() is None:
            kill_all(descendants(self.process.pid))
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if self._agent is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._agent, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        deadline, n_clean = monotonic() + ENDING, 0
        while n_clean < CLEAN_LOOKS and monotonic() < deadline:
            left = marked(f"{MARK}={self._mark}")
            kill_all(left)
            n_clean = 0 if left else n_clean + 1
            sleep(PAUSE)


def _flags() -> list[str]:
    """The options of this interpreter that a new one needs too."""
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # multiprocessing does the same
    return flags


def _program() -> str:
    """What a seat's process runs: modules and files of agents are found where this process finds them."""
    from winterkingdom_env.search.registry import CODE  # here, since a supervisor imports this file, too

    return PROGRAM.format(path=[str(entry) or os.getcwd() for entry in sys.path], code=CODE)


def _state(pid: int | None) -> str | None:
    """What a process does, in psutil's words; None if nobody knows."""
    import psutil

    try:
        return None if pid is None else str(psutil.Process(pid).status())
    except psutil.Error:
        return None


def peak_megabytes(pid: int | None) -> float | None:
    """The most memory that a process has held so far, so that it does not matter when one looks; None if nobody knows.

    psutil knows no peak. Linux tells it in /proc; elsewhere what the process holds now must do.
    """
    import psutil

    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), None)
    except OSError:
        pass
    try:
        return None if pid is None else psutil.Process(pid).memory_info().rss / (1 << 20)
    except psutil.Error:
        return None


class DeskPool:
    """Processes that wait for their agent's next game."""

    def __init__(self) -> None:
        """No process yet; MissingExtraError if what watches processes is not installed."""
        from winterkingdom_env.core.extras import needed

        needed("psutil", "the arena, which watches the seats' processes,")
        if not hasattr(select, "poll"):
            raise OSError("the arena needs select.poll, as Linux and macOS have it, to watch the seats' processes")
        self._idle: list[Desk] = []  # the longest unused first
        self._busy: set[Desk] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def __enter__(self) -> DeskPool:
        """The pool itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """End every process."""
        self.close()

    def take(self, text: str, game: str, setup: int) -> Desk:
        """A process for this agent that has not met the set-up; a new one if none waits."""
        with self._lock:
            if self._is_closed:
                raise Stopped
            found = next((desk for desk in self._idle if desk.text == text and setup not in desk.seen), None)
            if found is not None:
                self._idle.remove(found)
            desk = found or Desk(text, game)
            desk.seen.add(setup)
            self._busy.add(desk)
            return desk

    def give_back(self, desk: Desk) -> None:
        """Keep a process for later; the one unused for longest ends if there are too many."""
        if desk.is_asked:  # its answer would be taken for that to the next question
            self.discard(desk)
            return
        with self._lock:
            if desk not in self._busy:  # it waits already
                return
            self._busy.remove(desk)
            self._idle.append(desk)
            surplus = self._idle.pop(0) if self._is_closed or len(self._idle) > MOST_IDLE else None
        if surplus is not None:
            surplus.kill()

    def discard(self, desk: Desk) -> None:
        """End a process that failed."""
        with self._lock:
            self._busy.discard(desk)
        desk.kill()

    def close(self) -> None:
        """End every process that waits; those of running games end with their games."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for desk in idle:  # all at once, then one after the other
            desk.hang_up()
        for desk in idle:
            desk.kill()

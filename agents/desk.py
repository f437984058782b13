"""The arena's side of a seat's process: start it, send it requests, end it with all its children, and reuse it for later games.

Messages are bytes in both directions and nothing is unpickled, so an answer cannot run code here. Whatever a process does or sends, a request ends in an
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

LOOK = 0.2  # seconds between two checks of the memory
MOST_IDLE = 12  # processes kept for later games
ENDING = 10.0  # seconds for a supervisor to end its processes; usually it takes some milliseconds
# Number of clean checks in a row, and seconds between them: a process shows no environment for a moment during exec.
CLEAN_LOOKS, PAUSE = 5, 0.02
# For libraries that an agent may use; the package's own kernels start no threads unless asked.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
MARK = "WINTERKINGDOM_SEAT"  # environment variable of a seat's processes, with a unique value per seat
PROGRAM = "import sys; sys.path[:] = {path!r}; from agents.seat import main; main({code!r})"


class Stopped(Exception):
    """The tournament is being stopped; the answer is not needed."""


class Desk:
    """A handle of a seat's process. The process serves one agent, and never the same set-up twice (``seen``)."""

    def __init__(self, text: str, game: str) -> None:
        """Start the process. ``game``: from ``games.address_of``."""
        self.text = text
        self.seen: set[int] = set()
        self._mark = secrets.token_hex(16)
        near, far = socket.socketpair()
        self._report, report = os.pipe()
        output, printed = os.pipe()
        os.set_blocking(self._report, False)
        self._reported = b""
        self._agent: int | None = None  # a pidfd of the agent's process, which stays valid if the pid is reused
        try:
            # A new interpreter, since fork would copy the true games; a new session, so that Ctrl-C reaches only the arena.
            self.process = subprocess.Popen(
                [sys.executable, *_flags(), "-c", _program(), str(far.fileno()), str(report), text, game],
                stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, pass_fds=(far.fileno(), report),
                start_new_session=True, env=self._environment(),
            )  # fmt: skip
        finally:
            far.close()  # otherwise the end of the process would go unnoticed
            os.close(report)
            os.close(printed)
        self._line = Line(near, output, text)
        self.is_asked = False  # a request is waiting for its answer
        self._asked_at = 0.0

    def _environment(self) -> dict[str, str]:
        """One thread per process, since several games share the cores; variables that the user has set win."""
        return {**dict.fromkeys(ONE_THREAD, "1"), **os.environ, MARK: self._mark}

    def begin(self, speaker: str) -> None:
        """Start a game: ``speaker`` is the prefix of everything that the process prints."""
        self._line.speaker = speaker

    def ask(self, message: bytes, seconds: float, megabytes: int, is_stopped: Callable[[], bool]) -> Answer:
        """Send a message and wait for its answer."""
        self.send(message)
        return self.wait(seconds, megabytes, is_stopped)

    def send(self, message: bytes) -> None:
        """Send a message; ``wait`` returns the answer, or reports that the process has ended."""
        self.is_asked = True
        self._asked_at = monotonic()  # before the process can start on it
        self._line.begin_question()
        self._line.queue(message)

    def wait(self, seconds: float, megabytes: int, is_stopped: Callable[[], bool]) -> Answer:
        """The answer; DeskError if it is late or invalid, or if the process ends or uses too much memory."""
        deadline = self._asked_at + seconds
        while (answer := self._exchange(left := deadline - monotonic())) is None:
            if is_stopped():
                raise Stopped
            self._check_memory(megabytes)
            if (
                left <= 0
            ):  # the deadline had passed before the last check, so an answer in time was seen even by a slow arena
                raise self._late(seconds)
        self._check_memory(megabytes)
        self.is_asked = False
        return answer

    def _exchange(self, seconds: float) -> Answer | None:
        """The answer if it arrives within a short wait; without waiting after the deadline or the end of the process."""
        has_ended = self.process.poll() is not None  # checked first, so that everything it sent before is still read
        try:
            answer = self._line.drain() if has_ended or seconds <= 0 else self._line.exchange(min(LOOK, seconds))
        except HungUpError:
            raise self._death() from None
        if answer is None and has_ended:  # another process may still hold the other end of the link
            raise self._death()
        return answer

    def _death(self) -> DeskError:
        """Why no answer can come any more. A live process is ended now; the reason then differs from that of one that died."""
        self.hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        code = self._exit_code()
        if code is None or code == HUNG_UP:
            return DeskError("died", "it closed its connection")
        return DeskError("died", f"its process ended, exit code {code}", was_killed=code < 0)

    def _late(self, allowed: float) -> DeskError:
        """Why no answer came in time. A process that has ended counts as died, even if its supervisor has not reported that yet."""
        import psutil

        state = _state(self._pid())
        if state == psutil.STATUS_ZOMBIE:
            return self._death()
        if self._line.n_held:
            return DeskError(
                "timeout", f"only part of a message ({self._line.n_held} bytes) within {allowed:g} seconds"
            )
        told = "; its process is stopped" if state == psutil.STATUS_STOPPED else ""
        return DeskError("timeout", f"no answer within {allowed:g} seconds{told}")

    def _check_memory(self, megabytes: int) -> None:
        used = peak_megabytes(self._pid())
        if used is not None and used > megabytes:
            raise DeskError("memory", f"its process used {used:.0f} MB; the limit is {megabytes} MB")

    def _numbers(self) -> list[int]:
        """The supervisor's reports so far: the pid of the agent's process, then its exit code."""
        if len(self._reported) < 2 * NUMBER.size:
            with contextlib.suppress(OSError):
                self._reported += os.read(self._report, 2 * NUMBER.size - len(self._reported))
        whole = len(self._reported) // NUMBER.size * NUMBER.size
        numbers = [number for (number,) in NUMBER.iter_unpack(self._reported[:whole])]
        if numbers and self._agent is None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # it has already ended
                self._agent = os.pidfd_open(numbers[0])
        return numbers

    def _pid(self) -> int | None:
        """The pid of the agent's process, once it has started."""
        return next(iter(self._numbers()), None)

    def _exit_code(self) -> int | None:
        """The exit code of the agent's process, or of its supervisor if that did not report one; None while it runs."""
        numbers = self._numbers()
        return numbers[1] if len(numbers) > 1 else self.process.poll()

    def pids(self) -> list[int]:
        """The pids of the seat's supervisor and of the agent's process."""
        return sorted({self.process.pid, *self._numbers()[:1]})

    def hang_up(self) -> None:
        """Close the link, upon which the supervisor ends the process and its children."""
        self._line.flush()
        self._line.close()
        with contextlib.suppress(OSError):
            self.process.send_signal(signal.SIGCONT)  # an agent may have stopped it

    def kill(self) -> None:
        """End the process and its children, and wait for that; may follow ``hang_up``."""
        if not self._line.is_closed:
            self.hang_up()
        if self._pid() != self.process.pid:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDING)
        # An agent may have faked its supervisor's report: only a supervisor that exited normally has cleaned up.
        if len(self._numbers()) < 2 or self.process.poll() != 0:
            self._sweep()
        os.close(self._report)
        if self._agent is not None:
            os.close(self._agent)
            self._agent = None

    def _sweep(self) -> None:
        """End the remaining processes if there is no supervisor, or it was killed or hangs."""
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
    """The command-line flags of this interpreter, for a new one."""
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # multiprocessing does the same
    return flags


def _program() -> str:
    """The code that a seat's process runs, with the import path and agent files of this process."""
    from winterkingdom_env.search.registry import CODE  # here, to keep the imports at the top light

    return PROGRAM.format(path=[str(entry) or os.getcwd() for entry in sys.path], code=CODE)


def _state(pid: int | None) -> str | None:
    """The status of a process, as psutil names it; None if unknown."""
    import psutil

    try:
        return None if pid is None else str(psutil.Process(pid).status())
    except psutil.Error:
        return None


def peak_megabytes(pid: int | None) -> float | None:
    """The peak memory of a process so far; None if unknown.

    psutil has no peak. Linux has it in /proc; elsewhere this is the current memory.
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
    """A pool of idle processes, each waiting for its agent's next game."""

    def __init__(self) -> None:
        """An empty pool; MissingExtraError if psutil is not installed."""
        from winterkingdom_env.core.extras import needed

        needed("psutil", "the arena, which monitors the seats' processes,")
        if not hasattr(select, "poll"):
            raise OSError("the arena needs select.poll to monitor the seats' processes; run it on Linux or macOS")
        self._idle: list[Desk] = []  # least recently used first
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
        """A process for this agent that has not seen the set-up: an idle one, or a new one."""
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
        """Return a process to the pool; if there are too many, the least recently used one is ended."""
        if desk.is_asked:  # its answer would be taken as the answer to the next request
            self.discard(desk)
            return
        with self._lock:
            if desk not in self._busy:  # already returned
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
        """End all idle processes; those of running games end with their games."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for desk in idle:  # signal all first, then wait for each
            desk.hang_up()
        for desk in idle:
            desk.kill()

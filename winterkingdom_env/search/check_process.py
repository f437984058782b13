"""The process of a check, seen from outside: start it, follow its reports, see where it hangs, and end it with all that it started."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from math import inf
from time import monotonic, sleep
from traceback import FrameSummary

import msgspec

from winterkingdom_env.core.plain_text import one_line
from winterkingdom_env.search.check_games import SHOW_STACK, Doing, Forked, Job, Report, stack_of
from winterkingdom_env.search.registry import GETTING_READY, LONGEST_OUTPUT

PROGRAM = "import sys; sys.path[:] = {path!r}; from winterkingdom_env.search.check_games import main; main()"
AT_ONCE = 65536  # bytes per read
LONGEST_REPORT = 1 << 20  # bytes
MOST_PASSED_ON = 65536  # characters of an agent's output that are printed again
LOOK = 0.1  # seconds between two looks whether the process has ended: a forked copy may hold the socket open
GRACE = 1.0  # seconds after a time limit: the process itself reports an answer that is a little late
STACK = 3.0  # seconds for the process to show its stack, and for it to stay silent afterwards
SILENCE = 0.2
ENDING = 10.0  # seconds for the process to end by itself after the last game, and to end all others
FRAME = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)


class EndedError(Exception):
    """The check cannot go on. ``trace``: where the agent was, if known."""

    def __init__(self, words: str, trace: str = "") -> None:
        """``words``: what the agent did."""
        super().__init__(words)
        self.trace = trace


class Output:
    """What the processes of an agent print: the first lines are passed on, nothing is kept but the count and the first line."""

    def __init__(self, file: int, echo: Callable[[str], None]) -> None:
        """``file``: the pipe; ``echo`` is called with one or more lines."""
        os.set_blocking(file, False)
        self.file, self._echo = file, echo
        self.n_characters, self.first_line, self.is_closed = 0, "", False
        self._where, self._n_bytes = "", 0  # since the agent was asked
        self._n_passed_on = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""  # the unfinished line

    def begin(self, where: str) -> None:
        """The agent is asked for something."""
        self._where, self._n_bytes = where, 0

    def read(self) -> bool:
        """Read once; return whether there was anything. Raises EndedError if it is too much."""
        try:
            data = os.read(self.file, AT_ONCE)
        except BlockingIOError:
            return False
        self.is_closed = not data
        self._n_bytes += len(data)
        text = self._decoder.decode(data)
        self.n_characters += len(text)
        lines, end, self._begun = (self._begun + text).rpartition("\n")
        if end:
            self._pass_on(lines)
        if len(self._begun) > MOST_PASSED_ON or self.is_closed:
            self.flush()
        if self._n_bytes > LONGEST_OUTPUT:
            raise EndedError(
                f"it printed more than {LONGEST_OUTPUT >> 10} KB before it answered {self._where}".rstrip()
            )
        return bool(data)

    def drain(self) -> None:
        """Read everything that was printed so far. Raises EndedError if it is too much."""
        while not self.is_closed and self.read():
            pass

    def flush(self) -> None:
        """Pass on the unfinished line."""
        if self._begun:
            self._pass_on(self._begun)
            self._begun = ""

    def _pass_on(self, lines: str) -> None:
        self.first_line = self.first_line or one_line(lines.strip().partition("\n")[0], 80)
        left = MOST_PASSED_ON - self._n_passed_on
        if left > 0:
            self._echo(lines if len(lines) <= left else f"{lines[:left]}\n[...]")
        self._n_passed_on += len(lines)


class CheckProcess:
    """A process in a session of its own that plays a Job. ``n_left``: processes that it left running, after ``end``."""

    def __init__(self, job: Job, echo: Callable[[str], None]) -> None:
        """Start it. ``echo`` gets the lines that it prints. Raises OSError where there are no sessions of processes."""
        if os.name != "posix":
            raise OSError("check needs sessions of processes to end what an agent starts; run it on Linux or macOS")
        self._link, link = socket.socketpair()
        self._stacks, stacks = os.pipe()
        output, printed = os.pipe()
        path = [str(entry) or os.getcwd() for entry in sys.path]
        arguments = [str(link.fileno()), str(stacks), msgspec.json.encode(job).decode()]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM.format(path=path), *arguments],
                stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, pass_fds=(link.fileno(), stacks),
                start_new_session=True,
            )  # fmt: skip
        finally:
            link.close()
            os.close(stacks)
            os.close(printed)
        self.output = Output(output, echo)
        self.n_left = 0
        self._time_limit, self._received = job.time_limit, b""
        self._doing, self._allowed, self._deadline = "", inf, inf

    def receive(self) -> Report:
        """The next report. Raises EndedError if none comes: the process ended, hangs or prints too much."""
        while b"\n" not in self._received:
            left = self._deadline - monotonic()
            has_ended = self._process.poll() is not None  # before reading, so that its last report is read
            self._exchange(0.0 if has_ended or left <= 0 else min(LOOK, left))
            if b"\n" in self._received:
                break
            if has_ended:
                raise self._death()
            if left <= 0:
                raise EndedError(f"no answer within {self._allowed:g} s {self._doing}", self._stack())
        self.output.drain()
        line, _, self._received = self._received.partition(b"\n")
        try:
            report: Report = msgspec.json.decode(line, type=Report)
        except ValueError:
            raise EndedError(f"it wrote to the connection of the check {self._doing}") from None
        if isinstance(report, Forked):
            raise EndedError(f"a process that it forked answered, too, {self._doing}: end such a process with os._exit")
        self._set_clock(report)
        return report

    def _set_clock(self, report: Report) -> None:
        self._deadline = inf
        if isinstance(report, Doing):
            self._doing = report.where
            self.output.begin(report.where)
            self._allowed = self._time_limit if report.is_move else GETTING_READY
            self._deadline = monotonic() + self._allowed + GRACE
            with contextlib.suppress(OSError):  # it has ended; reading will show it
                self._link.sendall(b"!")

    def _exchange(self, seconds: float) -> None:
        """Wait for reports or output, and read once."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        if not self.output.is_closed:
            poll.register(self.output.file, select.POLLIN)
        ready = {file for file, _ in poll.poll(1000 * seconds)}
        if self.output.file in ready:
            self.output.read()
        if self._link.fileno() not in ready:
            return
        data = b""
        with contextlib.suppress(OSError):
            data = self._link.recv(AT_ONCE)
        self._received += data
        if not data:
            raise self._death()
        if len(self._received) > LONGEST_REPORT:
            raise EndedError(f"it wrote to the connection of the check {self._doing}")

    def _death(self) -> EndedError:
        try:
            code = self._process.wait(STACK)
        except subprocess.TimeoutExpired:
            return EndedError(f"it closed the connection of the check {self._doing}".rstrip())
        name = f" ({signal.Signals(-code).name})" if code < 0 else ""
        return EndedError(
            f"its process ended, exit code {code}{name}, {self._doing}".rstrip(", "), self._read_stack(0.0)
        )

    def _stack(self) -> str:
        """Where the process is now; "" if it does not say."""
        self._process.send_signal(SHOW_STACK)
        return self._read_stack(STACK)

    def _read_stack(self, seconds: float) -> str:
        text = b""
        poll = select.poll()
        poll.register(self._stacks, select.POLLIN)
        while poll.poll(1000 * seconds) and (data := os.read(self._stacks, AT_ONCE)):
            text += data
            seconds = min(seconds, SILENCE)
        found = FRAME.findall(text.decode(errors="replace"))
        return stack_of([FrameSummary(file, int(line), name) for file, line, name in reversed(found)])

    def finish(self) -> None:
        """Let the process end by itself, as after the last game."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)

    def end(self) -> None:
        """End the process with everything in its session, and count the others."""
        pid, deadline = self._process.pid, monotonic() + ENDING
        self.n_left = len(set(members(pid)) - {pid})
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        while (left := list(members(pid))) and monotonic() < deadline:
            for member in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(member, signal.SIGKILL)
            sleep(0.01)
        self._process.wait()
        with contextlib.suppress(EndedError):
            self.output.drain()
        self.output.flush()
        self._link.close()
        os.close(self._stacks)
        os.close(self.output.file)


def members(session: int) -> Iterator[int]:
    """The pids of the running processes of a session."""
    for pid, state in _processes():
        with contextlib.suppress(OSError):
            if not state.startswith("Z") and os.getsid(pid) == session:
                yield pid


def _processes() -> Iterator[tuple[int, str]]:
    """Pid and state of every process: from /proc where there is one, else from ps."""
    if not os.path.isdir("/proc/self"):
        listed = subprocess.run(["ps", "-axo", "pid=,stat="], capture_output=True, text=True, check=False).stdout
        yield from ((int(pid), state) for pid, state in (line.split()[:2] for line in listed.splitlines()))
        return
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
            yield int(name), file.read().rpartition(")")[2].strip()

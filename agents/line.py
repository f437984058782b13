"""The arena's end of the line to a seat: nothing that comes over it is trusted, waited for without a deadline, or executed."""

from __future__ import annotations

import codecs
import contextlib
import math
import os
import select
import socket
import sys
from typing import Annotated

import msgspec

from agents.frames import LARGEST, LONGEST_ANSWER, LONGEST_REASON, FrameError, Frames, framed

LONGEST_OUTPUT = 1 << 20  # bytes that a seat may print for one question
AT_ONCE = 65536  # bytes that are read at once
TAB = "\t"


class DeskError(Exception):
    """No answer came. ``kind``: "timeout", "died", "memory", "message" or "output"."""

    def __init__(self, kind: str, reason: str, was_killed: bool = False) -> None:
        """Keep the parts. ``was_killed``: a signal ended the process, which may have come from outside."""
        self.kind, self.reason, self.was_killed = kind, reason, was_killed
        super().__init__(f"{kind}: {reason}")


class HungUpError(Exception):
    """The other end of the line is closed."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat answers: an ``action`` or something ``odd`` that is none, what it ``raised`` with its ``traceback``, or why an agent is ``refused``."""

    action: Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)] | None = None
    odd: str | None = None
    raised: str | None = None
    traceback: str | None = None
    refused: str | None = None
    seconds: float | None = None


def read_answer(content: bytes) -> Answer:
    """The answer in a message; DeskError if there is none."""
    try:
        # Python's own reader would follow nested lists until its stack is full; this one stops at the first thing that does not belong here.
        answer = msgspec.json.decode(content.decode(errors="replace"), type=Answer)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise DeskError("message", f"it sent a message that is no answer: {error}"[:LONGEST_REASON]) from None
    if answer.seconds is not None and not (math.isfinite(answer.seconds) and answer.seconds >= 0):
        raise DeskError("message", f"it sent a message that is no answer: {answer.seconds} seconds")
    return answer


class Line:
    """Questions go out, answers and what the seat prints come in; nothing blocks."""

    def __init__(self, link: socket.socket, output: int, speaker: str) -> None:
        """``link`` for messages; ``output`` is a file to read what the seat prints from; ``speaker`` stands in front of each printed line."""
        link.setblocking(False)
        os.set_blocking(output, False)
        self._link, self._output = link, output
        self._outgoing = bytearray()
        self._frames = Frames(LONGEST_ANSWER)
        self._n_printed, self._is_silent = 0, False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._speaker, self._begun = speaker, ""  # and the beginning of a line that has no end yet

    @property
    def speaker(self) -> str:
        """Who prints: the agent, and in which game."""
        return self._speaker

    @speaker.setter
    def speaker(self, speaker: str) -> None:
        self._end_line()
        self._speaker = speaker

    @property
    def n_held(self) -> int:
        """Bytes of half a message."""
        return self._frames.n_held

    def queue(self, message: bytes) -> None:
        """Send a message as far as that is possible now; ``exchange`` sends the rest."""
        self._outgoing += framed(message)
        self._send()

    def _send(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: self._link.send(self._outgoing)]
        except BlockingIOError:
            pass
        except OSError:  # nobody is there; reading says so
            self._outgoing.clear()

    def begin_question(self) -> None:
        """DeskError if the seat sent something that it was not asked for."""
        self._n_printed = 0
        self._end_line()
        with contextlib.suppress(OSError):  # nothing there, or the line is broken: reading the answer says so
            if self._link.recv(AT_ONCE):
                raise DeskError("message", "it sent something without being asked")

    def exchange(self, seconds: float) -> Answer | None:
        """Wait so long at most for something to come or go; the answer if it is whole. DeskError, HungUpError."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN | (select.POLLOUT if self._outgoing else 0))
        if not self._is_silent:
            poll.register(self._output, select.POLLIN)
        ready = {file for file, _ in poll.poll(1000 * seconds)}
        if self._output in ready:
            self._is_silent = not self._pass_on(AT_ONCE)  # nobody can print any more
        if self._link.fileno() not in ready:
            return None
        self._send()
        try:
            data = self._link.recv(AT_ONCE)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            raise HungUpError
        try:
            content = self._frames.add(data)
        except FrameError as error:
            raise DeskError("message", str(error)) from None
        return None if content is None else read_answer(content)

    def drain(self) -> Answer | None:
        """The answer if all of it has come; nobody waits. DeskError, HungUpError."""
        n_before = -1
        while self.n_held != n_before:
            n_before = self.n_held
            if (answer := self.exchange(0.0)) is not None:
                return answer
        return None

    def _pass_on(self, n: int) -> bool:
        """Print on stderr what the seat printed, as far as its lines are whole; whether there was anything."""
        try:
            data = os.read(self._output, n)
        except OSError:
            return False
        self._n_printed += len(data)
        if self._n_printed > LONGEST_OUTPUT:
            raise DeskError("output", f"it printed more than {LONGEST_OUTPUT >> 10} KB before it answered")
        *lines, self._begun = (self._begun + self._decoder.decode(data, not data)).split("\n")
        self._print(lines)
        return bool(data)

    def _print(self, lines: list[str]) -> None:
        """Print lines in one piece, since several seats print at once: each with its speaker, without what would steer a terminal."""
        from winterkingdom_env.core.plain_text import plain

        with contextlib.suppress(OSError, ValueError):  # stderr may be closed
            sys.stderr.write("".join(f"{plain(f'{self._speaker}: {line}', keep=TAB)}\n" for line in lines))
            sys.stderr.flush()

    def _end_line(self) -> None:
        """Print the beginning of a line whose end has not come."""
        if self._begun:
            self._print([self._begun])
            self._begun = ""

    def flush(self) -> None:
        """Print what the seat has printed and nobody has read yet."""
        with contextlib.suppress(DeskError):
            while self._pass_on(AT_ONCE):
                pass
        self._end_line()

    @property
    def is_closed(self) -> bool:
        """Whether this end has hung up."""
        return self._link.fileno() < 0

    def close(self) -> None:
        """Hang up."""
        self._link.close()
        os.close(self._output)

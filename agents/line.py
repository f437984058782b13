"""The arena's end of the connection to a seat. Received data is never trusted or executed, and every wait has a deadline."""

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

AT_ONCE = 65536  # bytes per read
TAB = "\t"


class DeskError(Exception):
    """There is no valid answer. ``kind``: "timeout", "died", "memory", "message" or "output"."""

    def __init__(self, kind: str, reason: str, was_killed: bool = False) -> None:
        """``was_killed``: a signal ended the process; it may have come from outside."""
        self.kind, self.reason, self.was_killed = kind, reason, was_killed
        super().__init__(f"{kind}: {reason}")


class HungUpError(Exception):
    """The other end of the connection is closed."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's answer: an ``action``; ``odd``, the repr of something else; ``raised``, the error, with its ``traceback``; or why the agent was ``refused``."""

    action: Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)] | None = None
    odd: str | None = None
    raised: str | None = None
    traceback: str | None = None
    refused: str | None = None
    seconds: float | None = None


def read_answer(content: bytes) -> Answer:
    """The answer in a message; DeskError if it is invalid."""
    try:
        # Python's json follows nested lists until its stack overflows; msgspec stops at the first value of a wrong type.
        answer = msgspec.json.decode(content.decode(errors="replace"), type=Answer)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise DeskError("message", f"it sent an invalid answer: {error}"[:LONGEST_REASON]) from None
    if answer.seconds is not None and not (math.isfinite(answer.seconds) and answer.seconds >= 0):
        raise DeskError("message", f"it sent an invalid answer: {answer.seconds} seconds")
    return answer


class Line:
    """Non-blocking exchange with a seat: sends requests, receives answers and the seat's printed output."""

    def __init__(self, link: socket.socket, output: int, speaker: str) -> None:
        """``link``: socket for messages; ``output``: file descriptor of the seat's printed output; ``speaker``: prefix of each printed line."""
        link.setblocking(False)
        os.set_blocking(output, False)
        self._link, self._output = link, output
        self._outgoing = bytearray()
        self._frames = Frames(LONGEST_ANSWER)
        self._n_printed, self._is_silent = 0, False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._speaker, self._begun = speaker, ""  # _begun: the unfinished line

    @property
    def speaker(self) -> str:
        """The prefix of printed lines: the game and the agent."""
        return self._speaker

    @speaker.setter
    def speaker(self, speaker: str) -> None:
        self._end_line()
        self._speaker = speaker

    @property
    def n_held(self) -> int:
        """The number of bytes of an incomplete message."""
        return self._frames.n_held

    def queue(self, message: bytes) -> None:
        """Send as much of a message as possible now; ``exchange`` sends the rest."""
        self._outgoing += framed(message)
        self._send()

    def _send(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: self._link.send(self._outgoing)]
        except BlockingIOError:
            pass
        except OSError:  # the other end is gone; reading will report it
            self._outgoing.clear()

    def begin_question(self) -> None:
        """Prepare for a request; DeskError if the seat sent a message without one."""
        self._n_printed = 0
        self._end_line()
        with contextlib.suppress(
            OSError
        ):  # nothing received, or the link is broken, which reading the answer will report
            if self._link.recv(AT_ONCE):
                raise DeskError("message", "it sent a message without being asked")

    def exchange(self, seconds: float) -> Answer | None:
        """Send and receive for at most ``seconds``; the answer if it is complete, else None. Raises DeskError, HungUpError."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN | (select.POLLOUT if self._outgoing else 0))
        if not self._is_silent:
            poll.register(self._output, select.POLLIN)
        ready = {file for file, _ in poll.poll(1000 * seconds)}
        if self._output in ready:
            self._is_silent = not self._pass_on(AT_ONCE)  # no process can print any more
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
        """The answer if it has arrived completely, else None, without waiting. Raises DeskError, HungUpError."""
        n_before = -1
        while self.n_held != n_before:
            n_before = self.n_held
            if (answer := self.exchange(0.0)) is not None:
                return answer
        return None

    def _pass_on(self, n: int) -> bool:
        """Print the seat's complete output lines on stderr; return whether there was any output."""
        from winterkingdom_env.search.registry import LONGEST_OUTPUT  # here, to keep the imports at the top light

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
        """Print lines in a single write, since several seats print at once; with the prefix, control characters escaped."""
        from winterkingdom_env.core.plain_text import plain

        with contextlib.suppress(OSError, ValueError):  # stderr may be closed
            sys.stderr.write("".join(f"{plain(f'{self._speaker}: {line}', keep=TAB)}\n" for line in lines))
            sys.stderr.flush()

    def _end_line(self) -> None:
        """Print the unfinished line."""
        if self._begun:
            self._print([self._begun])
            self._begun = ""

    def flush(self) -> None:
        """Print the rest of the seat's output."""
        with contextlib.suppress(DeskError):
            while self._pass_on(AT_ONCE):
                pass
        self._end_line()

    @property
    def is_closed(self) -> bool:
        """Whether this end is closed."""
        return self._link.fileno() < 0

    def close(self) -> None:
        """Close the connection."""
        self._link.close()
        os.close(self._output)

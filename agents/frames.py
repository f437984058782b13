"""How the arena and a seat's process talk: messages with a length and a limit, on a socket.

A message is four bytes that say what it is, four bytes with its length, and its content. Both ends share this file; it imports next to nothing.
"""

from __future__ import annotations

import socket
import struct

MAGIC = b"WKS1"
HEADER = struct.Struct(">4sI")
LONGEST_ANSWER = 65536  # bytes that a seat may send at once
LONGEST_QUESTION = 1 << 24  # bytes; what the arena sends is some kilobytes
LARGEST = 2**53  # no game has so many actions, and every reader of JSON knows the numbers up to it
LONGEST_REASON = 300  # characters of an error's text
LONGEST_TRACEBACK = 4000  # characters; in the worst case JSON needs 12 bytes for each, which fits into an answer
CHECK, BEGIN, MOVE = b"C", b"B", b"M"  # first byte of a message to the seat


class FrameError(Exception):
    """What came is no message."""


def framed(content: bytes) -> bytes:
    """A message as it is sent."""
    return HEADER.pack(MAGIC, len(content)) + content


class Frames:
    """Bytes as they come, until they are a message. Holds one message at most."""

    def __init__(self, longest: int) -> None:
        """``longest`` content of a message, in bytes."""
        self._longest = longest
        self._held = bytearray()

    @property
    def n_held(self) -> int:
        """Bytes that came and are no whole message yet."""
        return len(self._held)

    @property
    def n_wanted(self) -> int:
        """Bytes that may still come: the rest of the header, or of the message."""
        if len(self._held) < HEADER.size:
            return HEADER.size - len(self._held)
        return HEADER.size + int(HEADER.unpack_from(self._held)[1]) - len(self._held)

    def add(self, data: bytes) -> bytes | None:
        """The content of the message if it is whole now; FrameError as soon as it cannot become one."""
        self._held += data
        if not MAGIC.startswith(self._held[: len(MAGIC)]):
            raise FrameError(f"it sent bytes that begin no message: {bytes(self._held[: HEADER.size]).hex(' ')}")
        if len(self._held) < HEADER.size:
            return None
        length = int(HEADER.unpack_from(self._held)[1])
        if length > self._longest:
            raise FrameError(f"it announced a message of {length} bytes; {self._longest} are allowed")
        if self.n_wanted > 0:
            return None
        if self.n_wanted < 0:
            raise FrameError("it sent more than one message as an answer")
        content = bytes(self._held[HEADER.size :])
        self._held.clear()
        return content


def receive(link: socket.socket) -> bytes:
    """The next message, however long it takes; EOFError if the other end is closed."""
    frames = Frames(LONGEST_QUESTION)
    while True:
        data = link.recv(frames.n_wanted)
        if not data:
            raise EOFError
        content = frames.add(data)
        if content is not None:
            return content

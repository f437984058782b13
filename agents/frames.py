"""The messages between the arena and a seat's process: length-prefixed and limited in size, over a socket.

A message is a magic number (4 bytes), a length (4 bytes) and the content. Both ends use this file, so it imports little.
"""

from __future__ import annotations

import socket
import struct

MAGIC = b"WKS1"
HEADER = struct.Struct(">4sI")
LONGEST_ANSWER = 65536  # bytes in a message from a seat
LONGEST_QUESTION = 1 << 24  # bytes in a message from the arena; usually some kilobytes
LARGEST = 2**53  # largest action number: every JSON reader handles integers up to it
LONGEST_REASON = 300  # characters of an error message
LONGEST_TRACEBACK = 4000  # characters; at most 12 bytes each in JSON, which fits into an answer
CHECK, BEGIN, MOVE = b"C", b"B", b"M"  # first byte of a message to the seat


class FrameError(Exception):
    """The received bytes are not a message."""


def framed(content: bytes) -> bytes:
    """The bytes of a message, header included."""
    return HEADER.pack(MAGIC, len(content)) + content


class Frames:
    """Collects received bytes until a message is complete. Holds at most one message."""

    def __init__(self, longest: int) -> None:
        """``longest``: size limit of a message's content, in bytes."""
        self._longest = longest
        self._held = bytearray()

    @property
    def n_held(self) -> int:
        """The number of bytes of the incomplete message."""
        return len(self._held)

    @property
    def n_wanted(self) -> int:
        """The number of missing bytes: of the header, or of the message."""
        if len(self._held) < HEADER.size:
            return HEADER.size - len(self._held)
        return HEADER.size + int(HEADER.unpack_from(self._held)[1]) - len(self._held)

    def add(self, data: bytes) -> bytes | None:
        """The content of the message if it is complete, else None; FrameError as soon as it is invalid."""
        self._held += data
        if not MAGIC.startswith(self._held[: len(MAGIC)]):
            raise FrameError(f"it sent bytes that are not a message: {bytes(self._held[: HEADER.size]).hex(' ')}")
        if len(self._held) < HEADER.size:
            return None
        length = int(HEADER.unpack_from(self._held)[1])
        if length > self._longest:
            raise FrameError(f"it announced a message of {length} bytes; the limit is {self._longest}")
        if self.n_wanted > 0:
            return None
        if self.n_wanted < 0:
            raise FrameError("it sent more than one message in its answer")
        content = bytes(self._held[HEADER.size :])
        self._held.clear()
        return content


def receive(link: socket.socket) -> bytes:
    """The next message, without a time limit; EOFError if the other end is closed."""
    frames = Frames(LONGEST_QUESTION)
    while True:
        data = link.recv(frames.n_wanted)
        if not data:
            raise EOFError
        content = frames.add(data)
        if content is not None:
            return content

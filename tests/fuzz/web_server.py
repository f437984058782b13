"""A running server for the fuzz part ``web``, raw bytes to it, and what none of its answers may hold."""

from __future__ import annotations

import http.client
import os
import re
import socket
import struct
import subprocess
import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.fuzz.web_run import FORBIDDEN

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds for an answer: whoever waits longer should not wait for ever
LEAKS = (b"Traceback", b'.py", line', b"site-packages", str(ROOT).encode(), b"root:x:0")
TROUBLES = (b"Traceback", b"xception", b"ERROR:", FORBIDDEN.encode())
KNOWN_LINE = b"ERROR:    Invalid UTF-8 sequence received from client.\n"  # what uvicorn says of such a text frame, with a stack trace
KNOWN = re.compile(re.escape(KNOWN_LINE) + rb"Traceback.*\n(?:[ \t].*\n)*UnicodeDecodeError: .*\n")
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PACKED = 64  # the bit of a frame that is compressed
EXTENDED, HUGE = 126, 127  # lengths that mean: the length follows
PROTOCOLS_OWN = (
    b"Invalid HTTP request received.",
    b"Failed to open a WebSocket connection",
)  # before any application sees it


class Served:
    """``winterkingdom serve`` in a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Start it, and wait for the address that it prints."""
        folder.mkdir()
        self.data, self._errors, self._read = folder / "served", folder / "stderr.txt", 0
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.web_run",
            "serve",
            "--port",
            "0",
            "--data",
            str(self.data),
            *options,
        ]
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert line.startswith("http://"), line + self._errors.read_text(errors="replace")
        self.origin = line.split()[0].rstrip("/")
        self.host = self.origin.removeprefix("http://")
        self._line = http.client.HTTPConnection(self.host, timeout=PATIENCE)

    def close(self) -> None:
        """End it without a warning."""
        self.process.kill()
        self.process.communicate()
        self._line.close()

    def first_page(self) -> None:
        """The first page is still there. Everything sent before was at least begun by the server when it answers."""
        for is_last in (False, True):  # a line on which nothing was said for long is closed: then a new one
            try:
                self._line.request("GET", "/")
                answer = self._line.getresponse()
                content = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self._line.close()
                assert not is_last, f"the server is gone: {error!r}, exit code {self.process.poll()}"
        assert answer.status == 200 and content.startswith(b"<!DOCTYPE"), f"GET / is answered with {answer.status}"

    def check_stderr(self) -> None:
        """It has printed no stack trace since the last look, and done nothing that is forbidden."""
        with self._errors.open("rb") as file:
            file.seek(self._read)
            told = file.read()
        self._read += len(told)
        check_printed(told)

    def connect(self) -> socket.socket:
        """A connection."""
        name, _, port = self.host.rpartition(":")
        found = socket.create_connection((name, int(port)), PATIENCE)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return found

    def exchange(self, data: bytes, is_whole: bool) -> bytes:
        """Send the bytes of a request and return all that comes back. One that is not whole is broken off by hanging up."""
        with self.connect() as line:
            with suppress(BrokenPipeError, ConnectionResetError):  # it did not want to hear it all
                line.sendall(data)
            if not is_whole:
                self.first_page()
                with suppress(OSError):  # it was faster
                    line.shutdown(socket.SHUT_WR)
            return heard(line)


def heard(line: socket.socket) -> bytes:
    """Everything until the other side hangs up."""
    found = bytearray()
    with suppress(ConnectionResetError):
        while piece := line.recv(1 << 16):
            found += piece
    return bytes(found)


def check_printed(told: bytes) -> None:
    """What the server printed on stderr holds no stack trace."""
    told = KNOWN.sub(b"", told)
    assert not any(word in told for word in TROUBLES), f"stderr: {told[-6000:].decode(errors='replace')}"


def check_told(told: bytes, hidden: Sequence[bytes] = ()) -> None:
    """An answer tells nothing about the inside of the server, and none of the hidden texts."""
    for word in (*LEAKS, *hidden):
        assert word not in told, f"an answer tells {word!r}: {told[:2000]!r}"


def check_answer(told: bytes, hidden: Sequence[bytes] = ()) -> int:
    """The status of an answer; 0 if the server just hung up. No failure of the server is one, and no answer lacks the headers."""
    check_told(told, hidden)
    while told.startswith(b"HTTP/1.1 100"):
        told = told.partition(b"\r\n\r\n")[2]
    if not told:
        return 0
    head, _, content = told.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    assert status < 500 or status in (503, 507), f"status {status}: {told[:1000]!r}"
    is_guarded = b"content-security-policy" in head.lower()
    assert is_guarded or any(words in content for words in PROTOCOLS_OWN) or status in (101, 403, 503), (
        f"no headers: {told[:1000]!r}"
    )
    return status


# --- sockets ----------------------------------------------------------------------------------------------------------


def frame(kind: int, content: bytes, is_last: bool = True, is_masked: bool = True, spare: int = 0) -> bytes:
    """A frame of a WebSocket. ``spare``: the three reserved bits."""
    first = bytes([is_last << 7 | spare << 4 | kind])
    if len(content) < EXTENDED:
        size = struct.pack(">B", is_masked << 7 | len(content))
    elif len(content) < 1 << 16:
        size = struct.pack(">BH", is_masked << 7 | EXTENDED, len(content))
    else:
        size = struct.pack(">BQ", is_masked << 7 | HUGE, len(content))
    return first + size + (bytes(4) if is_masked else b"") + content  # a mask of zeros leaves the content as it is


def handshake(
    host: str, path: str, origin: str | None, key: str = "dGhlIHNhbXBsZSBub25jZQ==", version: str = "13", more: str = ""
) -> bytes:
    """The request that opens a WebSocket."""
    said = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    said += f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: {version}\r\n"
    said += "" if origin is None else f"Origin: {origin}\r\n"
    return f"{said}{more}\r\n".encode("latin-1", "replace")


class Socket:
    """A WebSocket that sends whatever it is given."""

    def __init__(self, server: Served, path: str, more: str = "") -> None:
        """Open it as the server's own pages do."""
        self._server, self._line, self._held = server, server.connect(), b""
        self._is_over = False  # the server has closed it
        self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        self._line.sendall(handshake(server.host, path, server.origin, more=more))
        while b"\r\n\r\n" not in self._held and self._more():
            pass
        self.head, _, self._held = self._held.partition(b"\r\n\r\n")
        self.is_open = self.head.startswith(b"HTTP/1.1 101")

    def _more(self) -> bool:
        try:
            piece = self._line.recv(1 << 16)
        except ConnectionResetError:
            piece = b""
        self._held += piece
        return bool(piece)

    def send(self, data: bytes) -> None:
        """Send bytes, which should be frames, unless the server has hung up."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.sendall(data)

    def hang_up(self) -> None:
        """Send no more; the server has begun with everything before."""
        self._server.first_page()
        with suppress(OSError):  # the server was faster
            self._line.shutdown(socket.SHUT_WR)

    def receive(self) -> tuple[int, bytes] | None:
        """Kind and content of the next frame; None when the server has closed the socket."""
        found = None
        while not self._is_over and (found := self._cut()) is None:
            self._is_over = not self._more()
        self._is_over |= found is not None and found[0] == CLOSE
        return None if self._is_over else found

    def _cut(self) -> tuple[int, bytes] | None:
        """The first frame of what was received, if it is whole."""
        data = self._held
        if len(data) < 2:
            return None
        size, start = data[1], 2
        if size in (EXTENDED, HUGE):
            start = 4 if size == EXTENDED else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start])
        if len(data) < start + size:
            return None
        self._held, content = data[start + size :], data[start : start + size]
        if data[0] & PACKED:
            content = self._unpacker.decompress(content + b"\0\0\xff\xff")
        return data[0] & 15, content

    def close(self) -> None:
        """Leave without a word."""
        self._line.close()

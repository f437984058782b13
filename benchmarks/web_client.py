"""The part ``web``'s side of the line: a server in a process of its own, and browsers without a screen."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.report import ROOT
from winterkingdom_env.core.extras import needed
from winterkingdom_env.web.limits import MB

PATIENCE = 120.0  # seconds; the first game of a kind may have to compile kernels
SECONDS_TO_END = 30.0


class ServerError(RuntimeError):
    """The server does not start, or refuses what it is asked for."""


# --- the server -------------------------------------------------------------------------------------------------------


@contextmanager
def core_of_its_own() -> Iterator[int]:
    """A core that this thread keeps off for a while; -1 if there is none to spare, or the system cannot do this."""
    if not hasattr(os, "sched_setaffinity") or len(before := os.sched_getaffinity(0)) == 1:
        yield -1
        return
    core = max(before)
    os.sched_setaffinity(0, before - {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)


class Served:
    """A server in a folder of its own."""

    def __init__(self, data: Path, seconds_to_keep: float, core: int) -> None:
        """Start it, and wait for the address that it prints."""
        command = [sys.executable, "-m", "benchmarks.web_server", str(data), str(seconds_to_keep), str(core)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        number, line = self.process.stdout.readline(), self.process.stdout.readline()
        if not line.startswith("http://"):
            self.stop()
            raise ServerError("the server does not start; its words are above")
        self._usage = needed("psutil", "the memory of the server").Process(int(number))
        self.address = line.split()[0].rstrip("/")
        self.name, _, port = self.address.removeprefix("http://").rpartition(":")
        self.port = int(port)

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def seconds_used(self) -> float:
        """Seconds of processor time so far."""
        return float(sum(self._usage.cpu_times()[:2]))

    def megabytes(self) -> float:
        """The memory that it occupies now (RSS)."""
        return float(self._usage.memory_info().rss / MB)

    # Requests

    async def ask(self, method: str, path: str, body: bytes = b"", encoding: str = "") -> tuple[float, float, bytes]:
        """Seconds until the first byte of the answer and until its end, on a new connection; its content. Raises ServerError for a refusal."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.name}:{self.port}\r\nOrigin: {self.address}\r\nConnection: close\r\n"
        head += f"Accept-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection(self.name, self.port)
        try:
            writer.write(head.encode() + body)
            first = await reader.read(1)
            at_first = time.perf_counter()
            answer = first + await reader.read()
            at_last = time.perf_counter()
        finally:
            writer.close()
            await writer.wait_closed()
        heads, _, content = answer.partition(b"\r\n\r\n")
        if heads.split()[1:2] not in ([b"200"], [b"201"]):
            raise ServerError(f"{method} {path}: {answer[-300:].decode(errors='replace')}")
        return at_first - begun, at_last - begun, content

    async def page(self) -> tuple[float, float]:
        """Seconds until the first byte of the first page, and until all of it is there."""
        first, last, _ = await self.ask("GET", "/", encoding="gzip")
        return first, last

    async def keep_record(self, content: bytes) -> str:
        """Open a record; its name as a source."""
        found = msgspec.json.decode((await self.ask("POST", "/api/records", content))[2])
        return str(found["source"])

    async def new_game(self, seats: list[dict[str, Any]], **more: Any) -> Made:
        """Make a game."""
        body = msgspec.json.encode({"seats": seats, **more})
        return msgspec.json.decode((await self.ask("POST", "/api/games", body))[2], type=Made)


@contextmanager
def serving(seconds_to_keep: float, core: int) -> Iterator[Served]:
    """A server that is ended afterwards; its games are thrown away."""
    with TemporaryDirectory() as folder:
        served = Served(Path(folder), seconds_to_keep, core)
        try:
            yield served
        finally:
            served.stop()


# --- games ------------------------------------------------------------------------------------------------------------


class Made(msgspec.Struct):
    """A new game: its id and its secrets."""

    id: str
    tokens: dict[str, str]
    control: str


class Offer(msgspec.Struct):
    """A legal action."""

    label: str


class Question(msgspec.Struct):
    """What a person may do."""

    seat: int
    actions: list[Offer]


class Heard(msgspec.Struct):
    """Of a message, what is needed here. ``words``, ``note``: why the server does not go on. ``n``: actions so far; ``moved_at``: when the last one was made, by this machine's clock."""

    type: str
    n: int = 0
    moved_at: float = 0.0
    is_over: bool = False
    question: Question | None = None
    words: str = ""
    note: str | None = None


HEARD: msgspec.json.Decoder[Heard] = msgspec.json.Decoder(Heard)


class Browser:
    """A socket to one game."""

    def __init__(self, socket: ClientConnection) -> None:
        """Use ``looking``."""
        self._socket = socket
        self.heard_at = 0.0  # by the clock of ``moved_at``

    async def say(self, kind: str, **more: Any) -> None:
        """Send a message."""
        await self._socket.send(msgspec.json.encode({"type": kind, **more}).decode())

    async def hear(self) -> Heard:
        """The next state of the game. Raises ServerError if the server refuses something."""
        while True:
            async with asyncio.timeout(PATIENCE):
                text = await self._socket.recv()
            self.heard_at = time.time()
            heard = HEARD.decode(text)
            if heard.note or heard.type in ("told", "end"):
                raise ServerError(heard.note or heard.words)
            if heard.type == "state":
                return heard


@asynccontextmanager
async def looking(served: Served, made: Made) -> AsyncIterator[Browser]:
    """A browser that looks at a game, with all its secrets."""
    address = f"{served.address.replace('http', 'ws')}/ws/{made.id}"
    async with connect(address, origin=Origin(served.address), max_size=None, open_timeout=PATIENCE) as socket:
        browser = Browser(socket)
        await browser.say("join", tokens={**made.tokens, "c": made.control})
        yield browser

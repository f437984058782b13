"""A server for tests, in a process of its own, and a client that keeps what a browser would know."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds until a test gives up; kernels may have to be compiled


class Server:
    """``winterkingdom serve`` on a free port."""

    def __init__(self, data: Path, *options: str) -> None:
        """Start it, and wait for the address that it prints."""
        self.data = data
        command = [sys.executable, "-m", "winterkingdom_env", "serve", "--port", "0", "--data", str(data), *options]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("http://"), line + (self.process.communicate()[1] if not line else "")
        self.address = line.split()[0].rstrip("/")
        self.host = self.address.removeprefix("http://")

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content of an answer."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Origin": self.address, **headers})
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """JSON that is there."""
        status, _, content = self.ask("GET", path)
        assert status == 200, content
        return json.loads(content)

    def post(self, path: str, content: Any) -> Any:
        """The JSON answer to JSON that is taken."""
        status, _, answer = self.ask("POST", path, json.dumps(content).encode())
        assert status in (200, 201), answer
        return json.loads(answer)

    def refused(self, path: str, content: Any) -> str:
        """The sentence of an answer to something that is not carried out."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        status, _, answer = self.ask("POST", path, body)
        assert 400 <= status < 500 or status in (503, 507), (status, answer)
        return str(json.loads(answer)["error"])

    def new_game(self, game: str, seats: Sequence[Any], **more: Any) -> dict[str, Any]:
        """A new game; a seat that is a text is an agent, None a person."""
        told = [{"person": f"person {i}"} if seat is None else {"agent": seat} for i, seat in enumerate(seats)]
        made: dict[str, Any] = self.post("/api/games", {"game": game, "seats": told, **more})
        return made

    def kill(self) -> None:
        """End it without a warning."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        """End it as Ctrl-C does; what it printed on stderr."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=60)[1]


class Client:
    """A browser's socket without a browser: it merges what it receives."""

    def __init__(self, server: Server, name: str, tokens: dict[str, str] | None = None) -> None:
        """Join a game."""
        self.parts: dict[int, str] = {}
        self.log: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.told: list[str] = []
        self.thoughts: list[dict[str, Any]] = []
        self.spots: dict[str, dict[str, Any]] = {}
        self.received: list[str] = []
        self._leave = ExitStack()
        self.socket: Any = self._leave.enter_context(
            connect(
                f"ws://{server.host}/ws/{name}", origin=Origin(server.address), max_size=None, open_timeout=PATIENCE
            )
        )
        self.say("join", tokens=tokens or {})
        self.welcome = self.receive()

    def say(self, kind: str, **more: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": kind, **more}))

    def receive(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.recv(PATIENCE)
        assert isinstance(text, str)
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "state":
            self.parts |= dict(zip(message["parts"][::2], message["parts"][1::2], strict=True))
            self.log[message["from"] :] = message["log"]
            for key in message.get("gone", ()):
                del self.spots[key]
            self.spots |= {spot["name"]: spot for spot in message.get("spots", ())}
            self.state = message
        elif message["type"] in ("told", "end"):
            self.told.append(message["words"])
        elif message["type"] == "thoughts":
            self.thoughts.append(message)
        return message

    def until(self, is_there: Any) -> dict[str, Any]:
        """Receive until a condition on this client holds; the last state."""
        while not is_there(self):
            self.receive()
        return self.state

    def question(self) -> dict[str, Any] | None:
        """The next question to this client; None when the game is over."""
        self.until(lambda client: client.state and (client.state["question"] or client.state["is_over"]))
        found: dict[str, Any] | None = self.state["question"]
        return found

    def move(self, label: str) -> None:
        """Do something, and wait until it is done or refused."""
        n, n_told = self.state["n"], len(self.told)
        self.say("move", n=n, seat=self.state["question"]["seat"], action=label)
        self.until(lambda client: client.state["n"] > n or len(client.told) > n_told)

    def ended(self) -> str:
        """The sentence with which the server closes the socket."""
        try:
            while True:
                self.receive()
        except ConnectionClosed:
            return self.told[-1] if self.told else ""

    def close(self) -> None:
        """Leave."""
        self._leave.close()

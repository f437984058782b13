"""A conversation of a hostile browser with a game, and what it may be told."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.fuzz.web_games import Victim, as_said
from tests.fuzz.web_messages import in_pieces
from tests.fuzz.web_server import TEXT, Served, Socket, check_told, frame

MARK = "mark-of-the-last-one"  # a field that the server names when it refuses it
LAST = json.dumps({"type": "think", "on": False, MARK: 1}).encode()
KINDS = ("welcome", "state", "told", "end", "thoughts")


class Conversation:
    """A socket, all that was said on it, and what came back."""

    def __init__(
        self, server: Served, victim: Victim, tokens: dict[str, str], more: str = "", first: bytes = b""
    ) -> None:
        """Join with these secrets, or say ``first`` instead. ``more``: headers of the handshake."""
        self.victim, self.socket = victim, Socket(server, f"/ws/{victim.name}", more)
        assert self.socket.is_open, f"no socket: {self.socket.head!r}"
        self.said: list[bytes] = []  # after the join
        self.first = first or json.dumps({"type": "join", "tokens": tokens}).encode()
        self.seats = seats_of(victim, self.first)
        self.spots: list[str] = []
        self.questions: list[dict[str, Any]] = []
        self.paces: list[Any] = []
        self.is_heard, self.outcome = False, "silent"
        self._marks = 0
        self.socket.send(frame(TEXT, self.first))

    def say(self, rng: random.Random, text: bytes) -> None:
        """Send a text, in one piece or several."""
        self.said.append(text)
        self.socket.send(in_pieces(rng, text))

    def mark(self) -> None:
        """Hear everything up to the answer to a last message, or until the server closes the socket."""
        for n in (1, 2):  # a change of the game is told after the answer to the first, and before that to the second
            self.socket.send(frame(TEXT, LAST))
            while self._marks < n and (found := self.socket.receive()) is not None:
                if found[0] == TEXT:
                    self._hear(found[1])
            self.is_heard = self._marks >= 1

    def hang_up(self) -> None:
        """Say no more, and hear the rest."""
        self.socket.hang_up()
        while (found := self.socket.receive()) is not None:
            if found[0] == TEXT:
                self._hear(found[1])
        self.outcome = "closed" if self.outcome != "ended" else self.outcome

    def leave(self) -> None:
        """Leave without a word."""
        self.socket.close()

    def _hear(self, text: bytes) -> None:
        """Check a message of the server."""
        said = json.loads(text)
        assert said["type"] in KINDS, said["type"]
        words = said.get("words", "")
        mine = b"".join((self.first, *self.said))  # a refusal may quote what it refuses
        check_told(text, [secret for secret in self.victim.secrets if secret not in mine])
        assert said["type"] != "thoughts" or self.victim.is_open, "thoughts about a game of people"
        if said["type"] == "welcome":
            self._check_welcome(said)
        elif said["type"] == "state":
            self._check_state(said)
        elif said["type"] == "end":
            self.outcome = "limited" if words.startswith("too many") else "ended"
        elif said["type"] == "told" and MARK in words:
            self._marks += 1
        elif said["type"] == "told":
            self.outcome = "told"

    def _check_welcome(self, said: dict[str, Any]) -> None:
        """Seats belong to who has given their secrets."""
        assert said["yours"] == self.seats, f"seats {said['yours']} were given to somebody who said {self.first!r}"
        control = self.victim.tokens["c"].encode()
        assert control in self.first or not said["can_control"], f"control was given to {self.first!r}"

    def _check_state(self, said: dict[str, Any]) -> None:
        """A question, the view of a seat and places that can be clicked are for who has the secret of the seat."""
        question = said["question"]
        if question is not None:
            assert question["seat"] in self.seats, f"the question to seat {question['seat']} was sent to {self.seats}"
            self.questions.append(question)
        assert said["view"] is None or said["view"] in self.seats, f"the view of seat {said['view']}"
        self.spots += [spot["name"] for spot in said.get("spots", ())]
        self.paces.append(said["pace"])


def seats_of(victim: Victim, first: bytes) -> list[int]:
    """The seats of somebody who joins with this message: those whose secrets it has, if it has nothing else."""
    said = as_said(first) or {}
    tokens = said.get("tokens", {})
    if said.get("type") != "join" or not isinstance(tokens, dict) or not is_within(tokens, victim.tokens):
        return []
    return sorted(int(key) for key in tokens if key != "c")


def is_within(tokens: dict[str, Any], known: dict[str, str]) -> bool:
    """Whether all of these secrets are right."""
    return all(key in known and known[key] == token for key, token in tokens.items())

"""A server with the games that are attacked."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz.web_games import PARTS_OF_A_GAME, Victim
from tests.fuzz.web_requests import Asked, Scene
from tests.fuzz.web_server import Served, check_answer
from tests.fuzz.web_talk import Conversation

LIMITED = (429, 503, 507)  # the server takes no more for now
Place = tuple[int, float]  # number of a record, and how much of it is played


GAME = "g1"  # the only recorded one of a tournament


def tournament_in(folder: Path, record: bytes) -> Path | None:
    """A folder of a tournament; None if the arena cannot be imported."""
    if any(find_spec(name) is None for name in ("choix", "scipy", "jinja2", "psutil")):
        return None
    from tests.fuzz.tournaments import Tournaments

    found = Tournaments(folder).kinds[0]
    path = found / "records" / f"{GAME}.jsonl.gz"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(record))
    return found


class LimitedError(Exception):
    """The server makes no more games for now."""


class World:
    """A server, games of two persons that begin somewhere in a record, and one of agents alone."""

    def __init__(self, folder: Path, bait: Path, records: Sequence[bytes], tournament: Path | None) -> None:
        """Start the server and begin the games."""
        self.records, self.bait = records, bait
        self.server = Served(folder, *(["--tournament", str(tournament)] if tournament else []))
        self.sources: list[str] = []
        self.victims: dict[Place, Victim] = {}
        try:
            self.sources = [str(self._posted("/api/records", record)["source"]) for record in records]
            self.victims = {(i, part): self._begun((i, part)) for i in range(len(records)) for part in PARTS_OF_A_GAME}
            self.open = self._opened()
            self.sources += [f"arena-{tournament.name}-{GAME}"] if tournament else []
        except BaseException:
            self.server.close()
            raise

    @property
    def scene(self) -> Scene:
        """What may be attacked."""
        server = self.server
        return Scene(
            server.host, server.origin, str(self.bait), list(self.victims.values()), self.sources, self.records
        )

    def renew(self, moved: Victim) -> None:
        """Begin a game again that went on. Raises LimitedError if there were too many."""
        for place, victim in self.victims.items():
            if victim is moved:
                self.victims[place] = self._begun(place)

    def hidden(self) -> list[bytes]:
        """What no answer over HTTP may hold."""
        secrets = [secret for victim in (*self.victims.values(), self.open) for secret in victim.secrets]
        return [str(self.server.data.parent).encode(), *secrets]

    def victim(self, made: dict[str, Any]) -> Victim:
        """A game that was just made."""
        path = self.server.data / "games" / made["id"] / "record.jsonl"
        return Victim(made["id"], {**made["tokens"], "c": made["control"]}, path)

    def _posted(self, target: str, body: bytes) -> dict[str, Any]:
        """The answer to something that is right."""
        told = self.server.exchange(Asked("POST", target, body).bytes_for(self.scene), is_whole=True)
        status = check_answer(told)
        if status in LIMITED:
            raise LimitedError
        assert status == 201, told
        found: dict[str, Any] = json.loads(told.partition(b"\r\n\r\n")[2])
        return found

    def _begun(self, place: Place) -> Victim:
        """A game that begins at a place of a record."""
        number, part = place
        n = self.records[number].count(b"\n") - 2
        start = {"source": self.sources[number], "at": int((n - 1) * part)}
        body = json.dumps({"seats": [{"person": "Ann"}, {"person": "Bob"}], "from": start}).encode()
        victim = self.victim(self._posted("/api/games", body))
        self._meet(victim)
        return victim

    def _opened(self) -> Victim:
        """A game of agents, which everybody may watch."""
        seats = [{"agent": "greedy"}, {"agent": "greedy"}]
        body = json.dumps({"game": "dominion", "seats": seats, "seed": 1}).encode()
        return self.victim(self._posted("/api/games", body))

    def _meet(self, victim: Victim) -> None:
        """The person to act is asked for what is legal; remember the places that are named."""
        seat = str(victim.game.seat)
        talk = Conversation(self.server, victim, {seat: victim.tokens[seat]})
        talk.mark()
        talk.leave()
        labels = [action["label"] for action in talk.questions[-1]["actions"]] if talk.questions else []
        assert labels == victim.legal, f"asked for {labels}, legal is {victim.legal}"
        victim.spots = talk.spots

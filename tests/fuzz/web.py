"""What a hostile browser sends to a running server: messages, frames, requests and records, right ones with something wrong in them.

After each attempt the server is there, has told nothing about its inside, has printed no stack trace, has opened and imported nothing that
it was told to, and no game was changed but by a legal action of somebody with the secret of the seat.
"""

from __future__ import annotations

import json
import random
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from tests.fuzz.parts import Skip
from tests.fuzz.web_addresses import request
from tests.fuzz.web_games import CONFIGS, Victim, check_victim, played
from tests.fuzz.web_messages import broken_frames, first_message, flood, odd_frame, text_of
from tests.fuzz.web_requests import Asked
from tests.fuzz.web_run import BAIT
from tests.fuzz.web_server import check_answer
from tests.fuzz.web_talk import Conversation
from tests.fuzz.web_world import LIMITED, LimitedError, World, tournament_in

STATIC = Path(__file__).parents[2] / "winterkingdom_env" / "web" / "static"
NEEDED = ("uvicorn", "starlette", "websockets")
PACE = {"playing": True, "delay": 500}  # of the open game, which nobody may change
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n"


class Web:
    """Hostile messages and requests. Outcomes: what the server did with them."""

    def __init__(self, folder: Path) -> None:
        """Record the games with which the attempts begin; the first of them starts a server."""
        missing = [name for name in NEEDED if find_spec(name) is None]
        if missing:
            raise Skip(f"{', '.join(missing)} cannot be imported: the extra 'web' has it")
        self.folder, self._numbers = folder, count(1)
        self.bait = folder / f"{BAIT}.toml"
        self.bait.write_text("[cards]\n", encoding="utf-8")
        self.records = [played(name, folder).read_bytes() for name in CONFIGS]
        (folder / "arena").mkdir()
        self.tournament = tournament_in(folder / "arena", self.records[0])
        self.world: World | None = None
        self._pages = pages()
        self._target: Victim | None = None  # the game that an attempt is about
        self._moved: Victim | None = None  # the game that went on, as it may

    def attempt(self, seed: int) -> str:
        """Say or ask something, and look at everything afterwards."""
        rng, self._target = random.Random(seed), None
        world = self._ready()
        try:
            outcome = self._talk(rng, world) if rng.random() < 0.5 else self._ask(rng, world)
            world.server.first_page()
            world.server.check_stderr()
            for victim in world.victims.values():
                assert victim is self._target or not victim.is_changed(), f"a game was changed by nobody: {victim.path}"
        except BaseException:
            self.end()  # the next attempt finds a server to which nothing has happened
            raise
        return outcome

    def end(self) -> None:
        """End the server."""
        if self.world is not None:
            self.world.server.close()
            self.world = None

    def _ready(self) -> World:
        """The server with all its games as they were at the beginning."""
        try:
            if self.world is not None and self._moved is not None:
                self.world.renew(self._moved)
        except LimitedError:
            self.end()  # a new server takes new games at once
        self._moved = None
        if self.world is None:
            name = f"server-{next(self._numbers)}"
            self.world = World(self.folder / name, self.bait, self.records, self.tournament)
        return self.world

    # Sockets

    def _talk(self, rng: random.Random, world: World) -> str:
        """A conversation with a game."""
        victims = list(world.victims.values())
        victim = self._target = rng.choice(victims) if rng.random() < 0.95 else world.open
        first = first_message(rng, victim, victims) if rng.random() < 0.2 else b""
        extras = DEFLATE if rng.random() < 0.1 else ""
        talk = Conversation(world.server, victim, {} if victim is world.open else role(rng, victim), extras, first)
        kind = rng.random()
        if kind < 0.75:
            for _ in range(rng.choice((1, 2, 2, 3, 6))):
                talk.say(rng, text_of(rng, victim, victims))
        elif kind < 0.8:
            for text in flood(rng):
                talk.say(rng, text)
        elif kind < 0.85:
            talk.socket.send(odd_frame(rng, text_of(rng, victim, victims)))
        else:
            talk.socket.send(broken_frames(rng, json.dumps({"type": "show", "seat": rng.randrange(3)}).encode()))
            talk.hang_up()
        if kind < 0.85:
            talk.mark()
        if not talk.is_heard:
            world.server.first_page()  # what was said before the server closed the socket is done by then
        talk.leave()
        if victim is world.open:
            assert all(pace == PACE for pace in talk.paces), "somebody without the secret has changed the pace"
            return f"watched, {talk.outcome}"
        if check_victim(victim, talk.said, talk.seats, talk.is_heard):
            self._moved = victim
        return "moved" if self._moved else talk.outcome

    # Requests

    def _ask(self, rng: random.Random, world: World) -> str:
        """A request."""
        scene = world.scene
        asked = request(rng, scene)
        data = asked.bytes_for(scene)
        told = world.server.exchange(data, asked.is_whole)
        status = check_answer(told, world.hidden())
        words = f"{asked.method} {asked.target[:300]} {data[:1500]!r}: {told[:1500]!r}"
        assert not (asked.never and status // 100 in (1, 2)), f"this must be refused: {words}"
        if status == 201 and asked.target == "/api/games":
            check_new(world, told)
        if asked.target == "/api/records" and asked.is_whole:
            left = [path.name for path in (world.server.data / "files").glob("trial*")]
            assert not left, f"{left} is left of a record"
        if status == 200 and asked.method == "GET" and not asked.target.startswith(("/api/", "http:")):
            self._check_page(told, words)
        return outcome_of(asked, status)

    def _check_page(self, told: bytes, words: str) -> None:
        """A file that was sent is one of the page's own."""
        content = told.partition(b"\r\n\r\n")[2]
        if content not in self._pages:
            self._pages = pages()  # somebody may have changed them meanwhile
        assert content in self._pages, f"a file that is no page: {words}"


def role(rng: random.Random, victim: Victim) -> dict[str, str]:
    """The secrets that somebody has: none, of a seat, of CONTROL, or all."""
    asked = str(victim.game.seat)
    kept = rng.choice(((), (), (), (asked,), (asked,), ("0",), ("1",), ("c",), tuple(victim.tokens)))
    return {key: victim.tokens[key] for key in kept}


def pages() -> set[bytes]:
    """The content of all files that anybody may see."""
    return {path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}


def check_new(world: World, told: bytes) -> None:
    """A game that was made is one that a form can make."""
    victim = world.victim(json.loads(told.partition(b"\r\n\r\n")[2]))
    agents = {row["agent"] for row in json.loads(victim.table)["seats"]}
    assert all(":" not in agent or agent.startswith("search:milliseconds=") for agent in agents), agents


def outcome_of(asked: Asked, status: int) -> str:
    """What became of a request."""
    if not status:
        return "hung up"
    if status in LIMITED:
        return "limited"
    return f"{asked.method if asked.method in ('GET', 'POST') else 'other'} {status // 100}xx"

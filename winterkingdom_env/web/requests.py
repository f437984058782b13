"""What a page asks for over HTTP: new games, records, films, a search, tournaments (docs/web.md). Plain functions; ``app`` calls them."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import msgspec

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import Game, GameRules, known_games, named_game
from winterkingdom_env.games.options import check_choices, make_config, surprise
from winterkingdom_env.records import Record, RecordError, module_of, read_record, replay_steps, start_game
from winterkingdom_env.search.registry import AGENTS
from winterkingdom_env.web import limits
from winterkingdom_env.web.film import film_of
from winterkingdom_env.web.host import Host
from winterkingdom_env.web.limits import Bucket, Refused
from winterkingdom_env.web.offers import offers
from winterkingdom_env.web.store import CONTROL, Plan, SeatPlan, digest
from winterkingdom_env.web.thinking import study

SEED_BITS = 53  # too many to try, and a number that JavaScript holds
SOURCE = re.compile(r"(game|file|arena)-([\w.-]+)")
# What the page says of the agents of all games; those that are not here need a terminal or a file.
WORDS = {
    "random": "plays at random",
    "greedy": "takes what pays most at once",
    "planner": "plans its whole turn",
    "policy": "a trained network",
    "search": "tree search; the longer it thinks, the stronger it is",
}
WITH_TIME = ("search",)  # agents that take milliseconds


class Tournaments(Protocol):
    """Folders of tournaments, which are not part of the package."""

    def listed(self) -> list[dict[str, Any]]:
        """Name, title, agents, games played and planned of each tournament."""

    def shown(self, name: str) -> dict[str, Any]:
        """Ladder, cross table and games of a tournament. Raises LookupError if there is none of this name."""

    def record_of(self, name: str, game: str) -> Path:
        """The record of a game. Raises LookupError if there is none."""


class NoTournaments:
    """No folder of a tournament was named."""

    def listed(self) -> list[dict[str, Any]]:
        """None."""
        return []

    def shown(self, name: str) -> dict[str, Any]:
        """There is none."""
        raise LookupError(name)

    def record_of(self, name: str, game: str) -> Path:
        """There is none."""
        raise LookupError(name)


# --- what a form sends ------------------------------------------------------------------------------------------------


class Sitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits on a seat: a person by name, or an agent by name, with a thinking time if it takes one."""

    person: str | None = None
    agent: str | None = None
    milliseconds: int | None = None


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a record: ``source`` as in an address, after ``at`` actions."""

    source: str
    at: int


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new game, or one that goes on ``from`` a position of a record."""

    seats: list[Sitting]
    game: str = ""
    options: dict[str, str] = {}
    seed: int | None = None
    start: Start | None = msgspec.field(default=None, name="from")


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the agent that is to think of it."""

    source: str
    at: int
    agent: str = "search"
    milliseconds: int | None = None


# --- about ------------------------------------------------------------------------------------------------------------


def agents_of(rules: GameRules) -> list[dict[str, Any]]:
    """The agents that a page may name, for a game."""
    found = [(name, words) for name, words in WORDS.items() if name in AGENTS]
    found += [(name, "an agent of this game") for name in rules.AGENTS]
    return [{"name": name, "words": words, "has_time": name in WITH_TIME} for name, words in found]


@lru_cache(maxsize=1)
def about() -> dict[str, Any]:
    """Games, their options and agents."""
    games = []
    for name in known_games():
        rules = named_game(name)
        games.append(
            {
                "name": name,
                "title": rules.TITLE,
                "players": list(rules.PLAYERS),
                "options": offers(rules),
                "agents": agents_of(rules),
            }
        )
    return {"version": VERSION, "games": games, "milliseconds": list(limits.MILLISECONDS)}


def known_game(name: str) -> GameRules:
    """The rules of a registered game; Refused if there is none of this name."""
    try:
        return named_game(name)
    except ValueError as error:
        raise Refused(str(error), 404) from None


def agent_text(rules: GameRules, agent: str, milliseconds: int | None) -> str:
    """The text form of an agent by name. Refused if a page may not name it: no class and no path comes from the network."""
    names = [row["name"] for row in agents_of(rules)]
    if agent not in names:
        raise Refused(f"{quoted(agent)} is not an agent of {rules.TITLE}; there are {', '.join(names)}")
    if milliseconds is None:
        return agent
    if agent not in WITH_TIME:
        raise Refused(f"{agent} takes no thinking time; leave it out")
    if not 1 <= milliseconds <= max(limits.MILLISECONDS):
        raise Refused(f"a thinking time is 1 to {max(limits.MILLISECONDS)} milliseconds")
    return f"{agent}:milliseconds={milliseconds}"


def seat_plan(rules: GameRules, seat: Sitting) -> SeatPlan:
    """Who sits on a seat. Refused if that is neither a person with a printable name nor a known agent."""
    if (seat.person is None) == (seat.agent is None):
        raise Refused("each seat has a person or an agent: give one of the two")
    if seat.agent is not None:
        text = agent_text(rules, seat.agent, seat.milliseconds)
        return SeatPlan(text, text)
    name = " ".join((seat.person or "").split())
    if not name.isprintable() or len(name) > limits.LONGEST_NAME:
        raise Refused(f"a name has at most {limits.LONGEST_NAME} characters that can be printed")
    return SeatPlan(name or "person")


# --- games ------------------------------------------------------------------------------------------------------------


class Office:
    """Carries out what pages ask for."""

    def __init__(self, host: Host, tournaments: Tournaments) -> None:
        """The games in memory, and the folders of tournaments."""
        self._host, self._store, self._tournaments = host, host.store, tournaments
        self._new = Bucket(limits.GAMES_PER_MINUTE / 60, limits.GAMES_PER_MINUTE)
        self._studies = 0
        self._studying = asyncio.Semaphore(1)

    def listed(self) -> list[dict[str, Any]]:
        """The newest games, with what everybody may know of them."""
        newest = sorted(self._store.plans.items(), key=lambda entry: -entry[1].begun)[: limits.MOST_LISTED]
        rows = []
        for name, plan in newest:
            progress, seating = self._store.progress(name), self._host.seatings.get(name)
            rows.append(
                {
                    "id": name,
                    "game": plan.game,
                    "title": named_game(plan.game).TITLE if plan.game in known_games() else plan.game,
                    "agents": [seat.name for seat in plan.seats],
                    "people": sum(seat.is_person for seat in plan.seats),
                    "moves": progress.moves,
                    "round": None if seating is None else seating.table.game.round,
                    "is_over": progress.is_over,
                    "is_open": plan.is_open,
                    "winners": progress.winners,
                    "begun": int(plan.begun),
                }
            )
        return rows

    async def new_game(self, asked: NewGame) -> dict[str, Any]:
        """Make a game; its id and the secrets of its seats. Refused if it cannot be made; nothing was written then."""
        if not self._new.passes(time.monotonic()):
            raise Refused("too many games at once; try again in a minute", 429)
        if asked.start is not None:
            if asked.game or asked.options or asked.seed is not None:
                raise Refused("a game that goes on from a record has its game, options and seed from there")
            path, start = self.path_of(asked.start.source), asked.start
            game, steps, rules = await self._host.think(lambda: _begun(path, start.at))
        else:
            rules, steps = known_game(asked.game), ()
            game = await self._host.think(lambda: _made(rules, asked))
        if len(asked.seats) != game.n_players:
            raise Refused(f"{len(asked.seats)} seats are given for {game.n_players} players; give one per player")
        seats = tuple(seat_plan(rules, seat) for seat in asked.seats)
        tokens = {str(seat): secrets.token_urlsafe(12) for seat, plan in enumerate(seats) if plan.is_person}
        tokens[CONTROL] = secrets.token_urlsafe(12)
        hashes = {key: digest(token) for key, token in tokens.items()}
        plan = Plan(game=rules.NAME, begun=time.time(), seats=seats, secrets=hashes)
        name = self._store.create(plan, game, steps)
        return {
            "id": name,
            "tokens": {key: tokens[key] for key in tokens if key != CONTROL},
            "control": tokens[CONTROL],
        }

    # Records

    def path_of(self, source: str, is_for_all: bool = True) -> Path:
        """The record of a source. Refused if there is none, or it is of a game of people that is not over and ``is_for_all``."""
        found = SOURCE.fullmatch(source)
        if found is None:
            raise Refused(f"{quoted(source)} names no record: game-ID, file-ID or arena-NAME-GAME does", 404)
        kind, name = found[1], found[2]
        if kind == "file":
            return self._store.file_of(name)
        if kind == "arena":
            folder, _, game = name.partition("-")
            try:
                return self._tournaments.record_of(folder, game)
            except LookupError:
                raise Refused("there is no such game in a tournament here", 404) from None
        plan = self._store.plan(name)
        if is_for_all and not plan.is_open and not self._store.progress(name).is_over:
            raise Refused("hands are hidden while people play; look at the game again when it is over", 403)
        return self._store.record_of(name)

    async def film(self, source: str, viewer: int | None) -> bytes:
        """The film of a record, as JSON."""
        path = self.path_of(source)
        found = path.stat()
        return await self._host.think(lambda: _film(path, (found.st_size, found.st_mtime_ns), viewer))

    async def think(self, asked: Study) -> dict[str, Any]:
        """What an agent thinks of a position. Refused if too many positions wait."""
        path = self.path_of(asked.source)
        if self._studies >= limits.MOST_STUDIES:
            raise Refused("many positions wait for a search; try again in some seconds", 503)
        self._studies += 1
        try:
            async with self._studying:
                return await self._host.think(lambda: _studied(path, asked))
        finally:
            self._studies -= 1

    # Tournaments

    def tournaments(self) -> list[dict[str, Any]]:
        """The tournaments whose folders were named."""
        return self._tournaments.listed()

    async def tournament(self, name: str) -> dict[str, Any]:
        """A tournament as it stands now."""
        try:
            return await self._host.think(lambda: self._tournaments.shown(name))
        except LookupError:
            raise Refused("there is no such tournament here", 404) from None


def drawn_options(game: str, players: int) -> dict[str, str]:
    """A random set-up as a form shows it."""
    rules = known_game(game)
    if players not in rules.PLAYERS:
        raise Refused(f"{rules.TITLE} is not for {players} players")
    return surprise(rules, players, Stream(seed_state(secrets.randbits(63))))


def _made(rules: GameRules, asked: NewGame) -> Game:
    seed = secrets.randbits(SEED_BITS) if asked.seed is None else asked.seed
    if not 0 <= seed < 1 << SEED_BITS:
        raise Refused(f"a seed is a whole number from 0 to {(1 << SEED_BITS) - 1}", 422)
    try:
        config = make_config(rules, len(asked.seats), check_choices(rules, asked.options))
        return rules.new_game(config, seed)
    except (ValueError, OverflowError) as error:
        raise Refused(str(error), 422) from None


def _read(path: Path) -> Record:
    try:
        return read_record(path)
    except RecordError as error:
        raise Refused(f"the record cannot be read: {error.reason}", 422) from None


def _at(record: Record, at: int) -> Game:
    """The game after so many actions."""
    if not 0 <= at <= len(record.actions):
        raise Refused(f"the record has {len(record.actions)} actions; 0 to {len(record.actions)} are positions")
    try:
        game = start_game(record)
        steps = replay_steps(record, game)
        for _ in range(at):
            next(steps)
    except RecordError as error:
        raise Refused(f"the record cannot be replayed: {error.reason}", 422) from None
    return game


def _begun(path: Path, at: int) -> tuple[Game, Any, GameRules]:
    """The game at its beginning, and the steps up to a position."""
    record = _read(path)
    if _at(record, at).is_over:
        raise Refused("the game is over there; go back to an earlier position")
    return start_game(record), record.actions[:at], module_of(record)


@lru_cache(maxsize=8)
def _film(path: Path, state: tuple[int, int], viewer: int | None) -> bytes:
    """The film of a record in this state (size and time) as JSON."""
    record = _read(path)
    try:
        return msgspec.json.encode(film_of(record, viewer))
    except RecordError as error:
        raise Refused(f"the record cannot be replayed: {error.reason}", 422) from None
    except ValueError as error:
        raise Refused(str(error)) from None


def _studied(path: Path, asked: Study) -> dict[str, Any]:
    record = _read(path)
    game = _at(record, asked.at)
    if game.is_over:
        raise Refused("the game is over there; nothing is left to think about")
    text = agent_text(module_of(record), asked.agent, asked.milliseconds)
    try:
        return study(game, text)
    except ValueError as error:
        raise Refused(str(error), 422) from None


def as_form(content: bytes, form: Any) -> Any:
    """What a page sent, checked against its form. Refused with the field that does not fit."""
    try:
        return msgspec.json.decode(content, type=form)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"this cannot be read: {error}") from None


def number_of(query: Mapping[str, str], name: str) -> int | None:
    """An integer in an address; None without one."""
    text = query.get(name, "")
    if not text:
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise Refused(f"{name}={quoted(text)}: a number is needed")
    return int(text)

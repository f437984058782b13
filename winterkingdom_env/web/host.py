"""The games in memory: agents that move, people who look, and what each of them is sent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from winterkingdom_env.core.picture import PUBLIC
from winterkingdom_env.core.plain_text import one_line, shortened
from winterkingdom_env.search.registry import Agent, agent_spec, get_ready
from winterkingdom_env.search.view import View as AgentsView
from winterkingdom_env.web.eyes import Eye, View, question_of, state, welcome
from winterkingdom_env.web.limits import MOST_LIVE, SECONDS_TO_KEEP, THINKERS, Refused
from winterkingdom_env.web.store import CONTROL, Store
from winterkingdom_env.web.table import Table
from winterkingdom_env.web.thinking import thoughts_about

AGENT_PAUSE = 0.12  # seconds between two moves of agents in a game with people, who want to follow
DELAY = 500  # milliseconds between two moves of a game of agents alone, at first
MOST_WAITING = 50  # messages to one socket; older ones are dropped
YOUNG = 20_000  # objects until a collection of garbage: more than a picture has, so that drawing one starts none
T = TypeVar("T")


class Watcher:
    """Somebody who looks at a game: what is known there, and what is to be sent. The socket's task sends it."""

    def __init__(self, seats: set[int], can_control: bool) -> None:
        """``seats``: those whose secrets were given."""
        self.seats, self.can_control = seats, can_control
        self.shown: int | None = min(seats) if len(seats) == 1 else None  # the seat that a screen for several shows
        self.wants_thoughts = False
        self.wake = asyncio.Event()
        self.letters: deque[dict[str, Any]] = deque(maxlen=MOST_WAITING)
        self._view: View = PUBLIC
        self._stamp = self._spots_stamp = -1
        self._serials: list[int] = []
        self._last: dict[str, Any] = {}

    def view_of(self, seating: Seating) -> View:
        """From where this watcher looks now: everything, a seat, or what everybody may see."""
        if seating.table.plan.is_open or seating.table.game.is_over:
            return None
        if len(self.seats) == 1 or (self.shown is not None and seating.table.game.seat == self.shown):
            return self.shown if self.shown is not None else PUBLIC
        return PUBLIC

    def news(self, seating: Seating) -> dict[str, Any] | None:
        """The message about everything that changed since the last one; None if nothing did."""
        table, view = seating.table, self.view_of(seating)
        eye = seating.eye(view)
        eye.look()
        if view != self._view or self._stamp < 0:
            self._view, self._stamp, self._spots_stamp = view, 0, 0
        extras = self._extras(seating, view, eye)
        if self._stamp == table.stamp and extras == self._last:
            return None
        serials = [move.serial for move in table.moves]
        same = 0
        for old, new in zip(self._serials, serials, strict=False):
            if old != new:
                break
            same += 1
        message = {**state(table, eye, self._stamp, same), "view": None if view == PUBLIC else view, **extras}
        if message["question"] is not None or self.wants_thoughts:
            message |= eye.spots_since(self._spots_stamp)
            self._spots_stamp = table.stamp
        self._stamp, self._serials, self._last = table.stamp, serials, extras
        return message

    def _extras(self, seating: Seating, view: View, eye: Eye) -> dict[str, Any]:
        """What may change without a move."""
        table = seating.table
        asked = None if table.game.is_over else table.game.seat
        is_mine = asked in self.seats and not seating.note
        curtain = asked if is_mine and len(self.seats) > 1 and view != asked else None
        return {
            "question": seating.question(asked, eye) if is_mine and view == asked and asked is not None else None,
            "curtain": curtain,
            "waiting": seating.waiting or None,
            "note": seating.note or None,
            "pace": {"playing": seating.is_playing, "delay": seating.delay} if table.plan.is_open else None,
        }


class Seating:
    """A table in memory, with its agents and those who look at it."""

    def __init__(self, table: Table, host: Host) -> None:
        """The task that lets agents move begins at once."""
        self.table, self._host = table, host
        self.watchers: set[Watcher] = set()
        self.waiting = self.note = ""
        self.is_playing, self.delay, self.steps = True, DELAY, 0
        self.left_at = time.monotonic()
        self._eyes: dict[View, Eye] = {}
        self._agents: dict[int, Agent] = {}
        self._questions: dict[int, tuple[int, dict[str, Any]]] = {}
        self._changed = asyncio.Event()
        self._due = 0.0  # when the next move of an agent may come
        self.task = asyncio.create_task(self._drive())

    def eye(self, view: View) -> Eye:
        """The picture from this view."""
        if view not in self._eyes:
            self._eyes[view] = Eye(self.table, view)
        return self._eyes[view]

    def question(self, seat: int, eye: Eye) -> dict[str, Any]:
        """What a person is asked now, made once per position."""
        known = self._questions.get(seat)
        if known is None or known[0] != self.table.stamp:
            known = self.table.stamp, question_of(self.table, seat, eye.spots())
            self._questions[seat] = known
        return known[1]

    def tell(self) -> None:
        """Wake everybody who looks, and the task that lets agents move."""
        for watcher in self.watchers:
            watcher.wake.set()
        self._changed.set()

    def join(self, watcher: Watcher) -> dict[str, Any]:
        """Somebody looks from now on; the first message."""
        self.watchers.add(watcher)
        eye = self.eye(watcher.view_of(self))
        eye.look()
        self._changed.set()
        watcher.wake.set()
        return welcome(self.table, eye, sorted(watcher.seats), watcher.can_control)

    def leave(self, watcher: Watcher) -> None:
        """Somebody looks no more."""
        self.watchers.discard(watcher)
        self.left_at = time.monotonic()

    def restart_clock(self) -> None:
        """Let the next move come after the delay that is set now."""
        self._due = time.monotonic() + self.delay / 1000

    # Agents

    async def _drive(self) -> None:
        """Let agents move until the game is over. An agent or a disk that fails ends this with a note, not the server."""
        table = self.table
        try:
            while not table.game.is_over:
                seat = table.game.seat
                if not self.watchers or table.plan.seats[seat].is_person or self._is_paused():
                    await self._wait(None)
                elif time.monotonic() < self._due and not self.steps:
                    await self._wait(self._due - time.monotonic())
                else:
                    await self._let_move(seat)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # an agent may raise anything
            self.note = f"The game stopped: {shortened(one_line(str(error) or type(error).__name__))}"
            self.waiting = ""
            self.tell()

    def _is_paused(self) -> bool:
        return self.table.plan.is_open and not self.is_playing and not self.steps

    async def _wait(self, seconds: float | None) -> None:
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def _let_move(self, seat: int) -> None:
        table, name = self.table, self.table.plan.seats[seat].name
        agent = self._agents.get(seat)
        if agent is None:
            self._say(f"{name} gets ready; kernels that are used for the first time are compiled for about a minute")
            agent = await self._host.think(lambda: _made(table, seat))
            self._agents[seat] = agent
            self._host.has_loaded(f"{table.plan.game} {table.plan.seats[seat].agent.partition(':')[0]}")
        serial, seen = table.stamp, AgentsView(table.game, seat)
        if _is_slow(table.plan.seats[seat].agent):
            self._say(f"{name} is thinking")
        started = time.monotonic()
        action = await self._host.think(lambda: agent(seen))
        seconds = time.monotonic() - started
        if table.stamp != serial:
            return  # the game was changed meanwhile
        thoughts = None
        if any(watcher.wants_thoughts for watcher in self.watchers) and table.plan.is_open:
            thoughts = thoughts_about(table.game, seat, name, agent, seconds, self.eye(None).spots())
        pause = self.delay / 1000 if table.plan.is_open else AGENT_PAUSE
        self._due = (self._due if self._due > started - pause else started) + pause  # a late move delays no later one
        self.steps = max(0, self.steps - 1)
        n = table.n
        table.act(int(action))
        self.waiting = ""
        for watcher in self.watchers:
            if thoughts is not None and watcher.wants_thoughts:
                watcher.letters.append({"type": "thoughts", "n": n, **thoughts})
        self.tell()

    def _say(self, words: str) -> None:
        if self.waiting != words:
            self.waiting = words
            self.tell()

    async def close(self) -> None:
        """End the task, and close the record."""
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task
        self.table.leave()


def _made(table: Table, seat: int) -> Agent:
    agent = agent_spec(table.plan.seats[seat].agent).make(secrets.randbits(63))
    get_ready(agent, table.rules)
    return agent


def _is_slow(agent: str) -> bool:
    """Whether an agent is given so much time that a person would wonder."""
    return "milliseconds" in agent


class Host:
    """All games in memory."""

    def __init__(self, store: Store) -> None:
        """No game is in memory yet."""
        self.store = store
        self.seatings: dict[str, Seating] = {}
        self._pool = ThreadPoolExecutor(THINKERS, "thinker")
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of games in transit
        self._cleaner: asyncio.Task[None] | None = None
        self._loaded: set[str] = set()

    def _lock_of(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name) or asyncio.Lock()
        self._locks[name] = lock
        return lock

    def has_loaded(self, kind: str) -> None:
        """Kernels of a kind of game or agent are in memory now. The first time, a server leaves all that is there out of further collections.

        A collection that looks through the kernels of all games stops it for 100 ms, several times a second if many games are watched.
        """
        if self._cleaner is not None and kind not in self._loaded:
            self._loaded.add(kind)
            gc.collect()
            gc.freeze()

    async def think(self, work: Callable[[], T]) -> T:
        """Run something slow in a thread; kernels release the GIL."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def seating(self, name: str) -> Seating:
        """A game, read from its record if it is not in memory."""
        plan = self.store.plan(name)
        async with self._lock_of(name):
            if name not in self.seatings:
                if len(self.seatings) >= MOST_LIVE:
                    await self.clean(0.0)
                if len(self.seatings) >= MOST_LIVE:
                    raise Refused(f"{MOST_LIVE} games are being looked at; try again when some are over", 503)
                path = self.store.record_of(name)
                table = await self.think(lambda: Table(name, plan, path))
                self.seatings[name] = Seating(table, self)
                self.has_loaded(plan.game)
            return self.seatings[name]

    def admitted(self, name: str, tokens: dict[str, str]) -> Watcher:
        """A watcher with the seats whose secrets are given. Refused if one of them is wrong."""
        plan = self.store.plan(name)
        wrong = [key for key, token in tokens.items() if not plan.admits(key, token)]
        if wrong:
            raise Refused("this link does not fit the game; use the link that was made for the seat", 403)
        return Watcher({int(key) for key in tokens if key != CONTROL}, CONTROL in tokens)

    async def clean(self, seconds: float = SECONDS_TO_KEEP) -> None:
        """Drop the games from memory that nobody has looked at for so long."""
        now = time.monotonic()
        for name, seating in list(self.seatings.items()):
            lock = self._lock_of(name)
            if lock.locked() or self.seatings.get(name) is not seating:  # somebody loads it, or another call drops it
                continue
            async with lock:
                if not seating.watchers and now - seating.left_at >= seconds:
                    del self.seatings[name]
                    await seating.close()  # whoever wants the game again waits for the lock, until its record is closed

    async def start(self) -> None:
        """Begin to drop games that nobody looks at. Garbage of this process is collected less often from now on."""
        gc.set_threshold(YOUNG, 10, 10)

        async def cleaning() -> None:
            while True:
                await asyncio.sleep(SECONDS_TO_KEEP / 3)
                await self.clean()

        self._cleaner = asyncio.create_task(cleaning())

    async def stop(self) -> None:
        """Close all records; every game can be continued."""
        if self._cleaner is not None:
            self._cleaner.cancel()
        for seating in list(self.seatings.values()):
            await seating.close()
        self.seatings.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)


def encoded(message: dict[str, Any]) -> str:
    """A message as it is sent."""
    return msgspec.json.encode(message).decode()

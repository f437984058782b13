"""A browser's socket: what it may say, and how it is answered (docs/web.md)."""

from __future__ import annotations

import asyncio
import contextlib
import time

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from winterkingdom_env.core.plain_text import one_line, shortened
from winterkingdom_env.web.eyes import why_not
from winterkingdom_env.web.host import Host, Seating, Watcher, encoded
from winterkingdom_env.web.limits import (
    LONGEST_DELAY,
    LONGEST_MESSAGE,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_SECOND,
    MOST_BAD,
    SECONDS_TO_JOIN,
    Bucket,
    Refused,
)

# --- what a browser says ----------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """A message of a browser; its ``type`` is the name of the class in lower case."""


class Join(Message, frozen=True):
    """The first message: the secrets of one's seats, and of CONTROL."""

    tokens: dict[str, str] = {}


class Move(Message, frozen=True):
    """An action of a seat, by its label. ``n``: the number of actions that the browser knows of."""

    n: int
    seat: int
    action: str


class Why(Message, frozen=True):
    """Why is this not legal? ``spot``: the key of one, or ``action``: a label."""

    n: int
    seat: int
    spot: str = ""
    action: str = ""


class Show(Message, frozen=True):
    """Look from this own seat; None: from none."""

    seat: int | None = None


class Undo(Message, frozen=True):
    """Take back the last action of a seat."""

    n: int
    seat: int


class Pace(Message, frozen=True):
    """How a game of agents goes on: ``delay`` in milliseconds; ``step``: one move."""

    playing: bool | None = None
    delay: int | None = None
    step: bool = False


class Think(Message, frozen=True):
    """Whether to send what agents think."""

    on: bool


Said = Join | Move | Why | Show | Undo | Pace | Think
DECODER: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)


def read_message(text: str) -> Said:
    """A message; Refused if it is none."""
    try:
        return DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"this message cannot be read: {shortened(one_line(str(error)))}") from None


# --- answering --------------------------------------------------------------------------------------------------------


class Talk:
    """A conversation with one browser about one game."""

    def __init__(self, socket: WebSocket, host: Host, name: str) -> None:
        """Nothing was said yet. ``name``: of the game."""
        self._socket, self._host, self._name = socket, host, name
        self._bucket = Bucket(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE)
        self._n_bad = 0

    async def run(self) -> None:
        """Talk until the browser leaves, or has to."""
        try:
            watcher, seating = await self._joined()
        except Refused as refused:
            await self._end(refused.words)
            return
        except (WebSocketDisconnect, TimeoutError):
            await self._end("say which seats are yours: the first message is a join")
            return
        welcome = encoded(seating.join(watcher))  # from now on the watcher leaves, however this ends
        sender = asyncio.create_task(self._send(watcher, seating, welcome))
        try:
            await self._listen(watcher, seating)
        except Refused as refused:
            await self._end(refused.words)
        except WebSocketDisconnect:
            pass
        finally:
            seating.leave(watcher)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender

    async def _joined(self) -> tuple[Watcher, Seating]:
        first = read_message(await asyncio.wait_for(self._received(), SECONDS_TO_JOIN))
        if not isinstance(first, Join):
            raise Refused("the first message is a join")
        watcher = self._host.admitted(self._name, first.tokens)
        return watcher, await self._host.seating(self._name)

    async def _received(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise Refused("messages are text, in JSON")
        if len(text) > LONGEST_MESSAGE:
            raise Refused(f"a message has at most {LONGEST_MESSAGE:,} characters")
        return str(text)

    async def _listen(self, watcher: Watcher, seating: Seating) -> None:
        while True:
            text = await self._received()
            if not self._bucket.passes(time.monotonic()):
                raise Refused("too many messages; load the page again to go on")
            try:
                said = read_message(text)
            except Refused as refused:
                self._n_bad += 1
                if self._n_bad >= MOST_BAD:
                    raise Refused("too many messages that cannot be read") from None
                self._tell(watcher, refused.words)
                continue
            try:
                answer(said, watcher, seating)
            except Refused as refused:
                self._tell(watcher, refused.words)
            except ValueError as error:  # not an action, or not legal: the game explains it
                self._tell(watcher, shortened(one_line(str(error)), 400))

    def _tell(self, watcher: Watcher, words: str) -> None:
        watcher.letters.append({"type": "told", "words": words})
        watcher.wake.set()

    async def _send(self, watcher: Watcher, seating: Seating, welcome: str) -> None:
        """Send the first message, then whatever is new. Changes that come faster than they can be sent are sent together."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):  # it left; the listener notices
            await self._socket.send_text(welcome)
            while True:
                await watcher.wake.wait()
                watcher.wake.clear()
                while watcher.letters:
                    await self._socket.send_text(encoded(watcher.letters.popleft()))
                news = watcher.news(seating)
                if news is not None:
                    await self._socket.send_text(encoded(news))

    async def _end(self, words: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self._socket.send_text(encoded({"type": "end", "words": words}))
            await self._socket.close(1008)


def answer(said: Said, watcher: Watcher, seating: Seating) -> None:
    """Do what a browser says. Raises Refused, or ValueError for an action that is not legal; nothing has changed then."""
    table = seating.table
    if isinstance(said, Move):
        check_asked(said.seat, said.n, watcher, seating)
        table.act(table.game.parse(said.action))
        seating.tell()
    elif isinstance(said, Why):
        check_asked(said.seat, said.n, watcher, seating)
        words = why_words(said, watcher, seating)
        watcher.letters.append({"type": "told", "words": words})
        watcher.wake.set()
    elif isinstance(said, Undo):
        check_asked(said.seat, said.n, watcher, seating)
        table.undo()
        seating.tell()
    elif isinstance(said, Show):
        if said.seat is not None and said.seat not in watcher.seats:
            raise Refused("this seat is not yours; its link shows it")
        watcher.shown = said.seat
        watcher.wake.set()
    elif isinstance(said, Pace):
        set_pace(said, watcher, seating)
    elif isinstance(said, Think):
        watcher.wants_thoughts = said.on
        watcher.wake.set()
    else:
        raise Refused("you have joined already")


def check_asked(seat: int, n: int, watcher: Watcher, seating: Seating) -> None:
    """Refused unless the seat is the watcher's, is asked, and the position is the one that the browser shows."""
    table = seating.table
    if seat not in watcher.seats:
        raise Refused("this seat is not yours; its link is needed")
    if seating.note:
        raise Refused(seating.note)
    if table.game.is_over:
        raise Refused("the game is over")
    if n != table.n:
        raise Refused("the game has gone on meanwhile; look at it again")
    if table.game.seat != seat:
        raise Refused("it is not your turn")


def why_words(said: Why, watcher: Watcher, seating: Seating) -> str:
    """The explanation of something that is not legal."""
    table = seating.table
    if not said.spot:
        return why_not(table, said.seat, None, said.action)
    spots = seating.eye(watcher.view_of(seating)).spots()
    if said.spot not in spots:
        raise Refused("there is no such place")
    return why_not(table, said.seat, spots[said.spot], "")


def set_pace(said: Pace, watcher: Watcher, seating: Seating) -> None:
    """Play, pause, step, or change the delay between moves."""
    if not seating.table.plan.is_open:
        raise Refused("only games of agents alone have a pace")
    if not watcher.can_control:
        raise Refused("who made the game sets its pace; make one of your own")
    if said.delay is not None and not 0 <= said.delay <= LONGEST_DELAY:
        raise Refused(f"the delay is 0 to {LONGEST_DELAY} milliseconds")
    seating.is_playing = seating.is_playing if said.playing is None else said.playing
    seating.delay = seating.delay if said.delay is None else said.delay
    seating.steps = 1 if said.step else 0
    seating.tell()
    seating.restart_clock()

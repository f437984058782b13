"""One game on the server: the position, the moves so far, the record on disk, and what a person may take back. No sockets, no threads."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path
from typing import NamedTuple

from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.games.undo import OpenTurn
from winterkingdom_env.records import (
    Record,
    RecordError,
    RecordWriter,
    module_of,
    read_record,
    replay_steps,
    start_game,
)
from winterkingdom_env.web.limits import Refused
from winterkingdom_env.web.store import Plan


class Move(NamedTuple):
    """An action of a seat. No two moves of a table have the same ``serial``, also if one was taken back."""

    seat: int
    label: str
    round: int
    serial: int


class Table:
    """A game that is being played."""

    def __init__(self, name: str, plan: Plan, path: Path) -> None:
        """Read the record of the game and go on from its last action. Refused if it cannot be replayed."""
        self.name, self.plan = name, plan
        self._serials = count(1)
        self.moves: list[Move] = []
        self.turn = OpenTurn()
        self.stamp = 1  # grows with every change
        self.moved_at = time.time()
        try:
            record = read_record(path)
            self.rules: GameRules = module_of(record)
            self.game: Game = self._replayed(record)
            self._writer = None if record.is_complete else RecordWriter.continued(record)
        except RecordError as error:
            raise Refused(f"the game cannot be continued: {error.reason}", 500) from error
        if self.game.is_over and self._writer is not None:  # the server ended just before the closing line
            self._close()

    def _replayed(self, record: Record) -> Game:
        """The game after all recorded actions; a person may take back those of the open turn."""
        game = start_game(record)
        before, trail = game.clone(), list[tuple[Game, int, Game]]()
        for step, now in replay_steps(record, game):
            after, action = now.clone(), before.parse(step.action)
            self._add(before, step.action)
            is_same_turn = (after.seat, after.round) == (before.seat, before.round) and not after.is_over
            trail = [*trail, (before, action, after)] if is_same_turn else []
            before = after
        if trail and self.plan.seats[game.seat].is_person:
            for part in trail:
                self.turn.add(*part)
        return game

    def _add(self, before: Game, label: str) -> None:
        self.moves.append(Move(before.seat, label, before.round, next(self._serials)))

    @property
    def n(self) -> int:
        """Number of actions so far."""
        return len(self.moves)

    def act(self, action: int) -> None:
        """Carry out an action of the seat to act, and record it. Raises ValueError if it is not legal; nothing has changed then."""
        game, before = self.game, self.game.clone()
        game.apply(action)
        label = before.label(action)
        self._add(before, label)
        if self._writer is not None:
            self._writer.write(before.seat, label)
        if self.plan.seats[before.seat].is_person:
            self.turn.add(before, int(action), game)
        else:
            self.turn = OpenTurn()
        if game.is_over:
            self._close()
        self.changed()

    def undo(self) -> None:
        """Take back the last action. Refused with the reason if that is not possible."""
        if not self.turn.befores:
            raise Refused(self.turn.why_not)
        self.game = self.turn.befores.pop()
        self.moves.pop()
        if self._writer is not None:
            self._writer.take_back()
        self.changed()

    def changed(self) -> None:
        """Note that viewers have something to see."""
        self.stamp += 1
        self.moved_at = time.time()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close(self.game)
            self._writer = None

    def leave(self) -> None:
        """Close the record; the game can be continued from it."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

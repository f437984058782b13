"""The games that the fuzz part ``web`` attacks, and the oracle: what a game may be after what was said about it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from winterkingdom_env.games import Game, get_game
from winterkingdom_env.records import RecordError, RecordWriter, read_record, replay, replay_steps, start_game

CONFIGS: dict[str, dict[str, Any]] = {
    "winter_kingdom": {"twist": "random"},
    "dominion": {"kingdom": "interaction", "round_limit": 12},
    "kingdom_builder": {"sets": ("nomads", "crossroads"), "round_limit": 5},
}
PARTS_OF_A_GAME = (
    0.0,
    0.3,
    0.6,
    1.0,
)  # where victims begin: after so much of a recorded game, and before its last action
MOST_FOLLOWED = 12  # positions that the oracle keeps in mind
Actions = tuple[str, ...]


def played(name: str, folder: Path) -> Path:
    """The record of a short game for two, played at random."""
    rng = random.Random(5)
    game = get_game(name).new_game(get_game(name).Config(num_players=2, **CONFIGS[name]), 5)
    with RecordWriter(folder / f"{name}.jsonl", game, ["random", "random"]) as writer:
        while not game.is_over:
            action = rng.choice(game.legal_actions())
            writer.write(game.seat, game.label(action))
            game.apply(action)
        writer.close(game)
    return writer.path


@dataclass
class Victim:
    """A game of two persons on the server, as it was before an attempt."""

    name: str
    tokens: dict[str, str]  # by seat, and by "c"
    path: Path  # of the record
    spots: list[str] = field(default_factory=list)  # keys of places that the server named

    def __post_init__(self) -> None:
        """Read the record."""
        self.table = self.path.with_name("table.json").read_bytes()
        hashes: dict[str, str] = json.loads(self.table)["secrets"]
        self.secrets = [text.encode() for text in (*self.tokens.values(), *hashes.values())]
        self.content = self.path.read_bytes()
        record = read_record(self.path)
        self.actions: Actions = tuple(step.action for step in record.actions)
        self.game = start_game(record)
        for _ in replay_steps(record, self.game):
            pass

    @cached_property
    def legal(self) -> list[str]:
        """The labels of what the seat to act may do."""
        return [self.game.label(action) for action in self.game.legal_actions()]

    @property
    def is_open(self) -> bool:
        """Whether only agents play."""
        return list(self.tokens) == ["c"]

    @property
    def n(self) -> int:
        """Number of actions."""
        return len(self.actions)

    def after(self, actions: Actions) -> Game:
        """The game after these actions."""
        if actions[: self.n] == self.actions:
            game, left = self.game.clone(), actions[self.n :]
        else:
            game, left = start_game(read_record(self.path)), actions
        for label in left:
            game.apply(game.parse(label))
        return game

    def is_changed(self) -> bool:
        """Whether a byte of its files is not what it was."""
        assert self.path.with_name("table.json").read_bytes() == self.table, "the plan of a game was changed"
        return self.path.read_bytes() != self.content


# --- the oracle -------------------------------------------------------------------------------------------------------


def as_said(text: bytes) -> dict[str, Any] | None:
    """A message that could be valid: an object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_whole_number(value: Any) -> bool:
    """Whether a value is an integer and nothing that only looks like one."""
    return isinstance(value, int) and not isinstance(value, bool)


def outcomes_of(victim: Victim, actions: Actions, said: dict[str, Any], seats: Iterable[int]) -> list[Actions]:
    """What the actions of a game may be after a message of somebody who has the secrets of these seats."""
    kind, n, seat = said.get("type"), said.get("n"), said.get("seat")
    is_asked = is_whole_number(n) and n == len(actions) and is_whole_number(seat) and seat in set(seats)
    wanted = {"move": {"type", "n", "seat", "action"}, "undo": {"type", "n", "seat"}}
    if not is_asked or not isinstance(kind, str) or set(said) != wanted.get(kind):
        return [actions]
    game = victim.after(actions)
    if game.is_over or game.seat != seat:
        return [actions]
    if kind == "undo":
        return [actions, actions[:-1]] if actions and victim.after(actions[:-1]).seat == seat else [actions]
    try:
        action = game.parse(said["action"])
    except (ValueError, TypeError):
        return [actions]
    return [(*actions, game.label(action))] if action in game.legal_actions() else [actions]


def possible(victim: Victim, said: Iterable[bytes], seats: Iterable[int], is_heard: bool) -> set[Actions]:
    """All that the actions of a game may be after these messages. ``is_heard``: the server has listened to the last of them."""
    now, ever = {victim.actions}, {victim.actions}
    for text in said:
        message = as_said(text)
        if message is None or message.get("type") not in ("move", "undo"):
            continue
        now = {after for actions in now for after in outcomes_of(victim, actions, message, seats)}
        ever |= now
        assert len(now) <= MOST_FOLLOWED, "too many undos in one attempt"
    return now if is_heard else ever


def check_victim(victim: Victim, said: Iterable[bytes], seats: Iterable[int], is_heard: bool) -> bool:
    """Whether the game went on; it went on only as the messages allow, and its record is true."""
    allowed = possible(victim, said, seats, is_heard)
    if not victim.is_changed():
        assert victim.actions in allowed, f"a legal action was not carried out: {allowed} in {victim.path}"
        return False
    try:
        found = tuple(step.action for step in replay(victim.path).record.actions)
    except RecordError as error:
        raise AssertionError(f"a record was damaged: {error}") from error
    assert found in allowed, f"a game was changed: from {victim.actions[-3:]} to {found[-3:]} ({len(found)} actions)"
    return True

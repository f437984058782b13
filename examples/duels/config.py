"""The options of a game, validated in the constructor."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from examples.duels.layout import (
    COPIES,
    MAX_PLAYERS,
    MOST_COPIES,
    MOST_ROUNDS,
    PRIZE_COPIES,
    STRENGTHS,
    VALUES,
)
from winterkingdom_env.games.house_rules import Number, Sheet, Sheets
from winterkingdom_env.games.simple import SimpleConfig


class Card(NamedTuple):
    """A kind of card: a weapon by its strength, a prize by its value."""

    name: str
    copies: int


WEAPONS = tuple(Card(str(kind + 1), COPIES) for kind in range(STRENGTHS))
PRIZES = tuple(Card(str(value), PRIZE_COPIES) for value in VALUES)


class Config(SimpleConfig, frozen=True, kw_only=True):
    """A game to set up: 2 to 5 players, 1 to 5 rounds. House rules may have more copies of a prize."""

    NAME: ClassVar[str] = "duels"
    RANGES: ClassVar[dict[str, range]] = {
        "num_players": range(2, MAX_PLAYERS + 1),
        "rounds": range(1, MOST_ROUNDS + 1),
    }
    SHEETS: ClassVar[Sheets] = (
        Sheet("weapon", WEAPONS, {}),
        Sheet("prize", PRIZES, {"copies": Number(PRIZE_COPIES, MOST_COPIES, vary=1)}),
    )

    rounds: int = 3

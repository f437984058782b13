"""What a user may choose, checked when it is made."""

from __future__ import annotations

from typing import ClassVar

from examples.duels.layout import MAX_PLAYERS, MOST_ROUNDS
from winterkingdom_env.games.simple import SimpleConfig


class Config(SimpleConfig, frozen=True, kw_only=True):
    """A game to set up: 2 to 5 players, 1 to 5 rounds."""

    NAME: ClassVar[str] = "duels"
    RANGES: ClassVar[dict[str, range]] = {
        "num_players": range(2, MAX_PLAYERS + 1),
        "rounds": range(1, MOST_ROUNDS + 1),
    }

    rounds: int = 3

"""The reference as a table for scripts and yardsticks."""

from __future__ import annotations

from tests.dominion.position import Position
from winterkingdom_env.reference.dominion import ReferenceGame
from winterkingdom_env.reference.dominion.rng import RandomStream


def make_table(position: Position, seed: int) -> ReferenceGame:
    """A position of the reference."""
    if position.setup:
        options = {"num_players": position.num_players, "kingdom": position.setup, "round_limit": position.round_limit}
        return ReferenceGame({**options, "seed": seed})
    return ReferenceGame.position(position.plain(RandomStream.from_seed(seed).state))

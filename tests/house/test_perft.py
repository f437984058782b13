"""Action sequences of every registered game: counted in bulk, with every move made, and by copies and legal actions alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.house.games import CONFIGS, NAMES, positions
from winterkingdom_env.games.base import perft

MOST = 3000  # copies that the slow way may make from one position
every_game = pytest.mark.parametrize("name", NAMES)


def count(game: Any, depth: int) -> int:
    """The same by what the contract promises; a sequence that ends the game earlier counts once."""
    if depth == 0 or game.is_over:
        return 1
    total = 0
    for action in game.legal_actions():
        child = game.clone()
        child.apply(action)
        total += count(child, depth - 1)
    return total


@every_game
def test_perft__three_ways__count_the_same(name: str) -> None:
    deepest = 0
    for seed in range(len(CONFIGS[name])):
        for game in positions(name, seed, 6):
            before, depth = game.to_bytes(), 0
            while depth < 4 and perft(game, depth) <= MOST:
                depth += 1
                if perft(game, depth) > MOST:
                    break
                slow = count(game, depth)
                assert perft(game, depth) == perft(game, depth, is_bulk=False) == slow, (
                    f"seed {seed}, depth {depth}, {game}"
                )
                deepest = max(deepest, depth)
            assert game.to_bytes() == before
    assert deepest >= 2, "nothing was counted beyond the first action"

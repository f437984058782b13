"""Guided search in a game in which a drawn card decides what is legal."""

from __future__ import annotations

import pytest

from winterkingdom_env.games import get_game
from winterkingdom_env.search.arrays import NONE, ROOT
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.weights import load_weights, shipped_file


def children(thinker: Thinker, node: int) -> dict[int, int]:
    """The children of a node by action."""
    nodes, found = thinker._arrays.nodes, {}
    child = int(nodes[node]["child"])
    while child != NONE:
        found[int(nodes[child]["action"])] = child
        child = int(nodes[child]["sibling"])
    return found


@pytest.mark.rule("docs/agents.md, guided search")
def test_node__another_simulation_has_more_coins__its_buys_are_added() -> None:
    # The next seat drew five of seven Coppers and three Estates: 2 to 5 coins, and rarely 5.
    dominion = get_game("dominion")
    game = dominion.new_game(dominion.Config(kingdom="village_square"), seed=3)
    thinker = Thinker(dominion, load_weights(shipped_file("dominion")).flat(), most_simulations=600, explore=50.0)
    for seed in range(4):
        thinker.begin(game, seed)
        thinker.simulate(600)
        replies = children(thinker, children(thinker, ROOT)[game.parse("buy Silver")])
        assert {game.parse("buy Silver"), game.parse("buy Market")} <= set(replies), f"seed {seed}"

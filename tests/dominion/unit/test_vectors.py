"""The agreement vectors of the rules and the perft counts, from the kernels."""

from __future__ import annotations

import pytest

from tests.dominion.vectors import PERFT, VECTORS, Vector
from winterkingdom_env.games.base import perft
from winterkingdom_env.games.dominion import Config, Game


def deal(players: int, kingdom: str, seed: int) -> Game:
    return Game.new_game(Config(num_players=players, kingdom=kingdom), seed)


@pytest.mark.rule("Dominion, agreement vectors")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.players}p_{vector.kingdom}_{vector.seed}")
def test_vector__played_to_the_end__agrees(vector: Vector) -> None:
    game = deal(vector.players, vector.kingdom, vector.seed)
    step = 0
    while not game.is_over:
        legal = game.legal_actions()
        game.apply(legal[vector.choose(step, len(legal))])
        step += 1
    end = game.snapshot()
    assert not vector.cards or ", ".join(end["kingdom"]) == vector.cards
    assert step == vector.steps
    assert tuple(player["turns"] for player in end["players"]) == vector.turns
    assert tuple(game.scores()) == vector.scores
    assert ", ".join(name for name, n in end["supply"].items() if not n) == vector.empty
    assert sum(end["trash"].values()) == vector.trash
    assert int(game.record["rng"][0]) == vector.rng


@pytest.mark.rule("Dominion, perft")
@pytest.mark.parametrize(("players", "kingdom", "seed", "counts"), PERFT)
def test_perft__from_set_up__agrees(players: int, kingdom: str, seed: int, counts: tuple[int, ...]) -> None:
    game = deal(players, kingdom, seed)
    assert tuple(perft(game, depth) for depth in range(1, len(counts) + 1)) == counts

"""The agreement vectors of the rules, to the last digit of the random stream, and the perft counts."""

from __future__ import annotations

import pytest

from tests.dominion.position import NAMES
from tests.dominion.vectors import FIRST_HANDS, FIRST_RNG, PERFT, VECTORS, Vector
from winterkingdom_env.reference.dominion import ReferenceGame
from winterkingdom_env.reference.dominion.actions import LABELS


def deal(players: int, kingdom: str, seed: int) -> ReferenceGame:
    return ReferenceGame({"num_players": players, "kingdom": kingdom, "seed": seed})


def perft(game: ReferenceGame, depth: int) -> int:
    """The number of action sequences; a game that is over counts once."""
    if depth == 0 or game.is_over:
        return 1
    if depth == 1:
        return len(game.legal_labels())
    total = 0
    for label in game.legal_labels():
        after = game.clone()
        after.apply(label)
        total += perft(after, depth - 1)
    return total


@pytest.mark.rule("Dominion, agreement vectors")
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.players}p_{vector.kingdom}_{vector.seed}")
def test_vector__played_to_the_end__agrees(vector: Vector) -> None:
    game = deal(vector.players, vector.kingdom, vector.seed)
    if vector.cards:
        assert ", ".join(NAMES[card] for card in game.snapshot()["kingdom"]) == vector.cards
    step = 0
    while not game.is_over:
        legal = game.legal_actions()
        game.apply(LABELS[legal[vector.choose(step, len(legal))]])
        step += 1
    end = game.snapshot()
    assert step == vector.steps
    assert tuple(end["turns"]) == vector.turns
    assert tuple(game.scores()) == vector.scores
    assert ", ".join(game.empty_piles()) == vector.empty
    assert sum(end["trash"]) == vector.trash
    assert end["rng"] == vector.rng


@pytest.mark.rule("Dominion, agreement vectors")
def test_vector__first_set_up__hands_and_stream_agree() -> None:
    data = deal(*VECTORS[0][:3]).snapshot()
    hands = [data["hand"][0], data["hand"][1]]
    hands[0] = [held + played for held, played in zip(hands[0], data["play"], strict=True)]
    assert tuple((hand[NAMES.index("Copper")], hand[NAMES.index("Estate")]) for hand in hands) == FIRST_HANDS
    assert data["rng"] == FIRST_RNG


@pytest.mark.rule("Dominion, perft")
@pytest.mark.parametrize(("players", "kingdom", "seed", "counts"), PERFT)
def test_perft__from_set_up__agrees(players: int, kingdom: str, seed: int, counts: tuple[int, ...]) -> None:
    game = deal(players, kingdom, seed)
    assert tuple(perft(game, depth) for depth in range(1, len(counts) + 1)) == counts

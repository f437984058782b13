"""Multisets as words (core/counts.py) against Python's Counter."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from winterkingdom_env.core import counts
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.dominion.layout import GAME


def words(cards: Counter[int]) -> np.ndarray:
    return np.array([cards[kind] for kind in range(counts.KINDS)], np.uint8).view("<u8")


def some_cards(dice: random.Random) -> Counter[int]:
    """At most 31 of a kind, so that eight kinds stay below 256."""
    return Counter({kind: dice.randint(1, 31) for kind in dice.sample(range(counts.KINDS), dice.randint(0, 12))})


@pytest.mark.parametrize("seed", range(20))
def test_multiset__is_a_counter(seed: int) -> None:
    dice = random.Random(seed)
    cards = some_cards(dice)
    zone = words(cards)
    assert counts.size_of(zone) == cards.total() and bool(counts.is_empty(zone)) == (not cards)
    assert int(counts.kinds_of(zone)) == sum(1 << kind for kind in cards)
    assert [counts.count_of(zone, kind) for kind in range(counts.KINDS)] == [
        cards[kind] for kind in range(counts.KINDS)
    ]
    laid_out = sorted(cards.elements())
    assert [counts.nth_card(zone, n) for n in range(len(laid_out))] == laid_out


@pytest.mark.parametrize("seed", range(20))
def test_moves__are_those_of_a_counter(seed: int) -> None:
    dice = random.Random(seed)
    first, second = some_cards(dice), Counter({dice.randrange(counts.KINDS): 3})
    source, target = words(first), words(second)
    counts.put_all(source, target)
    assert bool(counts.is_empty(source)) and target.tolist() == words(first + second).tolist()
    counts.copy_all(target, source)
    kind = next(iter(second))
    counts.remove(source, kind, 2)
    counts.add(source, kind, 1)
    assert counts.count_of(source, kind) == (first + second)[kind] - 1
    counts.clear(source)
    assert bool(counts.is_empty(source))


def test_draw__takes_the_card_that_the_stream_says() -> None:
    game, stream = (
        np.zeros(1, GAME),
        Stream(0),
    )  # a small record of its own would be compiled first, and others warn that they resemble it
    cards = sorted(Counter({0: 7, 3: 3, 9: 1, 31: 2}).elements())
    zone = words(Counter(cards))
    while cards:
        assert counts.draw_card(game[0], zone) == cards.pop(stream.draw(len(cards)))
    assert int(game["rng"][0]) == stream.state

"""What holds in any state of the reference: bounds, conservation, saved states, redealt hands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dominion.position import NAMES, read_position
from winterkingdom_env.reference.dominion import ReferenceGame
from winterkingdom_env.reference.dominion.actions import NUMBER
from winterkingdom_env.reference.dominion.state import PHASES

SEEDS = range(24)
REST = {"card": -1, "subject": -1, "immune": 0, "floor": 0, "count": 0, "limit": 0, "pending": -1, "pending_known": 0}
ACTION_CARDS = [card for card in range(7, 32) if NAMES[card] != "Gardens"]


def crowded(seed: int) -> ReferenceGame:
    """A position with many cards of all kinds, Throne Rooms and attacks above all."""
    dice = random.Random(seed)
    n_players = 2 + seed % 3
    data = read_position(f"({n_players}) actions {1 + seed % 4}").plain(rng=dice.getrandbits(64))
    for p in range(n_players):
        for zone, n in (("hand", 7), ("deck", 5), ("discard", 6)):
            for _ in range(dice.randint(0, n)):
                card = dice.choice([*ACTION_CARDS, *range(7), NAMES.index("Throne Room"), NAMES.index("Moat")])
                data[zone][p][card] += 1
        data["top"][p] = [dice.randrange(32) for _ in range(dice.randint(0, 2))]
    data["hand"][0][NAMES.index("Throne Room")] += 1
    return ReferenceGame.position(data)


def dealt(seed: int) -> ReferenceGame:
    return ReferenceGame({"num_players": 2 + seed % 3, "kingdom": "random", "seed": seed})


def states(game: ReferenceGame, seed: int, n_steps: int = 150) -> Iterator[ReferenceGame]:
    """The states of a random game; cards are played and questions are answered rather than left."""
    dice = random.Random(seed)
    for _ in range(n_steps):
        yield game
        if game.is_over:
            return
        legal = sorted(game.legal_labels(), key=NUMBER.__getitem__)
        if len(legal) > 1 and legal[-1] == "done" and game.phase != "buy" and dice.random() < 0.8:
            legal.pop()
        game.apply(dice.choice(legal))
    yield game


def all_cards(data: dict[str, Any]) -> list[int]:
    """How many there are of each kind in all zones together."""
    zones = [data[name] for name in ("supply", "trash", "play", "aside")]
    zones += [counts for name in ("hand", "deck", "discard") for counts in data[name]]
    total = [sum(counts) for counts in zip(*zones, strict=True)]
    for card in [*data["revealed"], *(card for top in data["top"] for card in top)]:
        total[card] += 1
    return total


def seen_by(game: ReferenceGame, looker: int) -> dict[str, Any]:
    """What a seat may know of a state."""
    data = game.snapshot()
    for p in range(game.num_players):
        if p != looker:
            hand, deck = data["hand"][p], data["deck"][p]
            data["hand"][p] = (sum(hand), sum(deck), [a + b for a, b in zip(hand, deck, strict=True)])
            data["deck"][p] = None
    del data["rng"]
    if game.mover != looker:
        del data["legal"]
        if not data["pending_known"]:
            del data["pending"]
    return data | {"scores": game.scores(), "ranks": game.ranks()}


every_start = pytest.mark.parametrize("start", [dealt, crowded])


@every_start
@pytest.mark.parametrize("seed", SEEDS)
def test_states__random_play__keep_the_invariants(start: Any, seed: int) -> None:
    game = start(seed)
    cards = all_cards(game.snapshot())
    for state in states(game, seed):
        data = state.snapshot()
        assert all_cards(data) == cards
        assert state.is_over or data["legal"], "a live seat has a legal action"
        assert data["legal"] == sorted(NUMBER[label] for label in state.legal_labels())
        for hand, known in zip(data["hand"], data["known"], strict=True):
            assert all(0 <= k <= h for k, h in zip(known, hand, strict=True))
        assert min(data["supply"]) >= 0 and data["seat"] < state.num_players and data["phase"] in PHASES
        if data["phase"] in ("action", "buy", "over"):
            assert {name: data[name] for name in REST} == REST and not data["again"]
        if data["phase"] not in ("thief_trash", "thief_gain"):
            assert not data["revealed"] and (data["card"] == NAMES.index("Thief") or not any(data["stolen"]))
        if data["phase"] == "over":
            assert not any(data["play"]) and not any(data["aside"])


@every_start
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_states__restored_and_cloned__are_the_same(start: Any, seed: int) -> None:
    for state in states(start(seed), seed):
        data = state.snapshot()
        restored = ReferenceGame.restore(data)
        assert restored.snapshot() == data
        if not state.is_over:
            label = min(state.legal_labels())
            clone = state.clone()
            clone.apply(label)
            restored.apply(label)
            assert clone.snapshot() == restored.snapshot()
            assert state.snapshot() == data


@every_start
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_redeal__any_state__the_looker_sees_no_difference(start: Any, seed: int) -> None:
    for step, state in enumerate(states(start(seed), seed)):
        for looker in range(state.num_players):
            before, own = seen_by(state, looker), state.snapshot()["hand"][looker]
            other = state.clone()
            other.redeal(looker, seed + step)
            assert seen_by(other, looker) == before and other.snapshot()["hand"][looker] == own
            assert other.is_over or other.legal_labels()
            for p, (hand, known) in enumerate(zip(other.snapshot()["hand"], before["known"], strict=True)):
                assert all(k <= h for k, h in zip(known, hand, strict=True)), p


def test_random_play__of_this_file__asks_every_question() -> None:
    asked = {state.phase for start in (dealt, crowded) for seed in SEEDS for state in states(start(seed), seed)}
    assert asked | {"over"} == set(PHASES)

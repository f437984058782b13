"""What holds in any state of the reference: conservation, saved states, redealt hands."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.kingdom_builder.examples_setup import cards_of
from tests.kingdom_builder.tables import crowded_setup, crowded_start, mixed_setup, random_setup, states
from winterkingdom_env.reference.kingdom_builder import ReferenceGame
from winterkingdom_env.reference.kingdom_builder.legal import usable

SEEDS = range(10)
PHASES = {
    *("before", "mandatory", "after", "build", "lift", "move", "unit", "hall", "wall", "scout", "remove", "temple"),
    *("cathedral", "react", "silo", "silo move", "over"),
}


def dealt(seed: int) -> ReferenceGame:
    return ReferenceGame(random_setup(seed))


def mixed(seed: int) -> ReferenceGame:
    return ReferenceGame(mixed_setup(seed))


def crowded(seed: int) -> ReferenceGame:
    return crowded_start(crowded_setup(seed), seed)


every_start = pytest.mark.parametrize("start", [dealt, mixed, crowded])


def settlements(data: dict[str, Any], p: int) -> int:
    """All settlements of a seat, wherever they are."""
    seat = data["seats"][p]
    lifted = [now["lifted"] for now in [data["now"], *data["stack"]] if now["lifted"] and now["seat"] == p]
    n_lifted = sum(kind == "settlement" for kind, _ in lifted)
    on_board = len(seat["settlements"]) + len(seat["lines"]) + n_lifted
    return int(seat["supply"] + on_board + seat["held"] + seat["due"])


def units(data: dict[str, Any], p: int) -> dict[str, int]:
    seat = data["seats"][p]
    lifted = [now["lifted"][0] for now in [data["now"], *data["stack"]] if now["lifted"] and now["seat"] == p]
    on_board = {"warrior": len(seat["warriors"])} | {
        kind: int(seat[kind] is not None) for kind in ("wagon", "ship", "hall")
    }
    return {kind: seat["units"][kind] + n + lifted.count(kind) for kind, n in on_board.items()}


def things(game: ReferenceGame) -> list[int]:
    """Every hex with something on it, once for each thing."""
    state = game._state
    return [hex_id for p in range(game.num_players) for hex_id in state.pieces_of(p)] + [*state.walls, *state.scouts]


def tiles_of(data: dict[str, Any]) -> dict[str, int]:
    """By location hex: tiles on it and tiles ever taken from it."""
    return {label: n + sum(label in seat["taken"] for seat in data["seats"]) for label, n in data["tiles"].items()}


@every_start
@pytest.mark.parametrize("seed", SEEDS)
def test_states__random_play__keep_the_invariants(start: Any, seed: int) -> None:
    game = start(seed)
    first = game.snapshot()
    seats = range(game.num_players)
    for state in states(game, seed):
        data = state.snapshot()
        assert [settlements(data, p) for p in seats] == [settlements(first, p) for p in seats]
        assert [units(data, p) for p in seats] == [units(first, p) for p in seats]
        assert sorted(cards_of(data)) == sorted(cards_of(first))
        assert len(data["walls"]) + data["walls_left"] == 25 and len(data["scouts"]) <= 2
        assert data["tokens"] + sum(seat["tokens"] for seat in data["seats"]) == 18
        assert tiles_of(data) == tiles_of(first)
        filled = things(state)
        assert len(filled) == len(set(filled)), "one thing per hex"
        assert not set(filled) & state._state.board.specials
        assert data["now"]["phase"] in PHASES
        assert state.is_over or state.legal_labels(), "a live seat has a legal action"
        assert state.is_over or state.legal_labels() != {"done"} or state.phase in ("before", "after")
        assert [seat["gold"] for seat in data["seats"]] == [sum(seat["paid"].values()) for seat in data["seats"]]
        assert (
            min(min(seat["supply"], seat["tokens"], seat["due"], *seat["units"].values()) for seat in data["seats"])
            >= 0
        )
    assert game.is_over, "the game ends"


@every_start
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_states__restored_and_cloned__go_on_in_the_same_way(start: Any, seed: int) -> None:
    for step, state in enumerate(states(start(seed), seed)):
        data = state.snapshot()
        restored = ReferenceGame.restore(data)
        assert restored.snapshot() == data and restored.legal_labels() == state.legal_labels()
        assert state.snapshot() == data, "asking changes nothing"
        if not state.is_over:
            label = random.Random(step).choice(sorted(state.legal_labels()))
            clone = state.clone()
            clone.apply(label)
            restored.apply(label)
            assert clone.snapshot() == restored.snapshot() and state.snapshot() == data


@every_start
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_states__restored_once__play_the_same_game(start: Any, seed: int) -> None:
    game = start(seed)
    for _ in states(game, seed, n_steps=40):
        pass
    other = ReferenceGame.restore(game.snapshot())
    for one, two in zip(states(game, 1), states(other, 1), strict=True):
        assert one.state() == two.state()
    assert game.ranks() == other.ranks() and game.gold_sheet() == other.gold_sheet()


@every_start
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_apply__illegal_label__changes_nothing(start: Any, seed: int) -> None:
    seen: set[str] = {"house r99c99", "use nothing", "use outpost", "jump", ""}
    for state in states(start(seed), seed):
        before = state.snapshot()
        for label in sorted(seen - state.legal_labels())[:5]:
            with pytest.raises(ValueError, match="illegal"):
                state.apply(label)
        assert state.snapshot() == before
        seen |= set(random.Random(len(seen)).sample(sorted(state.legal_labels()), min(2, len(state.legal_labels()))))


def seen_by(game: ReferenceGame, looker: int) -> dict[str, Any]:
    """What a seat may know of a state."""
    data = game.snapshot()
    is_turn = data["now"]["phase"] not in ("silo", "silo move", "over")
    for p, seat in enumerate(data["seats"]):
        if p != looker and not (is_turn and p == data["turn"]["seat"]):
            seat["hand"] = len(seat["hand"])
    data["deck"] = len(data["deck"])
    del data["rng"]
    return data


@every_start
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_redeal__any_state__the_looker_sees_no_difference(start: Any, seed: int) -> None:
    for step, state in enumerate(states(start(seed), seed)):
        if step % 5 == 0:
            for looker in range(state.num_players):
                other, again = state.clone(), state.clone()
                other.redeal(looker, step)
                assert seen_by(other, looker) == seen_by(state, looker)
                assert other.legal_labels() == state.legal_labels()
                assert sorted(cards_of(other.snapshot())) == sorted(cards_of(state.snapshot()))
                again.redeal(looker, 1000 + step)
                again.redeal(looker, step)
                assert again.snapshot() == other.snapshot(), "nothing hidden decides the result or the stream"


@every_start
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_seed__twice__plays_the_same_game(start: Any, seed: int) -> None:
    for one, other in zip(states(start(seed), seed), states(start(seed), seed), strict=True):
        assert one.snapshot() == other.snapshot()


def test_uses__each_one_offered__has_a_first_action() -> None:
    for seed in SEEDS[:4]:
        for state in states(crowded(seed), seed):
            for use in usable(state._state) if state.phase in ("before", "after") else ():
                after = state.clone()
                after.apply(f"use {use}")
                assert after.phase not in ("before", "after") or use in ("fort", "bazaar fort", "bazaar crossroads")


def test_random_play__of_this_file__asks_every_question() -> None:
    asked = {state.phase for start in (mixed, crowded) for seed in SEEDS for state in states(start(seed), seed)}
    assert asked == PHASES

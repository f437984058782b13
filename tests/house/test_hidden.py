"""Hidden means hidden, in every registered game: what a seat is given depends on what it may know, and on nothing else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.digging import games_within
from tests.house.games import CONFIGS, NAMES, OPEN_POINTS, positions, random_game
from winterkingdom_env.core import verbs
from winterkingdom_env.core.verbs import N_PER_GAME
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.search.network import parts_of
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import MOVES, SHIPPED, save_weights

# Budgets are simulations: milliseconds would make answers depend on the machine.
AGENTS = (
    "random", "greedy", "planner", "policy", "policy:sample=yes", "search:simulations=24", "search:simulations=24,threads=2",
    "search:simulations=8,policy=shipped",
)  # fmt: skip
every_game = pytest.mark.parametrize("name", NAMES)


def twins(game: Any, seat: int, dice: random.Random) -> tuple[Any, Any]:
    """Two games that look like ``game`` to the seat and differ in what it cannot see."""
    one, two = dice.getrandbits(60), dice.getrandbits(60)
    return game.determinize(seat, one), game.determinize(seat, two)


def is_shipped(name: str) -> bool:
    """Whether a network comes with the package."""
    return (SHIPPED / f"{name}.safetensors").is_file()


def with_network(text: str, name: str, folder: Path) -> str:
    """The same agent with a network of random weights, for a game that none is shipped for."""
    rng, tensors = np.random.default_rng(0), {}
    for part, n_in, n_out, has_bias, _ in parts_of(get_game(name).World):
        tensors[f"parts.{part}"] = rng.normal(size=(n_in, n_out)).astype(np.float32) / n_in
        if has_bias:
            tensors[f"parts.{part}_bias"] = rng.normal(size=n_out).astype(np.float32)
    path = folder / "random.safetensors"
    save_weights(path, name, MOVES, {}, tensors, {})
    if text.startswith("policy"):
        return f"policy:path={path}{text.removeprefix('policy').replace(':', ',')}"
    return text.replace("policy=shipped", f"policy={path}")


def test_every_registered_game__is_tested_here() -> None:
    assert GAMES.keys() <= CONFIGS.keys() and set(NAMES) == CONFIGS.keys()


@every_game
def test_determinize__games_that_look_the_same_to_a_seat__give_the_same_bytes(name: str) -> None:
    n = n_different = 0
    for seed in range(10):
        dice = random.Random(seed)
        for game in random_game(get_game(name), seed):
            for seat in range(game.n_players):
                one, two = twins(game, seat, dice)
                n_different += len({game.to_bytes(), one.to_bytes(), two.to_bytes()}) == 3
                n += 1
                for again in (dice.getrandbits(60), 0):
                    dealt = game.determinize(seat, again).to_bytes()
                    assert one.determinize(seat, again).to_bytes() == dealt, f"seed {seed}, seat {seat} of {game}"
                    assert two.determinize(seat, again).to_bytes() == dealt, f"seed {seed}, seat {seat} of {game}"
    assert n > 100 and n_different > 0.95 * n, "nothing was hidden, so nothing was tested"


@every_game
def test_determinize__points__are_those_of_what_was_dealt(name: str) -> None:
    rules, n_other = get_game(name), 0
    for seed in range(4):
        for game in positions(name, seed):
            dealt = game.determinize(game.seat, seed)
            assert dealt.score_sheet() == rules.from_bytes(dealt.to_bytes()).score_sheet()
            n_other += dealt.scores() != game.scores()
    assert n_other or name in OPEN_POINTS, "no points depend on what is hidden, so nothing was tested"


@every_game
def test_determinize__next_random_numbers__do_not_continue_the_deal(name: str) -> None:
    game = next(random_game(get_game(name), 1))
    for seat in range(game.n_players):
        streams = {game.determinize(seat, seed).record["rng"].tobytes() for seed in range(50)}
        assert len(streams) == 50 and game.record["rng"].tobytes() not in streams


def features_of(game: Any) -> tuple[bytes, bytes]:
    """The legal actions, and what a network is told about each."""
    rules = get_game(game.NAME)
    world = rules.make_world(3)
    for part, own in zip(world[:N_PER_GAME], game._world[:N_PER_GAME], strict=True):
        part[:] = own
    actions = np.zeros(2 * rules.N_ACTIONS, np.int16)
    features = np.zeros((rules.N_ACTIONS, len(rules.FEATURES)), np.float32)
    n = verbs.write_features(world, 0, actions, features)
    return actions[:n].tobytes(), features[:n].tobytes()


@every_game
def test_features__games_that_look_the_same__have_the_same(name: str) -> None:
    n, seen = 0, set()
    for seed in range(6):
        dice = random.Random(seed)
        for game in positions(name, seed, 12):
            if not game.is_over:
                told = features_of(game)
                assert {features_of(twin) for twin in twins(game, game.seat, dice)} == {told}, f"seed {seed}: {game}"
                n += 1
                seen.add(told)
    assert n > 40 and len(seen) > n / 2


@every_game
def test_copies__share_no_memory_with_the_game(name: str) -> None:
    game = next(random_game(get_game(name), 2))
    for copied in (game.clone(), game.determinize(0, 1)):
        for mine, other in zip(game._world[:N_PER_GAME], copied._world[:N_PER_GAME], strict=True):
            assert not np.shares_memory(mine, other)
        for slot in ("_action", "_report"):
            assert not np.shares_memory(getattr(game, slot), getattr(copied, slot)), slot
        before = game.to_bytes()
        for records in (copied.record, copied.board):
            records.view(np.uint8)[:] ^= 0xFF
        assert game.to_bytes() == before


@every_game
def test_view__whoever_digs_in_it__finds_the_same_whatever_is_hidden(name: str) -> None:
    n = 0
    for seed in range(3):
        dice = random.Random(seed)
        for game in positions(name, seed, 14):
            for seat in range(game.n_players):
                one, two = twins(game, seat, dice)
                found = [
                    [each.to_bytes() for each in games_within(View(each, seat), type(game))]
                    for each in (game, one, two)
                ]
                assert found[0] and found[0] == found[1] == found[2]
                truths = {each.to_bytes() for each in (game, one, two)}
                assert not truths & set(found[0]), "a view holds the game that it was made from"
                n += 1
    assert n > 20


def test_digging__would_find_the_game_in_a_closure() -> None:
    game = next(random_game(get_game(NAMES[0]), 0))
    assert games_within(lambda: game.seat, type(game)) == [game]


@every_game
@pytest.mark.parametrize("text", AGENTS)
def test_agents__games_that_look_the_same__get_the_same_answers(name: str, text: str, tmp_path: Path) -> None:
    spec, n_choices = agent_spec(text if is_shipped(name) else with_network(text, name, tmp_path)), 0
    for seed in range(3):
        dice = random.Random(seed)
        for step, game in enumerate(positions(name, seed, 12)):
            if len(game.legal_actions()) < 2:
                continue
            number = dice.getrandbits(60)
            answers = [spec.make(number)(View(each, game.seat)) for each in (game, *twins(game, game.seat, dice))]
            assert len(set(answers)) == 1, f"{text}, seed {seed}, position {step}, {game}: {answers}"
            n_choices += 1
    assert n_choices > 10

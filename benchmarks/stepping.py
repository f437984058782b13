"""Random steps and games of the bare engine, without observations: in one kernel, by the game object, by the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.kernels import RandomPlay
from benchmarks.timing import Budget, Facts, Result, Timing, measure, time_calls
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.reference.winter_kingdom import ReferenceGame

PART = "stepping"
MIXED = (2, 3, 4)


def time_engine(name: str, players: Sequence[int], budget: Budget) -> tuple[Timing, Timing]:
    """Steps and games of a batch in one kernel: choose, carry out, find what is legal next, set up anew."""
    n = budget.choose(16, 256, 256)
    configs = [wk.Config(num_players=players[i % len(players)], twist="random") for i in range(n)]
    play = RandomPlay(wk, configs, budget.seed)
    play.play(budget.choose(20, 400, 400))  # until the games are in different rounds
    n_steps = budget.choose(60, 400, 400)
    warm_up, (steps, games) = time_calls(lambda: play.play(n_steps), budget)
    facts: Facts = {"threads": 1, "batch": n, "players": "/".join(map(str, players))}
    per_game: Facts = {**facts, "steps_per_game": round(games[0] / steps[0])}
    return (
        Timing(f"engine, {name}: steps", PART, "step", tuple(steps), facts, warm_up),
        Timing(f"engine, {name}: games", PART, "game", tuple(games), per_game, warm_up),
    )


def play_objects(seed: int, n_steps: int) -> int:
    """Random steps of game objects, one after the other from Python."""
    rng, game = np.random.default_rng(seed), wk.new_game(wk.Config(num_players=3, twist="random"), seed=seed)
    for done in range(n_steps):
        if game.is_over:
            game = wk.new_game(game.config, seed=seed + done)
        legal = np.flatnonzero(game.legal_mask())
        game.apply(int(legal[rng.integers(len(legal))]))
    return n_steps


def play_reference(setup: dict[str, object], seed: int) -> int:
    """A random game of the reference; its steps."""
    game, stream, n_steps = ReferenceGame(setup), Stream(seed), 0
    while not game.is_over:
        legal = sorted(game.legal_labels())
        game.apply(legal[stream.draw(len(legal))])
        n_steps += 1
    return n_steps


def run(budget: Budget) -> Iterator[Result]:
    """The engine with 2 to 4 players mixed and apart, the game object, the reference."""
    yield from time_engine("2-4 players", MIXED, budget)
    for players in MIXED if budget.level else ():
        yield from time_engine(f"{players} players", (players,), budget)
    n_steps = budget.choose(50, 2_000, 2_000)
    yield measure("game object: steps", PART, "step", lambda: play_objects(budget.seed, n_steps), budget, players="3")
    setup = wk.new_game(wk.Config(num_players=3, twist="random"), seed=budget.seed).setup()
    yield measure("reference: steps", PART, "step", lambda: play_reference(setup, budget.seed), budget, players="3")

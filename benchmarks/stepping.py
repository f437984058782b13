"""Random steps and games of the bare engine, without observations: one kernel, the game object, the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.kernels import RandomPlay
from benchmarks.positions import Reference, Source
from benchmarks.timing import Budget, Facts, Result, Timing, measure, time_calls
from winterkingdom_env.core.rng import Stream

PART = "stepping"


def time_engine(name: str, source: Source, players: Sequence[int], budget: Budget) -> tuple[Timing, Timing]:
    """Steps and games of a batch in one kernel: sample, apply, find the next legal actions, set up the next game."""
    n = budget.choose(16, 256, 256)
    configs = [source.config(players[i % len(players)]) for i in range(n)]
    play = RandomPlay(source.rules, configs, budget.seed)
    play.play(budget.choose(20, 400, 400))  # so that the games are in different rounds
    n_steps = budget.choose(60, 400, 400)
    warm_up, (steps, games) = time_calls(lambda: play.play(n_steps), budget)
    facts: Facts = {"threads": 1, "batch": n, "players": "/".join(map(str, players))}
    per_game: Facts = {**facts, "steps_per_game": round(games[0] / steps[0])}
    return (
        Timing(f"engine, {name}: steps", PART, "step", tuple(steps), facts, warm_up),
        Timing(f"engine, {name}: games", PART, "game", tuple(games), per_game, warm_up),
    )


def play_objects(source: Source, config: Any, seed: int, n_steps: int) -> int:
    """Random steps of game objects from Python."""
    rng, game = np.random.default_rng(seed), source.rules.new_game(config, seed=seed)
    for done in range(n_steps):
        if game.is_over:
            game = source.rules.new_game(config, seed=seed + done)
        legal = game.legal_actions()
        game.apply(legal[int(rng.integers(len(legal)))])
    return n_steps


def play_reference(game: Reference, seed: int) -> int:
    """Play a random game of the reference and return its number of steps."""
    stream, n_steps = Stream(seed), 0
    while not game.is_over:
        legal = sorted(game.legal_labels())
        game.apply(legal[stream.draw(len(legal))])
        n_steps += 1
    return n_steps


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """The engine with all numbers of players mixed and separately, the game object, the reference."""
    numbers, seed = source.rules.PLAYERS, budget.seed
    yield from time_engine(source.mixed, source, numbers, budget)
    for players in numbers if budget.level and len(numbers) > 1 else ():
        yield from time_engine(f"{players} players", source, (players,), budget)
    for name, other in source.kinds():
        yield from time_engine(f"{name}, {source.mixed}", other, numbers, budget)
    n_steps, config = budget.choose(50, 2_000, 2_000), source.config(source.usual)
    facts: Facts = {"players": str(source.usual)}
    yield measure(
        "game object: steps", PART, "step", lambda: play_objects(source, config, seed, n_steps), budget, **facts
    )
    setup = source.rules.new_game(config, seed=seed).setup()

    def play_again() -> int:
        game = source.reference(setup)
        assert game is not None
        return play_reference(game, seed)

    if source.reference(setup) is not None:
        yield measure("reference: steps", PART, "step", play_again, budget, **facts)
    yield from source.whole_games(budget)

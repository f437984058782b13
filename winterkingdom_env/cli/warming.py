"""Compiling kernels before they are needed."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import numpy as np

from winterkingdom_env.games import Game, get_game


def warm_up(game: Game) -> None:
    """Call what a whole game calls, so that everything is compiled."""
    from winterkingdom_env.games.base import perft

    perft(game, 2)
    game.legal_actions()
    game.scores()
    game.ranks()


def warm_all(name: str) -> None:
    """Compile every public kernel of a game: of games, saves, batches with and without threads, environments and agents."""
    from winterkingdom_env.core import batch
    from winterkingdom_env.core.threads import usable_cores
    from winterkingdom_env.envs.vector import VectorEnv
    from winterkingdom_env.search.actor import Actor
    from winterkingdom_env.search.registry import agent_spec, get_ready
    from winterkingdom_env.search.thinking import Thinker

    module = get_game(name)
    game: Any = module.from_setup(module.new_game(seed=1).setup())
    warm_up(game)
    game.observe()
    module.from_bytes(game.to_bytes())
    for threads in {1, min(2, usable_cores())}:
        env = VectorEnv(module, 64, threads)
        env.reset(seed=1)
        env.step(env.sample_actions())
    env.clone()
    Thinker(module).rate(game.determinize(0, 1))
    for agent in module.AGENTS:
        get_ready(agent_spec(agent).make(1), module)
    playing = Actor(env.batch, 1)
    playing.look()
    playing.gather(playing.n_moves[:1], 0, playing.moves[0].copy(), playing.features[0].copy())
    world = module.make_world(1)
    seeds, streams = np.ones(1, np.uint64), np.zeros(1, np.uint64)
    batch.set_up_all(world, seeds)
    batch.advance_to_decision_all(world)
    batch.find_legal_all(world)
    batch.play_random(world, seeds, streams, 1)
    batch.clone_all(world, np.zeros(1, np.int64), world.games.copy())


def warm_games(names: Sequence[str], processes: int) -> Iterator[tuple[str, float]]:
    """Compile every public kernel of these games, each game in a process of its own; name and seconds of each when it is done."""
    if min(processes, len(names)) == 1:
        for name in names:
            yield name, _warm_quietly(name)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        # The latest game has the most kernels: what takes longest begins first.
        futures = {pool.submit(_warm_quietly, name): name for name in reversed(names)}
        for future in as_completed(futures):
            yield futures[future], future.result()


def _warm_quietly(name: str) -> float:
    from winterkingdom_env.core._cache import hush

    hush()  # the caller prints its own progress
    start = time.perf_counter()
    warm_all(name)
    return time.perf_counter() - start

"""Copies per second of a game in progress, by every way there is to copy one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks import envs, positions
from benchmarks.kernels import Positions
from benchmarks.timing import Budget, Result, measure
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.games import winter_kingdom as wk

PART = "clone"
BATCH = 1024


def repeated(one: Callable[[], Any], n_calls: int, per_call: int) -> Callable[[], int]:
    """A call that copies again and again, and returns how many copies that makes."""

    def call() -> int:
        for _ in range(n_calls):
            one()
        return n_calls * per_call

    return call


def run(budget: Budget) -> Iterator[Result]:
    """Game objects, batches of records, environments and the reference."""
    pairs = positions.collect(positions.is_main, 4, budget.seed)
    game, reference = pairs[-1]
    n = budget.choose(8, BATCH, BATCH)
    batch, which = (
        Positions.of([pairs[i % len(pairs)].game for i in range(n)]),
        np.random.default_rng(budget.seed).permutation(n),
    )
    clones, records = np.zeros_like(batch.records), batch.records.view("u1")
    env = winter_kingdom_v1.raw_env(twist="random")
    env.reset(seed=budget.seed)
    vector = envs.make_vector(n, 1, None, budget)
    ways: dict[str, tuple[Callable[[], Any], int]] = {
        "Game.clone": (game.clone, 1),
        "Game.determinize": (lambda: game.determinize(game.seat, 1), 1),
        "Game.to_bytes and from_bytes": (lambda: wk.from_bytes(game.to_bytes()), 1),
        "Game, pickle there and back": (lambda: pickle.loads(pickle.dumps(game)), 1),
        "GAME records, batch kernel": (lambda: batch.clone(which, clones), n),
        "GAME records, numpy copy": (records.copy, len(records) // game.record.itemsize),
        "vector environment, per game": (vector.clone, vector.num_envs),
        "AEC raw_env.clone": (env.clone, 1),
        "AEC raw_env, deepcopy": (lambda: copy.deepcopy(env), 1),
        "reference": (reference.clone, 1),
    }
    for name, (one, per_call) in ways.items():
        yield measure(name, PART, "copy", repeated(one, budget.choose(2, 20, 20), per_call), budget)

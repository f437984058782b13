"""Copies per second of a game in progress, for each way to copy it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks import envs
from benchmarks.kernels import Positions
from benchmarks.positions import Source
from benchmarks.timing import Budget, Result, measure
from winterkingdom_env.envs.aec import RawEnv

PART = "clone"
BATCH = 1024


def repeated(one: Callable[[], Any], n_calls: int, per_call: int) -> Callable[[], int]:
    """A function that copies ``n_calls`` times and returns the number of copies."""

    def call() -> int:
        for _ in range(n_calls):
            one()
        return n_calls * per_call

    return call


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """Game objects, batches of records, environments and the reference, if there is one."""
    pairs = source.collect(source.is_middle, 4, budget.seed)
    game, reference = pairs[-1]
    n = budget.choose(8, BATCH, BATCH)
    batch, which = (
        Positions.of([pairs[i % len(pairs)].game for i in range(n)]),
        np.random.default_rng(budget.seed).permutation(n),
    )
    clones, records = np.zeros_like(batch.records), batch.records.view("u1")
    env = RawEnv(source.rules, **source.OPTIONS)
    env.reset(seed=budget.seed)
    vector = envs.make_vector(source, n, 1, None, budget)
    ways: dict[str, tuple[Callable[[], Any], int]] = {
        "Game.clone": (game.clone, 1),
        "Game.determinize": (lambda: game.determinize(game.seat, 1), 1),
        "Game.to_bytes and from_bytes": (lambda: source.rules.from_bytes(game.to_bytes()), 1),
        "Game, pickle there and back": (lambda: pickle.loads(pickle.dumps(game)), 1),
        "GAME records, batch kernel": (lambda: batch.clone(which, clones), n),
        "GAME records, numpy copy": (records.copy, len(records) // game.record.itemsize),
        "vector environment, per game": (vector.clone, vector.num_envs),
        "AEC raw_env.clone": (env.clone, 1),
        "AEC raw_env, deepcopy": (lambda: copy.deepcopy(env), 1),
    }
    if reference is not None:
        ways["reference"] = (reference.clone, 1)
    for name, (one, per_call) in ways.items():
        yield measure(name, PART, "copy", repeated(one, budget.choose(2, 20, 20), per_call), budget)

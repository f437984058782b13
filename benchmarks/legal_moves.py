"""Nanoseconds per legal mask, by what is to be decided: kernel, plain numpy where there is a twin, reference."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks import positions
from benchmarks.kernels import Positions
from benchmarks.numpy_twin import TWINS
from benchmarks.positions import Pair
from benchmarks.timing import Budget, Facts, Result, Timing, measure
from winterkingdom_env.core.rng import Stream

PART = "legal_moves"


def scenes(budget: Budget) -> Iterator[tuple[str, str, list[Pair]]]:
    """Group, name and positions of everything that is timed: the phases, then every op's sources and targets."""
    n = budget.choose(24, 1024, 1024)
    seed = budget.seed
    yield "phase", "mandatory placement", positions.collect(positions.is_mandatory, n, seed)
    most_steps = budget.choose(3_000, 60_000, 200_000)
    yield "phase", "placement, no adjacent hex", positions.collect(positions.is_not_adjacent, n, seed + 1, most_steps)
    stream = Stream(seed)
    pool = positions.collect(positions.is_main, budget.choose(48, 2 * n, 8 * n), seed + 2)
    yield "phase", "main phase, cards as played", pool[:n]
    five = [positions.with_random_cards(pair, positions.FIVE, stream) for pair in pool[:n]]
    yield "phase", "main phase, five upgraded abilities", five
    for op, use in positions.uses_of_ops().items():
        for step, found in positions.op_positions(op, use, pool, n, stream).items():
            yield "op", f"{op.name} {step}", found


def time_kernel(name: str, group: str, pairs: Sequence[Pair], budget: Budget) -> Timing:
    """One kernel call over all positions."""
    batch = Positions.of([pair.game for pair in pairs])
    batch.find_legal()
    n_legal = round(float(batch.masks().sum(axis=1).mean()), 1)
    facts: Facts = {
        "scene": name,
        "group": group,
        "implementation": "kernel",
        "positions": len(pairs),
        "legal": n_legal,
    }
    return measure(f"{name}, kernel", PART, "mask", batch.find_legal, budget, **facts)


def time_numpy(name: str, group: str, pairs: Sequence[Pair], budget: Budget) -> Timing:
    """The numpy twin over all positions."""
    batch, twin = Positions.of([pair.game for pair in pairs]), TWINS[name]

    def call() -> int:
        return len(twin(batch.records, batch.boards))

    facts: Facts = {"scene": name, "group": group, "implementation": "numpy", "positions": len(pairs)}
    return measure(f"{name}, numpy", PART, "mask", call, budget, **facts)


def time_reference(name: str, group: str, pairs: Sequence[Pair], budget: Budget) -> Timing:
    """The reference on a sample of the positions, spread over all of them."""
    n = min(len(pairs), budget.choose(4, 32, 128))
    sample = [pairs[i].reference for i in np.linspace(0, len(pairs) - 1, n).astype(int)]

    def call() -> int:
        for game in sample:
            game.find_legal()
        return len(sample)

    facts: Facts = {"scene": name, "group": group, "implementation": "reference", "positions": n}
    return measure(f"{name}, reference", PART, "mask", call, budget, **facts)


def run(budget: Budget) -> Iterator[Result]:
    """The phases, then the ops."""
    found = scenes(budget)
    if not budget.level:  # quick: a few of them
        found = itertools.islice(found, 8)
    for group, name, pairs in found:
        if not pairs:
            continue
        yield time_kernel(name, group, pairs, budget)
        if name in TWINS:
            yield time_numpy(name, group, pairs, budget)
        yield time_reference(name, group, pairs, budget)

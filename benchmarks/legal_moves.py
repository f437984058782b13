"""Nanoseconds per legal mask, by kind of decision: kernel, plain numpy where implemented, reference."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.kernels import Positions
from benchmarks.positions import Scene, Source, Twin
from benchmarks.timing import Budget, Facts, Result, Timing, Value, measure

PART = "legal_moves"


def time_scene(scene: Scene, implementation: str, call: Callable[[], int], budget: Budget, **more: Value) -> Timing:
    """Time an implementation on the masks of a scene; ``call`` computes some and returns their number."""
    facts: Facts = {"scene": scene.name, "group": scene.group, "implementation": implementation}
    return measure(f"{scene.name}, {implementation}", PART, "mask", call, budget, **facts, **more)


def time_kernel(scene: Scene, budget: Budget) -> Timing:
    """One kernel call over all positions."""
    batch = Positions.of([pair.game for pair in scene.pairs])
    batch.find_legal()
    legal = round(float(batch.masks().sum(axis=1).mean()), 1)
    return time_scene(scene, "kernel", batch.find_legal, budget, positions=len(batch), legal=legal)


def time_numpy(scene: Scene, twin: Twin, budget: Budget) -> Timing:
    """The numpy version over all positions."""
    batch = Positions.of([pair.game for pair in scene.pairs])

    def call() -> int:
        return len(twin(batch.records, batch.boards))

    return time_scene(scene, "numpy", call, budget, positions=len(batch))


def time_reference(scene: Scene, budget: Budget) -> Timing:
    """The reference on an evenly spaced sample of the positions."""
    n = min(len(scene.pairs), budget.choose(4, 32, 128))
    sample = [scene.pairs[i].reference for i in np.linspace(0, len(scene.pairs) - 1, n).astype(int)]

    def call() -> int:
        for game in sample:
            game.find_legal()
        return len(sample)

    return time_scene(scene, "reference", call, budget, positions=n)


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """All scenes of the game."""
    found = source.scenes(budget)
    if not budget.level:  # quick: a few of them
        found = itertools.islice(found, 8)
    for scene in found:
        if not scene.pairs:
            continue
        yield time_kernel(scene, budget)
        if scene.name in source.TWINS:
            yield time_numpy(scene, source.TWINS[scene.name], budget)
        if scene.pairs[0].reference is not None:
            yield time_reference(scene, budget)

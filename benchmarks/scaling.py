"""The cost of a legal mask and of a step by players, round, batch size, threads, load, and variations of a game."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from benchmarks.envs import make_vector, usable_threads
from benchmarks.kernels import Positions
from benchmarks.positions import Pair, Source
from benchmarks.stepping import time_engine
from benchmarks.timing import Budget, Facts, Level, Result, Timing, in_threads, measure
from winterkingdom_env.core.threads import usable_cores

PART = "scaling"
ROUNDS = ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, None))
BATCHES = {Level.QUICK: (1, 16), Level.SHORT: (1, 64, 1024), Level.FULL: (1, 4, 16, 64, 256, 1024, 4096)}
THREAD_BATCHES = {Level.QUICK: (64,), Level.SHORT: (256, 1024), Level.FULL: (64, 256, 1024)}
LONGER = 10  # factor for runs on a busy machine, where a thread loses its core for milliseconds
LEAST = 8  # positions
# It ends when its parent process does, however that ends.
BUSY_LOOP = "import os; p = os.getppid()\nwhile os.getppid() == p:\n for _ in range(100_000): pass"


def time_masks(name: str, pairs: Sequence[Pair], budget: Budget, **facts: int | str | float | None) -> Timing:
    """Time the legal masks of these positions."""
    batch = Positions.of([pair.game for pair in pairs])
    return measure(name, PART, "mask", batch.find_legal, budget, positions=len(pairs), **facts)


def by_players(source: Source, budget: Budget) -> Iterator[Timing]:
    """Time a step for each number of players."""
    for players in source.rules.PLAYERS:
        steps, _ = time_engine("", source, (players,), budget)
        yield replace(steps, name=f"step, {players} players", part=PART)


def by_round(source: Source, budget: Budget) -> Iterator[Timing]:
    """Time the mask early and late in the game."""
    found = source.collect(source.is_main, budget.choose(60, 2_000, 8_000), budget.seed)
    for first, last in ROUNDS:
        pairs = [pair for pair in found if first <= pair.game.round and (last is None or pair.game.round <= last)]
        if len(pairs) >= LEAST:
            words = f"rounds {first} and later" if last is None else f"rounds {first}-{last}"
            yield time_masks(f"mask, {source.MAIN}, {words}", pairs, budget, round=first)


def by_batch(pool: list[Pair], source: Source, budget: Budget) -> Iterator[Timing]:
    """Time the mask by batch size: the same positions in more or fewer calls."""
    for n in BATCHES[budget.level]:
        games = [pair.game for pair in pool * max(1, n // len(pool))]
        batches = [Positions.of(games[first : first + n]) for first in range(0, len(games), n)]

        def call(batches: list[Positions] = batches) -> int:
            return sum([batch.find_legal() for batch in batches])

        yield measure(f"mask, {source.MAIN}, batch {n}", PART, "mask", call, budget, positions=len(games), batch=n)


@contextmanager
def busy_loops(n: int) -> Iterator[None]:
    """Run ``n`` processes that each keep a core busy."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def step_for(env: Any, run_ns: float) -> float:
    """Nanoseconds per step of random play over ``run_ns`` nanoseconds."""
    n_steps, start = 0, time.perf_counter_ns()
    elapsed = 0
    while elapsed < run_ns:
        env.step(env.sample_actions())
        n_steps += env.num_envs
        elapsed = time.perf_counter_ns() - start
    return elapsed / n_steps


def by_threads(source: Source, budget: Budget) -> Iterator[Timing]:
    """Time a step of a vector environment with one and two threads, without and with a busy loop per core.

    Runs alternate between the numbers of threads, so that other load affects both alike.
    """
    for n in THREAD_BATCHES[budget.level]:
        envs = {threads: make_vector(source, n, threads, "packed", budget) for threads in usable_threads()}
        for n_loops in (0, usable_cores()):
            runs: dict[int, list[float]] = {threads: [] for threads in envs}
            with busy_loops(n_loops):
                for _ in range(budget.n_runs):
                    for threads, env in envs.items():
                        runs[threads].append(step_for(env, budget.run_ns * (LONGER if n_loops else 1)))
            for threads in envs:
                name = f"step, packed, batch {n}, {in_threads(threads)}"
                name += f", beside {n_loops} busy loops" if n_loops else ""
                facts: Facts = {"threads": threads, "batch": n, "busy_loops": n_loops}
                yield Timing(name, PART, "step", tuple(runs[threads]), facts)


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """All dependences in turn."""
    yield from by_players(source, budget)
    yield from by_round(source, budget)
    pool = source.collect(source.is_middle, budget.choose(12, 512, 1024), budget.seed)
    for name, pairs, facts in source.variations(pool, budget):
        yield time_masks(f"mask, {name}", pairs, budget, **facts)
    yield from by_batch(pool, source, budget)
    yield from by_threads(source, budget)

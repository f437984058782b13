"""Steps per second of the AEC and vector environments in uniformly random legal play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.positions import Source
from benchmarks.timing import Budget, Facts, Level, Result, Timing, in_threads, measure
from winterkingdom_env.core.threads import usable_cores
from winterkingdom_env.envs.aec import RawEnv, wrap
from winterkingdom_env.envs.vector import WAIT, VectorEnv

PART = "envs"
BATCHES = {Level.QUICK: (1, 64), Level.SHORT: (1, 64, 1024), Level.FULL: (1, 16, 64, 256, 1024, 4096)}
FORMS = {"mask only": None, "packed": "packed", "planes": "planes"}
THREADS = (1, 2)
KIND_BATCH = 256  # where a game is timed with other options
SPREAD = 200  # steps over which the rows start, so that the games are at different stages


def play_aec(env: Any, n_steps: int, seed: int) -> int:
    """Random play through ``last`` and ``step``, with a reset at the end of a game; returns the number of steps."""
    done = 0
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    while done < n_steps:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        legal = np.flatnonzero(seen["action_mask"])
        env.step(legal[rng.integers(len(legal))])
        done += 1
    return done


def time_aec(
    source: Source, budget: Budget, part: str = PART, makers: tuple[str, ...] = ("raw_env", "env")
) -> Iterator[Timing]:
    """The AEC environment with and without the usual wrappers, in both observation forms."""
    n_steps = budget.choose(30, 1_000, 2_000)
    for maker in makers:
        for form in ("planes", "packed"):
            raw = RawEnv(source.rules, observation=form, **source.OPTIONS)
            play = partial(play_aec, wrap(raw) if maker == "env" else raw, n_steps, budget.seed)
            facts = {"interface": "AEC", "maker": maker, "form": form}
            yield measure(f"AEC {maker}, {form}", part, "step", play, budget, **facts)


def make_vector(source: Source, n: int, threads: int, form: str | None, budget: Budget) -> VectorEnv:
    """A vector environment with games at different stages: the rows start at different steps."""
    players = tuple(source.rules.PLAYERS)
    env = VectorEnv(source.rules, n, threads, num_players=players, observation=form, **source.OPTIONS)
    env.reset(seed=budget.seed)
    n_steps = budget.choose(5, SPREAD, SPREAD)
    begins = np.arange(n) * n_steps // n
    for step in range(n_steps):
        env.step(np.where(begins <= step, env.sample_actions(), WAIT))
    return env


def time_vector(
    source: Source, n: int, threads: int, form_name: str, budget: Budget, part: str = PART, kind: str = ""
) -> Timing:
    """Random play of a batch: sample actions in the kernel, step, observe."""
    env = make_vector(source, n, threads, FORMS[form_name], budget)
    n_steps = max(2, budget.choose(64, 4_096, 16_384) // n)

    def call() -> int:
        for _ in range(n_steps):
            env.step(env.sample_actions())
        return n_steps * n

    name = f"vector, {form_name}, batch {n}, {in_threads(threads)}" + (f", {kind}" if kind else "")
    facts: Facts = {"interface": "vector", "form": form_name, "batch": n, "threads": threads}
    if kind:
        facts["kind"] = kind
    return measure(name, part, "step", call, budget, **facts)


def usable_threads() -> tuple[int, ...]:
    """The numbers of threads that the cores allow."""
    return tuple(threads for threads in THREADS if threads <= usable_cores())


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """The AEC environment, then the vector environment by observation form, batch size and threads, then with other options of the game."""
    yield from time_aec(source, budget)
    for form_name in FORMS:
        for n in BATCHES[budget.level]:
            for threads in usable_threads():
                if threads == 1 or n >= 64:  # smaller batches always use one thread
                    yield time_vector(source, n, threads, form_name, budget)
    for kind, other in source.kinds():
        for form_name in ("mask only", "packed"):
            yield time_vector(other, KIND_BATCH, 1, form_name, budget, kind=kind)

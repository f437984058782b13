"""Steps per second of the environments in uniformly random legal play: PettingZoo's interface, and the vector environment."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numba
import numpy as np

from benchmarks.engine import Timing, measure
from winterkingdom_env import winter_kingdom_v0

BATCHES = (1, 64, 1024)
FORMS = {"mask only": None, "packed": "packed", "planes": "planes"}
AEC_STEPS = 2_000
VECTOR_STEPS = 60_000  # at the largest batch; smaller ones take fewer
RUNS = 5
PLAYERS = (2, 3, 4)


def play_aec(env: Any, n_steps: int) -> int:
    """Random play through ``last`` and ``step``, beginning anew when a game is over; the number of steps."""
    done = 0
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    while done < n_steps:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        legal = np.flatnonzero(seen["action_mask"])
        env.step(legal[rng.integers(len(legal))])
        done += 1
    return done


def time_aec() -> Iterator[Timing]:
    """The AEC environment with and without the usual wrappers, in both forms of observation."""
    for wrapped, make in (("raw_env", winter_kingdom_v0.raw_env), ("env", winter_kingdom_v0.env)):
        for form in ("planes", "packed"):
            play = partial(play_aec, make(twist="random", observation=form), AEC_STEPS)
            yield measure(f"AEC {wrapped}, {form}", "ns per step", play, RUNS)


def time_vector(n: int, threads: int, form: str | None) -> Timing:
    """Random play of a batch: actions drawn in the kernel, stepped, observed."""
    env = winter_kingdom_v0.vector_env(n, threads, num_players=PLAYERS, twist="random", observation=form)
    env.reset(seed=0)
    for _ in range(100):  # away from the first rounds, where all games are alike
        env.step(env.sample_actions())
    n_steps = max(20, min(VECTOR_STEPS // n, 2_000))

    def call() -> int:
        for _ in range(n_steps):
            env.step(env.sample_actions())
        return n_steps * n

    name = next(name for name, value in FORMS.items() if value == form)
    return measure(
        f"vector, {name}, batch {n}, {threads} thread{'s' if threads > 1 else ''}", "ns per step", call, RUNS
    )


def time_vectors() -> Iterator[Timing]:
    """Every form at every batch size, with one thread and with two."""
    for form in FORMS.values():
        for n in BATCHES:
            yield time_vector(n, 1, form)
            if n > 1 and numba.config.NUMBA_NUM_THREADS > 1:  # type: ignore[attr-defined]  # set when numba is imported
                yield time_vector(n, 2, form)

"""Steps per second of the environments in uniformly random legal play: PettingZoo's interface, and the vector environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import Budget, Facts, Level, Result, Timing, measure
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.core.threads import usable_cores

PART = "envs"
BATCHES = {Level.QUICK: (1, 64), Level.SHORT: (1, 64, 1024), Level.FULL: (1, 16, 64, 256, 1024, 4096)}
FORMS = {"mask only": None, "packed": "packed", "planes": "planes"}
THREADS = (1, 2)
PLAYERS = (2, 3, 4)
GAME_STEPS = 200  # about the length of a random game: rows begin spread over so many steps


def play_aec(env: Any, n_steps: int, seed: int) -> int:
    """Random play through ``last`` and ``step``, beginning anew when a game is over; the number of steps."""
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


def time_aec(budget: Budget, part: str = PART, makers: tuple[str, ...] = ("raw_env", "env")) -> Iterator[Timing]:
    """The AEC environment without and with the usual wrappers, in both forms of observation."""
    n_steps = budget.choose(30, 1_000, 2_000)
    for maker in makers:
        for form in ("planes", "packed"):
            make: Callable[..., Any] = getattr(winter_kingdom_v1, maker)
            play = partial(play_aec, make(twist="random", observation=form), n_steps, budget.seed)
            facts = {"interface": "AEC", "maker": maker, "form": form}
            yield measure(f"AEC {maker}, {form}", part, "step", play, budget, **facts)


def make_vector(n: int, threads: int, form: str | None, budget: Budget) -> Any:
    """A vector environment whose games stand at every stage: row by row they began at different steps."""
    env = winter_kingdom_v1.vector_env(n, threads, num_players=PLAYERS, twist="random", observation=form)
    env.reset(seed=budget.seed)
    n_steps = budget.choose(5, GAME_STEPS, GAME_STEPS)
    begins = np.arange(n) * n_steps // n
    for step in range(n_steps):
        env.step(np.where(begins <= step, env.sample_actions(), winter_kingdom_v1.WAIT))
    return env


def time_vector(n: int, threads: int, form_name: str, budget: Budget, part: str = PART) -> Timing:
    """Random play of a batch: actions drawn in the kernel, stepped, observed."""
    env = make_vector(n, threads, FORMS[form_name], budget)
    n_steps = max(2, budget.choose(64, 4_096, 16_384) // n)

    def call() -> int:
        for _ in range(n_steps):
            env.step(env.sample_actions())
        return n_steps * n

    name = f"vector, {form_name}, batch {n}, {threads} thread{'s' if threads > 1 else ''}"
    facts: Facts = {"interface": "vector", "form": form_name, "batch": n, "threads": threads}
    return measure(name, part, "step", call, budget, **facts)


def usable_threads() -> tuple[int, ...]:
    """The numbers of threads for which there are cores."""
    return tuple(threads for threads in THREADS if threads <= usable_cores())


def run(budget: Budget) -> Iterator[Result]:
    """The AEC environment, then every form of the vector environment at every batch size, with one thread and with two."""
    yield from time_aec(budget)
    for form_name in FORMS:
        for n in BATCHES[budget.level]:
            for threads in usable_threads():
                if threads == 1 or n >= 64:  # smaller batches are stepped by one thread whatever is asked for
                    yield time_vector(n, threads, form_name, budget)

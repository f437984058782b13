"""Shared by all parts of the suite: timings, how to measure them, and budgets."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

import msgspec

from benchmarks.load import Load

Value = str | int | float | None
Facts = dict[str, Value]
# Limits for timings read from files. Texts are short and have no control characters; times are from a millionth
# of a nanosecond to thirty years, so that every ratio is finite.
Text = Annotated[str, msgspec.Meta(max_length=500, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Time = Annotated[float, msgspec.Meta(ge=1e-6, le=1e18)]
SECOND = 1e9  # nanoseconds


class Level(IntEnum):
    """How much is measured."""

    QUICK = 0  # a smoke test: the timings mean nothing
    SHORT = 1
    FULL = 2


@dataclass(frozen=True)
class Budget:
    """The budget of a part."""

    level: Level = Level.SHORT
    n_runs: int = 5
    seed: int = 1

    @property
    def run_ns(self) -> float:
        """The minimum duration of a run in nanoseconds; short calls are repeated."""
        return {Level.QUICK: 1e5, Level.SHORT: 4e7, Level.FULL: 2e8}[self.level]

    def choose(self, quick: int, short: int, full: int) -> int:
        """The number for the level."""
        return (quick, short, full)[self.level]


class Timing(msgspec.Struct, frozen=True, rename={"runs": "runs_ns", "warm_up": "warm_up_ns"}):
    """Nanoseconds per unit in several runs, and what was measured. Files of older versions lack ``rounds`` and ``loads``."""

    name: Text
    part: Text
    unit: Text  # "mask", "step", "game", ...
    runs: Annotated[tuple[Time, ...], msgspec.Meta(min_length=1)]
    parameters: dict[Text, Text | int | float | None] = {}
    warm_up: Annotated[float, msgspec.Meta(ge=0, le=1e18)] = 0.0  # nanoseconds of the first call, which is not a run
    rounds: tuple[Annotated[int, msgspec.Meta(ge=1)], ...] = ()  # number of runs in each round; empty: one round
    loads: tuple[Load, ...] = ()  # of each round

    @property
    def bests(self) -> tuple[float, ...]:
        """The best run of each round."""
        ends = list(itertools.accumulate(self.rounds or (len(self.runs),), initial=0))
        return tuple(min(self.runs[first:last]) for first, last in itertools.pairwise(ends))

    @property
    def best(self) -> float:
        """The best run, the one least disturbed by other load."""
        return min(self.runs)

    @property
    def median(self) -> float:
        """The median run."""
        return statistics.median(self.runs)

    @property
    def spread(self) -> float:
        """How much slower the worst run is than the best, relative to the best."""
        return max(self.runs) / min(self.runs) - 1

    @property
    def rate(self) -> float:
        """Units per second in the best run."""
        return SECOND / self.best

    @property
    def key(self) -> tuple[str, str]:
        """The identity of the timing across reports."""
        return self.part, self.name

    def as_json(self) -> dict[str, Any]:
        """Plain data with best and spread added; ``msgspec.convert`` reads it back."""
        return {"best_ns": self.best, "spread": self.spread, **msgspec.to_builtins(self)}


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A timing that failed, and why."""

    name: Text
    part: Text
    reason: str


Result = Timing | Failure


def time_calls(call: Callable[[], Sequence[int]], budget: Budget) -> tuple[float, list[list[float]]]:
    """Nanoseconds of the first call, and for each count that ``call`` returns, the nanoseconds per unit in every run."""
    clock = time.perf_counter_ns
    start = clock()
    call()
    warm_up = clock() - start
    start = clock()
    call()
    n_calls = max(1, int(budget.run_ns / max(1, clock() - start)))
    found: list[list[float]] = []
    for _ in range(budget.n_runs):
        start = clock()
        done = list(call())
        for _ in range(n_calls - 1):
            done = [total + more for total, more in zip(done, call(), strict=True)]
        elapsed = clock() - start
        found.append([elapsed / max(1, units) for units in done])
    return float(warm_up), [list(runs) for runs in zip(*found, strict=True)]


def in_threads(number: int) -> str:
    """The number of threads as text, for names of timings."""
    return f"{number} thread{'s' if number > 1 else ''}"


def measure(name: str, part: str, unit: str, call: Callable[[], int], budget: Budget, **parameters: Value) -> Timing:
    """Time a function that returns its number of units; ``parameters`` may override ``threads=1``."""
    warm_up, runs = time_calls(lambda: (call(),), budget)
    return Timing(name, part, unit, tuple(runs[0]), {"threads": 1, **parameters}, warm_up)

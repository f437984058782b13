"""A timing, how it is taken, and how much of it: what all parts of the suite share."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Value = str | int | float | None
Facts = dict[str, Value]
SECOND = 1e9  # nanoseconds


class Level(IntEnum):
    """How much is measured."""

    QUICK = 0  # only to see that it runs: the figures mean nothing
    SHORT = 1
    FULL = 2


@dataclass(frozen=True)
class Budget:
    """What a part may spend."""

    level: Level = Level.SHORT
    n_runs: int = 5
    seed: int = 1

    @property
    def run_ns(self) -> float:
        """A run lasts at least so long: short calls are repeated."""
        return {Level.QUICK: 1e5, Level.SHORT: 4e7, Level.FULL: 2e8}[self.level]

    def choose(self, quick: int, short: int, full: int) -> int:
        """The number that belongs to the level."""
        return (quick, short, full)[self.level]


@dataclass(frozen=True)
class Timing:
    """Nanoseconds per unit in each of several runs, and what was measured."""

    name: str
    part: str
    unit: str  # "mask", "step", "game", ...
    runs: tuple[float, ...]
    parameters: Mapping[str, Value] = field(default_factory=dict)
    warm_up: float = 0.0  # nanoseconds of the first call, which is not counted

    @property
    def best(self) -> float:
        """The best run: the one least disturbed by the machine's other work."""
        return min(self.runs)

    @property
    def median(self) -> float:
        """The run in the middle."""
        return statistics.median(self.runs)

    @property
    def spread(self) -> float:
        """The worst run relative to the best."""
        return max(self.runs) / min(self.runs) - 1

    @property
    def rate(self) -> float:
        """Units per second in the best run."""
        return SECOND / self.best

    @property
    def key(self) -> tuple[str, str]:
        """What names this timing in every run of the suite."""
        return self.part, self.name

    def as_json(self) -> dict[str, Any]:
        """Plain data; ``from_json`` reads it back."""
        return {
            "part": self.part,
            "name": self.name,
            "unit": self.unit,
            "best_ns": self.best,
            "spread": self.spread,
            "runs_ns": list(self.runs),
            "warm_up_ns": self.warm_up,
            "parameters": dict(self.parameters),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Timing:
        """The timing that ``as_json`` wrote."""
        runs = tuple(float(run) for run in data["runs_ns"])
        if not runs or min(runs) <= 0:
            raise ValueError(f"{data['name']}: a timing needs runs, each longer than nothing")
        return cls(data["name"], data["part"], data["unit"], runs, data["parameters"], data["warm_up_ns"])


@dataclass(frozen=True)
class Failure:
    """Something that could not be measured, and why."""

    name: str
    part: str
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Plain data; ``Failure(**data)`` reads it back."""
        return {"name": self.name, "part": self.part, "reason": self.reason}


Result = Timing | Failure


def time_calls(call: Callable[[], Sequence[int]], budget: Budget) -> tuple[float, list[list[float]]]:
    """Nanoseconds of the first call, and for each thing that ``call`` counts its nanoseconds per unit in every run."""
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


def measure(name: str, part: str, unit: str, call: Callable[[], int], budget: Budget, **parameters: Value) -> Timing:
    """Time a call that returns how many units it did; one thread unless ``threads`` says otherwise."""
    warm_up, runs = time_calls(lambda: (call(),), budget)
    return Timing(name, part, unit, tuple(runs[0]), {"threads": 1, **parameters}, warm_up)

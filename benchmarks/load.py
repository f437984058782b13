"""What else the machine did while something was timed: a figure says little without it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from winterkingdom_env.core.extras import MissingExtraError, needed

Amount = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


class Load(msgspec.Struct, frozen=True):
    """The load of a stretch of time: cores that ``others`` kept busy, the system's load ``average`` of the last minute, the processor's clock."""

    others: Amount
    average: Amount
    mhz: Amount | None = None  # None where the system does not tell


class Meter:
    """Tells the load since it was asked last. Without psutil it tells nothing."""

    def __init__(self) -> None:
        """Begin the first stretch."""
        try:
            self._psutil: Any = needed("psutil", "the load")
        except MissingExtraError:
            self._psutil = None
        self._began, self._busy, self._own = self._now()

    def _now(self) -> tuple[float, float, float]:
        """The time, and seconds that all cores and this process with its children have been busy so far."""
        if self._psutil is None:
            return time.perf_counter(), 0.0, 0.0
        cores, own = self._psutil.cpu_times(), self._psutil.Process().cpu_times()
        idle = cores.idle + getattr(cores, "iowait", 0.0)
        guests = getattr(cores, "guest", 0.0) + getattr(cores, "guest_nice", 0.0)  # which user and nice hold already
        return time.perf_counter(), sum(cores) - idle - guests, sum(own[:4])

    def lap(self) -> Load | None:
        """The load since the last lap; None without psutil. What is shorter than the system's ticks of 10 ms is known roughly."""
        began, busy, own = self._began, self._busy, self._own
        self._began, self._busy, self._own = self._now()
        if self._psutil is None:
            return None
        seconds = max(self._began - began, 1e-3)
        others = max(0.0, (self._busy - busy - (self._own - own)) / seconds)
        clock = self._psutil.cpu_freq() if hasattr(self._psutil, "cpu_freq") else None
        return Load(
            round(min(others, self._psutil.cpu_count() or 1), 3), round(self._psutil.getloadavg()[0], 2), clock and round(clock.current)
        )  # fmt: skip


def typical(loads: Sequence[Load]) -> Load | None:
    """The load in the middle of several; None if there is none."""
    if not loads:
        return None
    clocks = [load.mhz for load in loads if load.mhz is not None]
    return Load(
        statistics.median(load.others for load in loads), statistics.median(load.average for load in loads),
        statistics.median(clocks) if clocks else None,
    )  # fmt: skip

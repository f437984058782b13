"""The load of the machine during a measurement."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from winterkingdom_env.core.extras import MissingExtraError, needed

Amount = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


class Load(msgspec.Struct, frozen=True):
    """The load over an interval. ``others``: cores used by other programs; ``average``: the 1-minute load average; ``mhz``: the clock rate."""

    others: Amount
    average: Amount
    mhz: Amount | None = None  # None if unknown


class Meter:
    """Measures the load between laps. Needs psutil."""

    def __init__(self) -> None:
        """Start the first lap."""
        try:
            self._psutil: Any = needed("psutil", "the load")
        except MissingExtraError:
            self._psutil = None
        self._began, self._busy, self._own = self._now()

    def _now(self) -> tuple[float, float, float]:
        """The time, and the CPU seconds so far of all cores and of this process with its children."""
        if self._psutil is None:
            return time.perf_counter(), 0.0, 0.0
        cores, own = self._psutil.cpu_times(), self._psutil.Process().cpu_times()
        idle = cores.idle + getattr(cores, "iowait", 0.0)
        guests = getattr(cores, "guest", 0.0) + getattr(cores, "guest_nice", 0.0)  # already included in user and nice
        return time.perf_counter(), sum(cores) - idle - guests, sum(own[:4])

    def lap(self) -> Load | None:
        """The load since the last lap; None without psutil. Inaccurate for laps near the system's tick of 10 ms."""
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
    """The median load; None if there is none."""
    if not loads:
        return None
    clocks = [load.mhz for load in loads if load.mhz is not None]
    return Load(
        statistics.median(load.others for load in loads), statistics.median(load.average for load in loads),
        statistics.median(clocks) if clocks else None,
    )  # fmt: skip

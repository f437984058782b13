"""What got faster or slower between two reports, beyond the noise of both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.report import Report, duration
from benchmarks.timing import Timing

THRESHOLD = 0.03
MUST_AGREE = ("processor", "cores", "python", "numpy", "numba")
STYLES = {"faster": "green", "slower": "red"}


class Verdict(NamedTuple):
    """How one timing changed; ``ratio`` is new over old, best runs."""

    part: str
    name: str
    old: Timing | None
    new: Timing | None
    ratio: float | None
    noise: float | None
    word: str  # faster, slower, same, only old, only new


def noise_of(old: Timing, new: Timing, threshold: float) -> float:
    """The relative change that the spread of the runs explains: that between best and middle run, of both together."""
    return max(threshold, math.hypot(old.median / old.best - 1, new.median / new.best - 1))


def judge(old: Timing, new: Timing, threshold: float = THRESHOLD) -> Verdict:
    """Faster or slower only if the intervals from best to median lie apart and the bests differ by more than the noise."""
    ratio, noise = new.best / old.best, noise_of(old, new, threshold)
    word = "same"
    if new.median < old.best and 1 / ratio > 1 + noise:
        word = "faster"
    elif new.best > old.median and ratio > 1 + noise:
        word = "slower"
    return Verdict(old.part, old.name, old, new, ratio, noise, word)


def compare(old: Report, new: Report, threshold: float = THRESHOLD) -> list[Verdict]:
    """A verdict for every timing of either report."""
    news = {timing.key: timing for timing in new.timings}
    found = []
    for timing in old.timings:
        other = news.pop(timing.key, None)
        if other is None:
            found.append(Verdict(timing.part, timing.name, timing, None, None, None, "only old"))
        else:
            found.append(judge(timing, other, threshold))
    found += [Verdict(other.part, other.name, None, other, None, None, "only new") for other in news.values()]
    return found


def differences(old: Report, new: Report) -> Iterator[str]:
    """What makes the two hard to compare."""
    for name in MUST_AGREE:
        if old.machine.get(name) != new.machine.get(name):
            yield f"{name}: {old.machine.get(name)} before, {new.machine.get(name)} now"
    if old.game != new.game:
        yield f"game: {old.game} before, {new.game} now"
    if old.level != new.level:
        yield f"budget: {old.level} before, {new.level} now"


def show(verdicts: list[Verdict], console: Console) -> None:
    """Print a row per timing, and the sum of it."""
    table = Table("part", "what", title="new against old")
    for column in ("old", "new", "ratio", "noise", "verdict"):
        table.add_column(column, justify="right", no_wrap=True)
    for verdict in verdicts:
        times = [duration(timing.best) if timing else "" for timing in (verdict.old, verdict.new)]
        ratio = "" if verdict.ratio is None else f"{verdict.ratio:.2f}"
        noise = "" if verdict.noise is None else f"{verdict.noise:.0%}"
        table.add_row(verdict.part, verdict.name, *times, ratio, noise, verdict.word, style=STYLES.get(verdict.word))
    console.print(table)
    words = [verdict.word for verdict in verdicts]
    kinds = ("faster", "slower", "same", "only old", "only new")
    console.print(", ".join(f"{words.count(word)} {word}" for word in kinds), highlight=False)

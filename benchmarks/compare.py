"""Compares two reports: finds the changes that the spread between rounds cannot explain."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.load import typical
from benchmarks.report import Report, duration
from benchmarks.timing import Timing
from winterkingdom_env.core.extras import EXTRA_OF, needed

THRESHOLD = 0.03  # smaller changes are ignored, even if significant
APART = (
    0.25  # the threshold for reports that were not measured alternately: the machine itself varies that much over time
)
CONFIDENCE = 0.95  # for all intervals jointly
FEWEST = 3  # values on each side for an interval
FINEST = 0.005  # lower bound of the spread: a few values may agree by chance
MUST_AGREE = ("processor", "cores", "system", "python", "numpy", "numba")
BUSY = 0.25  # share of the cores used by others above which a machine is busy
OTHER_CLOCK = 0.1  # allowed relative difference of clock rates
FASTER, SLOWER, UNCLEAR, ONLY_BEFORE, ONLY_AFTER = (
    "faster",
    "slower",
    "no difference shown",
    "only before",
    "only after",
)
STYLES = {FASTER: "green", SLOWER: "red"}


class Verdict(NamedTuple):
    """The change of one timing: ``ratio`` is new / old, ``low`` and ``high`` its interval; None if unknown."""

    part: str
    name: str
    old: Timing | None
    new: Timing | None
    ratio: float | None
    low: float | None
    high: float | None
    word: str


class _Estimate(NamedTuple):
    """Mean log ratio, its standard error, and the degrees of freedom."""

    mean: float
    error: float
    freedom: float


def is_paired(old: Report, new: Report) -> bool:
    """Whether both were measured alternately, round by round."""
    return old.session is not None and old.session == new.session


def _spread(values: Sequence[float]) -> float:
    return max(statistics.stdev(values), FINEST)


def _paired(old: Timing, new: Timing) -> _Estimate | None:
    """The estimate from the best runs of each round: effects on a whole round cancel out."""
    pairs = list(zip(old.bests, new.bests, strict=False))
    if len(pairs) < FEWEST or len(old.bests) != len(new.bests):
        return None
    ratios = [math.log(after / before) for before, after in pairs]
    return _Estimate(statistics.fmean(ratios), _spread(ratios) / math.sqrt(len(ratios)), len(ratios) - 1)


def _unpaired(old: Timing, new: Timing) -> _Estimate | None:
    """The estimate from two independent samples (Welch): the best runs of rounds if there are enough, otherwise all runs."""
    values = [(old.bests, new.bests), (old.runs, new.runs)]
    befores, afters = next((pair for pair in values if min(map(len, pair)) >= FEWEST), ((), ()))
    if not befores:
        return None
    sides = [[math.log(value) for value in side] for side in (befores, afters)]
    errors = [_spread(side) ** 2 / len(side) for side in sides]
    freedom = sum(errors) ** 2 / sum(error**2 / (len(side) - 1) for error, side in zip(errors, sides, strict=True))
    return _Estimate(statistics.fmean(sides[1]) - statistics.fmean(sides[0]), math.sqrt(sum(errors)), freedom)


def judge(old: Timing, new: Timing, n_lines: int = 1, paired: bool = False, threshold: float = THRESHOLD) -> Verdict:
    """The verdict on one timing: faster or slower only if the whole interval of the ratio is beyond the threshold.

    The interval is Student's, with a Bonferroni correction for ``n_lines`` comparisons: the probability that any is wrong is 5 %.
    """
    needed("scipy", "the comparison")
    from scipy.special import stdtrit

    found = _paired(old, new) if paired else _unpaired(old, new)
    if found is None:
        return Verdict(old.part, old.name, old, new, new.best / old.best, None, None, UNCLEAR)
    reach = float(stdtrit(found.freedom, 1 - (1 - CONFIDENCE) / (2 * n_lines))) * found.error
    low, high, beyond = found.mean - reach, found.mean + reach, math.log1p(threshold)
    word = SLOWER if low > beyond else FASTER if high < -beyond else UNCLEAR
    return Verdict(old.part, old.name, old, new, math.exp(found.mean), _exp(low), _exp(high), word)


def _exp(value: float) -> float:
    """The exponential, clamped to avoid an overflow."""
    return math.exp(max(-690.0, min(690.0, value)))


def compare(old: Report, new: Report, threshold: float = THRESHOLD, only: Sequence[str] = ()) -> list[Verdict]:
    """A verdict for every timing of either report; with ``only``, for those whose part or name contains one of these texts.

    Raises ValueError if there is none: every line that is left out narrows the intervals of the others.
    """
    olds, after = ([timing for timing in report.timings if _is_named(timing, only)] for report in (old, new))
    if only and not olds and not after:
        raise ValueError(f"no line contains {' or '.join(map(repr, only))}; without --only all lines are listed")
    news = {timing.key: timing for timing in after}
    paired = is_paired(old, new)
    least = threshold if paired else max(threshold, APART)
    n_lines = max(1, sum(timing.key in news for timing in olds))
    found = []
    for timing in olds:
        other = news.pop(timing.key, None)
        if other is None:
            found.append(Verdict(timing.part, timing.name, timing, None, None, None, None, ONLY_BEFORE))
        else:
            found.append(judge(timing, other, n_lines, paired, least))
    found += [Verdict(other.part, other.name, None, other, None, None, None, ONLY_AFTER) for other in news.values()]
    return found


def _is_named(timing: Timing, only: Sequence[str]) -> bool:
    name = f"{timing.part}: {timing.name}".casefold()
    return not only or any(text.casefold() in name for text in only)


def differences(old: Report, new: Report) -> Iterator[str]:
    """Warnings about differences that make the two reports hard to compare."""
    for name in MUST_AGREE:
        if old.machine.get(name) != new.machine.get(name):
            yield f"{name}: {old.machine.get(name)} before, {new.machine.get(name)} after"
    if old.game != new.game:
        yield f"game: {old.game} before, {new.game} after"
    if old.level != new.level:
        yield f"budget: {old.level} before, {new.level} after"
    if not is_paired(old, new):
        yield (
            f"the reports were not measured alternately: only differences beyond {APART:.0%} count; "
            "python -m benchmarks compare --before FOLDER measures alternately"
        )
    yield from _loads(old, new)


def _loads(old: Report, new: Report) -> Iterator[str]:
    """Warnings about the load of the machine."""
    found = {"before": typical(old.loads), "after": typical(new.loads)}
    cores = max(1, int(new.machine.get("cores") or 1))
    for side, load in found.items():
        if load is None:
            yield f"the load {side} was not recorded: by an older version, or without psutil (the extra {EXTRA_OF['psutil']})"
        elif load.others > BUSY * cores:
            yield f"the machine was busy {side}: other programs used {load.others:.1f} of {cores} cores; load average {load.average:.1f}"
    before, now = found.values()
    if before is None or now is None:
        return
    if abs(before.others - now.others) > BUSY * cores:
        yield f"different load: other programs used {before.others:.1f} cores before, {now.others:.1f} after"
    if before.mhz and now.mhz and abs(math.log(now.mhz / before.mhz)) > OTHER_CLOCK:
        yield f"different clock rate: {before.mhz:.0f} MHz before, {now.mhz:.0f} MHz after"


def show(verdicts: list[Verdict], console: Console) -> None:
    """Print a row per timing, and the number of each verdict."""
    table = Table("part", "what", title=f"after / before, with joint {CONFIDENCE:.0%} intervals")
    for column in ("before", "after", "ratio", "interval"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict")
    for verdict in verdicts:
        times = [duration(timing.best) if timing else "" for timing in (verdict.old, verdict.new)]
        ratio = "" if verdict.ratio is None else f"{verdict.ratio:.2f}"
        interval = "" if verdict.low is None or verdict.high is None else f"{verdict.low:.2f}…{verdict.high:.2f}"
        table.add_row(verdict.part, verdict.name, *times, ratio, interval, verdict.word, style=STYLES.get(verdict.word))
    console.print(table)
    words = [verdict.word for verdict in verdicts]
    kinds = (FASTER, SLOWER, UNCLEAR, ONLY_BEFORE, ONLY_AFTER)
    console.print(", ".join(f"{words.count(word)} {word}" for word in kinds), highlight=False)
    visible = [verdict.high / verdict.ratio for verdict in verdicts if verdict.high and verdict.ratio]
    if visible:
        console.print(
            f"a change by a factor of {statistics.median(visible):.2f} would have been shown in half of the lines; more --rounds, "
            "or fewer lines with --only, show smaller ones",
            highlight=False,
        )
    few = sum(verdict.word == UNCLEAR and verdict.low is None for verdict in verdicts)
    if few:
        console.print(f"{few} without an interval: fewer than {FEWEST} values on one side", highlight=False)

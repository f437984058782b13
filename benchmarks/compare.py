"""What got faster or slower between two reports: only what the spread between their rounds cannot explain."""

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
from winterkingdom_env.core.extras import install_command, needed

THRESHOLD = 0.03  # a smaller change is of no interest, even if it is shown
APART = (
    0.25  # the threshold for reports that were not measured in turns: the machine itself changes by as much in between
)
CONFIDENCE = 0.95  # that all intervals together are right
FEWEST = 3  # values on each side, or no interval can be given
FINEST = 0.005  # spread that is assumed at least: few values may agree by chance
MUST_AGREE = ("processor", "cores", "system", "python", "numpy", "numba")
BUSY = 0.25  # share of the cores that others use from which on a machine is busy
OTHER_CLOCK = 0.1  # share by which clocks may differ
FASTER, SLOWER, UNCLEAR, ONLY_OLD, ONLY_NEW = "faster", "slower", "no difference shown", "only old", "only new"
STYLES = {FASTER: "green", SLOWER: "red"}


class Verdict(NamedTuple):
    """How one timing changed: ``ratio`` is new over old, ``low`` and ``high`` its interval; None where it cannot be told."""

    part: str
    name: str
    old: Timing | None
    new: Timing | None
    ratio: float | None
    low: float | None
    high: float | None
    word: str


class _Estimate(NamedTuple):
    """Mean of a logarithm of ratios, its standard error, and the degrees of freedom of that."""

    mean: float
    error: float
    freedom: float


def is_paired(old: Report, new: Report) -> bool:
    """Whether both were measured in turns, round by round."""
    return old.session is not None and old.session == new.session


def _spread(values: Sequence[float]) -> float:
    return max(statistics.stdev(values), FINEST)


def _paired(old: Timing, new: Timing) -> _Estimate | None:
    """From the best runs of each round: what slows a whole round down cancels out."""
    pairs = list(zip(old.bests, new.bests, strict=False))
    if len(pairs) < FEWEST or len(old.bests) != len(new.bests):
        return None
    ratios = [math.log(after / before) for before, after in pairs]
    return _Estimate(statistics.fmean(ratios), _spread(ratios) / math.sqrt(len(ratios)), len(ratios) - 1)


def _unpaired(old: Timing, new: Timing) -> _Estimate | None:
    """From two sets of values without an order (Welch): the best runs of rounds if there are enough, otherwise all runs."""
    values = [(old.bests, new.bests), (old.runs, new.runs)]
    befores, afters = next((pair for pair in values if min(map(len, pair)) >= FEWEST), ((), ()))
    if not befores:
        return None
    sides = [[math.log(value) for value in side] for side in (befores, afters)]
    errors = [_spread(side) ** 2 / len(side) for side in sides]
    freedom = sum(errors) ** 2 / sum(error**2 / (len(side) - 1) for error, side in zip(errors, sides, strict=True))
    return _Estimate(statistics.fmean(sides[1]) - statistics.fmean(sides[0]), math.sqrt(sum(errors)), freedom)


def judge(old: Timing, new: Timing, n_lines: int = 1, paired: bool = False, threshold: float = THRESHOLD) -> Verdict:
    """Faster or slower only if the whole interval of the ratio lies beyond the threshold.

    The interval is Student's, for ``n_lines`` comparisons at once (Bonferroni): the probability that any of them is wrong is 5 %.
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
    """Without an overflow: nobody asks how many more than 10^300 times slower."""
    return math.exp(max(-690.0, min(690.0, value)))


def compare(old: Report, new: Report, threshold: float = THRESHOLD) -> list[Verdict]:
    """A verdict for every timing of either report."""
    news = {timing.key: timing for timing in new.timings}
    paired = is_paired(old, new)
    least = threshold if paired else max(threshold, APART)
    n_lines = max(1, sum(timing.key in news for timing in old.timings))
    found = []
    for timing in old.timings:
        other = news.pop(timing.key, None)
        if other is None:
            found.append(Verdict(timing.part, timing.name, timing, None, None, None, None, ONLY_OLD))
        else:
            found.append(judge(timing, other, n_lines, paired, least))
    found += [Verdict(other.part, other.name, None, other, None, None, None, ONLY_NEW) for other in news.values()]
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
    if not is_paired(old, new):
        yield (
            f"the two were not measured in turns: only differences beyond {APART:.0%} are shown; "
            "python -m benchmarks compare --before FOLDER measures in turns"
        )
    yield from _loads(old, new)


def _loads(old: Report, new: Report) -> Iterator[str]:
    """What the load says against the figures."""
    found = {"before": typical(old.loads), "now": typical(new.loads)}
    cores = max(1, int(new.machine.get("cores") or 1))
    for side, load in found.items():
        if load is None:
            yield f"the load {side} was not recorded: by an older version, or without psutil ({install_command('psutil')})"
        elif load.others > BUSY * cores:
            yield f"the machine was busy {side}: other programs used {load.others:.1f} of {cores} cores; load average {load.average:.1f}"
    before, now = found.values()
    if before is None or now is None:
        return
    if abs(before.others - now.others) > BUSY * cores:
        yield f"another load: other programs used {before.others:.1f} cores before, {now.others:.1f} now"
    if before.mhz and now.mhz and abs(math.log(now.mhz / before.mhz)) > OTHER_CLOCK:
        yield f"another clock of the processor: {before.mhz:.0f} MHz before, {now.mhz:.0f} now"


def show(verdicts: list[Verdict], console: Console) -> None:
    """Print a row per timing, and the sum of it."""
    table = Table("part", "what", title=f"new against old, intervals that are all right with {CONFIDENCE:.0%}")
    for column in ("old", "new", "ratio", "interval"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict")
    for verdict in verdicts:
        times = [duration(timing.best) if timing else "" for timing in (verdict.old, verdict.new)]
        ratio = "" if verdict.ratio is None else f"{verdict.ratio:.2f}"
        interval = "" if verdict.low is None or verdict.high is None else f"{verdict.low:.2f}…{verdict.high:.2f}"
        table.add_row(verdict.part, verdict.name, *times, ratio, interval, verdict.word, style=STYLES.get(verdict.word))
    console.print(table)
    words = [verdict.word for verdict in verdicts]
    kinds = (FASTER, SLOWER, UNCLEAR, ONLY_OLD, ONLY_NEW)
    console.print(", ".join(f"{words.count(word)} {word}" for word in kinds), highlight=False)
    few = sum(verdict.word == UNCLEAR and verdict.low is None for verdict in verdicts)
    if few:
        console.print(f"{few} have fewer than {FEWEST} values on one side: too few for an interval", highlight=False)

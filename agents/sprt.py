"""A sequential test of two agents: stop as soon as one of two Elo differences can be accepted.

The generalised SPRT with a normal approximation. The unit is the set-up, because the games of its rotations share cards and boards and are not
independent. ``llr`` is the log likelihood ratio of the set-up means, elo1 against elo0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from agents.results import Result, by_id

# Pseudo-observations with the variance of the mean of two fair games: the first few set-ups may all end alike,
# and a variance near zero would decide at once.
PRIOR_SETUPS, PRIOR_VARIANCE = 4, 0.125
FEWEST = 8  # set-ups before a decision


class Verdict(msgspec.Struct, frozen=True):
    """The state of the test after ``n_setups`` set-ups. ``decision``: "elo1" (accepted), "elo0" (elo1 rejected) or "open"."""

    decision: str
    llr: float
    lower: float
    upper: float
    n_setups: int
    elo0: float
    elo1: float

    @property
    def is_decided(self) -> bool:
        """Whether a bound was crossed."""
        return self.decision != "open"

    def __str__(self) -> str:
        """The verdict in one line."""
        words = {
            "elo1": f"the first agent is stronger by {self.elo1:g} Elo rather than {self.elo0:g}",
            "elo0": f"the first agent is stronger by {self.elo0:g} Elo rather than {self.elo1:g}",
            "open": "not decided",
        }
        numbers = f"LLR {self.llr:.2f}, bounds {self.lower:.2f} and {self.upper:.2f}, {self.n_setups} set-ups"
        return f"SPRT: {words[self.decision]} ({numbers})"


def expected_points(elo: float) -> float:
    """The expected share of points for an Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The bounds of the log likelihood ratio. ``alpha``: probability of accepting elo1 if elo0 is true; ``beta``: the reverse."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def llr(n: int, total: float, squares: float, elos: tuple[float, float]) -> float:
    """The log likelihood ratio of ``n`` set-up means, from their sum and sum of squares."""
    if n == 0:
        return 0.0
    p0, p1 = map(expected_points, elos)
    mean = total / n
    spread = max(0.0, squares - n * mean * mean)
    variance = (spread + PRIOR_SETUPS * PRIOR_VARIANCE) / (n + PRIOR_SETUPS)
    return n * (p1 - p0) * (2 * mean - p0 - p1) / (2 * variance)


def decide(means: Sequence[float], elos: tuple[float, float], alpha: float, beta: float) -> Verdict:
    """The verdict on set-up means, taken in order until a bound is crossed."""
    lower, upper = bounds(alpha, beta)
    total = squares = value = 0.0
    for n, mean in enumerate(means, 1):
        total, squares = total + mean, squares + mean * mean
        value = llr(n, total, squares, elos)
        if n >= FEWEST and not lower < value < upper:
            return Verdict("elo1" if value >= upper else "elo0", value, lower, upper, n, *elos)
    return Verdict("open", value, lower, upper, len(means), *elos)


def evaluate(results: Sequence[Result], elos: tuple[float, float], alpha: float, beta: float) -> Verdict:
    """The verdict on complete set-ups. The value of a set-up is the mean result of agent 0 against agent 1 over all pairs of their seats."""
    sums: dict[int, list[float]] = {}
    for result in sorted(results, key=by_id):
        for seat, other in pairs_of_seats(result):
            if result.numbers[seat] == 0 and result.numbers[other] == 1:
                sums.setdefault(result.setup, []).append(duel(result, seat, other))
    return decide([sum(values) / len(values) for _, values in sorted(sums.items())], elos, alpha, beta)


def pairs_of_seats(result: Result) -> list[tuple[int, int]]:
    """All ordered pairs of seats with different agents."""
    seats = range(len(result.numbers))
    return [(a, b) for a in seats for b in seats if result.numbers[a] != result.numbers[b]]


def duel(result: Result, seat: int, other: int) -> float:
    """1 if ``seat`` ranks ahead of ``other``, 0.5 for a tie, 0 otherwise."""
    return (1 + (result.ranks[seat] < result.ranks[other]) - (result.ranks[seat] > result.ranks[other])) / 2

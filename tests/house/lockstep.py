"""What every comparison of a game's kernels with its reference reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


class Difference(AssertionError):
    """The two implementations disagree."""


@dataclass
class Tally:
    """How often each thing was exercised."""

    games: int = 0
    steps: int = 0
    illegal: int = 0
    counts: Counter[str | None] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add up two tallies."""
        self.games += other.games
        self.steps += other.steps
        self.illegal += other.illegal
        self.counts.update(other.counts)

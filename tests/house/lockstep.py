"""What every comparison of a game's kernels with its reference reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


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


class Playable(Protocol):
    """A game that kernels and reference play at once."""

    def play(self) -> None:
        """Play to the end; Difference as soon as the two disagree."""


def play_all(begin: Callable[[int, Tally, str], Playable], numbers: range, kind: str) -> Tally:
    """Play games in lock-step, by number, with house rules of this kind, and say what they exercised."""
    tally = Tally()
    for number in numbers:
        begin(number, tally, kind).play()
    return tally

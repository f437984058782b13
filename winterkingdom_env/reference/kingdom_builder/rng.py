"""The random stream: splitmix64, as set-up and every draw of the game use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

_WORD = (1 << 64) - 1

Thing = TypeVar("Thing")


@dataclass
class RandomStream:
    """splitmix64."""

    state: int

    @classmethod
    def from_seed(cls, seed: int) -> RandomStream:
        """The stream of a seed: its state is the first word of the stream that begins at the seed."""
        return cls(cls(seed & _WORD).word())

    def word(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _WORD
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return word ^ (word >> 31)

    def draw(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1."""
        return ((self.word() >> 32) * bound) >> 32

    def shuffle(self, things: list[Thing]) -> None:
        """Shuffle in place, from the last entry to the first."""
        for i in range(len(things) - 1, 0, -1):
            j = self.draw(i + 1)
            things[i], things[j] = things[j], things[i]

    def pick(self, things: list[Thing], n: int) -> list[Thing]:
        """``n`` of the things: all are shuffled and the first are kept. No random number is used if ``n`` is 0."""
        if n == 0:
            return []
        shuffled = list(things)
        self.shuffle(shuffled)
        return shuffled[:n]

"""The terrain cards and the random stream that shuffles them (docs/turn.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_WORD = (1 << 64) - 1


@dataclass
class RandomStream:
    """splitmix64."""

    state: int

    def draw(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _WORD
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        word = word ^ (word >> 31)
        return ((word >> 32) * bound) >> 32

    def shuffle(self, cards: list[str]) -> None:
        """Shuffle in place, from the last entry to the first."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.draw(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


@dataclass
class Deck:
    """Draw pile (its top is the last element here), discards (oldest first) and the random stream."""

    pile: list[str]
    discards: list[str]
    random: RandomStream

    def draw(self, has_free: Callable[[str], bool]) -> str | None:
        """The next card whose terrain still has a free hex (p. 6), or None if there is no such card at all."""
        if not any(has_free(card) for card in {*self.pile, *self.discards}):
            return None
        while True:
            if not self.pile:  # p. 5: the discards become the new draw pile
                self.pile, self.discards = self.discards, []
                self.random.shuffle(self.pile)
            card = self.pile.pop()
            if has_free(card):
                return card
            self.discards.append(card)

    def copy(self) -> Deck:
        """A copy."""
        return Deck(list(self.pile), list(self.discards), RandomStream(self.random.state))

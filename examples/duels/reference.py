"""A reference implementation without kernels, written from the rules in the package's docstring, to test the kernels.

Weapons are lists of strengths and prizes lists of values. Only the use of random numbers is shared with the kernels: a draw from a heap is an
index into the sorted heap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winterkingdom_env.core.rng import Stream, seed_state

VALUES = [*range(-5, 0), *range(1, 9)]


class Reference:
    """A game in progress; actions are labels."""

    def __init__(self, n_players: int, rounds: int, seed: int, copies: Sequence[int] = (2,) * 13) -> None:
        """Shuffle, deal, and begin the first turn. ``copies`` of each prize: two, except under house rules."""
        self.n_players, self.rounds = n_players, rounds
        self.stream = Stream(seed_state(seed))
        self.deck = [strength for strength in range(1, 10) for _ in range(5)]
        self.prizes = [value for value, number in zip(VALUES, copies, strict=True) for _ in range(number)]
        self.hands = [sorted(self._draw(self.deck) for _ in range(4)) for _ in range(n_players)]
        self.won: list[list[int]] = [[] for _ in range(n_players)]
        self.round, self.attacker, self.defender = 1, 0, -1
        self.is_over = False
        self._begin_turn()

    def _draw(self, heap: list[int]) -> int:
        return heap.pop(self.stream.draw(len(heap)))

    def _begin_turn(self) -> None:
        self.defender, self.weapon = -1, 0
        self.hands[self.attacker] = sorted([*self.hands[self.attacker], self._draw(self.deck)])
        self.prize = self._draw(self.prizes)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.attacker if self.defender < 0 else self.defender

    def legal(self) -> list[str]:
        """Labels of the legal actions, in the order of their numbers."""
        if self.is_over:
            return []
        strengths = sorted(set(self.hands[self.seat]))
        if self.defender < 0:
            return [f"play {strength} against +{i}" for strength in strengths for i in range(1, self.n_players)]
        return [*(f"top with {strength}" for strength in strengths if strength > self.weapon), "yield"]

    def apply(self, label: str) -> None:
        """Apply an action. Raises ValueError if it is illegal."""
        if label not in self.legal():
            raise ValueError(label)
        words = label.split()
        if words[0] == "play":
            self.weapon = int(words[1])
            self.hands[self.attacker].remove(self.weapon)
            self.defender = (self.attacker + int(words[3])) % self.n_players
            return
        winner, loser = self.attacker, self.defender
        if words[0] == "top":
            self.hands[self.defender].remove(int(words[2]))
            winner, loser = loser, winner
        self.won[winner if self.prize > 0 else loser].append(self.prize)
        self.attacker = (self.attacker + 1) % self.n_players
        if self.attacker == 0:
            self.round += 1
        if self.round > self.rounds:
            self.is_over = True
        else:
            self._begin_turn()

    def scores(self) -> list[int]:
        """Points per seat: prizes, minus a point for every 9 in hand."""
        return [sum(won) - hand.count(9) for won, hand in zip(self.won, self.hands, strict=True)]

    def ranks(self) -> list[int]:
        """Ranks: by points, then by weapons left."""
        keys = [(points, len(hand)) for points, hand in zip(self.scores(), self.hands, strict=True)]
        return [1 + sum(other > key for other in keys) for key in keys]

    def snapshot(self) -> dict[str, Any]:
        """The state as sorted lists, to compare with the kernels' records."""
        told = {"hands": self.hands, "deck": self.deck, "prizes": self.prizes}
        return told if self.is_over else told | {"prize": self.prize, "weapon": self.weapon, "attacker": self.attacker}

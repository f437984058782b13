"""What an implementation has to offer to the examples; reference_table.py is one."""

from __future__ import annotations

from typing import Any, Protocol


class Table(Protocol):
    """A game at some position. Labels, hexes and snapshots are plain data, as in the rules and in position.py."""

    def legal_labels(self) -> set[str]:
        """The labels of the legal actions."""

    def apply(self, label: str) -> None:
        """Carry out a legal action."""

    def snapshot(self) -> dict[str, Any]:
        """The constant and the changing part of the game."""

    def score_card(self, name: str) -> list[int]:
        """Gold by seat of a card that is scored at the end, or of a task, for the present board; it need not be in play."""

    def scores(self) -> list[int]:
        """The running score by seat: gold so far and what the board would pay now."""

    def winners(self) -> list[int]:
        """The seats that would win now."""


class Make(Protocol):
    """How an implementation makes tables."""

    def position(self, data: dict[str, Any]) -> Table:
        """A game from a snapshot; ``now`` may have nothing but a phase, "before" or "after".

        A location tile may have None as its source hex: a source that is never left.
        """

    def setup(self, options: dict[str, Any]) -> Table:
        """A game dealt from a seed."""

"""The reference as a table for the examples."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.reference.kingdom_builder import ReferenceGame


class ReferenceTable:
    """A game of the reference with the methods that examples call."""

    def __init__(self, game: ReferenceGame) -> None:
        self.game = game

    def legal_labels(self) -> set[str]:
        return set(self.game.legal_labels())

    def apply(self, label: str) -> None:
        self.game.apply(label)

    def snapshot(self) -> dict[str, Any]:
        return self.game.snapshot()

    def score_card(self, name: str) -> list[int]:
        return list(self.game.score_card(name))

    def scores(self) -> list[int]:
        return list(self.game.scores())

    def winners(self) -> list[int]:
        return [seat for seat, rank in enumerate(self.game.ranks()) if rank == 1]


class ReferenceMake:
    """How the reference makes tables."""

    def position(self, data: dict[str, Any]) -> ReferenceTable:
        return ReferenceTable(ReferenceGame.position(data))

    def setup(self, options: dict[str, Any]) -> ReferenceTable:
        return ReferenceTable(ReferenceGame(options))

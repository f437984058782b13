"""The Big Money players as an agent: ``bigmoney``, ``bigmoney:cards=Smithy``, ``bigmoney:rule=BMU``."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.games.contract import GameRules
from winterkingdom_env.games.dominion.bigmoney import as_array, choose, wishes_of
from winterkingdom_env.games.dominion.game import Game


class BigMoneyAgent:
    """Buys by a list of wishes and plays what it bought; the seed does not matter.

    rule   BM, BMS, BMD, BMU, WW, W1, W2 or BigSmithy (docs/games/dominion.md)
    cards  kingdom cards to buy, too, with + between them
    n      how many of each
    """

    def __init__(self, seed: int = 0, rule: str = "BM", cards: str = "", n: int = 1) -> None:
        """Raises ValueError, saying what there is, if a name is unknown."""
        self._wishes = as_array(wishes_of(rule, cards, n))

    def get_ready(self, rules: GameRules) -> None:
        """Compile the kernel. Raises ValueError if this is another game."""
        if rules.NAME != Game.NAME:
            raise ValueError(f"bigmoney plays {Game.TITLE} only, not {rules.TITLE}")
        self._choose(rules.new_game())

    def __call__(self, view: Any) -> int:
        """The action of the seat, from what it may know: any game that fits this serves."""
        return self._choose(view.determinize(0))

    def _choose(self, game: Any) -> int:
        world = game._world
        return int(choose(world.games[0], world.boards[0], world.rules[0], self._wishes))

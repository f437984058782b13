"""The rules object of Dominion (games/contract.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winterkingdom_env.core.picture import CardTable, Look, Picture, Screen
from winterkingdom_env.games.dominion.cards import cards
from winterkingdom_env.games.dominion.choices import CHOICES
from winterkingdom_env.games.dominion.config import variants
from winterkingdom_env.games.dominion.facts import FACTS, facts
from winterkingdom_env.games.dominion.features import FEATURES
from winterkingdom_env.games.dominion.game import Game
from winterkingdom_env.games.dominion.observe import SCORE_SCALE
from winterkingdom_env.games.dominion.picture import picture
from winterkingdom_env.games.dominion.screen import screen
from winterkingdom_env.games.dominion.splits import factors, splits
from winterkingdom_env.games.dominion.tables import NAMES
from winterkingdom_env.games.dominion.worth import WORTH
from winterkingdom_env.games.factors import Factor
from winterkingdom_env.games.simple import SimpleRules
from winterkingdom_env.games.splits import Splits


class Rules(SimpleRules):
    """The game's rules object."""

    GAME = Game
    SCORE_SCALE = SCORE_SCALE
    CHOICES = CHOICES
    FACTS = FACTS
    FEATURES = FEATURES
    WORTH = WORTH
    AGENTS = {"bigmoney": "winterkingdom_env.games.dominion.bigmoney_agent:BigMoneyAgent"}
    OBSERVATION_NOTES = (
        "Seats are counted from the one that looks. Entries that count cards are in the order of the card table. Hidden are how hand and "
        "deck of another seat divide what lies in neither's open part, and the random stream. Decks have no order until a card is drawn."
    )
    OBSERVATION_ORDERS = dict.fromkeys(("kinds", "cost", "supply", "hand"), NAMES)

    def variants(self, config: Any, players: Sequence[int], n: int) -> tuple[Any, ...]:
        """Copies of a config for a batch."""
        return variants(config, players, n)

    def splits(self) -> Splits:
        """Seen and held-out kingdoms."""
        return splits()

    def factors(self) -> tuple[Factor, ...]:
        """Those of the game itself, numbers of players, and house rules."""
        return (*factors(), *super().factors())

    def facts(self, snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
        """The kingdom cards of a game."""
        return facts(snapshot)

    def cards(self, house_rules: str = "") -> tuple[CardTable, ...]:
        """The card table under these house rules."""
        return cards(house_rules)

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """The supply, the table and the seats."""
        return picture(snapshot, look)

    def screen(self, snapshot: dict[str, Any], look: Look) -> Screen:
        """The same for somebody who plays at a terminal."""
        return screen(snapshot, look)


RULES = Rules()

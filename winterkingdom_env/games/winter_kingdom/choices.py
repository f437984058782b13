"""What a form offers for the options of a game (games/options.py)."""

from __future__ import annotations

from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.games.options import NOTHING
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.config import GENERATED, STANDARD

CHOICES: dict[str, Choice] = {
    "scoring": Choice(tuple(card.name for card in tables.SCORINGS), layout.SCORING_IN_PLAY),
    "economy": Choice((NOTHING, *(card.name for card in tables.ECONOMIES))),
    "twist": Choice((NOTHING, RANDOM, *(card.name for card in tables.TWISTS))),
    "boards": Choice((STANDARD, GENERATED)),
    "house_rules": Choice((PRINTED, RANDOM)),
}

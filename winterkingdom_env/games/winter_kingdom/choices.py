"""What a form offers for the options of a game (games/options.py)."""

from __future__ import annotations

from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.house_rules import HOUSE_RULES_CHOICE, RANDOM
from winterkingdom_env.games.options import NOTHING
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.config import GENERATED, STANDARD

SCORINGS, ECONOMIES, TWISTS = (
    tuple(card.name for card in cards) for cards in (tables.SCORINGS, tables.ECONOMIES, tables.TWISTS)
)
CHOICES: dict[str, Choice] = {
    "scoring": Choice(SCORINGS, layout.SCORING_IN_PLAY, meaning="three different Winter Kingdom cards"),
    "economy": Choice((NOTHING, *ECONOMIES), meaning="an economy card"),
    "twist": Choice((NOTHING, RANDOM, *TWISTS), nothing="no twist", meaning="a twist card"),
    "boards": Choice(
        (STANDARD, GENERATED), meaning="the 14 sides of this project, or 14 new sides from the game's seed"
    ),
    "house_rules": HOUSE_RULES_CHOICE,
}

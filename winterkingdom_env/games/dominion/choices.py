"""What a form offers for the options of a game (games/options.py)."""

from __future__ import annotations

from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.dominion import layout, tables
from winterkingdom_env.games.house_rules import HOUSE_RULES_CHOICE

CARDS = tuple(tables.NAMES[card] for card in tables.KINGDOM)
CHOICES: dict[str, Choice] = {
    "kingdom": Choice(
        (*tables.KINGDOMS, *CARDS), layout.KINGDOM_SIZE, meaning="a set of the rulebook, or ten different kingdom cards"
    ),
    "house_rules": HOUSE_RULES_CHOICE,
}

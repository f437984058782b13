"""What a form offers for the options of a game (games/options.py)."""

from __future__ import annotations

from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.house_rules import HOUSE_RULES_CHOICE, RANDOM
from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.board_maker import GENERATED, OWN, STANDARD
from winterkingdom_env.games.kingdom_builder.config import AUTO, TURNED
from winterkingdom_env.games.options import NOTHING

N_OF_BASE = sum(card.set == tables.BASE for card in tables.SCORINGS)
CHOICES: dict[str, Choice] = {
    "sets": Choice(tables.SETS, len(tables.SETS), nothing="the base game alone", meaning="what is drawn from besides the base game"),
    "quadrants": Choice(
        tuple(name + turned for name in tables.QUADRANT_NAMES for turned in ("", TURNED)), layout.N_PLACES,
        meaning=f"four quadrants: top left, top right, bottom left, bottom right; with {TURNED} one lies turned",
    ),
    "scoring": Choice(tables.SCORING_NAMES, layout.SCORING_IN_PLAY, meaning="three different scoring cards"),
    "exclude": Choice(tables.SCORING_NAMES, N_OF_BASE - layout.SCORING_IN_PLAY, nothing="all can be drawn"),
    "tasks": Choice(tables.TASK_NAMES, layout.MOST_TASKS, nothing="drawn at random, one for each quadrant of Crossroads", meaning="different tasks"),
    "swamp_cards": Choice((AUTO, "true", "false"), meaning=f"whether the five swamp cards are in the deck; {AUTO}: with marshlands"),
    "island": Choice((NOTHING, RANDOM, *tables.ISLAND_NAMES), nothing="no island", meaning="a side of the island"),
    "boards": Choice(
        (STANDARD, OWN, GENERATED),
        meaning="the printed quadrants that are known; these, and our own for the others; or new quadrants from the game's seed",
    ),
    "house_rules": HOUSE_RULES_CHOICE,
}  # fmt: skip

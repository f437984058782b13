"""What a form offers for the options of a game (games/options.py)."""

from __future__ import annotations

from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.board_maker import GENERATED, OWN, STANDARD
from winterkingdom_env.games.kingdom_builder.config import AUTO, TURNED
from winterkingdom_env.games.options import NOTHING

N_OF_BASE = sum(card.set == tables.BASE for card in tables.SCORINGS)
CHOICES: dict[str, Choice] = {
    "sets": Choice(tables.SETS, len(tables.SETS)),
    "quadrants": Choice(tuple(name + turned for name in tables.QUADRANT_NAMES for turned in ("", TURNED)), layout.N_PLACES),
    "scoring": Choice(tables.SCORING_NAMES, layout.SCORING_IN_PLAY),
    "exclude": Choice(tables.SCORING_NAMES, N_OF_BASE - layout.SCORING_IN_PLAY),
    "tasks": Choice(tables.TASK_NAMES, layout.MOST_TASKS),
    "swamp_cards": Choice((AUTO, "true", "false")),
    "island": Choice((NOTHING, RANDOM, *tables.ISLAND_NAMES)),
    "boards": Choice((STANDARD, OWN, GENERATED)),
    "house_rules": Choice((PRINTED, RANDOM)),
}  # fmt: skip

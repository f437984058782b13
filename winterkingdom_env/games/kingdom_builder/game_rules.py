"""The rules object of Kingdom Builder (games/contract.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winterkingdom_env.core.picture import BoardSheet, CardTable, Look, Picture, Screen
from winterkingdom_env.games.factors import Factor
from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.cards import cards
from winterkingdom_env.games.kingdom_builder.choices import CHOICES
from winterkingdom_env.games.kingdom_builder.config import variants
from winterkingdom_env.games.kingdom_builder.facts import FACTS, facts
from winterkingdom_env.games.kingdom_builder.features import FEATURES
from winterkingdom_env.games.kingdom_builder.game import Game
from winterkingdom_env.games.kingdom_builder.observe_spec import SCORE_SCALE
from winterkingdom_env.games.kingdom_builder.picture import picture
from winterkingdom_env.games.kingdom_builder.picture_text import board_sheet
from winterkingdom_env.games.kingdom_builder.rules import make_rules
from winterkingdom_env.games.kingdom_builder.screen import screen
from winterkingdom_env.games.kingdom_builder.splits import factors, splits
from winterkingdom_env.games.kingdom_builder.standing import STANDING
from winterkingdom_env.games.kingdom_builder.worth import WORTH
from winterkingdom_env.games.simple import SimpleRules
from winterkingdom_env.games.splits import Splits

UNITS = ("warriors", "wagon", "ship", "city hall")


class Rules(SimpleRules):
    """The game's rules object."""

    GAME = Game
    SCORE_SCALE = SCORE_SCALE
    CHOICES = CHOICES
    FACTS = FACTS
    FEATURES = FEATURES
    STANDING = STANDING
    WORTH = WORTH
    SHARED: tuple[str, ...] = ("quadrants", "islands")
    PLACES = tuple(make_rules()["cell"][0].tolist())
    PLACE_KINDS = layout.N_HEX_KINDS
    OBSERVATION_NOTES = (
        "Seats are counted from the one that looks. Planes have 25 rows of 29 columns: 20 rows of the board, then five of the island, in axial "
        "coordinates (docs/turn_kingdom_builder.md). Hidden are the terrain cards of the other seats until their turn begins, the order of the "
        "deck and the random stream."
    )
    OBSERVATION_ORDERS = {
        **dict.fromkeys(("held", "ready", "held_twice", "ready_twice", "used_tiles"), tables.TILE_NAMES),
        **dict.fromkeys(("hand", "open_hand", "discards", "out", "played", "drawn"), tables.CARD_NAMES),
        "units": UNITS,
        "use": tuple(use.name for use in tables.USES),
        "scoring": tables.SCORING_NAMES,
        "task": tables.TASK_NAMES,
        "phase": Game.PHASES,
    }

    def variants(self, config: Any, players: Sequence[int], n: int) -> tuple[Any, ...]:
        """Copies of a config for a batch."""
        return variants(config, players, n)

    def splits(self) -> Splits:
        """Seen and held-out set-ups."""
        return splits()

    def factors(self) -> tuple[Factor, ...]:
        """Those of the game itself, numbers of players, and house rules."""
        return (*factors(), *super().factors())

    def facts(self, snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
        """What reports group games by."""
        return facts(snapshot)

    def cards(self, house_rules: str = "") -> tuple[CardTable, ...]:
        """The tables under these house rules."""
        return cards(house_rules)

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """The board and what lies in front of the players."""
        return picture(snapshot, look)

    def screen(self, snapshot: dict[str, Any], look: Look) -> Screen:
        """The same for somebody who plays at a terminal."""
        return screen(snapshot, look)

    def board_sheet(self, source: str, seed: int) -> BoardSheet:
        """The quadrants of ``source``."""
        return board_sheet(source, seed)


RULES = Rules()

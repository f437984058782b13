"""Every use as a row: which phase it opens, which duty its piece has, how many pieces or steps it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winterkingdom_env.reference.kingdom_builder.names import (
    CANOE_BONUS,
    CAVE,
    DONATIONS,
    FARMLAND,
    REFUGE_BONUS,
    RESETTLEMENT,
    SHIP,
    SWORD,
    WAGON,
    WARRIOR,
)
from winterkingdom_env.reference.kingdom_builder.places import ADJ, NONE, TOUCH

BAZAAR = "bazaar "
CROSSROADS, FORT, SCOUT_CABIN = "crossroads", "fort", "scout cabin"


@dataclass(frozen=True)
class Use:
    """One special action of section 5."""

    phase: str  # which question it asks first
    duty: str = NONE
    limit: int = 1  # pieces or steps
    binds: bool = False  # whether its hexes bind the card terrain


USES: Mapping[str, Use] = {
    # 5.1 Builds
    "oracle": Use("build", ADJ, binds=True),
    **{kind: Use("build", ADJ) for kind in ("farm", "oasis", "garden", "forester", "monastery")},
    "tower": Use("build", ADJ),
    "tavern": Use("build"),
    "village": Use("build"),
    FORT: Use("build", ADJ),
    "fountain": Use("build"),
    **{kind: Use("build", ADJ) for kind in ("water mill", "mountain station", "watchtower", "university")},
    CANOE_BONUS: Use("build", ADJ),
    FARMLAND: Use("build", TOUCH),
    **{kind: Use("build", ADJ, limit=3) for kind in DONATIONS},
    # 5.2 Moves
    "barn": Use("lift", ADJ, binds=True),
    **{kind: Use("lift", ADJ) for kind in ("harbor", "rope bridge", "tree house")},
    **{kind: Use("lift") for kind in ("paddock", "caravan", "refuge", REFUGE_BONUS, "palisade", CAVE)},
    RESETTLEMENT: Use("lift", limit=4),
    # 5.3 and 5.4
    "lighthouse": Use("unit", ADJ, limit=3),
    "wagon": Use("unit", ADJ, limit=3),
    "barracks": Use("unit", ADJ),
    "city hall": Use("hall", TOUCH),
    "quarry": Use("wall", TOUCH, limit=2, binds=True),
    SCOUT_CABIN: Use("scout", TOUCH, limit=2),
    "temple": Use("temple"),
    "cathedral": Use("cathedral", ADJ, limit=1000, binds=True),  # as many as there are tokens
    SWORD: Use("remove"),
    CROSSROADS: Use("none"),  # by bazaar only: it asks nothing
}
UNIT_OF = {"lighthouse": SHIP, "wagon": WAGON, "barracks": WARRIOR}
NEVER_USED = ("crossroads", "canoe", "bazaar")  # kinds without a `use` of their own
NOT_REPEATED = ("canoe", "city hall", "bazaar", CROSSROADS)  # crossroads has a rule of its own
BUILD_TERRAIN = {"farm": "grass", "oasis": "desert", "garden": "flower", "forester": "forest", "monastery": "canyon"}
MOVE_TERRAIN = {"harbor": "water", "rope bridge": "canyon", "tree house": "forest"}


def action_of(use: str) -> str:
    """What a use does: "farm" of "farm" and of "bazaar farm"."""
    return use.removeprefix(BAZAAR)

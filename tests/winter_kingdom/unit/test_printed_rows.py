"""The rows of the printed cards, written down a second time: kernels and reference read one table, so a wrong row would be wrong in both."""

from __future__ import annotations

import pytest

from winterkingdom_env.games.winter_kingdom import tables
from winterkingdom_env.games.winter_kingdom.layout import Op, Terrain
from winterkingdom_env.games.winter_kingdom.tables import PRINTED

OF_TERRAIN = {"BUILD_ON", "BUILD_NEXT_TO", "BUILD_NEXT_TO_GROUP_AT", "MOVE_ACROSS", "MOVE_ACROSS_ONTO"}
OF_NUMBER = {
    "BUILD_ON_CARD_TERRAIN", "BUILD_AT_OWN_RUN", "BUILD_AT_OPPONENT_RUN", "BUILD_TOUCHING_EXACTLY", "BUILD_TOUCHING_AT_MOST",
}  # fmt: skip
ABILITIES = """
    Pasture: build on grassland, then move one
    Sawmill: build on forest, then move one
    Hot springs: build on tundra, then move one
    Garden: build on flower field, then move one
    Monastery: build on fell field, then move one
    Hunting Lodge: build on snowscape, then move one
    Mine: build next to mountain, or build on mountain
    Port: build on ice, or build on card terrain 0
    Market: build next to castle, or build next to group at castle
    Farm: build next to village, or build next to group at village
    Barracks: build next to own fort, or build next to group with fort
    Tavern: build at own run 3, or build at opponent run 3
    Outpost: build touching exactly 1, or build touching at most 3
    Tower: build on edge, then move one
    Homestead: build on centre board, then move within centre board
    Crossroads: build on card terrain 1, and mandatory on next terrain
    Caravan: move two straight, then build on hex just left
    Mule: move one, then move one
    Toboggan: move one, or move two straight
    Horse: move two straight, or move two
    Guide: move across mountain, and move to tunnel
    Dog sled: move across ice, or move across onto ice
    Wagon: move along own group, or move along any group
    Sleigh: move until blocked, or move straight
    Carriage: move over same terrain, then move one
    Tunnel: move through tunnel, single nothing
"""
SCORINGS = """
    Knights: 2 best row
    Masses: 1 in largest group 2
    Loners: 2 loners
    Followers: 1 touching opponent
    Climbers: 1 on or touching mountain
    Bureaucrats: 2 touching castle
    Wanderers: 2 boards with 1
    Travellers: 4 boards with 3
    Socialites: 1 touching village
    Nature Lovers: 1 touching ice mountain
    Ice Fishermen: 2 on ice
    Pioneers: 1 outside largest group
    Peasants: 1 on bottom board
    Spelunkers: 3 tunnels touched
    Royalty: 5 castles joined
    Merchants: 4 villages joined
    Scouts: 1 on edge
    Miners: 3 mountain majorities
"""
ECONOMIES = """
    Agriculture: 1 next to village
    Arms: 1 next to own fort
    Furs: 1 on top board
    Exports: 1 on edge
    Livestock: 1 no free same neighbour
    Hunting: 1 touching no own
    Marble: 2 mandatory line
    Salvage: 1 salvage
"""
TWISTS = """
    Wolves: wolves 4
    Impasse: impasse
    Mobility: mobility 2
    Innovation: innovation
    Boom: boom
    Longer Tunnels: longer tunnels
    Archipelago: archipelago
    Roads: roads 1
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def in_words(name: str, *more: str) -> str:
    return " ".join([name.lower().replace("_", " "), *more])


def half_in_words(op: Op, arg: int) -> str:
    if op.name in OF_TERRAIN:
        return in_words(op.name, tables.TERRAIN_NAMES[arg])
    return in_words(op.name, *([str(arg)] if op.name in OF_NUMBER else []))


def terrains_in_words(bits: int) -> list[str]:
    return [tables.TERRAIN_NAMES[terrain] for terrain in Terrain if bits >> terrain & 1]


@pytest.mark.rule("p. 4, upgraded card")
def test_ability_rows__say_what_the_cards_say() -> None:
    rows = [
        f"{row.name}: {half_in_words(row.first, row.first_arg)}, {row.link.name.lower()} {half_in_words(row.second, row.second_arg)}"
        for row in (*PRINTED.abilities, tables.TUNNEL)
    ]
    assert rows == lines(ABILITIES)


@pytest.mark.rule("p. 12, Knights")
def test_scoring_rows__say_what_the_cards_say() -> None:
    rows = []
    for row in PRINTED.scorings:
        of_terrains = row.measure.name in ("ON", "TOUCHING", "ON_OR_TOUCHING")
        of_number = row.measure.name in ("IN_LARGEST_GROUP", "BOARDS_WITH")
        arg = terrains_in_words(row.arg) if of_terrains else [str(row.arg)] if of_number else []
        rows.append(f"{row.name}: {row.points} {in_words(row.measure.name, *arg)}")
    assert rows == lines(SCORINGS)


@pytest.mark.rule("p. 14, Agriculture")
def test_economy_rows__say_what_the_cards_say() -> None:
    rows = []
    for row in PRINTED.economies:
        arg = [tables.TERRAIN_NAMES[row.arg]] if row.condition.name == "NEXT_TO" else []
        rows.append(f"{row.name}: {row.coins} {in_words(row.condition.name, *arg)}")
    assert rows == lines(ECONOMIES)


@pytest.mark.rule("p. 16, Wolves")
def test_twist_rows__say_what_the_cards_say() -> None:
    rows = []
    for row in PRINTED.twists:
        arg = [str(row.arg)] if row.twist.name in ("WOLVES", "MOBILITY", "ROADS") else []
        rows.append(f"{row.name}: {in_words(row.twist.name, *arg)}")
    assert rows == lines(TWISTS)

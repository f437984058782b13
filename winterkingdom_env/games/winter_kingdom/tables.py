"""The card tables, one row per card, with the source of each fact. How a rule is executed is elsewhere.

``source``: RULEBOOK, stated in the rulebook; PUBLIC, a public fact about the printed game; READING, the printed card is not
known to us and this is our reading (docs/readings.md). ``note``: which part of a partly known row is known. An ability card has
a source for each cost, and one for the order of its halves (which one is the upper one). Page numbers are those of the English
rulebook. Owners of the game can correct a row here.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from winterkingdom_env.games.winter_kingdom.layout import (
    Condition,
    Link,
    Measure,
    Op,
    Terrain,
    Twist,
)


class Source(Enum):
    """Where a fact comes from."""

    RULEBOOK = "rulebook"
    PUBLIC = "public"
    READING = "reading"


RULEBOOK, PUBLIC, READING = Source.RULEBOOK, Source.PUBLIC, Source.READING

TERRAIN_NAMES = (
    "fell field", "tundra", "flower field", "grassland", "snowscape", "forest",
    "ice", "mountain", "tunnel", "village", "castle",
)  # fmt: skip
TERRAIN_LETTERS = (
    "LTFGSWIMUVC"  # feLl field, Tundra, Flower field, Grassland, Snowscape, Woods, Ice, Mountain, tUnnel, ...
)
DIRECTION_NAMES = ("row", "column", "diagonal")
START_COINS = {2: (1, 2), 3: (1, 1, 2), 4: (1, 1, 2, 2)}  # p. 2, by seat

FELL, TUNDRA, FLOWER = Terrain.FELL_FIELD, Terrain.TUNDRA, Terrain.FLOWER_FIELD
GRASS, SNOW, FOREST = Terrain.GRASSLAND, Terrain.SNOWSCAPE, Terrain.FOREST
ICE, MOUNTAIN, VILLAGE, CASTLE = Terrain.ICE, Terrain.MOUNTAIN, Terrain.VILLAGE, Terrain.CASTLE


class Ability(NamedTuple):
    """One ability card: two halves (op, argument, words), how they are linked, and what they cost."""

    name: str
    first: Op
    first_arg: int
    second: Op
    second_arg: int
    link: Link
    acquire_cost: int
    upgrade_cost: int
    acquire_source: Source
    upgrade_source: Source
    order_source: Source
    page: str
    first_text: str
    second_text: str


def _builder(name: str, terrain: Terrain) -> Ability:
    words = f"build on {TERRAIN_NAMES[terrain]}"
    return Ability(name, Op.BUILD_ON, terrain, Op.MOVE_ONE, 0, Link.THEN, 3, 1, READING, READING, RULEBOOK, "p. 9, 11",
                   words, "move that house 1 hex")  # fmt: skip


# fmt: off
ABILITIES = (
    _builder("Pasture", GRASS),
    _builder("Sawmill", FOREST),
    _builder("Hot springs", TUNDRA),
    _builder("Garden", FLOWER),
    _builder("Monastery", FELL),
    _builder("Hunting Lodge", SNOW),
    #       name          first op                       arg       second op                         arg       link       cost  acquire   upgrade   order     page
    Ability("Mine",       Op.BUILD_NEXT_TO,              MOUNTAIN, Op.BUILD_ON,                      MOUNTAIN, Link.OR,   3, 1, RULEBOOK, READING,  RULEBOOK, "p. 9",
            "build next to a mountain", "build on a mountain"),
    Ability("Port",       Op.BUILD_ON,                   ICE,      Op.BUILD_ON_CARD_TERRAIN,         0,        Link.OR,   3, 1, READING,  READING,  READING,  "p. 9",
            "build on ice", "build on the terrain of the played card"),
    Ability("Market",     Op.BUILD_NEXT_TO,              CASTLE,   Op.BUILD_NEXT_TO_GROUP_AT,        CASTLE,   Link.OR,   2, 2, READING,  READING,  READING,  "p. 9",
            "build next to a castle", "build next to an own group that touches a castle"),
    Ability("Farm",       Op.BUILD_NEXT_TO,              VILLAGE,  Op.BUILD_NEXT_TO_GROUP_AT,        VILLAGE,  Link.OR,   2, 2, READING,  READING,  READING,  "p. 9",
            "build next to a village", "build next to an own group that touches a village"),
    Ability("Barracks",   Op.BUILD_NEXT_TO_OWN_FORT,     0,        Op.BUILD_NEXT_TO_GROUP_WITH_FORT, 0,        Link.OR,   2, 2, READING,  READING,  READING,  "p. 9",
            "build next to an own fort", "build next to an own group with a fort"),
    Ability("Tavern",     Op.BUILD_AT_OWN_RUN,           3,        Op.BUILD_AT_OPPONENT_RUN,         3,        Link.OR,   2, 1, READING,  READING,  READING,  "p. 9",
            "build at an end of a straight run of 3 or more own pieces", "build at an end of such a run of one opponent"),
    Ability("Outpost",    Op.BUILD_TOUCHING_EXACTLY,     1,        Op.BUILD_TOUCHING_AT_MOST,        3,        Link.OR,   3, 2, READING,  READING,  READING,  "p. 9",
            "build touching exactly 1 own house", "build touching at most 3 own houses"),
    Ability("Tower",      Op.BUILD_ON_EDGE,              0,        Op.MOVE_ONE,                      0,        Link.THEN, 3, 1, READING,  READING,  RULEBOOK, "p. 10, 11",
            "build on the outer edge, not on ice", "move that house 1 hex"),
    Ability("Homestead",  Op.BUILD_ON_CENTRE_BOARD,      0,        Op.MOVE_WITHIN_CENTRE_BOARD,      0,        Link.THEN, 3, 1, READING,  READING,  RULEBOOK, "p. 10, 11",
            "build on the centre board", "move that house along free buildable hexes of the centre board"),
    Ability("Crossroads", Op.BUILD_ON_CARD_TERRAIN,      1,        Op.MANDATORY_ON_NEXT_TERRAIN,     0,        Link.AND,  3, 2, READING,  READING,  RULEBOOK, "p. 8, 10",
            "build on the terrain to the right of the card's", "the mandatory pieces may go on that terrain"),
    Ability("Caravan",    Op.MOVE_TWO_STRAIGHT,          0,        Op.BUILD_ON_HEX_JUST_LEFT,        0,        Link.THEN, 1, 3, READING,  RULEBOOK, RULEBOOK, "p. 10",
            "move 2 hexes straight", "build on the hex just left"),
    Ability("Mule",       Op.MOVE_ONE,                   0,        Op.MOVE_ONE,                      0,        Link.THEN, 1, 1, READING,  READING,  RULEBOOK, "p. 10, 11",
            "move 1 hex", "move the same house 1 more hex"),
    Ability("Toboggan",   Op.MOVE_ONE,                   0,        Op.MOVE_TWO_STRAIGHT,             0,        Link.OR,   1, 1, READING,  READING,  READING,  "p. 10",
            "move 1 hex", "move 2 hexes straight"),
    Ability("Horse",      Op.MOVE_TWO_STRAIGHT,          0,        Op.MOVE_TWO,                      0,        Link.OR,   1, 1, READING,  READING,  READING,  "p. 10",
            "move 2 hexes straight", "move to a hex at distance 2"),
    Ability("Guide",      Op.MOVE_ACROSS,                MOUNTAIN, Op.MOVE_TO_TUNNEL,                0,        Link.AND,  1, 1, READING,  READING,  RULEBOOK, "p. 8, 11",
            "move across mountains", "move a house that touches no tunnel next to a tunnel"),
    Ability("Dog sled",   Op.MOVE_ACROSS,                ICE,      Op.MOVE_ACROSS_ONTO,              ICE,      Link.OR,   1, 1, RULEBOOK, READING,  READING,  "p. 11",
            "move across ice, ending off the ice", "move across ice, ending on ice"),
    Ability("Wagon",      Op.MOVE_ALONG_OWN_GROUP,       0,        Op.MOVE_ALONG_ANY_GROUP,          0,        Link.OR,   2, 1, READING,  READING,  READING,  "p. 11",
            "move to a hex touching its own group", "move to a hex touching its group of anyone's pieces"),
    Ability("Sleigh",     Op.MOVE_UNTIL_BLOCKED,         0,        Op.MOVE_STRAIGHT,                 0,        Link.OR,   1, 1, READING,  READING,  READING,  "p. 11",
            "move straight until blocked", "move straight, any number of hexes"),
    Ability("Carriage",   Op.MOVE_OVER_SAME_TERRAIN,     0,        Op.MOVE_ONE,                      0,        Link.THEN, 1, 1, READING,  READING,  RULEBOOK, "p. 11",
            "move over free hexes of the terrain it stands on", "move the same house 1 more hex"),
)
TUNNEL = Ability("Tunnel", Op.MOVE_THROUGH_TUNNEL, 0, Op.NOTHING, 0, Link.SINGLE, 0, 0, RULEBOOK, RULEBOOK, RULEBOOK, "p. 10",
                 "move a house touching a tunnel to a hex touching another tunnel", "")
CARDS = (*ABILITIES, TUNNEL)


class Economy(NamedTuple):
    """One economy card: coins for each house (or, for Marble, line) that meets the condition."""

    name: str
    condition: Condition
    arg: int
    coins: int
    source: Source
    page: str
    text: str
    note: str = ""  # what of the row is known, or read, apart from its source


ECONOMIES = (
    #       name           condition                          arg      coins source    page     text
    Economy("Agriculture", Condition.NEXT_TO,                 VILLAGE, 1, RULEBOOK, "p. 14", "1 coin per house built next to a village"),
    Economy("Arms",        Condition.NEXT_TO_OWN_FORT,        0,       1, RULEBOOK, "p. 14", "1 coin per house built next to an own fort"),
    Economy("Furs",        Condition.ON_TOP_BOARD,            0,       1, RULEBOOK, "p. 14", "1 coin per house built on the top board"),
    Economy("Exports",     Condition.ON_EDGE,                 0,       1, RULEBOOK, "p. 14", "1 coin per house built on the outer edge"),
    Economy("Livestock",   Condition.NO_FREE_SAME_NEIGHBOUR,  0,       1, RULEBOOK, "p. 15", "1 coin per house on a hex that now has no free neighbour of the same terrain"),
    Economy("Hunting",     Condition.TOUCHING_NO_OWN,         0,       1, RULEBOOK, "p. 15", "1 coin per house built touching no own piece"),
    Economy("Marble",      Condition.MANDATORY_LINE,          0,       2, RULEBOOK, "p. 15", "2 coins if the three mandatory pieces form one straight, unbroken line"),
    Economy("Salvage",     Condition.SALVAGE,                 0,       1, RULEBOOK, "p. 15", "before the purchase, 1 coin per own house taken out of the game; no special action follows",
            "that a fort may be taken is our reading"),
)


class Scoring(NamedTuple):
    """One Winter Kingdom card: points for each thing its measure counts."""

    name: str
    measure: Measure
    arg: int
    points: int
    source: Source
    page: str
    text: str
    note: str = ""  # what of the row is known, or read, apart from its source


def _set(*terrains: Terrain) -> int:
    return sum(1 << terrain for terrain in terrains)


SCORINGS = (
    #       name             measure                        arg                  points source   page     text
    Scoring("Knights",       Measure.BEST_ROW,              0,                   2, RULEBOOK, "p. 12", "2 per house in the row, in the agreed direction, with most own houses"),
    Scoring("Masses",        Measure.IN_LARGEST_GROUP,      2,                   1, READING,  "p. 12", "1 per 2 houses of the largest own group",
            "the groups and the total of the example are in the rulebook"),
    Scoring("Loners",        Measure.LONERS,                0,                   2, READING,  "p. 12", "2 per house with no own piece on a neighbouring hex"),
    Scoring("Followers",     Measure.TOUCHING_OPPONENT,     0,                   1, READING,  "p. 12", "1 per house touching an opponent's piece"),
    Scoring("Climbers",      Measure.ON_OR_TOUCHING,        _set(MOUNTAIN),      1, READING,  "p. 12", "1 per house on or touching a mountain"),
    Scoring("Bureaucrats",   Measure.TOUCHING,              _set(CASTLE),        2, READING,  "p. 12", "2 per house touching a castle"),
    Scoring("Wanderers",     Measure.BOARDS_WITH,           1,                   2, READING,  "p. 12", "2 per terrain board with at least one own house"),
    Scoring("Travellers",    Measure.BOARDS_WITH,           3,                   4, READING,  "p. 12", "4 per terrain board with at least three own houses"),
    Scoring("Socialites",    Measure.TOUCHING,              _set(VILLAGE),       1, READING,  "p. 13", "1 per house touching a village"),
    Scoring("Nature Lovers", Measure.TOUCHING,              _set(MOUNTAIN, ICE), 1, PUBLIC,   "p. 13", "1 per house touching a mountain or ice"),
    Scoring("Ice Fishermen", Measure.ON,                    _set(ICE),           2, PUBLIC,   "p. 13", "2 per house on ice"),
    Scoring("Pioneers",      Measure.OUTSIDE_LARGEST_GROUP, 0,                   1, READING,  "p. 13", "1 per house outside the largest own group",
            "the groups and the total of the example are in the rulebook"),
    Scoring("Peasants",      Measure.ON_BOTTOM_BOARD,       0,                   1, READING,  "p. 13", "1 per house on the bottom board",
            "that there is such a card is in the rulebook"),
    Scoring("Spelunkers",    Measure.TUNNELS_TOUCHED,       0,                   3, READING,  "p. 13", "3 per tunnel touched by an own piece"),
    Scoring("Royalty",       Measure.CASTLES_JOINED,        0,                   5, PUBLIC,   "p. 13", "5 per castle joined by one own group to another castle"),
    Scoring("Merchants",     Measure.VILLAGES_JOINED,       0,                   4, READING,  "p. 13", "4 per village joined by one own group to another village"),
    Scoring("Scouts",        Measure.ON_EDGE,               0,                   1, READING,  "p. 13", "1 per house on the outer edge"),
    Scoring("Miners",        Measure.MOUNTAIN_MAJORITIES,   0,                   3, READING,  "p. 13", "3 per mountain area for the player(s) with most houses touching it",
            "the value and the area are in the rulebook, the majority is our reading"),
)


class TwistCard(NamedTuple):
    """One twist card: the rule it changes."""

    name: str
    twist: Twist
    arg: int
    source: Source
    page: str
    text: str
    note: str = ""  # what of the row is known, or read, apart from its source


TWISTS = (
    #         name             twist                 arg source   page     text
    TwistCard("Wolves",         Twist.WOLVES,         4, RULEBOOK, "p. 16", "who built more than 4 houses in the turn removes one own house or fort at its end",
            "when, and that a fort may be taken, is our reading"),
    TwistCard("Impasse",        Twist.IMPASSE,        0, PUBLIC,   "p. 16", "no piece is built on or moved to a hex touching another player's piece"),
    TwistCard("Mobility",       Twist.MOBILITY,       2, READING,  "p. 16", "mandatory pieces may be up to 2 hexes away from own pieces"),
    TwistCard("Innovation",     Twist.INNOVATION,     0, RULEBOOK, "p. 16", "a card just acquired or upgraded may be used once at once"),
    TwistCard("Boom",           Twist.BOOM,           0, RULEBOOK, "p. 16", "a mandatory piece next to a village allows one extra piece at once",
            "that it does not chain is our reading"),
    TwistCard("Longer Tunnels", Twist.LONGER_TUNNELS, 0, RULEBOOK, "p. 16", "after a tunnel move the same house may move 1 more hex"),
    TwistCard("Archipelago",    Twist.ARCHIPELAGO,    0, RULEBOOK, "p. 16", "hexes of different boards are not adjacent"),
    TwistCard("Roads",          Twist.ROADS,          1, READING,  "p. 16", "cards whose first action is a move cost 1 less to acquire and to upgrade",
            "the discount is in the rulebook, which cards it is for is our reading"),
)
# fmt: on


class Cards(NamedTuple):
    """All card rows of a game: those above, or their versions under house rules."""

    abilities: tuple[Ability, ...]
    scorings: tuple[Scoring, ...]
    economies: tuple[Economy, ...]
    twists: tuple[TwistCard, ...]


PRINTED = Cards(ABILITIES, SCORINGS, ECONOMIES, TWISTS)

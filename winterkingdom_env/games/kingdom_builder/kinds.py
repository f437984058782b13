"""The enumerations of Kingdom Builder. Kernels use the members by name; outside they are passed as ``int(...)``."""

from __future__ import annotations

from enum import IntEnum


class Terrain(IntEnum):
    """The kinds of hex. The first five are on terrain cards."""

    GRASS = 0
    FLOWER = 1
    FOREST = 2
    CANYON = 3
    DESERT = 4
    SWAMP = 5
    FARMLAND = 6
    WATER = 7
    MOUNTAIN = 8
    CASTLE = 9
    LOCATION = 10
    NOMAD = 11
    PALACE = 12
    SILO = 13


class Area(IntEnum):
    """Fixed parts of the board, in RULES' "area"."""

    TOP_LEFT = 0
    TOP_RIGHT = 1
    BOTTOM_LEFT = 2
    BOTTOM_RIGHT = 3
    NORTH = 4  # the edges
    SOUTH = 5
    WEST = 6
    EAST = 7
    EDGE = 8
    SEAM = 9  # rows and columns 9 and 10
    MAIN = 10  # without the island
    ISLAND = 11  # where it may lie


class Tile(IntEnum):
    """The kinds of location tile, then of nomad tile."""

    ORACLE = 0
    FARM = 1
    OASIS = 2
    TOWER = 3
    TAVERN = 4
    BARN = 5
    HARBOR = 6
    PADDOCK = 7
    QUARRY = 8
    CARAVAN = 9
    VILLAGE = 10
    GARDEN = 11
    LIGHTHOUSE = 12
    FORESTER = 13
    BARRACKS = 14
    CROSSROADS = 15
    CITY_HALL = 16
    FORT = 17
    MONASTERY = 18
    WAGON = 19
    TEMPLE = 20
    REFUGE = 21
    CANOE = 22
    FOUNTAIN = 23
    BAZAAR = 24
    WATER_MILL = 25
    MOUNTAIN_STATION = 26
    SCOUT_CABIN = 27
    CATHEDRAL = 28
    WATCHTOWER = 29
    UNIVERSITY = 30
    PALISADE = 31
    ROPE_BRIDGE = 32
    TREE_HOUSE = 33
    DONATION_GRASS = 34
    DONATION_FLOWER = 35
    DONATION_FOREST = 36
    DONATION_CANYON = 37
    DONATION_DESERT = 38
    DONATION_WATER = 39
    DONATION_MOUNTAIN = 40
    RESETTLEMENT = 41
    OUTPOST = 42
    SWORD = 43
    TREASURE = 44


class Bonus(IntEnum):
    """What a seat may use once in its turn without a tile of its own, a bit each in ``bonus_used``."""

    REFUGE = 0
    CANOE = 1
    FARMLAND = 2
    CAVE = 3


class Form(IntEnum):
    """The kind of a special action: the phase that it begins with."""

    BUILD = 0
    MOVE = 1
    UNIT = 2
    HALL = 3
    WALL = 4
    SCOUT = 5
    REMOVE = 6
    TEMPLE = 7
    CATHEDRAL = 8
    CARD = 9  # the crossroads, by the bazaar: one card more


class Op(IntEnum):
    """The hexes that a special action aims at. Its argument is in the row of the table."""

    NOTHING = 0
    CARD_TERRAIN = 1
    TERRAIN = 2  # arg: index of BOARD's "terrain"
    EDGE = 3
    OWN_RUN = 4  # arg: hexes in the run
    TOUCHING_OWN = 5  # arg: own pieces, at least
    DRAWN_CARD = 6
    TOUCHING_ONE = 7  # own piece and none of the others; with the bonus on mountains, too
    NEXT_TO = 8  # arg: index of BOARD's "terrain"
    NEXT_TO_OTHERS = 9
    SWAMP_AND_WATER = 10  # each by itself
    TWO_STRAIGHT = 11
    UNTIL_BLOCKED = 12
    ONE_STEP = 13
    FIRST_FREE = 14  # in a direction, over anything
    OWN_GROUP = 15
    CAVES = 16


class Duty(IntEnum):
    """What a piece must touch (3.2 of the rules)."""

    NONE = 0
    ADJ = 1  # an own piece, if it can
    TOUCH = 2  # an own piece


class Unit(IntEnum):
    """The kinds of piece. A hall is not a unit, but a piece that never moves."""

    SETTLEMENT = 0
    WARRIOR = 1
    WAGON = 2
    SHIP = 3
    HALL = 4


class Measure(IntEnum):
    """What a scoring card counts. From FAMILIES on it pays when a piece is built (p. 10)."""

    TOUCHING = 0  # arg: terrain; pieces that touch it and do not stand on it
    TOUCHING_SPECIAL = 1
    SPECIALS_JOINED = 2
    LINES = 3
    BEST_LINE = 4
    GROUPS = 5
    LARGEST_GROUP = 6
    QUADRANT_RANKS = 7
    WEAKEST_QUADRANT = 8
    AREAS_JOINED = 9  # arg: terrain
    LONGEST_WAY = 10
    SPECIAL_MAJORITIES = 11
    ON_SEAM = 12
    TOUCHING_OWN = 13  # arg: at least
    TOUCHING_REMOVED = 14
    STRONGEST_QUADRANT = 15
    LONELY_LINES = 16
    TOUCHING_TWO = 17
    MARKED_LINES = 18
    ON_EDGE = 19
    FAMILIES = 20
    SHEPHERDS = 21
    AMBASSADORS = 22
    ROVERS = 23


class Task(IntEnum):
    """The tasks of Crossroads (p. 15)."""

    HOME_COUNTRY = 0
    FORTRESS = 1
    ROAD = 2
    PLACE_OF_REFUGE = 3
    ADVANCE = 4
    COMPASS_POINTS = 5


class Phase(IntEnum):
    """The question that the seat to move is asked."""

    BEFORE = 0
    MANDATORY = 1
    AFTER = 2
    BUILD = 3
    LIFT = 4
    MOVE = 5
    UNIT = 6
    HALL = 7
    WALL = 8
    SCOUT = 9
    REMOVE = 10
    TEMPLE = 11
    CATHEDRAL = 12
    REACT = 13
    SILO = 14
    SILO_MOVE = 15
    OVER = 16


class SiloMode(IntEnum):
    """What the silo action in progress has begun with."""

    NONE = 0
    BUILD = 1
    MOVE = 2

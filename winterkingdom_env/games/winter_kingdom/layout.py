"""Sizes, enumerations, record layouts and action ranges of Winter Kingdom."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.core.sizes import WORDS as WORDS

ROWS = 27  # that the boards span, and as many columns
MAX_PLAYERS = 4
N_HEXES = 427
N_BOARDS = 7
BOARD_RADIUS = 4
BOARD_HEXES = 61
BOARD_CENTRES = ((13, 13), (18, 17), (9, 22), (4, 18), (8, 9), (17, 4), (22, 8))

N_ABILITIES = 25
TUNNEL_CARD = 25  # the card that every player has; its number follows those of the ability cards
N_CARDS = 26
N_SCORING = 18
N_ECONOMIES = 8
N_TWISTS = 8
SCORING_IN_PLAY = 3
HAND_SIZE = 5
TERRAIN_CARD_COPIES = 5
N_TERRAIN_CARDS = 30
HOUSES = 32
FORTS = 4
FORT_VALUE = 2  # p. 4: a fort counts as two houses
MANDATORY_PIECES = 3
TRIPLE_COST = 5
TRIPLE_USES = 3
CASTLE_POINTS = 3
ROUND_LIMIT = 100
MOST_COINS = 1000  # never reached: 40 houses earn about 40 coins, and at most 18 each under house rules
CENTRE = 0  # the centre board
EDGE = 7  # index in RULES' "area", after the boards: the hexes on the outer edge
WHOLE = 8  # index in RULES' "area": all hexes
NONE = -1  # no hex, no card, no terrain


class Terrain(IntEnum):
    """The eleven kinds of hex. The first six stand on terrain cards, each followed by the terrain to its right (p. 10)."""

    FELL_FIELD = 0
    TUNDRA = 1
    FLOWER_FIELD = 2
    GRASSLAND = 3
    SNOWSCAPE = 4
    FOREST = 5
    ICE = 6
    MOUNTAIN = 7
    TUNNEL = 8
    VILLAGE = 9
    CASTLE = 10


N_TERRAINS = 11
CARD_TERRAINS = 11  # index in BOARD's "terrain", after the single terrains: the six on cards together
BUILDABLE = 12  # index in BOARD's "terrain": the six and ice
N_CARD_TERRAINS = 6
N_BUILDABLE = 7


class Op(IntEnum):
    """What a half of an ability card does. Its argument is in the card's row."""

    NOTHING = 0
    BUILD_ON = 1  # arg: terrain
    BUILD_ON_CARD_TERRAIN = 2  # arg: steps to the right in the order of terrains
    BUILD_NEXT_TO = 3  # arg: terrain
    BUILD_NEXT_TO_OWN_FORT = 4
    BUILD_NEXT_TO_GROUP_AT = 5  # arg: terrain that the own group touches
    BUILD_NEXT_TO_GROUP_WITH_FORT = 6
    BUILD_AT_OWN_RUN = 7  # arg: hexes in the run
    BUILD_AT_OPPONENT_RUN = 8  # arg: hexes in the run
    BUILD_TOUCHING_EXACTLY = 9  # arg: own houses
    BUILD_TOUCHING_AT_MOST = 10  # arg: own houses
    BUILD_ON_EDGE = 11
    BUILD_ON_CENTRE_BOARD = 12
    BUILD_ON_HEX_JUST_LEFT = 13
    MOVE_ONE = 14
    MOVE_TWO_STRAIGHT = 15
    MOVE_TWO = 16
    MOVE_ACROSS = 17  # arg: terrain that is crossed; ends off it
    MOVE_ACROSS_ONTO = 18  # arg: terrain that is crossed; ends on it
    MOVE_TO_TUNNEL = 19
    MOVE_THROUGH_TUNNEL = 20
    MOVE_ALONG_OWN_GROUP = 21
    MOVE_ALONG_ANY_GROUP = 22
    MOVE_UNTIL_BLOCKED = 23
    MOVE_STRAIGHT = 24
    MOVE_OVER_SAME_TERRAIN = 25
    MOVE_WITHIN_CENTRE_BOARD = 26
    MANDATORY_ON_NEXT_TERRAIN = 27


FIRST_MOVE_OP = int(Op.MOVE_ONE)
LAST_MOVE_OP = int(Op.MOVE_WITHIN_CENTRE_BOARD)


class Link(IntEnum):
    """How the halves of an upgraded card combine (p. 4)."""

    OR = 0  # I or II
    THEN = 1  # the arrow: II may follow I
    AND = 2  # orange: II alone or in addition to I
    SINGLE = 3  # the tunnel card has one half


class Condition(IntEnum):
    """What earns coins (p. 14-15)."""

    NEXT_TO = 0  # arg: terrain
    NEXT_TO_OWN_FORT = 1
    ON_TOP_BOARD = 2
    ON_EDGE = 3
    NO_FREE_SAME_NEIGHBOUR = 4
    TOUCHING_NO_OWN = 5
    MANDATORY_LINE = 6
    SALVAGE = 7


class Measure(IntEnum):
    """What a Winter Kingdom card counts (p. 12-13)."""

    BEST_ROW = 0
    IN_LARGEST_GROUP = 1  # arg: houses that count as one
    OUTSIDE_LARGEST_GROUP = 2
    LONERS = 3
    TOUCHING_OPPONENT = 4
    ON_OR_TOUCHING = 5  # arg: set of terrains
    TOUCHING = 6  # arg: set of terrains
    ON = 7  # arg: set of terrains
    BOARDS_WITH = 8  # arg: houses at least
    ON_BOTTOM_BOARD = 9
    ON_EDGE = 10
    TUNNELS_TOUCHED = 11
    CASTLES_JOINED = 12
    VILLAGES_JOINED = 13
    MOUNTAIN_MAJORITIES = 14


class Twist(IntEnum):
    """The twist in play; 0 is none (p. 16)."""

    NONE = 0
    WOLVES = 1  # arg: houses built without consequence
    IMPASSE = 2
    MOBILITY = 3  # arg: distance of mandatory pieces
    INNOVATION = 4
    BOOM = 5
    LONGER_TUNNELS = 6
    ARCHIPELAGO = 7
    ROADS = 8  # arg: coins less


class Direction(IntEnum):
    """Rows that Knights count along: constant row, column, or row + column."""

    ROW = 0
    COLUMN = 1
    DIAGONAL = 2


class Phase(IntEnum):
    """The state of the turn machine (docs/turn.md)."""

    BEFORE = 0
    MANDATORY = 1
    BOOM = 2
    AFTER = 3
    BUILD = 4
    LIFT = 5
    MOVE = 6
    FOLLOW = 7
    TRIPLE = 8
    INNOVATE = 9
    WOLVES = 10
    OVER = 11


class Status(IntEnum):
    """A kernel's result for an action."""

    OK = 0
    ILLEGAL = 1


# Sets of hexes first, then the widest fields, and padded by hand: no hidden bytes (tested), so tobytes() is a faithful key.
# Every set is a row of a two-dimensional field, WORDS long (core.hexset); GAME, BOARD and LEGAL are whole cache lines (core.rows.aligned).
# The mutable state of a game, including the random stream.
GAME = np.dtype(
    [
        ("houses", np.uint32, (MAX_PLAYERS, WORDS)),
        ("forts", np.uint32, (MAX_PLAYERS, WORDS)),
        ("near", np.uint32, (MAX_PLAYERS, WORDS)),  # hexes touching a piece of the seat; derived from the pieces
        ("taken", np.uint32, (1, WORDS)),  # hexes with a piece; derived from the pieces
        ("rng", np.uint64),
        ("hand", np.uint32, (MAX_PLAYERS,)),  # bit i: ability card i
        ("in_play", np.uint32, (MAX_PLAYERS,)),  # bit 25, the tunnel card, is always set
        ("upgraded", np.uint32, (MAX_PLAYERS,)),
        ("used", np.uint32, (2,)),  # halves I and II that the seat to move has used this turn
        ("coins", np.int16, (MAX_PLAYERS,)),
        ("placed", np.int16, (MANDATORY_PIECES,)),  # hexes of the mandatory pieces, in order
        ("lifted", np.int16),  # hex of the house being moved
        ("came_to", np.int16),  # hex to which the use in progress last moved a house
        ("left", np.int16),  # hex from which it moved that house
        ("round", np.int16),
        ("houses_left", np.int8, (MAX_PLAYERS,)),
        ("forts_left", np.int8, (MAX_PLAYERS,)),
        ("terrain_card", np.int8, (MAX_PLAYERS,)),
        ("draw_pile", np.int8, (N_TERRAIN_CARDS,)),  # the top is entry n_draw - 1
        ("discard_pile", np.int8, (N_TERRAIN_CARDS,)),
        ("n_draw", np.int8),
        ("n_discard", np.int8),
        ("seat", np.int8),
        ("phase", np.int8),
        ("n_placed", np.int8),
        ("terrain", np.int8),  # the terrain that binds the mandatory pieces
        ("built", np.int8),  # houses built this turn, forts counting two
        ("card", np.int8),  # the card in use
        ("half", np.int8),
        ("back", np.int8),  # phase to return to after the use
        ("uses_left", np.int8),
        ("salvaged", np.int8),  # 1 if the seat to move has salvaged a piece this turn
        ("spare", np.int8, (22,)),
    ],
    align=True,
)

# The values of the ability cards (tables.py, or house rules): a row per card, a column per half.
ABILITY_FIELDS = [
    ("op", np.int8, (N_CARDS, 2)),
    ("arg", np.int8, (N_CARDS, 2)),
    ("cost", np.int8, (N_CARDS, 2)),  # to acquire, to upgrade
    ("link", np.int8, (N_CARDS,)),
]

# Written at set-up, constant during a game: the terrain, and the values of the cards in this game.
BOARD = np.dtype(
    [
        ("terrain", np.uint32, (N_TERRAINS + 2, WORDS)),  # each terrain; CARD_TERRAINS, BUILDABLE
        ("touching", np.uint32, (N_TERRAINS, WORDS)),  # hexes next to each terrain
        ("links", np.uint32, (LINKS, WORDS)),  # core.grid: which neighbours are joined; Archipelago cuts here
        ("same", np.uint32, (LINKS, WORDS)),  # links between hexes of the same terrain
        ("measure_arg", np.int16, (SCORING_IN_PLAY,)),  # of the Winter Kingdom cards in play, as measure and points
        ("measure", np.int8, (SCORING_IN_PLAY,)),
        ("points", np.int8, (SCORING_IN_PLAY,)),
        *ABILITY_FIELDS,
        ("condition", np.int8),  # of the economy in play, as condition_arg and coins
        ("condition_arg", np.int8),
        ("coins", np.int8),
        ("twist_arg", np.int8),  # of the twist in play
        ("scoring", np.int8, (SCORING_IN_PLAY,)),
        ("economy", np.int8),
        ("twist", np.int8),
        ("terrain_at", np.int8, (N_HEXES,)),
        ("top", np.int8),
        ("bottom", np.int8),
        ("direction", np.int8),
        ("n_players", np.int8),
        ("spare", np.int8, (6,)),
    ],
    align=True,
)

HOUSE, FORT, LIFT = 0, 1, 2

N_HEX_KINDS = 3  # of actions: HOUSE, FORT, LIFT
# The legal actions (core/hex_actions.py): sets of hexes, and bits for the other actions.
LEGAL = np.dtype(
    [
        ("hexes", np.uint32, (N_HEX_KINDS, WORDS)),
        ("others", np.uint64, (2,)),  # bit k of both words: action USE_FIRST + k
        ("spare", np.uint8, (48,)),
    ],
    align=True,
)

# A set-up request: -1 draws a card at random, a twist of 0 is none; and the values of all cards.
REQUEST = np.dtype(
    [
        ("sides", np.int16),  # which set of board sides
        ("measure_arg", np.int16, (N_SCORING,)),
        ("measure", np.int8, (N_SCORING,)),
        ("points", np.int8, (N_SCORING,)),
        *ABILITY_FIELDS,
        ("condition", np.int8, (N_ECONOMIES,)),
        ("condition_arg", np.int8, (N_ECONOMIES,)),
        ("coins", np.int8, (N_ECONOMIES,)),
        ("twist_arg", np.int8, (N_TWISTS + 1,)),
        ("scoring", np.int8, (SCORING_IN_PLAY,)),
        ("economy", np.int8),
        ("twist", np.int8),
        ("n_players", np.int8),
        ("spare", np.int8, (1,)),
    ],
    align=True,
)

# Constant for all set-ups: geometry and starting coins, made by rules.py.
RULES = np.dtype(
    [
        ("cell", np.int64, (N_HEXES,)),  # 32 * row + column
        ("area", np.uint32, (N_BOARDS + 2, WORDS)),  # each board; EDGE, WHOLE
        ("links", np.uint32, (2, LINKS, WORDS)),  # whole, and cut at the seams
        ("hex_at", np.int16, (ROWS, ROWS)),
        ("row_hex", np.int16, (ROWS,)),  # number of the first hex of each row; the hexes of a row are contiguous
        ("row_column", np.int16, (ROWS,)),  # column of that hex
        ("side_hex", np.int16, (N_BOARDS, 6, BOARD_HEXES)),  # hex of each place of a side on a board, by rotation
        ("board", np.int8, (N_HEXES,)),
        ("start_coins", np.int8, (MAX_PLAYERS + 1, MAX_PLAYERS)),
        ("spare", np.int8, (7,)),
    ],
    align=True,
)

# Action ranges. actions.py names them and parses them back.
HOUSE_FIRST = 0
FORT_FIRST = HOUSE_FIRST + N_HEXES
LIFT_FIRST = FORT_FIRST + N_HEXES
USE_FIRST = LIFT_FIRST + N_HEXES  # + 2 * card + half; the tunnel card has one half
N_USES = 2 * N_ABILITIES + 1
USE_BITS = (1 << N_USES) - 1  # in the first word of LEGAL's "cards"
ACQUIRE_FIRST = USE_FIRST + N_USES
UPGRADE_FIRST = ACQUIRE_FIRST + N_ABILITIES
TRIPLE_FIRST = UPGRADE_FIRST + N_ABILITIES
DONE = TRIPLE_FIRST + N_CARDS
N_ACTIONS = DONE + 1
NOTHING = -1  # no action: the kernel only finds the legal actions

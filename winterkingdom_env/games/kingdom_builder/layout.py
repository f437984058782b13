"""Sizes, record layouts and action ranges of Kingdom Builder.

The board has 20 rows of 20 hexes, in axial coordinates 20 x 29 (core/grid.py); the island's five rows lie below and touch nothing. Hex
20 * row + column is a hex of the board, 400 + 10 * row + column one of the island.

Actions, 978 integers. An action on a hex puts something there (``Put``) or takes something away (``Take``): which thing follows from the
phase, since no two of a plane are ever legal at once. Then every use, the same again for the bazaar, and ``outpost``, ``token``, ``done``.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.core.sizes import WORDS as WORDS
from winterkingdom_env.games.kingdom_builder.kinds import Area, Bonus, Measure, Terrain, Tile

MAX_PLAYERS = 5
SIDE = 20  # rows and columns of the board
QUADRANT_SIDE = 10
QUADRANT_HEXES = 100
N_PLACES = 4  # for quadrants: top left, top right, bottom left, bottom right
ISLAND_ROWS, ISLAND_COLUMNS = 5, 10
ISLAND_FIRST = SIDE * SIDE  # number of the first hex of the island
N_HEXES = ISLAND_FIRST + ISLAND_ROWS * ISLAND_COLUMNS
ROWS = SIDE + ISLAND_ROWS  # of a set of hexes
COLUMNS = SIDE + SIDE // 2 - 1  # axial
NEIGHBOURS = 6
AXES = 3  # along which distances are measured: row, column, row + column
N_LEVELS = ROWS + COLUMNS - 1  # different values of row + column

SETTLEMENTS = 40
WARRIORS = 2
WALLS = 25
SCOUTS = 2
TOKENS = 18
TILES_PER_HEX = 2
MANDATORY_PIECES = 3
SWAMP_PIECES = 2  # p. 17
SCORING_IN_PLAY = 3
MOST_TASKS = 6
N_SCORING = 25
N_QUADRANTS = 24
N_ISLANDS = 2
MOST_SITES = 24  # hexes with tiles, at most 14 in play; tests give tiles without a hex
MOST_CAVES = 4
MOST_CAPITOLS = 2
MOST_HAND = 3  # p. 13, 21: one card, one more by the crossroads, one by the bazaar
MOST_FRAMES = 16  # reactions within reactions: each takes the last tile of a hex
N_BASIC = 5  # terrains on cards
N_CARDS = 10  # kinds of terrain card: basic ones, then swamp with each of these
CARD_COPIES = 5
MOST_CARDS = 30
SITE_STEPS = 4  # of a unit or a resettlement
ROUND_LIMIT = 100
MOST_ROUNDS = 1000
NONE = -1  # no hex, no card, no terrain, no seat


N_TERRAINS = len(Terrain)
# Further indices of BOARD's "terrain".
LAND = N_TERRAINS  # buildable: the first seven
SPECIAL = N_TERRAINS + 1  # castles, locations, nomads, palaces, silos
ROUGH = N_TERRAINS + 2  # land and mountains, where wagons drive
WHOLE = N_TERRAINS + 3  # every hex of this game
N_TERRAIN_SETS = N_TERRAINS + 4


N_TILES = len(Tile)
FIRST_NOMAD = int(Tile.DONATION_GRASS)
TREASURE_GOLD = 3


FIRST_IN_PLAY = int(Measure.FAMILIES)


# The columns of the score sheet: the scoring cards, the tasks, then these.
TASK_COLUMN = SCORING_IN_PLAY
CASTLES_COLUMN = TASK_COLUMN + MOST_TASKS
PALACES_COLUMN = CASTLES_COLUMN + 1
CAPITOLS_COLUMN = PALACES_COLUMN + 1
TREASURE_COLUMN = CAPITOLS_COLUMN + 1
N_SHEET = TREASURE_COLUMN + 1
TREASURE_PAID = SCORING_IN_PLAY  # index in "paid", after the scoring cards

# Sets of hexes first, then the widest fields, and padded by hand: no hidden bytes (tested), so tobytes() is a faithful key.
# Everything that changes in a game, the random stream included. A bit per site in ``took`` and the fields after it.
GAME = np.dtype(
    [
        ("pieces", np.uint32, (MAX_PLAYERS, WORDS)),  # of every kind
        ("near", np.uint32, (MAX_PLAYERS, WORDS)),  # hexes touching a piece of the seat; derived
        ("taken", np.uint32, (1, WORDS)),  # hexes with a piece, wall or scout; derived
        ("blocked", np.uint32, (1, WORDS)),  # hexes touching a warrior; derived
        ("walls", np.uint32, (1, WORDS)),
        ("scouts", np.uint32, (1, WORDS)),
        ("rng", np.uint64),
        ("used_tiles", np.uint64),  # kinds that the turn's seat has used in this turn, a bit each
        ("took", np.uint32, (MAX_PLAYERS,)),  # ever
        ("held", np.uint32, (MAX_PLAYERS,)),
        ("fresh", np.uint32, (MAX_PLAYERS,)),
        ("used", np.uint32, (MAX_PLAYERS,)),
        ("lines", np.uint32, (MAX_PLAYERS,)),  # rows with a marker
        (
            "paid",
            np.int16,
            (MAX_PLAYERS, SCORING_IN_PLAY + 1),
        ),  # gold so far by each scoring card in play, and by treasures
        ("warriors", np.int16, (MAX_PLAYERS, WARRIORS)),  # hexes, ascending, then NONE
        ("wagon", np.int16, (MAX_PLAYERS,)),
        ("ship", np.int16, (MAX_PLAYERS,)),
        ("hall", np.int16, (MAX_PLAYERS,)),  # its centre
        ("placed", np.int16, (MANDATORY_PIECES,)),  # mandatory pieces from the supply, in order
        ("lifted", np.int16),  # the hex that the lifted piece left
        ("moving", np.int16),  # the hex of the unit that takes steps
        ("round", np.int16),
        ("supply", np.int8, (MAX_PLAYERS,)),
        ("unit_supply", np.int8, (MAX_PLAYERS, 4)),  # warriors, wagon, ship, hall
        ("tokens", np.int8, (MAX_PLAYERS,)),
        ("held_pieces", np.int8, (MAX_PLAYERS,)),  # lifted by the temple in this turn
        ("due", np.int8, (MAX_PLAYERS,)),  # to be built by the temple
        ("bonus_used", np.int8, (MAX_PLAYERS,)),  # a bit per Bonus
        ("rovers", np.int8, (MAX_PLAYERS,)),  # quadrants paid in this turn, a bit each
        ("hand", np.int8, (MAX_PLAYERS, MOST_HAND)),  # cards, then NONE
        ("n_hand", np.int8, (MAX_PLAYERS,)),
        ("tiles_left", np.int8, (MOST_SITES,)),
        ("deck", np.int8, (MOST_CARDS,)),  # the top is entry n_deck - 1
        ("discards", np.int8, (MOST_CARDS,)),
        ("out", np.int8, (N_CARDS,)),  # cards out of the game, by kind
        (
            "frames",
            np.int8,
            (MOST_FRAMES, 3),
        ),  # reactions: who took the tile, seats asked so far, tiles still to react to
        ("n_frames", np.int8),
        ("n_deck", np.int8),
        ("n_discards", np.int8),
        ("walls_left", np.int8),
        ("token_stock", np.int8),
        ("is_end", np.int8),  # p. 4: the last settlement of a seat was built
        ("turn_seat", np.int8),
        ("seat", np.int8),  # who is asked
        ("phase", np.int8),
        ("resumed", np.int8),  # the phase below the reactions
        ("n_placed", np.int8),
        ("n_pieces", np.int8),  # mandatory pieces of this turn
        ("terrain", np.int8),  # that binds the seat
        ("played", np.int8),  # place in the hand of the played card
        ("extra_cards", np.int8),  # at clean-up, by the bazaar
        ("use", np.int8),  # row of the table of uses
        ("repeats", np.int8),  # whether the bazaar carries it out
        ("count", np.int8),  # pieces or steps of this use
        ("lifted_unit", np.int8),
        ("outpost", np.int8),  # whether one is active
        ("back", np.int8),  # phase after the use
        ("drawn", np.int8),  # the fort's card
        ("silos", np.int8),  # silo actions left to the seat
        ("silo_mode", np.int8),
        ("spare", np.int8, (58,)),
    ],
    align=True,
)

# Written at set-up, constant during a game.
BOARD = np.dtype(
    [
        ("terrain", np.uint32, (N_TERRAIN_SETS, WORDS)),
        ("touching", np.uint32, (N_TERRAIN_SETS, WORDS)),
        ("links", np.uint32, (LINKS, WORDS)),
        ("same", np.uint32, (LINKS, WORDS)),  # links between hexes of one terrain
        ("caves", np.uint32, (1, WORDS)),
        ("capitols", np.uint32, (1, WORDS)),
        ("sites_at", np.uint32, (N_HEXES,)),  # sites that a hex touches, a bit each
        ("site_hex", np.int16, (MOST_SITES,)),  # ascending; NONE: no such site, or a tile that is never lost
        ("cave", np.int16, (MOST_CAVES,)),
        ("capitol", np.int16, (MOST_CAPITOLS,)),
        ("round_limit", np.int16),
        ("site_tile", np.int8, (MOST_SITES,)),
        ("terrain_at", np.int8, (N_HEXES,)),
        ("scoring", np.int8, (SCORING_IN_PLAY,)),
        ("gold", np.int8, (SCORING_IN_PLAY,)),  # that a scoring card pays for each thing
        ("task", np.int8, (MOST_TASKS,)),
        ("task_gold", np.int8, (MOST_TASKS,)),
        ("quadrant", np.int8, (N_PLACES,)),
        ("is_turned", np.int8, (N_PLACES,)),
        ("n_sites", np.int8),
        ("n_players", np.int8),
        ("castle_gold", np.int8),
        ("palace_gold", np.int8),
        ("sets", np.int8),  # a bit per set besides the base game
        ("island", np.int8),
        ("removed", np.int8),  # terrain that the card Scouts removed
        ("in_play", np.int8),  # scoring cards that pay when a piece is built, a bit each
        ("has_bonuses", np.int8),  # whether there is anything to use without a tile of its own
        ("has_canoes", np.int8),
        ("has_swords", np.int8),  # from here on: whether such a thing can come up at all
        ("has_walls", np.int8),
        ("has_scouts", np.int8),
        ("spare", np.int8, (57,)),
    ],
    align=True,
)

PUT, TAKE = 0, 1
N_HEX_KINDS = 2  # of actions

# The legal actions (core/hex_actions.py): sets of hexes, and bits for the other actions.
LEGAL = np.dtype(
    [
        ("hexes", np.uint32, (N_HEX_KINDS, WORDS)),
        ("others", np.uint64, (2,)),  # bit k of both words: action USE_FIRST + k
        ("spare", np.uint8, (48,)),
    ],
    align=True,
)

# A Config for kernels. NONE draws.
REQUEST = np.dtype(
    [
        ("excluded", np.int64),  # scoring cards that are not drawn, a bit each
        ("layouts", np.int64),  # which supply of quadrants
        ("round_limit", np.int64),
        ("quadrant", np.int64, (N_PLACES,)),
        ("is_turned", np.int64, (N_PLACES,)),
        ("scoring", np.int64, (SCORING_IN_PLAY,)),
        ("task", np.int64, (MOST_TASKS,)),
        ("n_tasks", np.int64),  # NONE: as many as quadrants of Crossroads lie on the table
        ("sets", np.int64),
        ("swamp_cards", np.int64),
        ("capitol", np.int64),
        ("caves", np.int64),
        ("island", np.int64),  # NONE: no island; N_ISLANDS: drawn
        ("num_players", np.int64),
        ("gold", np.int64, (N_SCORING,)),
        ("task_gold", np.int64, (MOST_TASKS,)),
        ("castle_gold", np.int64),
        ("palace_gold", np.int64),
    ]
)

# Constant for all set-ups: geometry and tables, made by rules.py.
N_USES = 44
FIRST_BONUS_USE = N_USES - len(Bonus)  # those that need no tile of their own come last
N_REPEATS = 31  # uses that the bazaar can repeat
RULES = np.dtype(
    [
        ("cell", np.int64, (N_HEXES,)),  # 32 * row + column
        ("area", np.uint32, (len(Area), WORDS)),
        ("level", np.uint32, (AXES, N_LEVELS, WORDS)),  # hexes with the same row, column or row + column
        ("hex_at", np.int16, (ROWS, 32)),
        ("row_hex", np.int16, (ROWS,)),
        ("row_column", np.int16, (ROWS,)),
        ("turned", np.int16, (2, N_PLACES, QUADRANT_HEXES)),  # hex of each place of a quadrant, by rotation
        ("measure", np.int64, (N_SCORING,)),
        ("measure_arg", np.int64, (N_SCORING,)),
        ("scoring_set", np.int64, (N_SCORING,)),
        ("quadrant_set", np.int64, (N_QUADRANTS,)),
        ("use_tile", np.int64, (N_USES,)),  # the tile that it needs; NONE: a Bonus
        ("use_bonus", np.int64, (N_USES,)),
        ("form", np.int64, (N_USES,)),
        ("op", np.int64, (N_USES,)),
        ("arg", np.int64, (N_USES,)),
        ("duty", np.int64, (N_USES,)),
        ("most", np.int64, (N_USES,)),
        ("binds", np.int64, (N_USES,)),  # whether the hex binds the terrain of the turn
        ("use_of", np.int64, (N_TILES,)),  # row of each tile; NONE
        ("repeat_use", np.int64, (N_REPEATS,)),  # rows that the bazaar can repeat, the crossroads last
    ],
    align=True,
)

# Action ranges. actions.py names them and parses them back.
PUT_FIRST = 0
TAKE_FIRST = PUT_FIRST + N_HEXES
USE_FIRST = TAKE_FIRST + N_HEXES  # + row of the table of uses
REPEAT_FIRST = USE_FIRST + N_USES
OUTPOST_ACTION = REPEAT_FIRST + N_REPEATS
TOKEN = OUTPOST_ACTION + 1
DONE = TOKEN + 1
N_ACTIONS = DONE + 1
NOTHING = -1  # no action: the kernel only finds the legal actions

"""Action features for a network: apply each action to a scratch copy of the game and write the differences.

The features of an action that builds, moves or removes a piece are the changes of points, coins and room, and the surroundings of its hex.
Those of any other action are the change of coins and the gain of the best house that it allows next. Features do not depend on information
that is hidden from the seat to act.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import meets, spread
from winterkingdom_env.core.hexset import count, is_empty, load, one_hex
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    CENTRE,
    EDGE,
    LIFT_FIRST,
    N_ACTIONS,
    N_CARD_TERRAINS,
    N_HEXES,
    N_TERRAINS,
    SCORING_IN_PLAY,
    USE_FIRST,
    Phase,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes, houses_in, pieces_of, remove_piece
from winterkingdom_env.games.winter_kingdom.scoring import score
from winterkingdom_env.games.winter_kingdom.world import World, carry_on

best_place, copy_game = hex_actions.best_place.of(World), verbs.copy_game.of(World)
list_legal, others_points = verbs.list_legal.of(World), verbs.others_points.of(World)
I64 = np.int64
F32 = np.float32

# The columns of the features, in this order.
GAIN = 0  # points for each scoring card in play, then castles
OTHERS = GAIN + SCORING_IN_PLAY + 1  # change of the others' points
COINS = OTHERS + 1  # change of the own coins
ROOM = COINS + 1  # change of the free hexes beside own pieces
NEXT = ROOM + 1  # points of the best house that the use allows
ENDS_TURN = NEXT + 1
FREE = ENDS_TURN + 1  # for each terrain of the cards: a free hex of it lies beside an own piece afterwards
TERRAIN = FREE + N_CARD_TERRAINS  # for hexes, from here on: the hex's terrain
AT = TERRAIN + N_TERRAINS  # touches ice, mountain, tunnel, village, castle
TWO_OFF = AT + N_TERRAINS - Terrain.ICE  # two steps from a mountain, tunnel, village, castle that no own piece touches
PLACE = TWO_OFF + N_TERRAINS - Terrain.MOUNTAIN  # on the edge, the centre board, the top board, the bottom board
OWN_NEAR = PLACE + 4  # own houses beside it
OTHERS_NEAR = OWN_NEAR + 1  # others' pieces beside it
OWN_BOARD = OTHERS_NEAR + 1  # own pieces on its board
N_FEATURES = OWN_BOARD + 1

# Names of the features, also to identify the layout.
FEATURES: tuple[str, ...] = (
    "gain_0", "gain_1", "gain_2", "gain_castles", "others", "coins", "room", "next", "ends_turn",
    *(f"free_{terrain}" for terrain in list(Terrain.__members__)[:N_CARD_TERRAINS]), *Terrain.__members__,
    *(f"at_{terrain}" for terrain in list(Terrain.__members__)[Terrain.ICE :]),
    *(f"two_off_{terrain}" for terrain in list(Terrain.__members__)[Terrain.MOUNTAIN :]),
    "on_edge", "on_centre", "on_top", "on_bottom", "own_near", "others_near", "own_board",
)  # fmt: skip
assert len(FEATURES) == N_FEATURES

N_EXTRA = 1 + N_CARD_TERRAINS  # numbers after the observation's vector in a network's input

# Kinds of action for a network: one per kind of hex action, then one per action that is not about a hex.
N_KINDS = 3 + N_ACTIONS - USE_FIRST

verbs.N_FEATURES.set(World, N_FEATURES)
verbs.N_EXTRA.set(World, N_EXTRA)
verbs.N_KINDS.set(World, N_KINDS)

PER_POINT, PER_COIN, PER_ROOM, PER_PIECE = 0.2, 0.3, 0.2, 0.3  # scale features to about 1


@implements(verbs.kind_of, World)
@kernel(inline=True)
def kind_of(world, action):
    """See core/verbs.py."""
    return action // N_HEXES if action < USE_FIRST else 3 + action - USE_FIRST


@kernel
def free_beside(seat, terrain, game, board):
    """Free hexes of a terrain that touch a piece of the seat."""
    return load(game["near"], seat) & load(board["terrain"], terrain) & ~load(game["taken"], 0)


@kernel
def room_of(seat, game, board, rules):
    """The number of open hexes next to own pieces."""
    return count(goal_hexes(game, board, rules) & load(game["near"], seat))


@implements(verbs.write_extra, World)
@kernel
def write_extra(world, i, seat, out, first):
    """Write the N_EXTRA numbers about the seat's room: free hexes beside own pieces, in all and of each terrain."""
    game, board = world.games[i], world.boards[i]
    out[first] = F32(0.05 * room_of(seat, game, board, world.rules[0]))
    for terrain in range(N_CARD_TERRAINS):
        out[first + 1 + terrain] = F32(PER_ROOM * count(free_beside(seat, I64(terrain), game, board)))


@kernel
def write_surroundings(seat, hex_id, game, board, rules, row):
    """Write the surroundings of a hex before the action."""
    cell = one_hex(rules["cell"][hex_id])
    around = spread(cell, board["links"])
    beyond = spread(around, board["links"]) & ~load(game["near"], seat)
    own = pieces_of(seat, game)
    row[TERRAIN + board["terrain_at"][hex_id]] = F32(1)
    for terrain in range(Terrain.ICE, N_TERRAINS):
        cells = load(board["terrain"], terrain)
        row[AT + terrain - Terrain.ICE] = F32(meets(around, cells))
        if terrain >= Terrain.MOUNTAIN:
            row[TWO_OFF + terrain - Terrain.MOUNTAIN] = F32(meets(beyond, cells))
    areas = (I64(EDGE), I64(CENTRE), I64(board["top"]), I64(board["bottom"]))
    for i in range(4):
        row[PLACE + i] = F32(meets(cell, load(rules["area"], areas[i])))
    row[OWN_NEAR] = F32(PER_PIECE * houses_in(around, seat, game))
    row[OTHERS_NEAR] = F32(PER_PIECE * count(around & load(game["taken"], 0) & ~own))
    row[OWN_BOARD] = F32(PER_PIECE * count(own & load(rules["area"], I64(rules["board"][hex_id]))))


@kernel
def try_action(seat, world, i, spare, action):
    """Apply an action of game i in game ``spare``; a house that is lifted is removed."""
    copy_game(world, i, spare)
    game, board, rules = world.games[spare], world.boards[spare], world.rules[0]
    if game["phase"] == Phase.LIFT and LIFT_FIRST <= action < USE_FIRST:
        before = load(game["taken"], 0)
        remove_piece(seat, rules["cell"][action - LIFT_FIRST], game, board)
        score(seat, before ^ load(game["taken"], 0), game, board, rules, world.sheets[spare])
        return
    carry_on(world, spare, action)


@implements(verbs.write_features, World)
@kernel
def write_features(world, i, actions, features):
    """See core/verbs.py; ``actions`` has twice as many entries as there are actions."""
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    seat, spare = I64(game["seat"]), i + 1
    sheet, tried = world.sheets[i], world.sheets[spare]
    others, room = others_points(world, i, seat), room_of(seat, game, board, rules)
    n = list_legal(world, i, actions)
    for k in range(n):
        row, action = features[k], I64(actions[k])
        try_action(seat, world, i, spare, action)
        after = world.games[spare]
        for column in range(N_FEATURES):
            row[column] = F32(0)
        for column in range(SCORING_IN_PLAY + 1):
            row[GAIN + column] = F32(PER_POINT * (tried[seat][column] - sheet[seat][column]))
        row[OTHERS] = F32(PER_POINT * (others_points(world, spare, seat) - others))
        row[COINS] = F32(PER_COIN * (after["coins"][seat] - game["coins"][seat]))
        row[ROOM] = F32(PER_ROOM * (room_of(seat, after, board, rules) - room))
        row[ENDS_TURN] = F32(after["seat"] != seat or after["phase"] == Phase.OVER)
        for terrain in range(N_CARD_TERRAINS):
            row[FREE + terrain] = F32(not is_empty(free_beside(seat, I64(terrain), after, board)))
        if action < USE_FIRST:
            write_surroundings(seat, action % N_HEXES, game, board, rules, row)
        elif action < ACQUIRE_FIRST and after["phase"] == Phase.BUILD:
            row[NEXT] = F32(PER_POINT * best_place(world, spare, seat, i + 2, actions, n))
    return n

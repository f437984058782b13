"""What each legal action leads to, as numbers for a network: it is carried out in a world of its own and the change is written down.

An action that builds, moves or removes a piece is described by what it does to the points, the coins and the room of its seat, and by what lies
around its hex; any other by what it does to the coins and by the best house it allows to build next. Nothing here depends on what the seat to
move cannot see.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import meets, spread
from winterkingdom_env.core.hexset import count, is_empty, load, one_hex
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
from winterkingdom_env.games.winter_kingdom.legal import list_legal
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes, houses_in, pieces_of, remove_piece
from winterkingdom_env.games.winter_kingdom.scoring import score
from winterkingdom_env.games.winter_kingdom.worth import carry_on, copy_world, points_of

I64 = np.int64
F32 = np.float32

# The columns of a prospect, in this order.
GAIN = 0  # points for each scoring card in play, then castles
OTHERS = GAIN + SCORING_IN_PLAY + 1  # change of the others' points
COINS = OTHERS + 1  # change of the own coins
ROOM = COINS + 1  # change of the free hexes beside own pieces
NEXT = ROOM + 1  # points that the best house of the use that begins would bring
ENDS_TURN = NEXT + 1
FREE = ENDS_TURN + 1  # for each terrain of the cards: a free hex of it lies beside an own piece afterwards
TERRAIN = FREE + N_CARD_TERRAINS  # for hexes, from here on: the hex's terrain
AT = TERRAIN + N_TERRAINS  # touches ice, mountain, tunnel, village, castle
TWO_OFF = AT + N_TERRAINS - Terrain.ICE  # two steps from a mountain, tunnel, village, castle that no own piece touches
PLACE = TWO_OFF + N_TERRAINS - Terrain.MOUNTAIN  # on the edge, the centre board, the top board, the bottom board
OWN_NEAR = PLACE + 4  # own houses beside it
OTHERS_NEAR = OWN_NEAR + 1  # others' pieces beside it
OWN_BOARD = OTHERS_NEAR + 1  # own pieces on its board
N_PROSPECT = OWN_BOARD + 1

# The same for people, and to tell one layout from another.
COLUMNS = (
    "gain_0", "gain_1", "gain_2", "gain_castles", "others", "coins", "room", "next", "ends_turn",
    *(f"free_{terrain}" for terrain in list(Terrain.__members__)[:N_CARD_TERRAINS]), *Terrain.__members__,
    *(f"at_{terrain}" for terrain in list(Terrain.__members__)[Terrain.ICE :]),
    *(f"two_off_{terrain}" for terrain in list(Terrain.__members__)[Terrain.MOUNTAIN :]),
    "on_edge", "on_centre", "on_top", "on_bottom", "own_near", "others_near", "own_board",
)  # fmt: skip
assert len(COLUMNS) == N_PROSPECT

# What stands behind the observation's vector in a network's context: own room, then free hexes beside own pieces of each terrain.
N_ROOM = 1 + N_CARD_TERRAINS

# Kinds of action for a network: one per kind of hex action, then one per action that is not about a hex.
N_KINDS = 3 + N_ACTIONS - USE_FIRST

PER_POINT, PER_COIN, PER_ROOM, PER_PIECE = 0.2, 0.3, 0.2, 0.3  # to bring numbers near 1


@kernel
def kind_of(action):
    """The kind of an action, from 0 to N_KINDS - 1."""
    return action // N_HEXES if action < USE_FIRST else 3 + action - USE_FIRST


@kernel
def free_beside(seat, terrain, game, board):
    """Free hexes of a terrain that touch a piece of the seat."""
    return load(game["near"], seat) & load(board["terrain"], terrain) & ~load(game["taken"], 0)


@kernel
def room_of(seat, game, board, rules):
    """Hexes beside own pieces to which one could come."""
    return count(goal_hexes(game, board, rules) & load(game["near"], seat))


@kernel
def write_room(seat, game, board, rules, out, first):
    """Write the N_ROOM numbers about the seat's room into ``out`` (float32) from ``first`` on."""
    out[first] = F32(0.05 * room_of(seat, game, board, rules))
    for terrain in range(N_CARD_TERRAINS):
        out[first + 1 + terrain] = F32(PER_ROOM * count(free_beside(seat, I64(terrain), game, board)))


@kernel
def write_surroundings(seat, hex_id, game, board, rules, row):
    """Write what lies around a hex, before the action."""
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
def best_house(seat, k, spare, board, rules, games, legals, sheets, actions, first):
    """Points that the best house brings which is legal in world ``k``; ``actions`` from ``first`` on are for trying."""
    before = points_of(seat, sheets[k])
    best = I64(0)
    n = list_legal(rules, legals[k], actions[first:])
    for i in range(first, first + n):
        if actions[i] >= N_HEXES:
            break
        copy_world(k, spare, games, legals, sheets)
        carry_on(spare, I64(actions[i]), board, rules, games, legals, sheets)
        best = max(best, points_of(seat, sheets[spare]) - before)
    return best


@kernel
def try_action(seat, source, spare, action, board, rules, games, legals, sheets):
    """Carry out an action of world ``source`` in world ``spare``; a house that is lifted to be moved is taken away."""
    copy_world(source, spare, games, legals, sheets)
    game = games[spare]
    if game["phase"] == Phase.LIFT and LIFT_FIRST <= action < USE_FIRST:
        before = load(game["taken"], 0)
        remove_piece(seat, rules["cell"][action - LIFT_FIRST], game, board)
        score(seat, before ^ load(game["taken"], 0), game, board, rules, sheets[spare])
        return
    carry_on(spare, action, board, rules, games, legals, sheets)


@kernel
def others_points(seat, n_players, sheet):
    """The points of all seats but this one."""
    total = I64(0)
    for player in range(n_players):
        if player != seat:
            total += points_of(I64(player), sheet)
    return total


@kernel
def write_prospects(source, board, rules, games, legals, sheets, actions, prospects):
    """Write the legal actions of world ``source`` into ``actions`` (int16, twice as long as there are actions), and a row of ``prospects``
    (float32) for each; how many there are. The two worlds behind it are for trying.
    """
    game, seat, n_players = games[source], I64(games[source]["seat"]), I64(board["n_players"])
    spare = source + 1
    sheet, tried = sheets[source], sheets[spare]
    others, room = others_points(seat, n_players, sheet), room_of(seat, game, board, rules)
    n = list_legal(rules, legals[source], actions)
    for i in range(n):
        row, action = prospects[i], I64(actions[i])
        try_action(seat, source, spare, action, board, rules, games, legals, sheets)
        after = games[spare]
        for column in range(N_PROSPECT):
            row[column] = F32(0)
        for k in range(SCORING_IN_PLAY + 1):
            row[GAIN + k] = F32(PER_POINT * (tried[seat][k] - sheet[seat][k]))
        row[OTHERS] = F32(PER_POINT * (others_points(seat, n_players, tried) - others))
        row[COINS] = F32(PER_COIN * (after["coins"][seat] - game["coins"][seat]))
        row[ROOM] = F32(PER_ROOM * (room_of(seat, after, board, rules) - room))
        row[ENDS_TURN] = F32(after["seat"] != seat or after["phase"] == Phase.OVER)
        for terrain in range(N_CARD_TERRAINS):
            row[FREE + terrain] = F32(not is_empty(free_beside(seat, I64(terrain), after, board)))
        if action < USE_FIRST:
            write_surroundings(seat, action % N_HEXES, game, board, rules, row)
        elif action < ACQUIRE_FIRST and after["phase"] == Phase.BUILD:
            best = best_house(seat, spare, source + 2, board, rules, games, legals, sheets, actions, n)
            row[NEXT] = F32(PER_POINT * best)
    return n

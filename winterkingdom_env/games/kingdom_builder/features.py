"""Action features for a network: apply each action to a scratch copy of the game and write the differences.

The features of an action on a hex are the changes of gold, tiles and room, and the surroundings of the hex. Those of a special action are
the gain of the best settlement that it allows next. Features do not depend on information that is hidden from the seat to act: none of
them looks at a card that the action draws.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import meets, spread
from winterkingdom_env.core.hexset import count, load, one_hex
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.kingdom_builder.kinds import Area, Form, Op, Phase, Terrain
from winterkingdom_env.games.kingdom_builder.layout import (
    FIRST_NOMAD,
    N_ACTIONS,
    N_BASIC,
    N_HEX_KINDS,
    N_HEXES,
    N_PLACES,
    N_SHEET,
    N_TERRAINS,
    NONE,
    SCORING_IN_PLAY,
    USE_FIRST,
)
from winterkingdom_env.games.kingdom_builder.pieces import free_hexes
from winterkingdom_env.games.kingdom_builder.world import World, carry_on

best_place, copy_game = hex_actions.best_place.of(World), verbs.copy_game.of(World)
list_legal, others_points = verbs.list_legal.of(World), verbs.others_points.of(World)
I64, U32, U64 = np.int64, np.uint32, np.uint64
F32 = np.float32

# The columns of the features, in this order.
GAIN = 0  # gold of each scoring card in play, then of everything else
OTHERS = GAIN + SCORING_IN_PLAY + 1  # change of the others' gold
GETS = OTHERS + 1  # tiles that it brings: builds, moves, others, nomad tiles; less those that it costs
NEXT = GETS + 4  # gold of the best settlement that the use allows
ENDS_TURN = NEXT + 1
FREE = ENDS_TURN + 1  # for each basic terrain: a free hex of it lies beside an own piece afterwards
TERRAIN = FREE + N_BASIC  # for hexes, from here on: the hex's terrain
AT = TERRAIN + N_TERRAINS  # touches water, a mountain, a castle, ...
TWO_OFF = AT + N_TERRAINS - Terrain.WATER  # two steps from a castle, a location hex, ... that no own piece touches
PLACE = TWO_OFF + N_TERRAINS - Terrain.CASTLE  # on the edge, on a seam
OWN_NEAR = PLACE + 2  # own pieces beside it
OTHERS_NEAR = OWN_NEAR + 1  # others' pieces beside it
OWN_QUADRANT = OTHERS_NEAR + 1  # own pieces in its quadrant
OTHERS_QUADRANT = OWN_QUADRANT + 1  # the others' pieces there
OWN_LINE = OTHERS_QUADRANT + 1  # own pieces in its line
IS_NEW_LINE = OWN_LINE + 1  # whether its line has no own piece
N_FEATURES = IS_NEW_LINE + 1

TERRAINS = [terrain.lower() for terrain in Terrain.__members__]
# Names of the features, also to identify the layout.
FEATURES: tuple[str, ...] = (
    "gain_0", "gain_1", "gain_2", "gain_others", "others", "gets_build", "gets_move", "gets_other", "gets_nomad", "next", "ends_turn",
    *(f"free_{terrain}" for terrain in TERRAINS[:N_BASIC]), *TERRAINS, *(f"at_{terrain}" for terrain in TERRAINS[Terrain.WATER :]),
    *(f"two_off_{terrain}" for terrain in TERRAINS[Terrain.CASTLE :]),
    "on_edge", "on_seam", "own_near", "others_near", "own_quadrant", "others_quadrant", "own_line", "is_new_line",
)  # fmt: skip
assert len(FEATURES) == N_FEATURES

N_EXTRA = 1 + N_BASIC  # numbers after the observation's vector in a network's input

# Kinds of action for a network: one per kind of hex action, then one per action that is not about a hex.
N_KINDS = N_HEX_KINDS + N_ACTIONS - USE_FIRST

verbs.N_FEATURES.set(World, N_FEATURES)
verbs.N_EXTRA.set(World, N_EXTRA)
verbs.N_KINDS.set(World, N_KINDS)

PER_GOLD, PER_ROOM, PER_PIECE = 0.2, 0.2, 0.3  # scale features to about 1


@implements(verbs.kind_of, World)
@kernel(inline=True)
def kind_of(world, action):
    """See core/verbs.py."""
    return action // N_HEXES if action < USE_FIRST else N_HEX_KINDS + action - USE_FIRST


@implements(verbs.write_extra, World)
@kernel
def write_extra(world, i, seat, out, first):
    """Write the N_EXTRA numbers about the seat's room: free hexes beside own pieces, in all and of each basic terrain."""
    game, board = world.games[i], world.boards[i]
    beside = free_hexes(game, board) & load(game["near"], seat)
    out[first] = F32(0.05 * count(beside))
    for terrain in range(N_BASIC):
        out[first + 1 + terrain] = F32(PER_ROOM * count(beside & load(board["terrain"], terrain)))


@kernel
def takeable_hexes(seat, game, board, rules):
    """The location and nomad hexes of which the seat may still take a tile."""
    found = one_hex(I64(0)) & ~one_hex(I64(0))
    for site in range(I64(board["n_sites"])):
        is_open = (game["took"][seat] >> U32(site)) & U32(1) == 0 and game["tiles_left"][site] > 0
        if is_open and board["site_hex"][site] != NONE:
            found = found | one_hex(rules["cell"][board["site_hex"][site]])
    return found


@kernel
def write_surroundings(seat, hex_id, goals, game, board, rules, row):
    """Write the surroundings of a hex before the action; ``goals`` are the hexes with a tile for the seat."""
    cell = one_hex(rules["cell"][hex_id])
    around = spread(cell, board["links"])
    beyond = spread(around, board["links"]) & ~load(game["near"], seat)
    own, others = load(game["pieces"], seat), load(game["taken"], 0) & ~load(game["walls"], 0)
    others = others & ~own & ~load(game["scouts"], 0)
    row[TERRAIN + board["terrain_at"][hex_id]] = F32(1)
    for terrain in range(Terrain.WATER, N_TERRAINS):
        cells = load(board["terrain"], terrain)
        if terrain == Terrain.LOCATION or terrain == Terrain.NOMAD:
            cells = cells & goals
        row[AT + terrain - Terrain.WATER] = F32(meets(around, cells))
        if terrain >= Terrain.CASTLE:
            row[TWO_OFF + terrain - Terrain.CASTLE] = F32(meets(beyond, cells))
    row[PLACE] = F32(meets(cell, load(rules["area"], Area.EDGE)))
    row[PLACE + 1] = F32(meets(cell, load(rules["area"], Area.SEAM)))
    row[OWN_NEAR] = F32(PER_PIECE * count(around & own))
    row[OTHERS_NEAR] = F32(PER_PIECE * count(around & others))
    for place in range(N_PLACES):
        area = load(rules["area"], place)
        if meets(cell, area):
            row[OWN_QUADRANT] = F32(PER_PIECE * count(own & area))
            row[OTHERS_QUADRANT] = F32(PER_PIECE * count(others & area))
    in_line = popcount(U64(game["pieces"][seat][rules["cell"][hex_id] >> 5]))
    row[OWN_LINE] = F32(PER_PIECE * in_line)
    row[IS_NEW_LINE] = F32(in_line == 0)


@kernel
def count_tiles(sites, each, board, rules, row, first):
    """Add ``each`` per tile of these sites to ``row`` from ``first`` on, by the form of its use: builds, moves, others, nomad tiles."""
    rest = sites
    while rest:
        site = popcount(U64((rest & (~rest + U32(1))) - U32(1)))
        rest &= rest - U32(1)
        tile = I64(board["site_tile"][site])
        use = rules["use_of"][tile]
        if tile >= FIRST_NOMAD:
            row[first + 3] += F32(each)
        elif use != NONE and rules["form"][use] == Form.BUILD:
            row[first] += F32(each)
        elif use != NONE and rules["form"][use] == Form.MOVE:
            row[first + 1] += F32(each)
        else:
            row[first + 2] += F32(each)


@kernel
def write_changes(seat, game, after, sheet, tried, board, rules, row):
    """Write the changes that an action makes to gold, tiles and room."""
    other = I64(0)
    for column in range(N_SHEET):
        change = I64(tried[seat][column] - sheet[seat][column])
        if column < SCORING_IN_PLAY:
            row[GAIN + column] = F32(PER_GOLD * change)
        else:
            other += change
    row[GAIN + SCORING_IN_PLAY] = F32(PER_GOLD * other)
    count_tiles(after["held"][seat] & ~game["held"][seat], 1.0, board, rules, row, I64(GETS))
    count_tiles(game["held"][seat] & ~after["held"][seat], -1.0, board, rules, row, I64(GETS))
    row[ENDS_TURN] = F32(after["turn_seat"] != game["turn_seat"] or after["phase"] >= Phase.SILO)
    beside = free_hexes(after, board) & load(after["near"], seat)
    for terrain in range(N_BASIC):
        row[FREE + terrain] = F32(meets(beside, load(board["terrain"], terrain)))


@implements(verbs.write_features, World)
@kernel
def write_features(world, i, actions, features):
    """See core/verbs.py; ``actions`` has twice as many entries as there are actions."""
    game, board, rules, spare = world.games[i], world.boards[i], world.rules[0], i + 1
    seat = I64(game["seat"])
    sheet, tried, goals = world.sheets[i], world.sheets[spare], takeable_hexes(seat, game, board, rules)
    others = others_points(world, i, seat)
    n = list_legal(world, i, actions)
    for k in range(n):
        row, action = features[k], I64(actions[k])
        copy_game(world, i, spare)
        carry_on(world, spare, action)
        after = world.games[spare]
        for column in range(N_FEATURES):
            row[column] = F32(0)
        write_changes(seat, game, after, sheet, tried, board, rules, row)
        row[OTHERS] = F32(PER_GOLD * (others_points(world, spare, seat) - others))
        if action < USE_FIRST:
            write_surroundings(seat, action % N_HEXES, goals, game, board, rules, row)
        elif after["phase"] == Phase.BUILD and rules["op"][after["use"]] != Op.DRAWN_CARD:
            row[NEXT] = F32(PER_GOLD * best_place(world, spare, seat, i + 2, actions, n))
    return n

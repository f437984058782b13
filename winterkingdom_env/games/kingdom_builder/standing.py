"""The standing of a seat between two turns: what a network values at the end of a turn (core/verbs.py).

No number says which card or tile it comes from. What the cards on the table do for a seat shows in what three settlements would gain if its next
turn began now, for each terrain; tiles count by the form of their use.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import meets
from winterkingdom_env.core.hexset import count, load
from winterkingdom_env.core.verbs import PER_POINT, implements
from winterkingdom_env.games.kingdom_builder.features import count_tiles
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import (
    MANDATORY_PIECES,
    N_BASIC,
    N_SHEET,
    NONE,
    SCORING_IN_PLAY,
    SETTLEMENTS,
)
from winterkingdom_env.games.kingdom_builder.pieces import free_hexes
from winterkingdom_env.games.kingdom_builder.world import World, find_legal

copy_game, points = verbs.copy_game.of(World), verbs.points.of(World)
place_greedily = hex_actions.place_greedily.of(World)
I64, U32, U64 = np.int64, np.uint32, np.uint64
F32, F64 = np.float32, np.float64

# The numbers, in this order. "left": the share of the settlements that is left to build.
STANDING: tuple[str, ...] = (
    "points", "best_card_left", "middle_card_left", "worst_card_left", "others_left",  # gold of the scoring cards, sorted, and all other gold, times left
    "builds_left", "moves_left", "other_tiles_left", "nomad_tiles",  # tiles by the form of their use
    "units", "owed", "hand_left", "left", "left_left", "room_left", "free_terrains_left",  # terrains that no own piece touches
    "gain", "gain_left", "best_gain_left", "worst_gain_left",  # gold of three greedy settlements, mean over the terrains
    "tiles_gain_left",  # tiles that they bring
)  # fmt: skip
N_STANDING = len(STANDING)

verbs.N_STANDING.set(World, N_STANDING)


@kernel
def begin_as(world, i, seat, card):
    """Make game i one in which the seat begins its turn with this card alone in hand."""
    game = world.games[i]
    game["turn_seat"] = game["seat"] = seat
    game["phase"] = Phase.BEFORE
    for k in range(game["hand"].shape[1]):
        game["hand"][seat][k] = NONE
    game["hand"][seat][0] = card
    game["n_hand"][seat] = 1
    game["n_placed"] = game["extra_cards"] = game["n_frames"] = 0
    game["n_pieces"] = MANDATORY_PIECES
    game["terrain"] = game["played"] = NONE
    find_legal(world, i)


@kernel
def write_cards(seat, left, sheet, out):
    """Write the gold of the scoring cards, the highest first, then all other gold."""
    for k in range(SCORING_IN_PLAY):
        found, place = F32(2.0 * PER_POINT * left * sheet[seat][k]), 1 + k
        while place > 1 and out[place - 1] < found:
            out[place] = out[place - 1]
            place -= 1
        out[place] = found
    other = I64(0)
    for k in range(SCORING_IN_PLAY, N_SHEET):
        other += I64(sheet[seat][k])
    out[1 + SCORING_IN_PLAY] = F32(2.0 * PER_POINT * left * other)


@kernel
def write_gains(world, i, seat, spare, left, actions, out, first):
    """Write what three greedy settlements would gain, over the terrains: gold, then tiles."""
    total, best, worst, tiles, n = F64(0), F64(-1e9), F64(1e9), F64(0), 0
    free = free_hexes(world.games[i], world.boards[i])
    for terrain in range(N_BASIC):
        if not meets(free, load(world.boards[i]["terrain"], terrain)):
            continue
        copy_game(world, i, spare)
        begin_as(world, spare, seat, terrain)
        gain = F64(place_greedily(world, spare, seat, I64(MANDATORY_PIECES), spare + 1, actions))
        tiles += popcount(U64(world.games[spare]["held"][seat])) - popcount(U64(world.games[i]["held"][seat]))
        total, best, worst, n = total + gain, max(best, gain), min(worst, gain), n + 1
    if n == 0:
        best = worst = 0.0
    mean = total / max(n, 1)
    out[first], out[first + 1] = F32(0.2 * mean), F32(0.2 * mean * left)
    out[first + 2], out[first + 3] = F32(0.2 * best * left), F32(0.2 * worst * left)
    out[first + 4] = F32(tiles / max(n, 1) * left)


@implements(verbs.write_standing, World)
@kernel
def write_standing(world, i, seat, spare, weights, actions, out):
    """See core/verbs.py."""
    game, board = world.games[i], world.boards[i]
    left = F64(game["supply"][seat]) / F64(SETTLEMENTS)
    out[0] = F32(PER_POINT * points(world, i, seat))
    write_cards(seat, left, world.sheets[i], out)
    for k in range(5, 9):
        out[k] = F32(0)
    count_tiles(game["held"][seat], 0.5 * left, board, world.rules[0], out, I64(5))
    units = I64(0)
    for k in range(4):
        units += I64(game["unit_supply"][seat][k])
    out[9], out[10] = F32(0.2 * units), F32(0.3 * (game["due"][seat] + game["held_pieces"][seat]))
    out[11] = F32(left * game["n_hand"][seat])
    out[12], out[13] = F32(left), F32(left * left)
    room, n_free = free_hexes(game, board) & load(game["near"], seat), 0
    for terrain in range(N_BASIC):
        n_free += not meets(room, load(board["terrain"], terrain))
    out[14], out[15] = F32(0.05 * count(room) * left), F32(0.3 * n_free * left)
    write_gains(world, i, seat, spare, left, actions, out, I64(16))

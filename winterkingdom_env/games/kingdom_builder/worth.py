"""The heuristic value of a position for a seat: its gold, and weights for what may bring more."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import meets
from winterkingdom_env.core.hexset import load
from winterkingdom_env.core.rng import mixed
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import N_BASIC, N_SHEET, ROWS, SETTLEMENTS
from winterkingdom_env.games.kingdom_builder.pieces import free_hexes
from winterkingdom_env.games.kingdom_builder.world import World

I64 = np.int64
U64 = np.uint64
F64 = np.float64

# The weights in gold, a float64 array in this order.
TILE, OPEN, PIECE, UNIT, IN_USE = range(5)
# A tile, a basic terrain that binds the seat nowhere, a settlement on the board, a unit on the board, a use in progress.
WORTH: tuple[float, ...] = (3.0, 0.6, 0.3, 0.3, 1.0)


@kernel
def gold_of(seat, sheet):
    """The gold of a seat if the game ended now."""
    total = I64(0)
    for k in range(N_SHEET):
        total += I64(sheet[seat][k])
    return total


@kernel
def open_terrains(seat, game, board):
    """The basic terrains of which no free hex touches a piece of the seat: with such a card it may build anywhere (p. 4)."""
    beside, n = free_hexes(game, board) & load(game["near"], seat), I64(0)
    for terrain in range(N_BASIC):
        n += not meets(beside, load(board["terrain"], terrain))
    return n


@kernel
def worth(seat, game, board, sheet, weights):
    """The gold of the seat plus the weighted sum of its tiles, its freedom and its pieces."""
    gold = F64(gold_of(seat, sheet))
    if game["phase"] >= Phase.SILO:
        return gold
    units = I64(0)
    for k in range(4):
        units += I64(game["unit_supply"][seat][k])
    # Tiles and freedom count less the fewer settlements are left to build.
    left = F64(game["supply"][seat]) / F64(SETTLEMENTS)
    later = weights[TILE] * popcount(U64(game["held"][seat])) + weights[OPEN] * open_terrains(seat, game, board)
    if game["turn_seat"] == seat and Phase.BUILD <= game["phase"] <= Phase.CATHEDRAL:
        later += weights[IN_USE]  # a use in progress will be completed
    owed = game["supply"][seat] + game["held_pieces"][seat] + game["due"][seat]
    return gold + left * later - weights[PIECE] * owed - weights[UNIT] * units


@kernel
def key_of(seat, game):
    """A hash of a position within one turn, independent of the order of the actions that led there."""
    key = U64(game["phase"]) | (U64(game["n_placed"]) << U64(8)) | (U64(game["supply"][seat]) << U64(16))
    key = mixed(key ^ (U64(game["held"][seat]) << U64(32)) ^ (U64(game["seat"]) << U64(24)))
    key = mixed(key ^ U64(game["used"][seat]) ^ (U64(game["fresh"][seat]) << U64(32)))
    key = mixed(key ^ game["used_tiles"] ^ (U64(game["tokens"][seat]) << U64(56)))
    key = mixed(
        key
        ^ U64(game["use"] + 1)
        ^ (U64(game["count"]) << U64(8))
        ^ (U64(game["lifted"] + 1) << U64(16))
        ^ (U64(game["terrain"] + 1) << U64(32))
        ^ (U64(game["outpost"]) << U64(40))
        ^ (U64(game["bonus_used"][seat]) << U64(48))
    )
    for r in range(ROWS):
        key = mixed(key ^ U64(game["pieces"][seat][r]) ^ (U64(game["taken"][0][r]) << U64(32)))
    return key


@implements(verbs.worth, World)
@kernel(inline=True)
def worth_of(world, i, seat, weights):
    """See core/verbs.py."""
    return worth(seat, world.games[i], world.boards[i], world.sheets[i], weights)


@implements(verbs.key_of, World)
@kernel(inline=True)
def key_of_game(world, i, seat):
    """See core/verbs.py."""
    return key_of(seat, world.games[i])

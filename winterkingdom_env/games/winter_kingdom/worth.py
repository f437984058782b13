"""The heuristic value of a position for a seat: its points, and weights for what may bring more."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.hexset import count, load
from winterkingdom_env.core.rng import mixed
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.winter_kingdom.layout import FORTS, HOUSES, ROWS, SCORING_IN_PLAY, Phase
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes
from winterkingdom_env.games.winter_kingdom.world import World

I64 = np.int64
U64 = np.uint64
F64 = np.float64

# The weights in points, a float64 array in this order.
COIN, CARD, UPGRADE, REACH, PIECE, FORT_LEFT, IN_USE = range(7)
# A coin, a card in play, an upgraded card, a free hex next to own pieces, a house in the supply, a fort in the supply, a use in progress.
# Tuned in games between planners with slightly different weights.
WORTH: tuple[float, ...] = (0.4, 4.7, 1.5, 0.02, 0.0, 0.6, 1.0)


@kernel
def points_of(seat, sheet):
    """The points of a seat if the game ended now."""
    total = I64(0)
    for k in range(SCORING_IN_PLAY + 1):
        total += I64(sheet[seat][k])
    return total


@kernel
def worth(seat, game, board, rules, sheet, weights):
    """The points of the seat plus the weighted sum of its coins, cards, room and supply."""
    points = F64(points_of(seat, sheet))
    if game["phase"] == Phase.OVER:
        return points
    # Assets count less the fewer pieces are left to build.
    left = F64(game["houses_left"][seat] + game["forts_left"][seat]) / F64(HOUSES + FORTS)
    upgraded = popcount(U64(game["upgraded"][seat]))
    later = weights[COIN] * game["coins"][seat]
    later += weights[CARD] * popcount(U64(game["in_play"][seat])) + weights[UPGRADE] * upgraded
    later += weights[REACH] * count(goal_hexes(game, board, rules) & load(game["near"], seat))
    later += weights[FORT_LEFT] * game["forts_left"][seat]
    if game["seat"] == seat and Phase.BUILD <= game["phase"] <= Phase.MOVE:
        later += weights[IN_USE]  # a use in progress will be completed
    return points + left * later - weights[PIECE] * game["houses_left"][seat]


@kernel
def key_of(seat, game):
    """A hash of a position within one turn, independent of the order of the actions that led there."""
    key = U64(game["phase"]) | (U64(game["coins"][seat]) << U64(8)) | (U64(game["n_placed"]) << U64(24))
    key = mixed(key ^ (U64(game["in_play"][seat]) << U64(32)) ^ U64(game["upgraded"][seat]))
    key = mixed(key ^ U64(game["used"][0]) ^ (U64(game["used"][1]) << U64(32)))
    key = mixed(
        key
        ^ U64(game["card"] + 1)
        ^ (U64(game["half"] + 1) << U64(8))
        ^ (U64(game["lifted"] + 1) << U64(16))
        ^ (U64(game["came_to"] + 1) << U64(32))
    )
    for r in range(ROWS):
        key = mixed(key ^ U64(game["houses"][seat][r]) ^ (U64(game["forts"][seat][r]) << U64(32)))
    return key


@implements(verbs.worth, World)
@kernel(inline=True)
def worth_of(world, i, seat, weights):
    """See core/verbs.py."""
    return worth(seat, world.games[i], world.boards[i], world.rules[0], world.sheets[i], weights)


@implements(verbs.key_of, World)
@kernel(inline=True)
def key_of_game(world, i, seat):
    """See core/verbs.py."""
    return key_of(seat, world.games[i])

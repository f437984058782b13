"""What a position is worth to a seat on the way to its end: points now, and what may bring more.

Everything here works on *worlds*: copies of a game in progress, side by side in arrays of GAME, LEGAL and points. A world is copied into
another place, an action is tried there, and the worth of what comes out is compared. Who may see what is not asked: whoever thinks about a
game that he sees only in part deals the rest anew first (hidden.py).
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record, popcount
from winterkingdom_env.core.hexset import count, load
from winterkingdom_env.games.winter_kingdom.layout import (
    FORTS,
    HOUSES,
    LIFT_FIRST,
    SCORING_IN_PLAY,
    USE_FIRST,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.legal import list_legal
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes
from winterkingdom_env.games.winter_kingdom.scoring import score
from winterkingdom_env.games.winter_kingdom.turn import advance

I64 = np.int64
U32 = np.uint32
U64 = np.uint64
F64 = np.float64

# How many points each of these is worth, as long as the game lasts: a float64 array, in this order.
COIN, CARD, UPGRADE, REACH, PIECE, FORT_LEFT, IN_USE = range(7)
N_WEIGHTS = 7


@kernel
def points_of(seat, sheet):
    """The points of a seat if the game ended now."""
    total = I64(0)
    for k in range(SCORING_IN_PLAY + 1):
        total += I64(sheet[seat][k])
    return total


@kernel
def worth(seat, game, board, rules, sheet, weights):
    """Points of the seat, and what its coins, cards, room and supply may still bring."""
    points = F64(points_of(seat, sheet))
    if game["phase"] == Phase.OVER:
        return points
    # What is there for later counts less the fewer pieces are left to be built.
    left = F64(game["houses_left"][seat] + game["forts_left"][seat]) / F64(HOUSES + FORTS)
    upgraded = popcount(U64(game["upgraded"][seat]))
    later = weights[COIN] * game["coins"][seat]
    later += weights[CARD] * popcount(U64(game["in_play"][seat])) + weights[UPGRADE] * upgraded
    later += weights[REACH] * count(goal_hexes(game, board, rules) & load(game["near"], seat))
    later += weights[FORT_LEFT] * game["forts_left"][seat]
    if game["seat"] == seat and Phase.BUILD <= game["phase"] <= Phase.MOVE:
        later += weights[IN_USE]  # what has been begun will be finished
    return points + left * later - weights[PIECE] * game["houses_left"][seat]


@kernel
def carry_on(k, action, board, rules, games, legals, sheets):
    """Carry out a legal action in world ``k`` and renew its points."""
    game, legal, sheet = games[k], legals[k], sheets[k]
    mover, before = I64(game["seat"]), load(game["taken"], 0)
    moves_a_piece = action < LIFT_FIRST or (action < USE_FIRST and game["phase"] != Phase.LIFT)
    advance(game, action, board, rules, legal)
    if moves_a_piece:
        score(mover, before ^ load(game["taken"], 0), game, board, rules, sheet)


@kernel
def copy_world(source, target, games, legals, sheets):
    """Make world ``target`` the same as world ``source``."""
    copy_record(games, source, games, target)
    copy_record(legals, source, legals, target)
    for seat in range(sheets.shape[1]):
        for k in range(SCORING_IN_PLAY + 1):
            sheets[target][seat][k] = sheets[source][seat][k]


@kernel
def rate_actions(source, spare, board, rules, weights, games, legals, sheets, actions, values):
    """Write the legal actions of world ``source`` and, for the seat to move, the worth of what each leads to; how many there are.

    World ``spare`` is where they are tried.
    """
    seat = I64(games[source]["seat"])
    n = list_legal(rules, legals[source], actions)
    for i in range(n):
        copy_world(source, spare, games, legals, sheets)
        carry_on(spare, I64(actions[i]), board, rules, games, legals, sheets)
        values[i] = worth(seat, games[spare], board, rules, sheets[spare], weights)
    return n


@kernel
def lead(seat, game, board, rules, sheet, weights):
    """Worth of the position to a seat, less that to the best of the others."""
    best = F64(-1e9)
    for player in range(I64(board["n_players"])):
        if player != seat:
            best = max(best, worth(I64(player), game, board, rules, sheet, weights))
    return worth(seat, game, board, rules, sheet, weights) - best

"""Gold that is paid when a piece is built, and markers of Mayors (6.2 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import has, has_run, meets, spread
from winterkingdom_env.core.hexset import is_empty, load, no_hexes, one_hex
from winterkingdom_env.games.kingdom_builder.kinds import Measure
from winterkingdom_env.games.kingdom_builder.layout import ISLAND_FIRST, MANDATORY_PIECES, N_PLACES, SCORING_IN_PLAY
from winterkingdom_env.games.kingdom_builder.pieces import near_others
from winterkingdom_env.games.kingdom_builder.tables import MAYORS_PIECES

I64, U32, U64 = np.int64, np.uint32, np.uint64


@kernel
def is_line(game, board, rules):
    """Whether the three mandatory pieces lie side by side on one straight line, in any order (p. 10)."""
    pieces = no_hexes()
    for k in range(MANDATORY_PIECES):
        pieces = pieces | one_hex(rules["cell"][game["placed"][k]])
    return has_run(pieces, MANDATORY_PIECES, board["links"])


@kernel
def has_no_room(cell, game, board):
    """Whether no neighbour of the same terrain is without a piece or wall; a scout does not fill a hex (p. 10)."""
    filled = load(game["taken"], 0) & ~load(game["scouts"], 0)
    return is_empty(spread(one_hex(cell), board["same"]) & ~filled)


@kernel
def enters_quadrant(seat, hex_id, game, rules):
    """Whether a build is the seat's first one in its quadrant in this turn; notes it (p. 23)."""
    if hex_id >= ISLAND_FIRST:
        return False
    for place in range(N_PLACES):
        if has(rules["area"], place, rules["cell"][hex_id]):
            is_first = (game["rovers"][seat] >> place) & 1 == 0
            game["rovers"][seat] |= 1 << place
            return is_first
    return False


@kernel
def pay(seat, hex_id, game, board, rules):
    """Pay the seat for a piece that it has built on a hex."""
    for k in range(SCORING_IN_PLAY):
        if (board["in_play"] >> k) & 1 == 0:
            continue
        measure, is_due = rules["measure"][board["scoring"][k]], False
        if measure == Measure.SHEPHERDS:
            is_due = has_no_room(rules["cell"][hex_id], game, board)
        elif measure == Measure.AMBASSADORS:
            is_due = meets(one_hex(rules["cell"][hex_id]), near_others(seat, game, board))
        elif measure == Measure.ROVERS:
            is_due = enters_quadrant(seat, hex_id, game, rules)
        if is_due:
            game["paid"][seat][k] += board["gold"][k]


@kernel
def pay_families(seat, game, board, rules):
    """Pay for the three mandatory pieces if they lie in a line."""
    for k in range(SCORING_IN_PLAY):
        if rules["measure"][board["scoring"][k]] == Measure.FAMILIES and is_line(game, board, rules):
            game["paid"][seat][k] += board["gold"][k]


@kernel
def mark_line(seat, hex_id, game, board, rules):
    """Mayors: lay a marker if the line has enough pieces of the seat and no marker yet; return whether one was laid (p. 23)."""
    is_in_play = False
    for k in range(SCORING_IN_PLAY):
        is_in_play = is_in_play or rules["measure"][board["scoring"][k]] == Measure.MARKED_LINES
    if not is_in_play or game["supply"][seat] == 0:
        return False
    row = rules["cell"][hex_id] >> 5
    if popcount(U64(game["pieces"][seat][row])) < MAYORS_PIECES:
        return False
    for player in range(board["n_players"]):
        if (game["lines"][player] >> U32(row)) & U32(1) != 0:
            return False
    game["lines"][seat] |= U32(1) << U32(row)
    game["supply"][seat] -= 1
    return True

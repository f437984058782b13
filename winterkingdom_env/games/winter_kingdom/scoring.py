"""What a position is worth: the three Winter Kingdom cards and the castles (p. 7, 12-13)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import clear, copy, count_common, meets, spread, take_group
from winterkingdom_env.core.sizes import ROWS
from winterkingdom_env.games.winter_kingdom.layout import (
    CASTLE_POINTS,
    CASTLES,
    EDGE,
    FIRST_CASTLE,
    FIRST_TUNNEL,
    FIRST_VILLAGE,
    FORT_VALUE,
    N_BOARDS,
    N_TERRAINS,
    SCORING_IN_PLAY,
    VILLAGES,
    A,
    B,
    C,
    Direction,
    Measure,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.pieces import pieces_except, pieces_of

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def houses_in(cells, seat, game):
    """Own houses in a set of hexes; a fort counts two."""
    return count_common(cells, game["houses"][seat]) + FORT_VALUE * count_common(cells, game["forts"][seat])


@kernel(inline=True)
def best_row(seat, direction, game, work):
    """Most own houses in one row of the agreed direction."""
    row = work[A]
    best = 0
    for line in range(2 * ROWS):
        for r in range(ROWS):
            column = line if direction == Direction.COLUMN else line - r
            if direction == Direction.ROW:
                row[r] = ~U32(0) if r == line else U32(0)
            else:
                row[r] = U32(1) << U32(column) if 0 <= column < ROWS else U32(0)
        best = max(best, houses_in(row, seat, game))
    return best


@kernel(inline=True)
def groups_of(seat, least, game, board, work):
    """Number of own groups with at least so many houses."""
    rest, group, seed = work[A], work[B], work[C]
    pieces_of(seat, game, rest)
    n = 0
    while take_group(rest, board["links"], group, seed):
        if houses_in(group, seat, game) >= least:
            n += 1
    return n


@kernel(inline=True)
def loners(seat, game, board, work):
    """Own houses without an own piece on a neighbouring hex."""
    pieces, around = work[A], work[B]
    pieces_of(seat, game, pieces)
    spread(pieces, board["links"], around)
    for r in range(ROWS):
        pieces[r] &= ~around[r]
    return houses_in(pieces, seat, game)


@kernel(inline=True)
def touching_opponent(seat, game, board, work):
    """Own houses next to a piece of another player."""
    others, around = work[A], work[B]
    pieces_except(seat, game, board, others)
    spread(others, board["links"], around)
    return houses_in(around, seat, game)


@kernel(inline=True)
def at_terrains(seat, measure, terrains, game, board, work):
    """Own houses on, or touching, a terrain of a set."""
    place = work[A]
    clear(place)
    for terrain in range(N_TERRAINS):
        if (terrains >> terrain) & 1:
            for r in range(ROWS):
                if measure != Measure.ON:
                    place[r] |= board["touching"][terrain][r]
                if measure != Measure.TOUCHING:
                    place[r] |= board["terrain"][terrain][r]
    return houses_in(place, seat, game)


@kernel(inline=True)
def boards_with(seat, least, game, rules):
    """Number of terrain boards with at least so many own houses."""
    n = 0
    for i in range(N_BOARDS):
        if houses_in(rules["area"][i], seat, game) >= least:
            n += 1
    return n


@kernel(inline=True)
def tunnels_touched(seat, game, board, work):
    """Number of tunnels next to an own piece."""
    pieces_of(seat, game, work[A])
    n = 0
    for i in range(FIRST_TUNNEL, FIRST_VILLAGE):
        if meets(board["around"][i], work[A]):
            n += 1
    return n


@kernel
def joined(seat, first, n_places, game, board, work):
    """Number of places (castles or villages, from ``first`` on in "around") that an own group joins to another one."""
    rest, group, seed = work[A], work[B], work[C]
    pieces_of(seat, game, rest)
    all_joined = U32(0)
    while take_group(rest, board["links"], group, seed):
        touched = U32(0)
        for i in range(n_places):
            if meets(board["around"][first + i], group):
                touched |= U32(1) << U32(i)
        if touched & (touched - U32(1)):  # two or more
            all_joined |= touched
    n = 0
    for i in range(n_places):
        n += int((all_joined >> U32(i)) & U32(1))
    return n


@kernel
def has_majority(seat, place, game, board):
    """Whether nobody has more houses in a set of hexes than the seat, which has some."""
    own = houses_in(place, seat, game)
    if own == 0:
        return False
    for player in range(I64(board["n_players"])):
        if houses_in(place, player, game) > own:
            return False
    return True


@kernel(inline=True)
def mountain_majorities(seat, game, board, work):
    """Number of mountain areas that most houses touching them are the seat's."""
    rest, area, around = work[A], work[B], work[C]
    copy(board["terrain"][Terrain.MOUNTAIN], rest)
    n = 0
    while take_group(rest, board["links"], area, around):
        spread(area, board["links"], around)
        if has_majority(seat, around, game, board):
            n += 1
    return n


@kernel(inline=True)
def measured(seat, scoring, game, board, rules, work):
    """How many things a Winter Kingdom card counts for a seat."""
    measure, arg = I64(rules["measure"][scoring]), I64(rules["measure_arg"][scoring])
    n = 0
    if measure == Measure.BEST_ROW:
        n = best_row(seat, board["direction"], game, work)
    elif measure == Measure.GROUPS_OF:
        n = groups_of(seat, arg, game, board, work)
    elif measure == Measure.LONERS:
        n = loners(seat, game, board, work)
    elif measure == Measure.TOUCHING_OPPONENT:
        n = touching_opponent(seat, game, board, work)
    elif measure <= Measure.ON:  # ON_OR_TOUCHING, TOUCHING, ON
        n = at_terrains(seat, measure, arg, game, board, work)
    elif measure == Measure.BOARDS_WITH:
        n = boards_with(seat, arg, game, rules)
    elif measure == Measure.ON_BOTTOM_BOARD:
        n = houses_in(rules["area"][board["bottom"]], seat, game)
    elif measure == Measure.ON_EDGE:
        n = houses_in(rules["area"][EDGE], seat, game)
    elif measure == Measure.TUNNELS_TOUCHED:
        n = tunnels_touched(seat, game, board, work)
    elif measure == Measure.CASTLES_JOINED:
        n = joined(seat, I64(FIRST_CASTLE), I64(CASTLES), game, board, work)
    elif measure == Measure.VILLAGES_JOINED:
        n = joined(seat, I64(FIRST_VILLAGE), I64(VILLAGES), game, board, work)
    else:  # MOUNTAIN_MAJORITIES
        n = mountain_majorities(seat, game, board, work)
    return n


@kernel
def score(game, board, rules, sheet, work):
    """Write into ``sheet[seat]`` the points for the three cards and, last, for the castles (int16)."""
    for seat in range(I64(board["n_players"])):
        for i in range(SCORING_IN_PLAY):
            scoring = I64(board["scoring"][i])
            sheet[seat][i] = rules["points"][scoring] * measured(seat, scoring, game, board, rules, work)
        castles = 0
        for i in range(CASTLES):
            if has_majority(seat, board["around"][FIRST_CASTLE + i], game, board):
                castles += 1
        sheet[seat][SCORING_IN_PLAY] = CASTLE_POINTS * castles

"""What a position is worth: the three Winter Kingdom cards and the castles (p. 7, 12-13)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import clear, copy, count_common, spread, take_group, unite
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
    NONE,
    SCORING_IN_PLAY,
    VILLAGES,
    A,
    B,
    C,
    D,
    Direction,
    Measure,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.pieces import houses_at_place, pieces_of, touches_place

U32 = np.uint32
U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def houses_in(cells, seat, game):
    """Own houses in a set of hexes; a fort counts two."""
    return count_common(cells, game["houses"][seat]) + FORT_VALUE * count_common(cells, game["forts"][seat])


@kernel(inline=True)
def best_row(seat, direction, game, work):
    """Most own houses in one row of the agreed direction."""
    low, high = work[A], work[B]  # houses per row: rows 0 to 26, and 27 to 53
    clear(low)
    clear(high)
    for r in range(ROWS):
        for kind in range(2):
            rest = game["houses"][seat][r] if kind == 0 else game["forts"][seat][r]
            value = U32(1) if kind == 0 else U32(FORT_VALUE)
            while rest:
                column = first_bit(U64(rest))
                rest &= rest - U32(1)
                line = r if direction == Direction.ROW else column if direction == Direction.COLUMN else r + column
                if line < ROWS:
                    low[line] += value
                else:
                    high[line - ROWS] += value
    best = U32(0)
    for r in range(ROWS):
        best = max(best, max(low[r], high[r]))
    return I64(best)


@kernel(inline=True)
def groups_of(seat, least, game, board, work):
    """Number of own groups with at least so many houses."""
    rest, group = work[A], work[B]
    pieces_of(seat, game, rest)
    n = 0
    while take_group(rest, board["links"], group):
        if houses_in(group, seat, game) >= least:
            n += 1
    return n


@kernel(inline=True)
def loners(seat, game, work):
    """Own houses without an own piece on a neighbouring hex."""
    alone = work[A]
    for r in range(ROWS):
        alone[r] = ~game["near"][seat][r]
    return houses_in(alone, seat, game)


@kernel(inline=True)
def touching_opponent(seat, game, board, work):
    """Own houses next to a piece of another player."""
    around = work[A]
    clear(around)
    for player in range(I64(board["n_players"])):
        if player != seat:
            unite(around, game["near"][player], around)
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
        if touches_place(work[A], i, board):
            n += 1
    return n


@kernel
def joined(seat, first, n_places, game, board, work):
    """Number of places (castles or villages, from ``first`` on in "around") that an own group joins to another one."""
    rest, group = work[A], work[B]
    pieces_of(seat, game, rest)
    all_joined = U32(0)
    while take_group(rest, board["links"], group):
        touched = U32(0)
        for i in range(n_places):
            if touches_place(group, first + i, board):
                touched |= U32(1) << U32(i)
        if touched & (touched - U32(1)):  # two or more
            all_joined |= touched
    n = 0
    for i in range(n_places):
        n += int((all_joined >> U32(i)) & U32(1))
    return n


@kernel
def add_majority(counts, n_players, points, column, sheet):
    """Add points for those of whom nobody has more, and who have some."""
    best = I64(1)
    for seat in range(n_players):
        best = max(best, I64(counts[seat]))
    for seat in range(n_players):
        if counts[seat] == best:
            sheet[seat][column] += points


@kernel(inline=True)
def score_mountains(points, column, game, board, sheet, work):
    """Write the points for the mountain areas that most houses touching them are a seat's."""
    rest, area, around, counts = work[A], work[B], work[C], work[D]
    copy(board["terrain"][Terrain.MOUNTAIN], rest)
    n_players = I64(board["n_players"])
    for seat in range(n_players):
        sheet[seat][column] = 0
    while take_group(rest, board["links"], area):
        spread(area, board["links"], around)
        for seat in range(n_players):
            counts[seat] = houses_in(around, seat, game)
        add_majority(counts, n_players, points, column, sheet)


@kernel(inline=True)
def score_castles(game, board, sheet, work):
    """Write the points for the castles that most houses touching them are a seat's (p. 7)."""
    counts = work[D]
    n_players = I64(board["n_players"])
    for seat in range(n_players):
        sheet[seat][SCORING_IN_PLAY] = 0
    for castle in range(FIRST_CASTLE, FIRST_CASTLE + CASTLES):
        if not touches_place(game["taken"][0], castle, board):
            continue
        for seat in range(n_players):
            counts[seat] = houses_at_place(castle, seat, game, board)
        add_majority(counts, n_players, I64(CASTLE_POINTS), I64(SCORING_IN_PLAY), sheet)


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
        n = loners(seat, game, work)
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
    else:  # VILLAGES_JOINED
        n = joined(seat, I64(FIRST_VILLAGE), I64(VILLAGES), game, board, work)
    return n


@kernel
def score(mover, game, board, rules, sheet, work):
    """Write into ``sheet[seat]`` the points for the three cards and, last, for the castles (int16).

    ``mover``: only this seat's pieces have changed since ``sheet`` was written; NONE: write everything.
    """
    for i in range(SCORING_IN_PLAY):
        scoring = I64(board["scoring"][i])
        measure, points = rules["measure"][scoring], I64(rules["points"][scoring])
        if measure == Measure.MOUNTAIN_MAJORITIES:
            score_mountains(points, I64(i), game, board, sheet, work)
            continue
        for seat in range(I64(board["n_players"])):
            # Nobody's points but the mover's have changed, except where one counts what others have.
            if mover == NONE or seat == mover or measure == Measure.TOUCHING_OPPONENT:
                sheet[seat][i] = points * measured(seat, scoring, game, board, rules, work)
    score_castles(game, board, sheet, work)

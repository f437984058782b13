"""The score of a position: the three Winter Kingdom cards and the castles (p. 7, 12-13)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import count_joined, first_group, meets, spread
from winterkingdom_env.core.hexset import count, first_hex, is_empty, load, no_hexes
from winterkingdom_env.games.winter_kingdom.layout import (
    CASTLE_POINTS,
    EDGE,
    FORT_VALUE,
    N_BOARDS,
    N_TERRAINS,
    NONE,
    ROWS,
    SCORING_IN_PLAY,
    Direction,
    Measure,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.pieces import houses_in, near_others, pieces_of

U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
SEAT_BITS = 8  # bits per seat where the house counts of several seats share a word


@kernel(inline=True)
def best_row(seat, direction, game):
    """The largest number of own houses in one row of the agreed direction."""
    houses, forts = game["houses"][seat], game["forts"][seat]
    best = I64(0)
    if direction == Direction.ROW:
        for r in range(ROWS):
            best = max(best, popcount(U64(houses[r])) + FORT_VALUE * popcount(U64(forts[r])))
        return best
    # All columns (or diagonals: shifted by one column per row) are summed at once, in binary, one word per digit. The largest
    # sum is 31: a line of 27 hexes with 4 forts.
    n1, n2, n4, n8, n16 = U64(0), U64(0), U64(0), U64(0), U64(0)
    for r in range(ROWS):
        lean = U64(r if direction == Direction.DIAGONAL else 0)
        one, two = U64(houses[r]) << lean, U64(forts[r]) << lean
        n1, one = n1 ^ one, n1 & one
        n2, one = n2 ^ one, n2 & one  # the carry from houses
        n2, two = n2 ^ two, n2 & two  # the carry from forts, which start at the second digit
        n4, one = n4 ^ one, n4 & one
        n8, one = n8 ^ one, n8 & one
        n16 = n16 ^ one
        n4, two = n4 ^ two, n4 & two
        n8, two = n8 ^ two, n8 & two
        n16 = n16 ^ two
    left = ~U64(0)  # candidates for the best line
    for digit in (n16, n8, n4, n2, n1):
        best = best + best
        if left & digit:
            left = left & digit
            best += 1
    return best


@kernel
def largest_group(seat, game, board):
    """Houses of the largest own group."""
    pieces, near = pieces_of(seat, game), load(game["near"], seat)
    best = I64(0)
    if not is_empty(pieces & ~near):  # pieces that stand alone
        best = I64(1) if is_empty(load(game["forts"], seat) & ~near) else I64(FORT_VALUE)
    rest = pieces & near
    while houses_in(rest, seat, game) > best:  # stop when the rest cannot hold a larger group
        group = first_group(rest, board["links"])
        rest = rest & ~group
        best = max(best, houses_in(group, seat, game))
    return best


@kernel(inline=True)
def at_terrains(seat, measure, terrains, game, board):
    """Own houses on, or touching, a terrain of a set."""
    place = no_hexes()
    for terrain in range(N_TERRAINS):
        if (terrains >> terrain) & 1:
            if measure != Measure.ON:
                place = place | load(board["touching"], terrain)
            if measure != Measure.TOUCHING:
                place = place | load(board["terrain"], terrain)
    return houses_in(place, seat, game)


@kernel(inline=True)
def boards_with(seat, least, game, rules):
    """Number of terrain boards with at least ``least`` own houses."""
    n = 0
    for i in range(N_BOARDS):
        if houses_in(load(rules["area"], i), seat, game) >= least:
            n += 1
    return n


@kernel
def joined(seat, terrain, game, board):
    """Number of castles (or villages) that an own group connects to another one."""
    return count_joined(
        load(board["terrain"], terrain), pieces_of(seat, game), load(game["near"], seat), board["links"]
    )


@kernel
def add_majority(around, points, column, game, board, sheet):
    """Add points for the seats with the most houses in ``around``, if that is at least one."""
    n_players = I64(board["n_players"])
    best, houses = I64(1), I64(0)
    for seat in range(n_players):
        n = houses_in(around, seat, game)
        houses |= n << (SEAT_BITS * seat)
        best = max(best, n)
    for seat in range(n_players):
        if (houses >> (SEAT_BITS * seat)) & ((1 << SEAT_BITS) - 1) == best:
            sheet[seat][column] += points


@kernel(inline=True)
def score_mountains(points, column, game, board, sheet):
    """Write the points for mountain areas, which go to the seats with the most houses touching them."""
    for seat in range(I64(board["n_players"])):
        sheet[seat][column] = 0
    rest = load(board["terrain"], Terrain.MOUNTAIN)
    while not is_empty(rest):
        area = first_group(rest, board["links"])
        rest = rest & ~area
        add_majority(spread(area, board["links"]), points, column, game, board, sheet)


@kernel(inline=True)
def score_castles(game, board, sheet):
    """Write the points for castles, which go to the seats with the most houses touching them (p. 7)."""
    for seat in range(I64(board["n_players"])):
        sheet[seat][SCORING_IN_PLAY] = 0
    rest = load(board["terrain"], Terrain.CASTLE) & near_others(I64(NONE), game, board)
    while not is_empty(rest):
        castle = first_hex(rest)
        rest = rest & ~castle
        around = spread(castle, board["links"])
        add_majority(around, I64(CASTLE_POINTS), I64(SCORING_IN_PLAY), game, board, sheet)


@kernel(inline=True)
def measured(seat, i, game, board, rules):
    """The count that Winter Kingdom card ``i`` in play scores for a seat."""
    measure, arg = I64(board["measure"][i]), I64(board["measure_arg"][i])
    n = 0
    if measure == Measure.BEST_ROW:
        n = best_row(seat, board["direction"], game)
    elif measure == Measure.IN_LARGEST_GROUP:
        n = largest_group(seat, game, board) // arg
    elif measure == Measure.OUTSIDE_LARGEST_GROUP:
        n = houses_in(pieces_of(seat, game), seat, game) - largest_group(seat, game, board)
    elif measure == Measure.LONERS:
        n = houses_in(~load(game["near"], seat), seat, game)
    elif measure == Measure.TOUCHING_OPPONENT:
        n = houses_in(near_others(seat, game, board), seat, game)
    elif measure <= Measure.ON:  # ON_OR_TOUCHING, TOUCHING, ON
        n = at_terrains(seat, measure, arg, game, board)
    elif measure == Measure.BOARDS_WITH:
        n = boards_with(seat, arg, game, rules)
    elif measure == Measure.ON_BOTTOM_BOARD:
        n = houses_in(load(rules["area"], board["bottom"]), seat, game)
    elif measure == Measure.ON_EDGE:
        n = houses_in(load(rules["area"], EDGE), seat, game)
    elif measure == Measure.TUNNELS_TOUCHED:
        n = count(load(board["terrain"], Terrain.TUNNEL) & load(game["near"], seat))
    elif measure == Measure.CASTLES_JOINED:
        n = joined(seat, I64(Terrain.CASTLE.value), game, board)
    else:  # VILLAGES_JOINED
        n = joined(seat, I64(Terrain.VILLAGE.value), game, board)
    return n


@kernel
def score(mover, changed, game, board, rules, sheet):
    """Write the points of the three cards and, last, of the castles into ``sheet[seat]`` (int16).

    ``mover``: only pieces of this seat, on the hexes ``changed``, have changed since ``sheet`` was written; NONE: write everything.
    """
    for i in range(SCORING_IN_PLAY):
        measure, points = board["measure"][i], I64(board["points"][i])
        if measure == Measure.MOUNTAIN_MAJORITIES:
            if mover == NONE or meets(changed, load(board["touching"], Terrain.MOUNTAIN)):
                score_mountains(points, I64(i), game, board, sheet)
            continue
        for seat in range(I64(board["n_players"])):
            # Only the mover's points have changed, except for cards that count other players' pieces.
            if mover == NONE or seat == mover or measure == Measure.TOUCHING_OPPONENT:
                sheet[seat][i] = points * measured(seat, i, game, board, rules)
    if mover == NONE or meets(changed, load(board["touching"], Terrain.CASTLE)):
        score_castles(game, board, sheet)

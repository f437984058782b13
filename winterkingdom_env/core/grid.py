"""Adjacency of hexes. Sets of hexes are values (``hexset``).

Coordinates are axial: hex c touches c and c + 1 in the row above, and c - 1 and c in the row below, in odd and even rows alike.

``links`` holds the adjacency, one set for each of three directions: hex (r, c) is in set k if it and its neighbour in direction 2 k are
both on the board and adjacent. The opposite direction 2 k + 1 uses the same set. Edges of the board, and cuts by a rule, are encoded only
there.

Directions: 0 east (r, c+1), 1 west, 2 south (r+1, c), 3 north, 4 south-west (r+1, c-1), 5 north-east.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount
from winterkingdom_env.core.hexset import (
    count,
    first_hex,
    is_empty,
    load,
    no_hexes,
    one_hex,
    shift_east,
    shift_north,
    shift_south,
    shift_west,
    store,
)
from winterkingdom_env.core.sizes import DIRECTIONS, WORDS

U32 = np.uint32
U64 = np.uint64
EAST, WEST, SOUTH, NORTH, SOUTH_WEST, NORTH_EAST = range(DIRECTIONS)
ONE = U32(1)


# One step -------------------------------------------------------------------------------------------------------------


@kernel
def to_east(cells, links):
    """The hexes of ``cells`` moved one step east, along links."""
    return shift_east(cells & load(links, 0))


@kernel
def to_west(cells, links):
    """The hexes of ``cells`` moved one step west, along links."""
    return shift_west(cells) & load(links, 0)


@kernel
def to_south(cells, links):
    """The hexes of ``cells`` moved one step south, along links."""
    return shift_south(cells & load(links, 1))


@kernel
def to_north(cells, links):
    """The hexes of ``cells`` moved one step north, along links."""
    return shift_north(cells) & load(links, 1)


@kernel
def to_south_west(cells, links):
    """The hexes of ``cells`` moved one step south-west, along links."""
    return shift_south(shift_west(cells & load(links, 2)))


@kernel
def to_north_east(cells, links):
    """The hexes of ``cells`` moved one step north-east, along links."""
    return shift_north(shift_east(cells)) & load(links, 2)


@kernel
def step(cells, direction, links):
    """The hexes of ``cells`` moved one step in ``direction``, along links."""
    if direction == EAST:
        return to_east(cells, links)
    if direction == WEST:
        return to_west(cells, links)
    if direction == SOUTH:
        return to_south(cells, links)
    if direction == NORTH:
        return to_north(cells, links)
    if direction == SOUTH_WEST:
        return to_south_west(cells, links)
    return to_north_east(cells, links)


@kernel
def spread(cells, links):
    """Every hex that touches a hex of ``cells``."""
    row = to_east(cells, links) | to_west(cells, links)
    below = to_south(cells, links) | to_south_west(cells, links)
    return row | below | to_north(cells, links) | to_north_east(cells, links)


# Many steps -----------------------------------------------------------------------------------------------------------


@kernel
def leap(cells, links):
    """Every hex two straight steps from a hex of ``cells``; the hex between may be anything on the board."""
    row = to_east(to_east(cells, links), links) | to_west(to_west(cells, links), links)
    column = to_south(to_south(cells, links), links) | to_north(to_north(cells, links), links)
    south_west = to_south_west(to_south_west(cells, links), links)
    return row | column | south_west | to_north_east(to_north_east(cells, links), links)


@kernel
def ring(cells, links):
    """Every hex at distance 2 of a hex of ``cells``: two steps straight, or with a turn of 60 degrees to either side."""
    east, west = to_east(cells, links), to_west(cells, links)
    south, north = to_south(cells, links), to_north(cells, links)
    south_west, north_east = to_south_west(cells, links), to_north_east(cells, links)
    # The second step has the direction of the first, or one of the two next to it.
    row = to_east(east | south | north_east, links) | to_west(west | north | south_west, links)
    column = to_south(south | east | south_west, links) | to_north(north | west | north_east, links)
    down = to_south_west(south_west | south | west, links)
    return row | column | down | to_north_east(north_east | north | east, links)


@kernel
def ray(cells, direction, through, links):
    """Every hex reached from ``cells`` in a straight line in ``direction`` over hexes of ``through`` only."""
    front = step(cells, direction, links) & through
    reached = front
    while not is_empty(front):
        front = step(front, direction, links) & through
        reached = reached | front
    return reached


@kernel
def run(cells, length, links):
    """Every hex from which the next ``length`` hexes in some direction are all in ``cells``."""
    found = no_hexes()
    for direction in range(0, DIRECTIONS, 2):
        line = cells  # after the loop: the last hexes of runs in this direction
        for _ in range(length - 1):
            line = step(line, direction, links) & cells
        if is_empty(line):  # the most frequent case
            continue
        found = found | step(line, direction, links)
        for _ in range(length):
            line = step(line, direction + 1, links)
        found = found | line
    return found


@kernel
def has_run(cells, length, links):
    """Whether ``length`` hexes of ``cells`` lie side by side on a straight line."""
    for direction in range(0, DIRECTIONS, 2):
        line = cells
        for _ in range(length - 1):
            line = step(line, direction, links) & cells
        if not is_empty(line):
            return True
    return False


@kernel
def flood(seed, within, links):
    """The part of ``within`` that is connected to ``seed``, including hexes of ``seed`` itself."""
    found = seed & within
    while True:
        grown = found | (spread(found, links) & within)
        grown = grown | (spread(grown, links) & within)  # two steps per check
        if is_empty(grown & ~found):
            return found
        found = grown


@kernel
def first_group(cells, links):
    """The connected group of the first hex of ``cells``."""
    return flood(first_hex(cells), cells, links)


@kernel
def count_joined(places, pieces, near, links):
    """Number of single hexes in ``places`` that a group of ``pieces`` joins to another one; ``near`` are the hexes touching a piece."""
    rest, found = places & near, no_hexes()
    if count(rest) < 2:  # one place alone is not joined to another
        return 0
    while not is_empty(rest):
        place = first_hex(rest)
        # Every group here touches this place, so all other places that they touch are joined to it.
        groups = flood(spread(place, links), pieces, links)
        touched = spread(groups, links) & places
        if not is_empty(touched & ~place):
            found = found | touched
        rest = rest & ~touched
    return count(found)


@kernel
def all_around(cells, links):
    """Every hex whose six neighbours are all in ``cells``."""
    found = step(cells, EAST, links)
    for direction in range(1, DIRECTIONS):
        found = found & step(cells, direction, links)
    return found


@kernel
def n_touched(cells, links):
    """How many hexes of ``cells`` each hex touches, in binary: the sets of hexes whose number has the digit 1, 2 and 4."""
    ones, twos, fours = no_hexes(), no_hexes(), no_hexes()
    for direction in range(DIRECTIONS):
        carry = step(cells, direction, links)
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours = fours | carry
    return ones, twos, fours


@kernel
def meets(cells, others):
    """Whether the two sets share a hex."""
    return not is_empty(cells & others)


@kernel
def join_others(sets, n, i):
    """Every hex of the first ``n`` sets but set ``i``."""
    found = no_hexes()
    for k in range(n):
        if k != i:
            found = found | load(sets, k)
    return found


# Single hexes of sets in memory ---------------------------------------------------------------------------------------


@kernel
def has(sets, i, cell):
    """Whether set ``i`` of ``sets`` holds the hex ``cell`` = 32 * row + column."""
    return (sets[i][cell >> 5] >> U32(cell & 31)) & ONE != 0


@kernel
def put(sets, i, cell):
    """Add a hex to set ``i``."""
    # Store the whole set, not one word: the next load of the set would stall on a store of a single word.
    store(sets, i, load(sets, i) | one_hex(cell))


@kernel
def take(sets, i, cell):
    """Remove a hex from set ``i``."""
    store(sets, i, load(sets, i) & ~one_hex(cell))


@kernel
def nth_cell(sets, i, n):
    """Row * 32 + column of the n-th hex of set ``i``, counted from 0, or -1 if the set is smaller."""
    for r in range(WORDS):
        here = popcount(U64(sets[i][r]))
        if n < here:
            return 32 * r + nth_bit(U64(sets[i][r]), n)
        n -= here
    return -1

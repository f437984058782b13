"""How hexes touch. Sets of hexes are values (``hexset``).

Axial columns lean: the row above touches c and c + 1, the row below c - 1 and c, so no odd and even rows need telling apart.

``links`` says which neighbours are joined, a set for each of three directions: the hex (r, c) is in set k if it and its neighbour in
direction 2 k are both on the board and joined. The opposite directions 2 k + 1 read the same set from the other side. Where a board
ends, or a rule cuts it, is said there and nowhere else.

Directions: 0 east (r, c+1), 1 west, 2 south (r+1, c), 3 north, 4 south-west (r+1, c-1), 5 north-east.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount
from winterkingdom_env.core.hexset import (
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
    """Where the hexes of ``cells`` come to by one step east."""
    return shift_east(cells & load(links, 0))


@kernel
def to_west(cells, links):
    """Where they come to by one step west."""
    return shift_west(cells) & load(links, 0)


@kernel
def to_south(cells, links):
    """Where they come to by one step south."""
    return shift_south(cells & load(links, 1))


@kernel
def to_north(cells, links):
    """Where they come to by one step north."""
    return shift_north(cells) & load(links, 1)


@kernel
def to_south_west(cells, links):
    """Where they come to by one step south-west."""
    return shift_south(shift_west(cells & load(links, 2)))


@kernel
def to_north_east(cells, links):
    """Where they come to by one step north-east."""
    return shift_north(shift_east(cells)) & load(links, 2)


@kernel
def step(cells, direction, links):
    """Where the hexes of ``cells`` come to by one step in ``direction``."""
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


# Further --------------------------------------------------------------------------------------------------------------


@kernel
def leap(cells, links):
    """Every hex two steps straight from a hex of ``cells``, whatever lies between on the board."""
    row = to_east(to_east(cells, links), links) | to_west(to_west(cells, links), links)
    column = to_south(to_south(cells, links), links) | to_north(to_north(cells, links), links)
    south_west = to_south_west(to_south_west(cells, links), links)
    return row | column | south_west | to_north_east(to_north_east(cells, links), links)


@kernel
def ring(cells, links):
    """Every hex at distance 2 of a hex of ``cells``: straight on, or round a corner of 60 degrees, either way round."""
    east, west = to_east(cells, links), to_west(cells, links)
    south, north = to_south(cells, links), to_north(cells, links)
    south_west, north_east = to_south_west(cells, links), to_north_east(cells, links)
    # The second step goes on in the direction of the first or in one of the two beside it.
    row = to_east(east | south | north_east, links) | to_west(west | north | south_west, links)
    column = to_south(south | east | south_west, links) | to_north(north | west | north_east, links)
    down = to_south_west(south_west | south | west, links)
    return row | column | down | to_north_east(north_east | north | east, links)


@kernel
def ray(cells, direction, through, links):
    """Every hex reached from ``cells`` straight on in ``direction`` over hexes of ``through`` only."""
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
        line = cells  # becomes the last hexes of runs in this direction
        for _ in range(length - 1):
            line = step(line, direction, links) & cells
        if is_empty(line):  # as most often
            continue
        found = found | step(line, direction, links)
        for _ in range(length):
            line = step(line, direction + 1, links)
        found = found | line
    return found


@kernel
def flood(seed, within, links):
    """The part of ``within`` that is connected to ``seed``, the seed's own hexes of it included."""
    found = seed & within
    while True:
        grown = found | (spread(found, links) & within)
        grown = grown | (spread(grown, links) & within)  # two steps for one question
        if is_empty(grown & ~found):
            return found
        found = grown


@kernel
def first_group(cells, links):
    """The connected group of the first hex of ``cells``."""
    return flood(first_hex(cells), cells, links)


@kernel
def meets(cells, others):
    """Whether the two sets share a hex."""
    return not is_empty(cells & others)


# Single hexes of sets in memory ---------------------------------------------------------------------------------------


@kernel
def has(sets, i, cell):
    """Whether set ``i`` of ``sets`` holds the hex ``cell`` = 32 * row + column."""
    return (sets[i][cell >> 5] >> U32(cell & 31)) & ONE != 0


@kernel
def put(sets, i, cell):
    """Add a hex to set ``i``."""
    # The whole set, not one word: what reads the set next would have to wait for a word on its way to memory.
    store(sets, i, load(sets, i) | one_hex(cell))


@kernel
def take(sets, i, cell):
    """Remove a hex from set ``i``."""
    store(sets, i, load(sets, i) & ~one_hex(cell))


@kernel
def nth_cell(sets, i, n):
    """Row * 32 + column of the hex that has ``n`` hexes of set ``i`` before it, or -1 if the set is smaller."""
    for r in range(WORDS):
        here = popcount(U64(sets[i][r]))
        if n < here:
            return 32 * r + nth_bit(U64(sets[i][r]), n)
        n -= here
    return -1

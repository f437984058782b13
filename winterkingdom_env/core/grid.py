"""Sets of hexes as bit rows, and how they touch.

A set of hexes is ``ROWS`` words of 32 bits: bit c of word r is the hex in axial row r and column c. Axial columns lean: the
row above touches c and c + 1, the row below c - 1 and c, so no odd and even rows need telling apart.

``links`` says which neighbours are joined, a set for each of three directions: bit c of ``links[k][r]`` is set if hex (r, c)
and its neighbour in direction 2 k are both on the board and joined. The opposite directions 2 k + 1 read the same bits from
the other side. Where a board ends, or a rule cuts it, is said there and nowhere else.

Directions: 0 east (r, c+1), 1 west, 2 south (r+1, c), 3 north, 4 south-west (r+1, c-1), 5 north-east.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, nth_bit, popcount
from winterkingdom_env.core.sizes import DIRECTIONS, ROWS

U32 = np.uint32
U64 = np.uint64
EAST, WEST, SOUTH, NORTH, SOUTH_WEST, NORTH_EAST = range(DIRECTIONS)
ONE = U32(1)
CLOCKWISE = (SOUTH, NORTH, SOUTH_WEST, NORTH_EAST, WEST, EAST)  # the direction 60 degrees on, for each direction


@kernel(inline=True)
def beside(w, above, below, east, south, south_west, south_above, south_west_above):
    """The hexes of one row that touch hexes of the same row, the row above and the row below; ``links`` of its row and the one above."""
    return (
        ((w & east) << ONE)
        | ((w >> ONE) & east)
        | (above & south_above)
        | ((above & south_west_above) >> ONE)
        | (below & south)
        | ((below << ONE) & south_west)
    )


@kernel
def spread(cells, links, out):
    """Write into ``out`` every hex that touches a hex of ``cells``; ``out`` is another array than ``cells``."""
    east, south, south_west = links[0], links[1], links[2]
    last = ROWS - 1
    # One pass over all inner rows, without a branch: the compiler makes it eight rows at a time.
    for r in range(1, last):
        out[r] = beside(
            cells[r], cells[r - 1], cells[r + 1], east[r], south[r], south_west[r], south[r - 1], south_west[r - 1]
        )
    out[0] = beside(cells[0], U32(0), cells[1], east[0], south[0], south_west[0], U32(0), U32(0))
    out[last] = beside(
        cells[last], cells[last - 1], U32(0), east[last], U32(0), U32(0), south[last - 1], south_west[last - 1]
    )


@kernel
def put_around(cell, links, out):
    """Add to ``out`` the hexes that touch the hex ``cell`` = 32 * row + column."""
    r = cell >> 5
    bit = ONE << U32(cell & 31)
    out[r] |= ((bit & links[0][r]) << ONE) | ((bit >> ONE) & links[0][r])
    if r < ROWS - 1:
        out[r + 1] |= (bit & links[1][r]) | ((bit & links[2][r]) >> ONE)
    if r > 0:
        out[r - 1] |= (bit & links[1][r - 1]) | ((bit << ONE) & links[2][r - 1])


@kernel
def step(cells, direction, links, out):
    """Write into ``out`` where the hexes of ``cells`` come to by one step; ``out`` may be ``cells``."""
    joined = links[direction >> 1]
    if direction == EAST:
        for r in range(ROWS):
            out[r] = (cells[r] & joined[r]) << ONE
    elif direction == WEST:
        for r in range(ROWS):
            out[r] = (cells[r] >> ONE) & joined[r]
    elif direction == SOUTH or direction == SOUTH_WEST:
        lean = U32(direction == SOUTH_WEST)
        for r in range(ROWS - 1, 0, -1):
            out[r] = (cells[r - 1] & joined[r - 1]) >> lean
        out[0] = U32(0)
    else:
        lean = U32(direction == NORTH_EAST)
        for r in range(ROWS - 1):
            out[r] = (cells[r + 1] << lean) & joined[r]
        out[ROWS - 1] = U32(0)


@kernel
def ray(cells, direction, through, links, out):
    """Write into ``out`` every hex reached from ``cells`` straight on in ``direction`` over hexes of ``through`` only."""
    joined = links[direction >> 1]
    if direction == EAST or direction == WEST:
        for r in range(ROWS):
            reached = U32(0)
            front = U32(cells[r])
            while front:
                if direction == EAST:
                    front = U32((front & joined[r]) << ONE) & through[r] & ~reached
                else:
                    front = (front >> ONE) & joined[r] & through[r] & ~reached
                reached |= front
            out[r] = reached
    elif direction == SOUTH or direction == SOUTH_WEST:
        lean = U32(direction == SOUTH_WEST)
        out[0] = U32(0)
        for r in range(1, ROWS):
            out[r] = (((cells[r - 1] | out[r - 1]) & joined[r - 1]) >> lean) & through[r]
    else:
        lean = U32(direction == NORTH_EAST)
        out[ROWS - 1] = U32(0)
        for r in range(ROWS - 2, -1, -1):
            out[r] = ((cells[r + 1] | out[r + 1]) << lean) & joined[r] & through[r]


@kernel
def run(cells, length, links, out, line, end):
    """Write into ``out`` every hex from which the next ``length`` hexes in some direction are all in ``cells``."""
    clear(out)
    for direction in range(0, DIRECTIONS, 2):
        copy(cells, line)  # becomes the last hexes of runs in this direction
        for _ in range(length - 1):
            step(line, direction, links, line)
            for r in range(ROWS):
                line[r] &= cells[r]
        if is_empty(line):  # as most often
            continue
        step(line, direction, links, end)
        for _ in range(length):
            step(line, direction + 1, links, line)
        for r in range(ROWS):
            out[r] |= end[r] | line[r]


@kernel
def leap(cells, links, out, line):
    """Write into ``out`` every hex two steps straight from a hex of ``cells``, whatever lies between on the board."""
    clear(out)
    for direction in range(DIRECTIONS):
        step(cells, direction, links, line)
        step(line, direction, links, line)
        for r in range(ROWS):
            out[r] |= line[r]


@kernel
def ring(cells, links, out, line, bent):
    """Write into ``out`` every hex at distance 2 of a hex of ``cells``: straight on, or bent by 60 degrees."""
    clear(out)
    for direction in range(DIRECTIONS):
        step(cells, direction, links, line)
        for turned in (direction, CLOCKWISE[direction]):
            step(line, turned, links, bent)
            for r in range(ROWS):
                out[r] |= bent[r]
        # The other way round the corner: the hex between may be missing on one of the two ways.
        step(cells, CLOCKWISE[direction], links, line)
        step(line, direction, links, bent)
        for r in range(ROWS):
            out[r] |= bent[r]


@kernel
def fill_row(w, within, east):
    """The hexes of one row of ``within`` that are joined to ``w``, a part of it, along the row."""
    # To higher columns: where a carry runs through the free hexes of an addition.
    free = within & (east << ONE)
    entered = (w << ONE) & free
    w |= (free & ~(free + entered)) | entered
    # To lower ones: in steps of 1, 2, 4, 8 and 16.
    free = within & east
    w |= free & (w >> ONE)
    for shift in (U32(1), U32(2), U32(4), U32(8)):
        free &= free >> shift
        w |= free & (w >> (shift + shift))
    return w


@kernel
def flood(seed, within, links, out):
    """Write into ``out`` the part of ``within`` that is connected to ``seed``, the seed's own hexes of it included."""
    east, south, south_west = links[0], links[1], links[2]
    for r in range(ROWS):
        out[r] = seed[r] & within[r]
    n_sweeps, growing = 0, True
    while growing or n_sweeps < 2:  # down and up in turn, until nothing is added
        growing = False
        for i in range(ROWS):
            if n_sweeps & 1:
                r = ROWS - 1 - i
                w = out[r]
                if i > 0:
                    w |= (out[r + 1] & south[r]) | ((out[r + 1] << ONE) & south_west[r])
            else:
                r = i
                w = out[r]
                if i > 0:
                    w |= (out[r - 1] & south[r - 1]) | ((out[r - 1] & south_west[r - 1]) >> ONE)
            w &= within[r]
            if w and (w != out[r] or n_sweeps == 0):
                w = fill_row(w, within[r], east[r])
                growing |= w != out[r]
                out[r] = w
        n_sweeps += 1


# Plain loops over whole sets. They count to the array's length, not to ROWS: a loop of a known, small length is unrolled
# word by word, one of unknown length becomes eight words at a time.


@kernel
def clear(out):
    """Empty a set."""
    for r in range(out.shape[0]):
        out[r] = U32(0)


@kernel
def copy(cells, out):
    """Write ``cells`` into ``out``."""
    for r in range(out.shape[0]):
        out[r] = cells[r]


@kernel
def unite(cells, others, out):
    """Write into ``out`` the hexes of both sets."""
    for r in range(out.shape[0]):
        out[r] = cells[r] | others[r]


@kernel
def intersect(cells, others, out):
    """Write into ``out`` the hexes that the two sets share."""
    for r in range(out.shape[0]):
        out[r] = cells[r] & others[r]


@kernel
def subtract(cells, others, out):
    """Write into ``out`` the hexes of ``cells`` that are not in ``others``."""
    for r in range(out.shape[0]):
        out[r] = cells[r] & ~others[r]


@kernel
def is_empty(cells):
    """Whether the set holds no hex."""
    found = U32(0)
    for r in range(cells.shape[0]):
        found |= cells[r]
    return found == 0


@kernel
def meets(cells, others):
    """Whether the two sets share a hex."""
    found = U32(0)
    for r in range(cells.shape[0]):
        found |= cells[r] & others[r]
    return found != 0


@kernel
def count(cells):
    """Number of hexes in the set."""
    n = 0
    for r in range(cells.shape[0]):
        n += popcount(U64(cells[r]))
    return n


@kernel
def count_common(cells, others):
    """Number of hexes that the two sets share."""
    n = 0
    for r in range(cells.shape[0]):
        n += popcount(U64(cells[r] & others[r]))
    return n


@kernel
def first_cell(cells):
    """Row * 32 + column of the first hex, or -1 if the set is empty."""
    for r in range(ROWS):
        if cells[r]:
            return 32 * r + first_bit(U64(cells[r]))
    return -1


@kernel
def nth_cell(cells, n):
    """Row * 32 + column of the hex that has ``n`` hexes of the set before it, or -1 if the set is smaller."""
    for r in range(ROWS):
        here = popcount(U64(cells[r]))
        if n < here:
            return 32 * r + nth_bit(U64(cells[r]), n)
        n -= here
    return -1


@kernel
def has(cells, cell):
    """Whether the set holds the hex ``cell`` = 32 * row + column."""
    return (cells[cell >> 5] >> U32(cell & 31)) & ONE != 0


@kernel
def put(cells, cell):
    """Add the hex ``cell`` = 32 * row + column."""
    cells[cell >> 5] |= ONE << U32(cell & 31)


@kernel
def take(cells, cell):
    """Remove the hex ``cell`` = 32 * row + column."""
    cells[cell >> 5] &= ~(ONE << U32(cell & 31))


@kernel
def take_group(rest, links, group):
    """Move one connected group from ``rest`` to ``group``; False if nothing is left."""
    cell = first_cell(rest)
    clear(group)
    if cell < 0:
        return False
    east, south, south_west = links[0], links[1], links[2]
    # Nothing is left above the first hex. Down as far as the group goes, up again, until nothing is added.
    top = cell >> 5
    bottom = top
    group[top] = fill_row(ONE << U32(cell & 31), rest[top], east[top])
    growing = True
    while growing:
        growing = False
        r = top + 1
        while r < ROWS:
            w = group[r] | (group[r - 1] & south[r - 1]) | ((group[r - 1] & south_west[r - 1]) >> ONE)
            w &= rest[r]
            if w == 0 and r > bottom:
                break
            if w != group[r]:
                group[r] = fill_row(w, rest[r], east[r])
                bottom = max(bottom, r)
            r += 1
        for r in range(bottom - 1, top - 1, -1):
            w = group[r] | (group[r + 1] & south[r]) | ((group[r + 1] << ONE) & south_west[r])
            w &= rest[r]
            if w != group[r]:
                group[r] = fill_row(w, rest[r], east[r])
                growing = True
    for r in range(top, bottom + 1):
        rest[r] &= ~group[r]
    return True

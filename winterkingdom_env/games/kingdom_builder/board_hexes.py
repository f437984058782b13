"""Sets of hexes of one quadrant as integers, in plain Python: bit 10 * row + column."""

from __future__ import annotations

from collections.abc import Iterator

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder.layout import QUADRANT_HEXES, QUADRANT_SIDE


def _near(index: int) -> int:
    """The neighbours of a hex (2.1 of the rules)."""
    row, column = divmod(index, QUADRANT_SIDE)
    left = column - 1 + row % 2
    around = ((row, column - 1), (row, column + 1), *((row + down, left + k) for down in (-1, 1) for k in (0, 1)))
    return sum(1 << (QUADRANT_SIDE * r + c) for r, c in around if 0 <= r < QUADRANT_SIDE and 0 <= c < QUADRANT_SIDE)


NEAR = tuple(_near(index) for index in range(QUADRANT_HEXES))
ALL_HEXES = (1 << QUADRANT_HEXES) - 1
INNER = sum(  # rows and columns 1 to 8
    1 << (QUADRANT_SIDE * row + column) for row in range(1, QUADRANT_SIDE - 1) for column in range(1, QUADRANT_SIDE - 1)
)
RIM = ALL_HEXES & ~INNER


def bits(hexes: int) -> Iterator[int]:
    """The hexes of a set, in order."""
    while hexes:
        low = hexes & -hexes
        yield low.bit_length() - 1
        hexes ^= low


def any_of(stream: Stream, hexes: int) -> int | None:
    """A random hex of a set."""
    choice = list(bits(hexes))
    return choice[stream.draw(len(choice))] if choice else None


def spread(hexes: int) -> int:
    """Every hex that touches a hex of the set."""
    out = 0
    for index in bits(hexes):
        out |= NEAR[index]
    return out


def within(hexes: int, steps: int) -> int:
    """The set and every hex at most so many steps from it."""
    for _ in range(steps):
        hexes |= spread(hexes)
    return hexes


def distance(a: int, b: int) -> int:
    """The number of steps between two hexes."""
    (row_a, column_a), (row_b, column_b) = divmod(a, QUADRANT_SIDE), divmod(b, QUADRANT_SIDE)
    down, right = row_a - row_b, column_a - row_a // 2 - column_b + row_b // 2
    return max(abs(down), abs(right), abs(down + right))


def areas_of(hexes: int) -> Iterator[int]:
    """The connected parts of a set."""
    while hexes:
        area = new = hexes & -hexes
        while new:
            new = spread(new) & hexes & ~area
            area |= new
        yield area
        hexes &= ~area

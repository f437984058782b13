"""A set of hexes as one value.

A set is ``WORDS`` words of 32 bits: bit c of word r is the hex in row r and column c. In a kernel it is an immutable value:
``&``, ``|``, ``^`` and ``~`` work on all rows at once and need no scratch. In memory it is a row of an array, ``uint32 (n, WORDS)``;
``load`` and ``store`` convert between the two.

This module defines each operation, and runs when compilation is off. A set is then an array, so kernels must not use ``|=`` on one. When
compilation is on, ``_llvm`` replaces these functions, and a set is a vector register.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import SETTINGS
from winterkingdom_env.core.sizes import WORDS

U32 = np.uint32


def load(sets, i):
    """The set in row ``i`` of ``sets``, an array of uint32 (n, WORDS)."""
    return sets[i].copy()


def store(sets, i, cells):
    """Write a set into row ``i`` of ``sets``."""
    sets[i] = cells


def store_rows(array, first, cells, rows):
    """Write the first ``rows`` words of a set into ``array`` (uint32, flat) from ``first`` on; ``rows`` is a constant, 16 or more."""
    array[first : first + rows] = cells[:rows]


def no_hexes():
    """The empty set."""
    return np.zeros(WORDS, U32)


def one_hex(cell):
    """The set of the one hex ``cell`` = 32 * row + column."""
    cells = no_hexes()
    cells[cell >> 5] = U32(1 << (cell & 31))
    return cells


def first_hex(cells):
    """The set of the first hex of ``cells``, by row and column; empty if there is none."""
    found = np.flatnonzero(cells)
    first = no_hexes()
    if len(found):
        word = int(cells[found[0]])
        first[found[0]] = word & -word
    return first


def is_empty(cells):
    """Whether the set holds no hex."""
    return not cells.any()


def count(cells):
    """Number of hexes in the set."""
    return int(np.bitwise_count(cells).sum())


def count_double(once, twice):
    """Number of hexes in the first set, and twice that in the second."""
    return count(once) + 2 * count(twice)


def shift_east(cells):
    """All hexes moved one column on, ignoring links."""
    return cells << U32(1)


def shift_west(cells):
    """All hexes moved one column back, ignoring links."""
    return cells >> U32(1)


def shift_south(cells):
    """All hexes moved one row on, in the same column, ignoring links."""
    return np.concatenate([no_hexes()[:1], cells[:-1]])


def shift_north(cells):
    """All hexes moved one row back, in the same column, ignoring links."""
    return np.concatenate([cells[1:], no_hexes()[:1]])


if not SETTINGS.DISABLE_JIT:
    from winterkingdom_env.core._llvm import (  # type: ignore[assignment]  # the same operations, compiled
        count,
        count_double,
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
        store_rows,
    )

__all__ = [
    "count", "count_double", "first_hex", "is_empty", "load", "no_hexes", "one_hex", "shift_east", "shift_north", "shift_south", "shift_west", "store",
    "store_rows",
]  # fmt: skip

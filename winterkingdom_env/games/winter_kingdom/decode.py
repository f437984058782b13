"""Conversion of a LEGAL record to action numbers: hex actions are three sets of hexes, all others are bits of two words."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, nth_bit, popcount, store_bits
from winterkingdom_env.core.grid import has, nth_cell
from winterkingdom_env.core.hexset import count, is_empty, load
from winterkingdom_env.games.winter_kingdom.layout import N_ACTIONS, N_HEXES, ROWS, USE_FIRST

U32 = np.uint32
U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel(inline=True)
def is_legal(action, rules, legal):
    """Whether an action is legal; False for numbers that are not actions."""
    if action < 0 or action >= N_ACTIONS:
        return False
    if action < USE_FIRST:
        return has(legal["hexes"], action // N_HEXES, rules["cell"][action % N_HEXES])
    bit = action - USE_FIRST
    return (legal["cards"][bit >> 6] >> U64(bit & 63)) & U64(1) != 0


@kernel
def count_legal(legal):
    """Number of legal actions."""
    total = popcount(legal["cards"][0]) + popcount(legal["cards"][1])
    for kind in range(3):
        total += count(load(legal["hexes"], kind))
    return total


@kernel
def nth_legal(n, rules, legal):
    """The n-th legal action, counted from 0; it must exist."""
    for kind in range(3):
        here = count(load(legal["hexes"], kind))
        if n < here:
            cell = nth_cell(legal["hexes"], kind, n)
            return I64(kind * N_HEXES + rules["hex_at"][cell >> 5][cell & 31])
        n -= here
    here = popcount(legal["cards"][0])
    if n < here:
        return I64(USE_FIRST + nth_bit(legal["cards"][0], n))
    return I64(USE_FIRST + 64 + nth_bit(legal["cards"][1], n - here))


@kernel
def list_legal(rules, legal, actions):
    """Write the legal actions into ``actions`` (int16), ascending, and return their number."""
    n = 0
    for kind in range(3):
        if is_empty(load(legal["hexes"], kind)):
            continue
        for r in range(ROWS):
            rest = U64(legal["hexes"][kind][r])
            while rest:
                actions[n] = kind * N_HEXES + rules["hex_at"][r][first_bit(rest)]
                n += 1
                rest &= rest - U64(1)
    for word in range(2):
        rest = U64(legal["cards"][word])
        while rest:
            actions[n] = USE_FIRST + 64 * word + first_bit(rest)
            n += 1
            rest &= rest - U64(1)
    return n


@kernel
def expand(rules, legal, mask):
    """Write the legal actions into ``mask``, one byte of 0 or 1 per action, from left to right because parts overlap."""
    for kind in range(3):
        first, hexes = kind * N_HEXES, legal["hexes"][kind]
        if is_empty(load(legal["hexes"], kind)):
            for i in range(0, N_HEXES, 64):
                store_bits(mask, first + i, U64(0))
            continue
        for r in range(ROWS):
            # The hexes of a row are contiguous. Entries written beyond the row are 0, and the next row, or the actions after
            # the last row, overwrite them.
            store_bits(mask, first + rules["row_hex"][r], U32(hexes[r] >> U32(rules["row_column"][r])))
    store_bits(mask, USE_FIRST, legal["cards"][0])
    store_bits(mask, USE_FIRST + 64, legal["cards"][1])

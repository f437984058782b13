"""Decoding of a LEGAL record with actions on places of a board and others: the one place where it is turned into action numbers.

Action ``kind * places + place`` acts on a place, and the actions after those are bits. The record has a set of hexes per kind, in ``hexes``,
and two words of bits, in ``others``. RULES has ``cell`` (32 * row + column of each place), its inverse ``hex_at``, and for every row of the
board the first place, ``row_hex``, and its column, ``row_column``; the places of a row are contiguous.

Sizes are arguments: a game calls these kernels, which are inlined, with its constants.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, nth_bit, popcount, store_bits
from winterkingdom_env.core.grid import has, nth_cell
from winterkingdom_env.core.hexset import count, is_empty, load

U32 = np.uint32
U64 = np.uint64
I64 = np.int64


@kernel(inline=True)
def is_legal(action, kinds, places, n_actions, rules, legal):
    """Whether an action is legal; False for numbers that are not actions."""
    if action < 0 or action >= n_actions:
        return False
    if action < kinds * places:
        return has(legal["hexes"], action // places, rules["cell"][action % places])
    bit = action - kinds * places
    return (legal["others"][bit >> 6] >> U64(bit & 63)) & U64(1) != 0


@kernel(inline=True)
def count_legal(kinds, legal):
    """Number of legal actions."""
    total = popcount(legal["others"][0]) + popcount(legal["others"][1])
    for kind in range(kinds):
        total += count(load(legal["hexes"], kind))
    return total


@kernel(inline=True)
def nth_legal(n, kinds, places, rules, legal):
    """The n-th legal action, counted from 0; it must exist."""
    for kind in range(kinds):
        here = count(load(legal["hexes"], kind))
        if n < here:
            cell = nth_cell(legal["hexes"], kind, n)
            return I64(kind * places + rules["hex_at"][cell >> 5][cell & 31])
        n -= here
    here = popcount(legal["others"][0])
    if n < here:
        return I64(kinds * places + nth_bit(legal["others"][0], n))
    return I64(kinds * places + 64 + nth_bit(legal["others"][1], n - here))


@kernel(inline=True)
def list_legal(kinds, places, rows, rules, legal, actions):
    """Write the legal actions into ``actions`` (int16), ascending, and return their number."""
    n = 0
    for kind in range(kinds):
        if is_empty(load(legal["hexes"], kind)):
            continue
        for r in range(rows):
            rest = U64(legal["hexes"][kind][r])
            while rest:
                actions[n] = kind * places + rules["hex_at"][r][first_bit(rest)]
                n += 1
                rest &= rest - U64(1)
    for word in range(2):
        rest = U64(legal["others"][word])
        while rest:
            actions[n] = kinds * places + 64 * word + first_bit(rest)
            n += 1
            rest &= rest - U64(1)
    return n


@kernel(inline=True)
def expand(kinds, places, n_actions, rows, rules, legal, mask):
    """Write the legal actions into ``mask``, one byte of 0 or 1 per action, from left to right because parts overlap."""
    for kind in range(kinds):
        first, hexes = kind * places, legal["hexes"][kind]
        if is_empty(load(legal["hexes"], kind)):
            for i in range(0, places, 64):
                store_bits(mask, first + i, U64(0))
            continue
        for r in range(rows):
            # The places of a row are contiguous. Entries written beyond the row are 0, and the next row, or the actions after
            # the last row, overwrite them.
            store_bits(mask, first + rules["row_hex"][r], U32(hexes[r] >> U32(rules["row_column"][r])))
    first, others = kinds * places, legal["others"]
    store_bits(mask, first, others[0])
    n_rest = n_actions - first - 64  # of the second word, 1 to 64; no write may go past the last action
    if n_rest == 64:
        store_bits(mask, first + 64, others[1])
    else:
        store_bits(mask, first + n_rest, (others[0] >> U64(n_rest)) | (others[1] << U64(64 - n_rest)))

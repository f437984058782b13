"""Decoding of a LEGAL record with actions on places of a board and others: the one place where it is turned into action numbers.

Action ``kind * places + place`` acts on a place, and the actions after those are bits. The record has a set of hexes per kind, in ``hexes``,
and two words of bits, in ``others``. RULES has ``cell`` (32 * row + column of each place), its inverse ``hex_at``, and for every row of the
board the first place, ``row_hex``, and its column, ``row_column``; the places of a row are contiguous.

``decode_legal`` makes these kernels a game's verbs.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, nth_bit, popcount, store_bits
from winterkingdom_env.core.grid import has, nth_cell
from winterkingdom_env.core.hexset import count, is_empty, load
from winterkingdom_env.core.verbs import (
    N_ACTIONS,
    Constant,
    carry_on,
    copy_game,
    generic,
    implements,
    is_over,
    points,
    seat_to_move,
)

U32 = np.uint32
U64 = np.uint64
I64 = np.int64

HEX_KINDS = Constant("kinds of actions on a place of the board")
PLACES = Constant("places of the board")
BOARD_ROWS = Constant("rows of the board")


def decode_legal(world: type, kinds: int, places: int, rows: int) -> None:
    """Let the verbs about legal actions of the game with this World decode its LEGAL records here. Call it after ``tell_sizes``."""
    for constant, number in ((HEX_KINDS, kinds), (PLACES, places), (BOARD_ROWS, rows)):
        constant.set(world, number)
    for decoder in (is_legal, count_legal, nth_legal, list_legal, expand):
        implements(getattr(verbs, decoder.__name__), world)(decoder.of(world))


@kernel(inline=True)
def allows(action, kinds, places, n_actions, rules, legal):
    """Whether an action is in a LEGAL record; False for numbers that are not actions. For kernels without a World."""
    if action < 0 or action >= n_actions:
        return False
    if action < kinds * places:
        return has(legal["hexes"], action // places, rules["cell"][action % places])
    bit = action - kinds * places
    return (legal["others"][bit >> 6] >> U64(bit & 63)) & U64(1) != 0


@generic(inline=True)
def is_legal(world, i, action):
    """See core/verbs.py."""
    return allows(action, HEX_KINDS, PLACES, N_ACTIONS, world.rules[0], world.legals[i])


@generic(inline=True)
def count_legal(world, i):
    """See core/verbs.py."""
    legal = world.legals[i]
    total = popcount(legal["others"][0]) + popcount(legal["others"][1])
    for kind in range(HEX_KINDS):
        total += count(load(legal["hexes"], kind))
    return total


@generic(inline=True)
def nth_legal(world, i, n):
    """See core/verbs.py."""
    legal = world.legals[i]
    for kind in range(HEX_KINDS):
        here = count(load(legal["hexes"], kind))
        if n < here:
            cell = nth_cell(legal["hexes"], kind, n)
            return I64(kind * PLACES + world.rules[0]["hex_at"][cell >> 5][cell & 31])
        n -= here
    here = popcount(legal["others"][0])
    if n < here:
        return I64(HEX_KINDS * PLACES + nth_bit(legal["others"][0], n))
    return I64(HEX_KINDS * PLACES + 64 + nth_bit(legal["others"][1], n - here))


@generic(inline=True)
def list_legal(world, i, actions):
    """See core/verbs.py."""
    n, legal = 0, world.legals[i]
    for kind in range(HEX_KINDS):
        if is_empty(load(legal["hexes"], kind)):
            continue
        for r in range(BOARD_ROWS):
            rest = U64(legal["hexes"][kind][r])
            while rest:
                actions[n] = kind * PLACES + world.rules[0]["hex_at"][r][first_bit(rest)]
                n += 1
                rest &= rest - U64(1)
    for word in range(2):
        rest = U64(legal["others"][word])
        while rest:
            actions[n] = HEX_KINDS * PLACES + 64 * word + first_bit(rest)
            n += 1
            rest &= rest - U64(1)
    return n


@generic(inline=True)
def expand(world, i, mask):
    """See core/verbs.py. Writes from left to right because parts overlap."""
    legal, rules = world.legals[i], world.rules[0]
    for kind in range(HEX_KINDS):
        first, hexes = kind * PLACES, legal["hexes"][kind]
        if is_empty(load(legal["hexes"], kind)):
            for k in range(0, PLACES, 64):
                store_bits(mask, first + k, U64(0))
            continue
        for r in range(BOARD_ROWS):
            # The places of a row are contiguous. Entries written beyond the row are 0, and the next row, or the actions after
            # the last row, overwrite them.
            store_bits(mask, first + rules["row_hex"][r], U32(hexes[r] >> U32(rules["row_column"][r])))
    first, others = HEX_KINDS * PLACES, legal["others"]
    store_bits(mask, first, others[0])
    n_rest = N_ACTIONS - first - 64  # of the second word, 1 to 64; no write may go past the last action
    if n_rest == 64:
        store_bits(mask, first + 64, others[1])
    else:
        store_bits(mask, first + n_rest, (others[0] >> U64(n_rest)) | (others[1] << U64(64 - n_rest)))


@generic
def best_place(world, i, seat, spare, actions, first):
    """The largest gain in points of a legal action of the first kind in game i, at least 0. Game ``spare``, and ``actions`` from ``first`` on, are scratch."""
    before, best = points(world, i, seat), I64(0)
    n = list_legal(world, i, actions[first:])
    for k in range(first, first + n):
        if actions[k] >= PLACES:
            break
        copy_game(world, i, spare)
        carry_on(world, spare, I64(actions[k]))
        best = max(best, points(world, spare, seat) - before)
    return best


@generic
def place_greedily(world, i, seat, most, spare, actions):
    """Carry out up to ``most`` actions of the first kind in game i, each the one after which the seat has most points; return what they gained.

    Game ``spare`` and ``actions`` are scratch.
    """
    before = points(world, i, seat)
    for _ in range(most):
        if is_over(world, i) or seat_to_move(world, i) != seat:
            break
        n, best, chosen = list_legal(world, i, actions), I64(-(1 << 40)), I64(-1)
        for k in range(n):
            if actions[k] >= PLACES:
                break
            copy_game(world, i, spare)
            carry_on(world, spare, I64(actions[k]))
            if points(world, spare, seat) > best:
                best, chosen = points(world, spare, seat), I64(actions[k])
        if chosen < 0:
            break
        carry_on(world, i, chosen)
    return points(world, i, seat) - before

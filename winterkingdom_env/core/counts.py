"""Multisets of up to 32 kinds of cards. A multiset is four 64-bit words with a byte per kind: kind k is byte k % 8 of word k // 8.

Adding two multisets is four additions, and no loop visits 32 kinds. A byte must not overflow, and the eight bytes of a word must not add up
to more than 255: a game with so many cards does not fit.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import draw

I64, U32, U64 = np.int64, np.uint32, np.uint64
WORDS = 4  # of a multiset
KINDS = 32
BYTE = 0xFF
ONES = 0x0101010101010101
LOW_BITS = 0x7F7F7F7F7F7F7F7F
GATHER = 0x0102040810204080  # moves the lowest bit of every byte into the highest byte


@kernel(inline=True)
def count_of(cards, kind):
    """How many cards of a kind there are."""
    return I64((cards[kind >> 3] >> U64((kind & 7) << 3)) & U64(BYTE))


@kernel(inline=True)
def add(cards, kind, n):
    """Add ``n`` cards of a kind."""
    cards[kind >> 3] += U64(n) << U64((kind & 7) << 3)


@kernel(inline=True)
def remove(cards, kind, n):
    """Remove ``n`` cards of a kind, which must be there."""
    cards[kind >> 3] -= U64(n) << U64((kind & 7) << 3)


@kernel(inline=True)
def put_all(source, target):
    """Move all cards to another multiset."""
    for k in range(WORDS):
        target[k] += source[k]
        source[k] = U64(0)


@kernel(inline=True)
def copy_all(source, target):
    """Make ``target`` equal to ``source``."""
    for k in range(WORDS):
        target[k] = source[k]


@kernel(inline=True)
def clear(cards):
    """Remove all cards."""
    for k in range(WORDS):
        cards[k] = U64(0)


@kernel(inline=True)
def is_empty(cards):
    """Whether there is no card."""
    return (cards[0] | cards[1] | cards[2] | cards[3]) == U64(0)


@kernel(inline=True)
def sum_bytes(word):
    """The sum of the bytes of a word, at most 255."""
    return I64((word * U64(ONES)) >> U64(56))


@kernel(inline=True)
def size_of(cards):
    """The number of cards."""
    return sum_bytes(cards[0]) + sum_bytes(cards[1]) + sum_bytes(cards[2]) + sum_bytes(cards[3])


@kernel(inline=True)
def nonzero_bytes(word):
    """A bit per byte of a word that is not zero."""
    high = (((word & U64(LOW_BITS)) + U64(LOW_BITS)) | word) & ~U64(LOW_BITS)
    return ((high >> U64(7)) * U64(GATHER)) >> U64(56)


@kernel(inline=True)
def kinds_of(cards):
    """The kinds of which there is a card, a bit each, uint64."""
    found = nonzero_bytes(cards[0]) | nonzero_bytes(cards[1]) << U64(8)
    return found | nonzero_bytes(cards[2]) << U64(16) | nonzero_bytes(cards[3]) << U64(24)


@kernel
def nth_card(cards, n):
    """The kind of the n-th card, counted from 0, if the cards are laid out ascending; it must exist."""
    k, left = I64(0), n
    inside = sum_bytes(cards[0])
    while left >= inside:
        left -= inside
        k += 1
        inside = sum_bytes(cards[k])
    sums = cards[k] * U64(ONES)  # byte i: the sum of the bytes up to i
    kind = k << 3
    while I64(sums & U64(BYTE)) <= left:
        sums >>= U64(8)
        kind += 1
    return kind


@kernel
def draw_card(game, cards):
    """Draw a card uniformly at random with the stream of the record, and return its kind; there must be one."""
    kind = nth_card(cards, draw(game, size_of(cards)))
    remove(cards, kind, 1)
    return kind

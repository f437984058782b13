"""Operations on the bits of a word, and on records as bytes.

As in ``hexset``: the plain definitions run when compilation is off; ``_llvm`` replaces them when it is on.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import SETTINGS, kernel
from winterkingdom_env.core.rng import GAMMA, MASK_64, MIX_1

U64 = np.uint64


def count_ones(word):
    """Number of set bits of a uint64, as a uint64."""
    return int(word).bit_count()


def count_trailing_zeros(word):
    """Position of the lowest set bit of a uint64, as a uint64."""
    return (int(word) & -int(word)).bit_length() - 1


def store_bits(array, index, word):
    """Write the bits of a word (uint32 or uint64) as 0 and 1 into ``array`` from the flat ``index`` on; they must fit."""
    array.reshape(-1)[index : index + 8 * word.nbytes] = np.unpackbits(
        np.array([word]).view(np.uint8), bitorder="little"
    )


def store_bytes(array, index, word):
    """Write the eight bytes of a uint64, the lowest first, as entries of ``array``, unsigned integers, from the flat ``index`` on."""
    array.reshape(-1)[index : index + 8] = np.array([word], U64).view(np.uint8)


def copy_record(source, i, target, k):
    """Copy record ``i`` of ``source`` to record ``k`` of ``target``."""
    target[k] = source[i]


def hash_record(records, i):
    """A 64-bit hash of record ``i``, whose size must be a multiple of 8 bytes."""
    found = GAMMA
    for word in np.frombuffer(records[i].tobytes(), U64).tolist():
        found = ((found ^ word) * MIX_1) & MASK_64
        found ^= found >> 32
    return U64(found)


if not SETTINGS.DISABLE_JIT:
    from winterkingdom_env.core._llvm import (  # type: ignore[assignment]  # the same operations, compiled
        copy_record,
        count_ones,
        count_trailing_zeros,
        hash_record,
        store_bits,
        store_bytes,
    )

__all__ = ["copy_record", "first_bit", "hash_record", "nth_bit", "popcount", "store_bits", "store_bytes"]


@kernel
def popcount(word):
    """Number of set bits of an unsigned word."""
    return np.int64(count_ones(U64(word)))


@kernel
def first_bit(word):
    """Position of the lowest set bit; the word must not be zero."""
    return np.int64(count_trailing_zeros(U64(word)))


@kernel
def nth_bit(word, n):
    """Position of the n-th set bit, counted from 0; it must exist."""
    rest = U64(word)
    for _ in range(n):
        rest &= rest - U64(1)
    return first_bit(rest)

"""Counting and finding bits in a word."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from winterkingdom_env.core._jit import SETTINGS, kernel

U32 = np.uint32
U64 = np.uint64


@intrinsic
def _count_ones(typing_context, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _count_trailing_zeros(typing_context, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


@intrinsic
def _store_word(typing_context, array, index, word):
    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64), generate


if SETTINGS.DISABLE_JIT:  # an intrinsic exists in compiled code only

    def _count_ones(word):  # type: ignore[misc]  # the same function for the interpreter
        return int(word).bit_count()

    def _count_trailing_zeros(word):  # type: ignore[misc]  # the same function for the interpreter
        return (int(word) & -int(word)).bit_length() - 1

    def _store_word(array, index, word):  # type: ignore[misc]  # the same function for the interpreter
        array[index : index + 8] = np.frombuffer(int(word).to_bytes(8, "little"), np.uint8)


@kernel
def popcount(word):
    """Number of set bits of an unsigned word."""
    return np.int64(_count_ones(U64(word)))


@kernel
def first_bit(word):
    """Position of the lowest set bit; the word must not be zero."""
    return np.int64(_count_trailing_zeros(U64(word)))


@kernel
def nth_bit(word, n):
    """Position of the set bit that has ``n`` set bits below it; there must be one."""
    rest = U64(word)
    for _ in range(n):
        rest &= rest - U64(1)
    return first_bit(rest)


@kernel(inline=True)
def store_word(array, index, word):
    """Write the eight bytes of a word (uint64) into ``array`` (uint8) from ``index`` on; they must fit. The widest store there is."""
    _store_word(array, np.int64(index), U64(word))

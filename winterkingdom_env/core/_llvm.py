"""Operations written directly in LLVM IR, so that they compile to vector instructions.

``hexset`` and ``bits`` define each operation. A set of hexes is a vector of 32 words here. LLVM would not vectorize a loop over the words
of an array, because arrays may overlap; a vector type avoids that problem. It also compiles several times faster.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from winterkingdom_env.core.rng import GAMMA, MIX_1
from winterkingdom_env.core.sizes import WORDS

I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
VECTOR = ir.VectorType(I32, WORDS)
SUFFIX = f"v{WORDS}i32"  # of the names of LLVM's functions for such vectors


class HexSet(types.Type):
    """The type of a set of hexes."""

    def __init__(self):
        """Create the type."""
        super().__init__("HexSet")


HEX_SET = HexSet()


@register_model(HexSet)
class _HexSetModel(models.PrimitiveModel):
    def __init__(self, manager, numba_type):
        super().__init__(manager, numba_type, VECTOR)


class _SetOperator(AbstractTemplate):
    """Typing of operators: sets in, set out."""

    def generic(self, arguments, keywords):
        if all(isinstance(argument, HexSet) for argument in arguments):
            return signature(HEX_SET, *arguments)
        return None


def _operator(function, n_arguments, generate):
    infer_global(function)(type(f"_{function.__name__}", (_SetOperator,), {}))
    lower_builtin(function, *[HexSet] * n_arguments)(lambda context, builder, sig, args: generate(builder)(*args))


_operator(operator.and_, 2, lambda builder: builder.and_)
_operator(operator.or_, 2, lambda builder: builder.or_)
_operator(operator.xor, 2, lambda builder: builder.xor)
_operator(operator.invert, 1, lambda builder: builder.not_)


# Sets of hexes ---------------------------------------------------------------------------------------------------------


def _filled(number):
    return ir.Constant(VECTOR, [number] * WORDS)


def _everywhere(builder, number):
    """A vector with the same number (i32) in every word."""
    single = builder.insert_element(_filled(0), number, ir.Constant(I32, 0))
    return builder.shuffle_vector(single, _filled(0), _filled(0))


def _lanes(builder, vector, numbers):
    """The words with these indices; index WORDS stands for an empty word."""
    indices = ir.Constant(ir.VectorType(I32, len(numbers)), list(numbers))
    return builder.shuffle_vector(vector, _filled(0), indices)


def _call(builder, name, result, vector):
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [VECTOR]), f"llvm.{name}.{SUFFIX}"
    )
    return builder.call(function, [vector])


def _place(context, builder, array_type, array, index, kind):
    """A pointer of type ``kind`` to an index of an array's first axis."""
    parts = context.make_array(array_type)(context, builder, array)
    start = builder.ptrtoint(parts.data, I64)
    if array_type.ndim == 1:
        width = ir.Constant(I64, context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
    else:
        width = ir.Constant(I64, 4 * WORDS)
    return builder.inttoptr(builder.add(start, builder.mul(index, width)), kind.as_pointer())


@intrinsic
def load(typing_context, sets, i):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        return builder.load(_place(context, builder, sig.args[0], args[0], args[1], VECTOR), align=4)

    return HEX_SET(sets, types.int64), generate


@intrinsic
def store(typing_context, sets, i, cells):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        builder.store(args[2], _place(context, builder, sig.args[0], args[0], args[1], VECTOR), align=4)
        return context.get_dummy_value()

    return types.void(sets, types.int64, HEX_SET), generate


@intrinsic(prefer_literal=True)
def store_rows(typing_context, array, first, cells, rows):
    """See ``hexset``."""
    half = WORDS // 2  # two stores of half a set overlap in the middle, and do not write past the last row
    if not isinstance(rows, types.IntegerLiteral) or not half <= rows.literal_value <= WORDS:
        return None
    last = rows.literal_value - half

    def generate(context, builder, sig, args):
        for start in (0, last):
            words = _lanes(builder, args[2], range(start, start + half))
            index = builder.add(args[1], ir.Constant(I64, start))
            builder.store(words, _place(context, builder, sig.args[0], args[0], index, words.type), align=4)
        return context.get_dummy_value()

    return types.void(array, types.int64, HEX_SET, rows), generate


@intrinsic
def no_hexes(typing_context):
    """See ``hexset``."""
    return HEX_SET(), lambda context, builder, sig, args: _filled(0)


@intrinsic
def one_hex(typing_context, cell):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        cell = builder.trunc(args[0], I32)
        row = builder.lshr(cell, ir.Constant(I32, 5))
        bit = builder.shl(ir.Constant(I32, 1), builder.and_(cell, ir.Constant(I32, 31)))
        is_there = builder.icmp_unsigned("==", _everywhere(builder, row), ir.Constant(VECTOR, list(range(WORDS))))
        return builder.select(is_there, _everywhere(builder, bit), _filled(0))

    return HEX_SET(types.int64), generate


@intrinsic
def first_hex(typing_context, cells):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        cells, flags = args[0], ir.VectorType(I1, WORDS)
        rows = builder.bitcast(builder.icmp_unsigned("!=", cells, _filled(0)), I32)
        first_row = builder.bitcast(builder.and_(rows, builder.neg(rows)), flags)
        first_columns = builder.and_(cells, builder.sub(_filled(0), cells))
        return builder.select(first_row, first_columns, _filled(0))

    return HEX_SET(HEX_SET), generate


@intrinsic
def is_empty(typing_context, cells):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        whole = ir.IntType(32 * WORDS)
        return builder.icmp_unsigned("==", builder.bitcast(args[0], whole), ir.Constant(whole, 0))

    return types.boolean(HEX_SET), generate


@intrinsic
def count(typing_context, cells):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        counts = _call(builder, "ctpop", VECTOR, args[0])
        return builder.zext(_call(builder, "vector.reduce.add", I32, counts), I64)

    return types.int64(HEX_SET), generate


@intrinsic
def count_double(typing_context, once, twice):
    """See ``hexset``."""

    def generate(context, builder, sig, args):
        once, twice = (_call(builder, "ctpop", VECTOR, cells) for cells in args)
        counts = builder.add(once, builder.add(twice, twice))
        return builder.zext(_call(builder, "vector.reduce.add", I32, counts), I64)

    return types.int64(HEX_SET, HEX_SET), generate


@intrinsic
def shift_east(typing_context, cells):
    """See ``hexset``."""
    return HEX_SET(HEX_SET), lambda context, builder, sig, args: builder.shl(args[0], _filled(1))


@intrinsic
def shift_west(typing_context, cells):
    """See ``hexset``."""
    return HEX_SET(HEX_SET), lambda context, builder, sig, args: builder.lshr(args[0], _filled(1))


@intrinsic
def shift_south(typing_context, cells):
    """See ``hexset``."""
    return HEX_SET(HEX_SET), lambda context, builder, sig, args: _lanes(builder, args[0], (WORDS, *range(WORDS - 1)))


@intrinsic
def shift_north(typing_context, cells):
    """See ``hexset``."""
    return HEX_SET(HEX_SET), lambda context, builder, sig, args: _lanes(builder, args[0], (*range(1, WORDS), WORDS))


# Words and records -----------------------------------------------------------------------------------------------------


@intrinsic
def count_ones(typing_context, word):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def count_trailing_zeros(typing_context, word):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


@intrinsic
def store_bits(typing_context, array, index, word):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        n_bits = sig.args[2].bitwidth
        entry = context.get_data_type(sig.args[0].dtype)
        flags = builder.bitcast(args[2], ir.VectorType(I1, n_bits))
        convert = builder.uitofp if isinstance(entry, ir.FloatType) else builder.zext
        entries = convert(flags, ir.VectorType(entry, n_bits))
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        place = builder.bitcast(builder.gep(data, [args[1]]), entries.type.as_pointer())
        builder.store(entries, place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, word), generate


@intrinsic
def store_bytes(typing_context, array, index, word):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        parts = builder.bitcast(args[2], ir.VectorType(I8, 8))
        entries = builder.zext(parts, ir.VectorType(context.get_data_type(sig.args[0].dtype), 8))
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        builder.store(entries, builder.bitcast(builder.gep(data, [args[1]]), entries.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.uint64), generate


@intrinsic
def copy_record(typing_context, source, i, target, k):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        record = sig.args[0].dtype
        size = context.get_constant(types.intp, record.size)
        places = []
        for array, index in ((2, 3), (0, 1)):
            data = context.make_array(sig.args[array])(context, builder, args[array]).data
            first = builder.bitcast(data, I8.as_pointer())
            places.append(builder.gep(first, [builder.mul(args[index], size)]))
        cgutils.raw_memcpy(builder, *places, size, 1)
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64), generate


@intrinsic
def hash_record(typing_context, records, i):
    """See ``bits``."""

    def generate(context, builder, sig, args):
        size = sig.args[0].dtype.size
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        first = builder.gep(builder.bitcast(data, I8.as_pointer()), [builder.mul(args[1], ir.Constant(I64, size))])
        words = builder.bitcast(first, I64.as_pointer())
        found = cgutils.alloca_once_value(builder, ir.Constant(I64, GAMMA))
        with cgutils.for_range(builder, ir.Constant(I64, size // 8)) as loop:
            word = builder.load(builder.gep(words, [loop.index]), align=1)
            mixed = builder.mul(builder.xor(builder.load(found), word), ir.Constant(I64, MIX_1))
            builder.store(builder.xor(mixed, builder.lshr(mixed, ir.Constant(I64, 32))), found)
        return builder.load(found)

    return types.uint64(records, types.int64), generate


# Atomic operations -----------------------------------------------------------------------------------------------------


def _entry(context, builder, sig, args):
    return builder.gep(context.make_array(sig.args[0])(context, builder, args[0]).data, [args[1]])


@intrinsic
def atomic_add(typing_context, array, index, number):
    """See ``chunks``."""

    def generate(context, builder, sig, args):
        return builder.atomic_rmw("add", _entry(context, builder, sig, args), args[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def atomic_load(typing_context, array, index):
    """See ``chunks``."""

    def generate(context, builder, sig, args):
        return builder.load_atomic(_entry(context, builder, sig, args), "seq_cst", 8)

    return types.int64(array, types.int64), generate


@intrinsic
def atomic_store(typing_context, array, index, number):
    """See ``chunks``."""

    def generate(context, builder, sig, args):
        builder.store_atomic(args[2], _entry(context, builder, sig, args), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate

"""The names that generated modules use, as numba compiles them: machine types and one-instruction helpers.

Importing this imports numba. The same names as plain Python are in `bits.py`; tests hold the two together.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from . import short_vectors, vectors
from .arithmetic import bounded, fail_if, fmod, power, real_floordiv, real_mod, shl, shr, tame
from .object_code import cpu, deposits_quickly
from .pipeline import Pipeline
from .rows import OPERATIONS
from .vocabulary import NAMES

#: how every function of a generated module is compiled. No wrappers: nothing but native code calls it.
#: No reference counting (_nrt): no lowered code allocates, and in a recursion counting costs 4 to 10 times.
#: Division as the machine does it: the check for zero would be a branch in every division.
OPTIONS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, "error_model": "numpy"}
OPTIONS["pipeline_class"] = Pipeline
inner = numba.njit(**OPTIONS)


def _instruction(result: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """An intrinsic of one word that is one LLVM instruction."""

    @intrinsic
    def native(context: Any, x: Any) -> Any:
        return result(types.uint64), lambda ctx, builder, signature, args: emit(builder, args[0])

    return native


_ZERO_IS_FINE = ir.Constant(ir.IntType(1), 0)
_popcount = _instruction(types.int64, lambda b, x: b.ctpop(x))
_ctz = _instruction(types.int64, lambda b, x: b.cttz(x, _ZERO_IS_FINE))
_clz = _instruction(types.int64, lambda b, x: b.ctlz(x, _ZERO_IS_FINE))
_byteswap = _instruction(types.uint64, lambda b, x: b.bswap(x))
_bitreverse = _instruction(types.uint64, lambda b, x: b.bitreverse(x))
u64, i64, f64 = numba.uint64, numba.int64, numba.float64


@inner
def popcount(x):
    return _popcount(u64(x))


@inner
def ctz(x):
    return _ctz(u64(x))


@inner
def clz(x):
    return _clz(u64(x))


@inner
def byteswap(x):
    return _byteswap(u64(x))


@inner
def bitreverse(x):
    return _bitreverse(u64(x))


@intrinsic
def lowest(context, x):
    return x(x), lambda ctx, b, sig, args: b.and_(args[0], b.neg(args[0]))


@intrinsic
def rest(context, x):
    # x & (x - 1): a step shorter than x ^ lowest(x) in the chain that a loop over bits is
    return x(x), lambda ctx, b, sig, args: b.and_(args[0], b.sub(args[0], ir.Constant(args[0].type, 1)))


@inner
def bit(i):
    return shl(u64(1), i)


@inner
def portable_nth(x, k):
    """Bits counted in pairs, fours, ... 32s at once, then six halvings by those counts: no loop, table or branch.

    Six popcounts instead are slower on processors that count in their vector unit.
    """
    x = u64(x)
    pairs = x - ((x >> u64(1)) & u64(0x5555555555555555))
    fours = (pairs & u64(0x3333333333333333)) + ((pairs >> u64(2)) & u64(0x3333333333333333))
    eights = (fours + (fours >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    sixteens = (eights + (eights >> u64(8))) & u64(0x00FF00FF00FF00FF)
    r = i64(0)
    below = i64((sixteens + (sixteens >> u64(16))) & u64(0xFF))
    if k >= below:
        k -= below
        r = 32
    below = i64((sixteens >> u64(r)) & u64(0xFF))
    if k >= below:
        k -= below
        r += 16
    below = i64((eights >> u64(r)) & u64(0xFF))
    if k >= below:
        k -= below
        r += 8
    below = i64((fours >> u64(r)) & u64(0xF))
    if k >= below:
        k -= below
        r += 4
    below = i64((pairs >> u64(r)) & u64(3))
    if k >= below:
        k -= below
        r += 2
    if k >= i64((x >> u64(r)) & u64(1)):
        r += 1
    return r


@intrinsic
def _deposit(context, word, mask):
    def emit(ctx, builder, signature, args):
        word = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(pdep, args)

    return types.uint64(types.uint64, types.uint64), emit


@inner
def deposited_nth(x, k):
    """The k-th bit deposited at the k-th bit of x: two quick instructions of a processor that has them."""
    return _ctz(_deposit(bit(k), u64(x)))


nth = deposited_nth if deposits_quickly(*cpu()) else portable_nth


def _place(builder, args):
    word = ir.IntType(64)
    return builder.inttoptr(builder.add(args[0], builder.shl(args[1], ir.Constant(word, 3))), word.as_pointer())


@intrinsic
def load(context, table, i):
    def emit(ctx, builder, signature, args):
        return builder.load_atomic(_place(builder, args), "monotonic", 8, typ=ir.IntType(64))

    return types.uint64(types.int64, types.int64), emit


@intrinsic
def store(context, table, i, word):
    def emit(ctx, builder, signature, args):
        builder.store_atomic(args[2], _place(builder, args), "monotonic", 8)
        return args[2]

    return types.uint64(types.int64, types.int64, types.uint64), emit


@intrinsic
def plain_load(context, table, i):
    """Like `load`, for a GPU: its compiler knows no atomic reads, and a word at an address of words is read whole."""

    def emit(ctx, builder, signature, args):
        return builder.load(_place(builder, args), align=8, typ=ir.IntType(64))

    return types.uint64(types.int64, types.int64), emit


@intrinsic
def plain_store(context, table, i, word):
    """Like `store`, for a GPU."""

    def emit(ctx, builder, signature, args):
        builder.store(args[2], _place(builder, args), align=8)
        return args[2]

    return types.uint64(types.int64, types.int64, types.uint64), emit


@intrinsic
def prefetch(context, table, i):
    def emit(ctx, builder, signature, args):
        number, place = ir.IntType(32), ir.IntType(8).as_pointer()
        fetch = builder.module.declare_intrinsic("llvm.prefetch", (place,), ir.FunctionType(ir.VoidType(), [place, number, number, number]))
        told = [ir.Constant(number, k) for k in (0, 3, 1)]  # to be read, into the first cache, data
        builder.call(fetch, [builder.bitcast(_place(builder, args), place), *told])
        return ir.Constant(ir.IntType(64), 0)

    return types.uint64(types.int64, types.int64), emit


@intrinsic
def publish(context, table, i, word):
    def emit(ctx, builder, signature, args):
        builder.store_atomic(args[2], _place(builder, args), "release", 8)
        return args[2]

    return types.uint64(types.int64, types.int64, types.uint64), emit


@intrinsic
def take(context, table, i):
    def emit(ctx, builder, signature, args):
        return builder.atomic_rmw("add", _place(builder, args), ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.uint64(types.int64, types.int64), emit


@intrinsic
def swap(context, table, i, old, new):
    def emit(ctx, builder, signature, args):
        return builder.extract_value(builder.cmpxchg(_place(builder, args), args[2], args[3], "monotonic"), 0)

    return types.uint64(types.int64, types.int64, types.uint64, types.uint64), emit


@intrinsic
def to_word(context, x):
    def emit(ctx, builder, signature, args):
        return builder.bitcast(ctx.cast(builder, args[0], signature.args[0], types.float64), ir.IntType(64))

    return types.uint64(x), emit


@intrinsic
def to_real(context, word):
    return types.float64(types.uint64), lambda ctx, builder, sig, args: builder.bitcast(args[0], ir.DoubleType())


@intrinsic
def select(context, c, a, b):
    """a if c else b, with both computed."""
    one = context.unify_types(types.unliteral(a), types.unliteral(b))

    def emit(ctx, builder, signature, args):
        test = ctx.cast(builder, args[0], signature.args[0], types.boolean)
        sides = [ctx.cast(builder, x, t, one) for x, t in zip(args[1:], signature.args[1:], strict=True)]
        return builder.select(ctx.is_true(builder, types.boolean, test), *sides)

    return one(c, a, b), emit


def tuples(rows: Any, kind: str) -> Any:
    """A constant tuple whose elements are all of this kind."""
    if isinstance(rows, tuple):
        return tuple(tuples(row, kind) for row in rows)
    return np.uint64(rows) if kind == "u64" else rows


def arrays(rows: Any, kind: str) -> Any:
    """A constant array: the compiler freezes it into the code."""
    return np.array(rows, {"u64": np.uint64, "i64": np.int64, "f64": np.float64}[kind])


def namespace() -> dict[str, Any]:
    """The globals in which a generated module is executed to be compiled."""
    known = vars(vectors) | vars(short_vectors)
    rows = {f"row_{operation.__name__}": known[operation.__name__] for operation in OPERATIONS}
    return {name: globals()[name] for name in NAMES if name not in rows} | rows | {"bool": bool}


__all__ = [
    "OPTIONS",
    "bounded",
    "fail_if",
    "fmod",
    "inner",
    "math",
    "namedtuple",
    "namespace",
    "power",
    "real_floordiv",
    "real_mod",
    "shl",
    "shr",
    "tame",
]

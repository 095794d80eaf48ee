"""Operations whose undefined cases LLVM would exploit, with a meaning in every case, and checked forms of all operations.

LLVM may assume that a shift is by less than 64 bits, that an index is inside and that a float fits the integer it
becomes, and it may act on that before the test that guards it. Here every case has a value, at the price of no
instruction or of one, so that what a guard leaves unused does no harm.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .faults import FIRST_SITE

I1, I64, F64 = ir.IntType(1), ir.IntType(64), ir.DoubleType()


def whole(kind: Any) -> Any:
    """The machine type of a whole number of this type: a word stays one, the rest are numbers."""
    return types.uint64 if types.unliteral(kind) == types.uint64 else types.int64


def is_real(kind: Any) -> bool:
    return isinstance(types.unliteral(kind), types.Float)


def const(n: int) -> Any:
    return ir.Constant(I64, n)


@intrinsic
def shl(context, x, k):
    """x << k by the low six bits of k, as processors shift: no instruction more."""
    return whole(x)(x, k), _shift(lambda b, signed: b.shl)


@intrinsic
def shr(context, x, k):
    """x >> k by the low six bits of k; a number keeps its sign."""
    return whole(x)(x, k), _shift(lambda b, signed: b.ashr if signed else b.lshr)


def _shift(instruction: Any) -> Any:
    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        x = ctx.cast(builder, args[0], signature.args[0], signature.return_type)
        k = ctx.cast(builder, args[1], signature.args[1], whole(signature.args[1]))
        return instruction(builder, signature.return_type.signed)(x, builder.and_(k, const(63)))

    return emit


@intrinsic
def bounded(context, i, n):
    """The index i of n elements as Python counts, from the end if it is negative; 0 if there is no such element."""

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = whole(signature.args[0])
        i = ctx.cast(builder, args[0], signature.args[0], kind)
        n = ctx.cast(builder, args[1], signature.args[1], types.int64)
        if kind.signed:
            i = builder.select(builder.icmp_signed("<", i, const(0)), builder.add(i, n), i)
        return builder.select(builder.icmp_unsigned("<", i, n), i, const(0))

    return types.uint64(i, n), emit


@intrinsic
def tame(context, x):
    """A float cut to what 64 bits can hold, and 0 for nan; other numbers as they are."""
    if not is_real(x):
        return types.unliteral(x)(types.unliteral(x)), lambda ctx, builder, signature, args: args[0]

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        x = args[0]
        for limit, beyond in ((-9223372036854775808.0, "<"), (9223372036854774784.0, ">")):
            x = builder.select(builder.fcmp_ordered(beyond, x, ir.Constant(F64, limit)), ir.Constant(F64, limit), x)
        return builder.select(builder.fcmp_ordered("ord", x, x), x, ir.Constant(F64, 0.0))

    return types.float64(types.float64), emit


@intrinsic
def fail_if(context, bad, site):
    """End everything that runs if `bad` holds; the status tells the site, the place in the author's text."""

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        bad = ctx.cast(builder, args[0], signature.args[0], types.boolean)
        end_if(builder, bad, ctx.cast(builder, args[1], signature.args[1], types.int64))
        return args[0]

    return bad(bad, site), emit


def end_if(builder: Any, bad: Any, site: Any) -> None:
    """Return from the function that is being built if `bad` holds: callers hand a status of an error on to theirs."""
    with builder.if_then(bad if bad.type == I1 else builder.trunc(bad, I1), likely=False):
        builder.ret(builder.trunc(builder.add(site, const(FIRST_SITE)), ir.IntType(32)))

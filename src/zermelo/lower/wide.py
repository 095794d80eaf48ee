"""Words of the checked build, which may leave their 64 bits until their value is used.

A word that may have left them is carried as a pair of its low bits and whether it has; `clean` ends the run where such a
value is used.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from . import checks
from .arithmetic import I1, const
from .checks import end, no_count
from .vocabulary import CHECKS

PAIR = types.Tuple((types.uint64, types.boolean))


def _parts(ctx: Any, builder: Any, value: Any, kind: Any) -> tuple[Any, Any]:
    """The low bits of a word or a pair, and whether its value has left them."""
    if kind == PAIR:
        return builder.extract_value(value, 0), builder.extract_value(value, 1)
    return ctx.cast(builder, value, kind, types.uint64), ir.Constant(I1, 0)


def _wide(combine: Any) -> Any:
    """An operation on two words, each of which may have left its 64 bits; `combine` gives the low bits and whether it has."""

    @intrinsic
    def native(context: Any, a: Any, b: Any) -> Any:
        def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            both = [_parts(ctx, builder, x, t) for x, t in zip(args, sig.args, strict=True)]
            return ctx.make_tuple(builder, PAIR, combine(builder, *both[0], *both[1]))

        return PAIR(a, b), emit

    return native


def _carry(instruction: str) -> Any:
    def combine(builder: Any, x: Any, p: Any, y: Any, q: Any) -> tuple[Any, Any]:
        both = getattr(builder, instruction)(x, y)
        return builder.extract_value(both, 0), builder.or_(builder.extract_value(both, 1), builder.or_(p, q))

    return combine


wide_add = _wide(_carry("uadd_with_overflow"))
wide_sub = _wide(_carry("usub_with_overflow"))
wide_mul = _wide(_carry("umul_with_overflow"))
wide_and = _wide(lambda b, x, p, y, q: (b.and_(x, y), b.and_(p, q)))
wide_or = _wide(lambda b, x, p, y, q: (b.or_(x, y), b.or_(p, q)))
wide_xor = _wide(lambda b, x, p, y, q: (b.xor(x, y), b.or_(p, q)))


@intrinsic
def wide_shl(context, x, k, site):
    """A word shifted to the left by 0 to 63."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        low, left = _parts(ctx, builder, args[0], sig.args[0])
        k = ctx.cast(builder, args[1], sig.args[1], types.int64)
        end(builder, no_count(builder, k), args[2], (low, types.uint64), (k, types.int64))
        count = builder.and_(k, const(63))
        shifted = builder.shl(low, count)
        lost = builder.icmp_unsigned("!=", builder.lshr(shifted, count), low)
        return ctx.make_tuple(builder, PAIR, (shifted, builder.or_(left, lost)))

    return PAIR(x, k, types.int64), emit


@intrinsic
def wide_not(context, x):
    """~x, which Python makes negative: it has left its 64 bits."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ctx.make_tuple(builder, PAIR, (builder.not_(_parts(ctx, builder, args[0], sig.args[0])[0]), ir.Constant(I1, 1)))

    return PAIR(x), emit


@intrinsic
def wide(context, x):
    """A word as a pair; a negative literal has left its 64 bits."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        low, left = _parts(ctx, builder, args[0], sig.args[0])
        if isinstance(types.unliteral(sig.args[0]), types.Integer) and sig.args[0].signed:
            left = builder.icmp_signed("<", low, const(0))
        return ctx.make_tuple(builder, PAIR, (low, left))

    return PAIR(x), emit


@intrinsic
def clean(context, x, site):
    """A word whose value is used: to have left its 64 bits is a fault."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        low, left = _parts(ctx, builder, args[0], sig.args[0])
        end(builder, left, args[1], (low, types.uint64))
        return low

    return types.uint64(x, types.int64), emit


@intrinsic
def low_bits(context, x):
    """What remains of a word that may have left its 64 bits."""
    return types.uint64(x), lambda ctx, builder, sig, args: _parts(ctx, builder, args[0], sig.args[0])[0]


def namespace() -> dict[str, Any]:
    """What a generated module of the checked build uses beside the names of every module."""
    known = vars(checks) | globals()
    return {name: known[name] for name in CHECKS}

"""The operations of the checked build: each gives Python's answer, or stops the run and reports where.

A number must stay within 64 bits with a sign; words are in `wide.py`. What a fault leaves behind (its operands, the rule asked
for and the state) is in a global array of the module.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .arithmetic import F64, I1, I64, ONE, const, end_if, is_real, multiplied, quotient, raised, remainder, whole
from .faults import ASKED, ROOM, SYMBOL, TYPES

MAX_EXACT_FLOAT = 1 << 53  # whole numbers up to here are floats too


# ---- what is left behind ---------------------------------------------------------------------


def _slot(builder: Any, i: int) -> Any:
    """Word i of the module's array of faults."""
    module = builder.module
    array = module.globals.get(SYMBOL)
    if array is None:
        array = ir.GlobalVariable(module, ir.ArrayType(I64, ROOM), SYMBOL)
        array.linkage, array.initializer = "linkonce_odr", ir.Constant(array.value_type, None)
    return builder.gep(array, [const(0), const(i)], inbounds=True)


def _bits(builder: Any, value: Any) -> Any:
    if value.type == F64:
        return builder.bitcast(value, I64)
    return value if value.type == I64 else builder.zext(value, I64)


def end(builder: Any, bad: Any, site: Any, *operands: tuple[Any, Any]) -> None:
    """End the run if `bad` holds, with these values and their types left behind."""
    with builder.if_then(bad, likely=False):
        builder.store(const(len(operands)), _slot(builder, 0))
        for k, (value, kind) in enumerate(operands):
            builder.store(const(TYPES.index(str(kind))), _slot(builder, 1 + 2 * k))
            builder.store(_bits(builder, value), _slot(builder, 2 + 2 * k))
        end_if(builder, ir.Constant(I1, 1), site)


@intrinsic
def asked(context, rule, s):
    """Remember that an algorithm asks for this rule of this state."""

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(ctx.cast(builder, args[0], signature.args[0], types.int64), _slot(builder, ASKED))
        for k, part in enumerate(_flat(builder, args[1])[: ROOM - ASKED - 1]):
            builder.store(_bits(builder, part), _slot(builder, ASKED + 1 + k))
        return ctx.get_constant(types.int64, 0)

    return types.int64(rule, s), emit


def _flat(builder: Any, value: Any) -> list[Any]:
    if isinstance(value.type, (ir.LiteralStructType, ir.ArrayType)):
        n = len(value.type.elements) if isinstance(value.type, ir.LiteralStructType) else value.type.count
        return [x for k in range(n) for x in _flat(builder, builder.extract_value(value, k))]
    return [value]


# ---- numbers ---------------------------------------------------------------------------------


def _binary(overflow: str, real: Any) -> Any:
    """+, - or * of whole numbers, a fault if the result leaves its 64 bits; of floats as usual."""

    @intrinsic
    def native(context: Any, a: Any, b: Any, site: Any) -> Any:
        if is_real(a) or is_real(b):
            return types.float64(a, b, site), lambda ctx, builder, sig, args: real(builder)(*_cast(ctx, builder, sig, args, types.float64))
        kind = whole(a)

        def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            x, y = _cast(ctx, builder, sig, args, kind)
            both = getattr(builder, ("s" if kind.signed else "u") + overflow)(x, y)
            end(builder, builder.extract_value(both, 1), args[2], (x, kind), (y, kind))
            return builder.extract_value(both, 0)

        return kind(a, b, types.int64), emit

    return native


def _cast(ctx: Any, builder: Any, signature: Any, args: Any, kind: Any) -> list[Any]:
    """The first two arguments as values of this type."""
    return [ctx.cast(builder, x, t, kind) for x, t in zip(args[:2], signature.args[:2], strict=True)]


checked_add = _binary("add_with_overflow", lambda b: b.fadd)
checked_sub = _binary("sub_with_overflow", lambda b: b.fsub)
checked_mul = _binary("mul_with_overflow", lambda b: b.fmul)


@intrinsic(prefer_literal=True)
def checked_power(context, x, k, site):
    """x ** k: of a whole number it must fit 64 bits, of a finite float it must be finite."""
    kind = types.float64 if is_real(x) else whole(x)

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        base = ctx.cast(builder, args[0], sig.args[0], kind)
        site, operands = ctx.cast(builder, args[2], sig.args[2], types.int64), ((base, kind), (const(k.literal_value), types.int64))
        if k.literal_value == 0:
            return ONE if kind == types.float64 else const(1)
        if kind == types.float64:
            result = raised(builder, base, ir.Constant(F64, float(k.literal_value)))
            end(builder, builder.and_(_is_finite(builder, base), builder.not_(_is_finite(builder, result))), site, *operands)
            return result

        def multiply(a: Any, b: Any) -> Any:
            both = getattr(builder, ("s" if kind.signed else "u") + "mul_with_overflow")(a, b)
            end(builder, builder.extract_value(both, 1), site, *operands)
            return builder.extract_value(both, 0)

        return multiplied(multiply, base, k.literal_value)

    return kind(types.unliteral(x), k, types.unliteral(site)), emit


def _divided(operation: Any, of_reals: Any) -> Any:
    """// or % as Python means them; by zero, or the one quotient that does not fit, is a fault."""

    @intrinsic
    def native(context: Any, a: Any, b: Any, site: Any) -> Any:
        kind = types.float64 if is_real(a) or is_real(b) else whole(a)

        def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            x, y = _cast(ctx, builder, sig, args, kind)
            bad = _is_zero(builder, y)
            if kind == types.int64 and operation is operator.floordiv:
                least = builder.icmp_signed("==", x, const(-(1 << 63)))
                bad = builder.or_(bad, builder.and_(least, builder.icmp_signed("==", y, const(-1))))
            end(builder, bad, args[2], (x, kind), (y, kind))
            return of_reals(ctx, builder, x, y) if kind == types.float64 else ctx.get_function(operation, kind(kind, kind))(builder, (x, y))

        return kind(a, b, types.int64), emit

    return native


checked_floordiv, checked_mod = _divided(operator.floordiv, quotient), _divided(operator.mod, remainder)


def _is_zero(builder: Any, x: Any) -> Any:
    return builder.fcmp_ordered("==", x, ir.Constant(F64, 0.0)) if x.type == F64 else builder.icmp_signed("==", x, const(0))


@intrinsic
def checked_div(context, a, b, site):
    """a / b: whole numbers that no float holds exactly would be divided otherwise than by Python."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, y = _cast(ctx, builder, sig, args, types.float64)
        bad = _is_zero(builder, y)
        for value, kind in zip(args[:2], sig.args[:2], strict=True):
            if not is_real(kind):
                bad = builder.or_(bad, _beyond(builder, ctx.cast(builder, value, kind, whole(kind)), whole(kind)))
        end(builder, bad, args[2], (x, types.float64), (y, types.float64))
        return builder.fdiv(x, y)

    return types.float64(a, b, types.int64), emit


def _beyond(builder: Any, x: Any, kind: Any) -> Any:
    """Whether this whole number is so large that a float may not hold it."""
    if not kind.signed:
        return builder.icmp_unsigned(">", x, const(MAX_EXACT_FLOAT))
    return builder.or_(builder.icmp_signed(">", x, const(MAX_EXACT_FLOAT)), builder.icmp_signed("<", x, const(-MAX_EXACT_FLOAT)))


@intrinsic
def exact(context, x, site):
    """A whole number that meets a float, as a float."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_real(sig.args[0]):
            kind = whole(sig.args[0])
            value = ctx.cast(builder, args[0], sig.args[0], kind)
            end(builder, _beyond(builder, value, kind), args[1], (value, kind))
        return ctx.cast(builder, args[0], sig.args[0], types.float64)

    return types.float64(x, types.int64), emit


@intrinsic
def checked_shl(context, x, k, site):
    """A number shifted to the left: what leaves its 64 bits is a fault."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, k = _cast(ctx, builder, sig, args, types.int64)
        count = builder.and_(k, const(63))
        shifted = builder.shl(a, count)
        bad = builder.or_(no_count(builder, k), builder.icmp_signed("!=", builder.ashr(shifted, count), a))
        end(builder, bad, args[2], (a, types.int64), (k, types.int64))
        return shifted

    return types.int64(x, k, types.int64), emit


@intrinsic
def checked_shr(context, x, k, site):
    """A number or a word shifted to the right by 0 to 63."""
    kind = whole(x)

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        a = ctx.cast(builder, args[0], sig.args[0], kind)
        k = ctx.cast(builder, args[1], sig.args[1], types.int64)
        end(builder, no_count(builder, k), args[2], (a, kind), (k, types.int64))
        return (builder.ashr if kind.signed else builder.lshr)(a, builder.and_(k, const(63)))

    return kind(x, k, types.int64), emit


def no_count(builder: Any, k: Any) -> Any:
    return builder.icmp_unsigned(">", k, const(63))


@intrinsic
def checked_whole(context, x, site):
    """int(x): a float that 64 bits do not hold, or a word of 2**63 or more, is a fault."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = sig.args[0]
        if is_real(kind):
            low, high = ir.Constant(F64, -9223372036854775808.0), ir.Constant(F64, 9223372036854775808.0)
            fits = builder.and_(builder.fcmp_ordered(">=", args[0], low), builder.fcmp_ordered("<", args[0], high))
            end(builder, builder.not_(fits), args[1], (args[0], kind))
            return builder.fptosi(builder.select(fits, args[0], ir.Constant(F64, 0.0)), I64)
        value = ctx.cast(builder, args[0], kind, whole(kind))
        if not whole(kind).signed:
            end(builder, builder.icmp_signed("<", value, const(0)), args[1], (value, types.uint64))
        return value

    return types.int64(types.unliteral(x), types.int64), emit


@intrinsic
def not_least(context, x, site):
    """A number whose opposite 64 bits can hold, too: all but the least. A float is any."""
    kind = types.float64 if is_real(x) else whole(x)

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = ctx.cast(builder, args[0], sig.args[0], kind)
        if kind == types.int64:
            end(builder, builder.icmp_signed("==", value, const(-(1 << 63))), args[1], (value, kind))
        return value

    return kind(x, types.int64), emit


@intrinsic
def nonzero(context, x, site):
    """A number that must not be 0."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = ctx.cast(builder, args[0], sig.args[0], types.int64)
        end(builder, _is_zero(builder, value), args[1], (value, types.int64))
        return value

    return types.int64(x, types.int64), emit


@intrinsic
def finite(context, r, given, site):
    """Whether what a function of math gives for these finite floats is finite, too."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        bad = builder.not_(_is_finite(builder, ctx.cast(builder, args[0], sig.args[0], types.float64)))
        operands = _flat(builder, args[1])
        for x in operands:
            bad = builder.and_(bad, _is_finite(builder, x))
        end(builder, bad, args[2], *((x, types.float64) for x in operands))
        return ctx.get_constant(types.int64, 0)

    return types.int64(r, given, types.int64), emit


def _is_finite(builder: Any, x: Any) -> Any:
    """Only of a finite float is the difference with itself 0."""
    return builder.fcmp_ordered("==", builder.fsub(x, x), ir.Constant(F64, 0.0))


@intrinsic
def fail_if(context, bad, site):
    """As in the fast build."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        test = ctx.cast(builder, args[0], sig.args[0], types.boolean)
        end(builder, ctx.is_true(builder, types.boolean, test), args[1])
        return ctx.get_constant(types.int64, 0)

    return types.int64(bad, types.int64), emit


@intrinsic
def fits(context, x, least, most, site):
    """A number that must be within these bounds: what a field of the state can hold."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        value, low, high = (ctx.cast(builder, a, t, types.int64) for a, t in zip(args[:3], sig.args[:3], strict=True))
        end(
            builder, builder.or_(builder.icmp_signed("<", value, low), builder.icmp_signed(">", value, high)), args[3], (value, types.int64)
        )
        return value

    return types.int64(x, types.int64, types.int64, types.int64), emit


@intrinsic
def at(context, i, n, site):
    """An index into n elements, counted from the end if it is negative."""

    def emit(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = whole(sig.args[0])
        i, n = ctx.cast(builder, args[0], sig.args[0], kind), ctx.cast(builder, args[1], sig.args[1], types.int64)
        place = builder.select(builder.icmp_signed("<", i, const(0)), builder.add(i, n), i) if kind.signed else i
        end(builder, builder.icmp_unsigned(">=", place, n), args[2], (i, kind), (n, types.int64))
        return place

    return types.uint64(i, n, types.int64), emit

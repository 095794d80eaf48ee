"""Operations whose undefined cases LLVM would exploit, with a meaning in every case, and checked forms of all operations.

LLVM may assume that a shift is by less than 64 bits, that an index is inside and that a float fits the integer it
becomes, and it may act on that before the test that guards it. Here every case has a value, at the price of no
instruction or of one, so that what a guard leaves unused does no harm.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .faults import FIRST_SITE

I1, I64, F64 = ir.IntType(1), ir.IntType(64), ir.DoubleType()
SMALL_POWER = 16  # a whole exponent up to this is a row of products on a GPU
ZERO, ONE = ir.Constant(F64, 0.0), ir.Constant(F64, 1.0)


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


# ---- floats as Python computes them ----------------------------------------------------------


def _of_either(real: Any, operation: Any) -> Any:
    """An operation on two numbers: `real` builds it if one is a float, else it is the usual one of whole numbers."""

    @intrinsic
    def native(context: Any, x: Any, y: Any) -> Any:
        kind = types.float64 if is_real(x) or is_real(y) else whole(x)

        def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
            both = [ctx.cast(builder, a, t, kind) for a, t in zip(args, signature.args, strict=True)]
            return real(ctx, builder, *both) if kind == types.float64 else ctx.get_function(operation, kind(kind, kind))(builder, both)

        return kind(types.unliteral(x), types.unliteral(y)), emit

    return native


def _divided(ctx: Any, builder: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """What C's fmod leaves of x / y, whether it is 0, and whether y has another sign."""
    left = _fmod(ctx, builder, x, y)
    is_zero = builder.fcmp_ordered("==", left, ZERO)
    signs = [builder.fcmp_ordered("<", v, ZERO) for v in (left, y)]
    return left, is_zero, builder.and_(builder.not_(is_zero), builder.xor(*signs))


def _library(ctx: Any, builder: Any, function: Any, x: Any, y: Any) -> Any:
    """A function of math for two floats, as this target has it."""
    return ctx.get_function(function, types.float64(types.float64, types.float64))(builder, (x, y))


def _fmod(ctx: Any, builder: Any, x: Any, y: Any) -> Any:
    """LLVM's remainder is C's fmod on a processor; on a GPU it is wrong for large quotients, and the GPU's library has a right one."""
    try:
        return _library(ctx, builder, math.fmod, x, y)
    except NotImplementedError:
        return builder.frem(x, y)


@intrinsic
def fmod(context, x, y):
    """math.fmod(x, y)."""

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _fmod(ctx, builder, *(ctx.cast(builder, a, t, types.float64) for a, t in zip(args, signature.args, strict=True)))

    return types.float64(types.unliteral(x), types.unliteral(y)), emit


def remainder(ctx: Any, builder: Any, x: Any, y: Any) -> Any:
    """x % y of floats: it has the sign of y, even if it is 0."""
    left, is_zero, differs = _divided(ctx, builder, x, y)
    moved = builder.select(differs, builder.fadd(left, y), left)
    return builder.select(is_zero, _library(ctx, builder, math.copysign, ZERO, y), moved)


def quotient(ctx: Any, builder: Any, x: Any, y: Any) -> Any:
    """x // y of floats, by the steps of CPython's float_floor_div."""
    left, _, differs = _divided(ctx, builder, x, y)
    exact = builder.fdiv(builder.fsub(x, left), y)
    exact = builder.select(differs, builder.fsub(exact, ONE), exact)
    floor = builder.call(builder.module.declare_intrinsic("llvm.floor", [F64]), [exact])
    is_above = builder.fcmp_ordered(">", builder.fsub(exact, floor), ir.Constant(F64, 0.5))
    snapped = builder.select(is_above, builder.fadd(floor, ONE), floor)
    zero = _library(ctx, builder, math.copysign, ZERO, builder.fdiv(x, y))
    return builder.select(builder.fcmp_ordered("==", exact, ZERO), zero, snapped)


real_mod, real_floordiv = _of_either(remainder, operator.mod), _of_either(quotient, operator.floordiv)


def raised(builder: Any, x: Any, y: Any) -> Any:
    """x ** y of floats by the C library's pow, as in CPython: LLVM must not make products of it, which round otherwise."""
    pow_ = builder.module.globals.get("pow")
    if pow_ is None:
        pow_ = ir.Function(builder.module, ir.FunctionType(F64, [F64, F64]), "pow")
        for attribute in ("nobuiltin", "nounwind", "readnone"):
            pow_.attributes.add(attribute)
    return builder.call(pow_, [x, y])


def multiplied(multiply: Any, base: Any, k: int) -> Any:
    """base ** k for a whole k of 1 or more by squares and products, none of which is larger than the result."""
    total = base
    for digit in f"{k:b}"[1:]:
        total = multiply(total, total)
        total = multiply(total, base) if digit == "1" else total
    return total


def _raised_on_gpu(builder: Any, x: Any, k: int) -> Any:
    """x ** k of a float without a C library: products with what rounding took from each carried along, so that only the end is rounded."""
    value, lost, plain = x, ZERO, x
    for _ in range(k - 1):
        product = builder.fmul(value, x)
        error = builder.fma(value, x, builder.fsub(ZERO, product))
        lost = builder.fma(lost, x, error)
        value = builder.fadd(product, lost)
        lost = builder.fadd(builder.fsub(product, value), lost)
        plain = builder.fmul(plain, x)
    is_finite = builder.fcmp_ordered("==", builder.fsub(value, value), ZERO)
    return builder.select(is_finite, value, plain)


@intrinsic(prefer_literal=True)
def power(context, x, k):
    """x ** k: of a float by the C library's pow, of a whole number by products."""
    return _power(x, k, lambda ctx, builder, base, exponent: raised(builder, base, exponent))


@intrinsic(prefer_literal=True)
def power_on_gpu(context, x, k):
    """x ** k: of a float by products that are rounded once, or by the GPU's pow if k is not a small whole number."""

    def real(ctx: Any, builder: Any, base: Any, exponent: Any) -> Any:
        if isinstance(k, types.IntegerLiteral) and k.literal_value <= SMALL_POWER:
            return _raised_on_gpu(builder, base, k.literal_value)
        return _library(ctx, builder, math.pow, base, exponent)

    return _power(x, k, real)


def _power(x: Any, k: Any, real: Any) -> Any:
    kind = types.float64 if is_real(x) else whole(x)

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        base = ctx.cast(builder, args[0], signature.args[0], kind)
        if isinstance(k, types.IntegerLiteral) and k.literal_value == 0:
            return ONE if kind == types.float64 else const(1)
        if kind == types.float64:
            return real(ctx, builder, base, ctx.cast(builder, args[1], signature.args[1], types.float64))
        return multiplied(builder.mul, base, k.literal_value)

    return kind(types.unliteral(x), k), emit


@intrinsic
def fail_if(context, bad, site):
    """Stop the run if `bad` holds; the status encodes the site, the place in the author's text."""

    def emit(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
        bad = ctx.cast(builder, args[0], signature.args[0], types.boolean)
        end_if(builder, bad, ctx.cast(builder, args[1], signature.args[1], types.int64))
        return args[0]

    return bad(bad, site), emit


def end_if(builder: Any, bad: Any, site: Any) -> None:
    """Return from the function that is being built if `bad` holds: callers hand a status of an error on to theirs."""
    with builder.if_then(bad if bad.type == I1 else builder.trunc(bad, I1), likely=False):
        builder.ret(builder.trunc(builder.add(site, const(FIRST_SITE)), ir.IntType(32)))

"""The operations of `rows.py` as numba compiles them: loops over vectors of LANES floats, which LLVM fits to the processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .rows import BETA_1, BETA_2, EPSILON, LANES, LOG2_E, POWERS_OF_2, ROUNDER, STEEPEST

FLOAT, WORD = ir.FloatType(), ir.IntType(64)
VECTOR, INT_VECTOR = ir.VectorType(FLOAT, LANES), ir.VectorType(ir.IntType(32), LANES)
ALIGNED = 4  # bytes: a row of an odd place is as good


def _at(builder: Any, t: Any, i: Any, kind: Any = VECTOR) -> Any:
    return builder.inttoptr(builder.add(t, builder.shl(i, ir.Constant(WORD, 2))), kind.as_pointer())


def _loaded(builder: Any, t: Any, i: Any) -> Any:
    return builder.load(_at(builder, t, i), align=ALIGNED, typ=VECTOR)


def _all(x: float) -> Any:
    return ir.Constant(VECTOR, [x] * LANES)


def _spread(builder: Any, x: Any) -> Any:
    """A vector whose every lane is x."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(INT_VECTOR, [0] * LANES))


def _single(builder: Any, x: Any) -> Any:
    return builder.fptrunc(x, FLOAT)


def _steps(builder: Any, n: Any) -> Any:
    """A loop over the first place of each LANES of n."""
    return cgutils.for_range_slice(builder, ir.Constant(WORD, 0), n, ir.Constant(WORD, LANES), WORD)


@intrinsic
def get(context, t, i):
    def emit(ctx, builder, signature, args):
        return builder.fpext(builder.load(_at(builder, args[0], args[1], FLOAT), align=ALIGNED, typ=FLOAT), ir.DoubleType())

    return types.float64(types.int64, types.int64), emit


@intrinsic
def put(context, t, i, x):
    def emit(ctx, builder, signature, args):
        builder.store(_single(builder, args[2]), _at(builder, args[0], args[1], FLOAT), align=ALIGNED)
        return args[2]

    return types.float64(types.int64, types.int64, types.float64), emit


@intrinsic
def dot(context, n, t, i, u, j):
    def emit(ctx, builder, signature, args):
        n, t, i, u, j = args
        sums = cgutils.alloca_once_value(builder, _all(0.0))
        with _steps(builder, n) as (k, _):
            product = builder.fmul(_loaded(builder, t, builder.add(i, k)), _loaded(builder, u, builder.add(j, k)))
            builder.store(builder.fadd(builder.load(sums, typ=VECTOR), product), sums)
        left, width = builder.load(sums, typ=VECTOR), LANES
        while width > 1:
            width //= 2
            halves = [ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(a, a + width))) for a in (0, width)]
            left = builder.fadd(*(builder.shuffle_vector(left, ir.Constant(left.type, ir.Undefined), half) for half in halves))
        return builder.fpext(builder.extract_element(left, ir.Constant(ir.IntType(32), 0)), ir.DoubleType())

    return types.float64(*[types.int64] * 5), emit


@intrinsic
def axpy(context, n, x, u, j, t, i):
    def emit(ctx, builder, signature, args):
        n, x, u, j, t, i = args
        factor = _spread(builder, _single(builder, x))
        with _steps(builder, n) as (k, _):
            place = builder.add(i, k)
            product = builder.fmul(factor, _loaded(builder, u, builder.add(j, k)))
            builder.store(builder.fadd(_loaded(builder, t, place), product), _at(builder, t, place), align=ALIGNED)
        return n

    return types.int64(types.int64, types.float64, *[types.int64] * 4), emit


def _elementwise(compute: Callable[[Any, Any, Any], Any]) -> Any:
    """An operation (n, u, j, t, i) that makes of a vector of u and one of t the new one of t."""

    @intrinsic
    def native(context, n, u, j, t, i):
        def emit(ctx, builder, signature, args):
            n, u, j, t, i = args
            with _steps(builder, n) as (k, _):
                place = builder.add(i, k)
                made = compute(builder, _loaded(builder, u, builder.add(j, k)), _loaded(builder, t, place))
                builder.store(made, _at(builder, t, place), align=ALIGNED)
            return n

        return types.int64(*[types.int64] * 5), emit

    return native


def _call(builder: Any, name: str, *args: Any) -> Any:
    """A function of LLVM's, lane by lane."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(args))
    return builder.call(builder.module.declare_intrinsic(f"llvm.{name}.v{LANES}f32", (), kind), args)


def _clipped(builder: Any, x: Any, least: Any, most: Any) -> Any:
    return _call(builder, "minnum", _call(builder, "maxnum", x, least), most)


def _sigmoid(builder: Any, x: Any, _: Any) -> Any:
    clipped = _clipped(builder, x, _all(-STEEPEST), _all(STEEPEST))
    y = builder.fmul(clipped, _all(-LOG2_E))
    rounded = builder.fadd(y, _all(ROUNDER))
    f = builder.fsub(y, builder.fsub(rounded, _all(ROUNDER)))
    power = _all(POWERS_OF_2[0])
    for c in POWERS_OF_2[1:]:
        power = builder.fadd(builder.fmul(power, f), _all(c))
    exponent = builder.shl(builder.bitcast(rounded, INT_VECTOR), ir.Constant(INT_VECTOR, [23] * LANES))
    scale = builder.bitcast(exponent, VECTOR)
    return builder.fdiv(_all(1.0), builder.fadd(_all(1.0), builder.fmul(power, scale)))


def _square(builder: Any, x: Any, _: Any) -> Any:
    clipped = _clipped(builder, x, _all(0.0), _all(1.0))
    return builder.fmul(clipped, clipped)


def _square_slope(builder: Any, x: Any, t: Any) -> Any:
    inside = builder.and_(builder.fcmp_ordered(">", x, _all(0.0)), builder.fcmp_ordered("<", x, _all(1.0)))
    return builder.fmul(t, builder.select(inside, builder.fadd(x, x), _all(0.0)))


copy = _elementwise(lambda builder, u, t: u)
squares = _elementwise(_square)
square_slopes = _elementwise(_square_slope)
sigmoids = _elementwise(_sigmoid)
slopes = _elementwise(lambda builder, u, t: builder.fmul(t, builder.fmul(u, builder.fsub(_all(1.0), u))))


@intrinsic
def clear(context, n, t, i):
    def emit(ctx, builder, signature, args):
        n, t, i = args
        with _steps(builder, n) as (k, _):
            builder.store(_all(0.0), _at(builder, t, builder.add(i, k)), align=ALIGNED)
        return n

    return types.int64(*[types.int64] * 3), emit


@intrinsic
def adam(context, n, t, i, apart, rate, limit):
    def emit(ctx, builder, signature, args):
        n, t, i, apart, rate, limit = args
        rates, most = _spread(builder, _single(builder, rate)), _spread(builder, _single(builder, limit))
        places = [i]
        for _ in range(3):
            places.append(builder.add(places[-1], apart))
        with _steps(builder, n) as (k, _):
            at = [builder.add(place, k) for place in places]
            w, g, m, v = (_loaded(builder, t, place) for place in at)
            m = builder.fadd(builder.fmul(_all(BETA_1), m), builder.fmul(_all(1 - BETA_1), g))
            v = builder.fadd(builder.fmul(_all(BETA_2), v), builder.fmul(_all(1 - BETA_2), builder.fmul(g, g)))
            step = builder.fdiv(builder.fmul(rates, m), builder.fadd(_call(builder, "sqrt", v), _all(EPSILON)))
            w = _clipped(builder, builder.fsub(w, step), builder.fneg(most), most)
            for made, place in zip((w, _all(0.0), m, v), at, strict=True):
                builder.store(made, _at(builder, t, place), align=ALIGNED)
        return n

    return types.int64(*[types.int64] * 4, types.float64, types.float64), emit

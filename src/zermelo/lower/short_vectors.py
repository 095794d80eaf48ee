"""The operations of `short_rows.py` as numba compiles them: loops over vectors of integers, which LLVM fits to the processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .object_code import cpu
from .short_rows import SHORT_LANES

SHORT, WHOLE, WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
VECTOR = ir.VectorType(SHORT, SHORT_LANES)
ALIGNED = 2  # bytes: a row of an odd place is as good
PAIRS = 16  # integers that vpmaddwd multiplies at once


def _at(builder: Any, t: Any, i: Any, kind: Any = VECTOR) -> Any:
    return builder.inttoptr(builder.add(t, builder.shl(i, ir.Constant(WORD, 1))), kind.as_pointer())


def _loaded(builder: Any, t: Any, i: Any) -> Any:
    return builder.load(_at(builder, t, i), align=ALIGNED, typ=VECTOR)


def _steps(builder: Any, n: Any) -> Any:
    """A loop over the first place of each SHORT_LANES of n."""
    return cgutils.for_range_slice(builder, ir.Constant(WORD, 0), n, ir.Constant(WORD, SHORT_LANES), WORD)


def _part(builder: Any, vector: Any, first: int, n: int) -> Any:
    """The n lanes of a vector from the first on."""
    lanes = ir.Constant(ir.VectorType(WHOLE, n), list(range(first, first + n)))
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), lanes)


@intrinsic
def short(context, t, i):
    def emit(ctx, builder, signature, args):
        return builder.sext(builder.load(_at(builder, args[0], args[1], SHORT), align=ALIGNED, typ=SHORT), WORD)

    return types.int64(types.int64, types.int64), emit


def _elementwise(compute: Callable[[Any, Any, Any], Any]) -> Any:
    """An operation (n, u, j, t, i) that makes of a vector of u and one of t the new one of t."""

    @intrinsic
    def native(context, n, u, j, t, i):
        def emit(ctx, builder, signature, args):
            n, u, j, t, i = args
            with _steps(builder, n) as (k, _):
                place = builder.add(i, k)
                made = compute(builder, _loaded(builder, t, place), _loaded(builder, u, builder.add(j, k)))
                builder.store(made, _at(builder, t, place), align=ALIGNED)
            return n

        return types.int64(*[types.int64] * 5), emit

    return native


short_copy = _elementwise(lambda builder, t, u: u)
short_add = _elementwise(lambda builder, t, u: builder.add(t, u))
short_subtract = _elementwise(lambda builder, t, u: builder.sub(t, u))


def _replace(builder: Any, args: Any) -> Any:
    """Rows of u with one row of w added and all others subtracted, in one pass."""
    n, u, j, w, added, *subtracted, t, i = args
    with _steps(builder, n) as (k, _):
        made = builder.add(_loaded(builder, u, builder.add(j, k)), _loaded(builder, w, builder.add(added, k)))
        for row in subtracted:
            made = builder.sub(made, _loaded(builder, w, builder.add(row, k)))
        builder.store(made, _at(builder, t, builder.add(i, k)), align=ALIGNED)
    return n


@intrinsic
def short_replace(context, n, u, j, w, a, b, t, i):
    return types.int64(*[types.int64] * 8), lambda ctx, builder, signature, args: _replace(builder, args)


@intrinsic
def short_replace_two(context, n, u, j, w, a, b, c, t, i):
    return types.int64(*[types.int64] * 9), lambda ctx, builder, signature, args: _replace(builder, args)


def _limit(builder: Any, name: str, x: Any, y: Any) -> Any:
    kind = ir.FunctionType(VECTOR, [VECTOR] * 2)
    return builder.call(builder.module.declare_intrinsic(f"llvm.{name}.v{SHORT_LANES}i16", (), kind), (x, y))


def _spread(builder: Any, x: Any) -> Any:
    """A vector whose every lane is x."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), builder.trunc(x, SHORT), ir.Constant(WHOLE, 0))
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(WHOLE, SHORT_LANES), [0] * SHORT_LANES))


def _sums_of_products(builder: Any, x: Any, y: Any) -> list[Any]:
    """Vectors of 32 bits whose lanes together are the sum of all products of x and y.

    AVX2 multiplies and adds neighbours in one instruction, which LLVM does not find by itself; NEON multiplies halves to 32 bits.
    """
    if "+avx2" in cpu()[1].split(","):
        kind = ir.FunctionType(ir.VectorType(WHOLE, PAIRS // 2), [ir.VectorType(SHORT, PAIRS)] * 2)
        multiply = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx2.pmadd.wd")
        parts = [[_part(builder, v, first, PAIRS) for v in (x, y)] for first in range(0, SHORT_LANES, PAIRS)]
        return [builder.call(multiply, part) for part in parts]
    quarters = [[_part(builder, v, first, 4) for v in (x, y)] for first in range(0, SHORT_LANES, 4)]
    wide = ir.VectorType(WHOLE, 4)
    return [builder.mul(builder.sext(a, wide), builder.sext(b, wide)) for a, b in quarters]


@intrinsic
def clipped_squares(context, n, top, t, i, u, j):
    def emit(ctx, builder, signature, args):
        n, top, t, i, u, j = args
        lanes = _sums_of_products(builder, ir.Constant(VECTOR, None), ir.Constant(VECTOR, None))
        sums = [cgutils.alloca_once_value(builder, ir.Constant(v.type, None)) for v in lanes[:4]]
        least, most = ir.Constant(VECTOR, None), _spread(builder, top)
        with _steps(builder, n) as (k, _):
            x = _limit(builder, "smin", _limit(builder, "smax", _loaded(builder, t, builder.add(i, k)), least), most)
            weighted = builder.mul(x, _loaded(builder, u, builder.add(j, k)))
            for number, product in enumerate(_sums_of_products(builder, weighted, x)):
                to = sums[number % len(sums)]
                builder.store(builder.add(builder.load(to, typ=product.type), product), to)
        lanes_of = lanes[0].type.count
        wide = ir.VectorType(WORD, lanes_of)
        total = ir.Constant(wide, None)
        for one in sums:
            total = builder.add(total, builder.sext(builder.load(one, typ=lanes[0].type), wide))
        while lanes_of > 1:
            lanes_of //= 2
            total = builder.add(*(_part(builder, total, first, lanes_of) for first in (0, lanes_of)))
        return builder.extract_element(total, ir.Constant(WHOLE, 0))

    return types.int64(*[types.int64] * 6), emit

"""The operations of `short_rows.py` as numba compiles them: loops over vectors of integers, which LLVM fits to the processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .object_code import APART, cpu, wide_features
from .short_rows import SHORT_LANES

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
VECTOR = ir.VectorType(I16, SHORT_LANES)
ALIGNED = 2  # bytes: a row of an odd place is as good
#: vectors that stay in registers while rows are added to them, the most first: AVX-512 has 32 registers, AVX2 16 of half the size
BLOCKS = (4, 1)
WIDE_BLOCKS = (8, 4, 1)
#: for each vector width, the number of 16-bit integers and the instruction that multiplies them and adds adjacent products
PAIRED_512, PAIRED_256 = (32, "llvm.x86.avx512.pmaddw.d.512"), (16, "llvm.x86.avx2.pmadd.wd")
MOST_SUMS = 4  # vectors of 32 bits to which products of a row are added by turns: four lanes of NEON wait for each other otherwise
#: the shortest rows for which 512-bit code pays off. On a Cascade Lake, which appears to lower its clock for it, a chess search visited
#: 3 to 6 % more nodes a second than with AVX2 when a network had 256 sums, and 5 to 7 % fewer when it had 128
WIDE_FROM = 256
Body = Callable[[Any, Any, bool], Any]  # what makes code of a builder and its arguments, with AVX-512 or not


def _at(builder: Any, t: Any, i: Any, kind: Any = VECTOR) -> Any:
    return builder.inttoptr(builder.add(t, builder.shl(i, ir.Constant(I64, 1))), kind.as_pointer())


def _loaded(builder: Any, t: Any, i: Any) -> Any:
    return builder.load(_at(builder, t, i), align=ALIGNED, typ=VECTOR)


def _part(builder: Any, vector: Any, first: int, n: int) -> Any:
    """The n lanes of a vector from the first on."""
    lanes = ir.Constant(ir.VectorType(I32, n), list(range(first, first + n)))
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), lanes)


def _of_width(name: str, body: Body, builder: Any, args: Any) -> Any:
    """The code of a body for rows of args[0] integers: long ones in a function of its own where the processor has AVX-512.

    The length is a constant of the game, so that LLVM keeps one of the two.
    """
    if wide_features() is None:
        return body(builder, args, False)
    result = cgutils.alloca_once(builder, I64)
    with builder.if_else(builder.icmp_signed(">=", args[0], ir.Constant(I64, WIDE_FROM))) as (long, other):
        with long:
            builder.store(builder.call(_apart(name, body, builder.module, len(args)), args), result)
        with other:
            builder.store(body(builder, args, False), result)
    return builder.load(result, typ=I64)


def _apart(name: str, body: Body, module: Any, count: int) -> Any:
    """A function that may use AVX-512, as the rest of a module may not."""
    function = module.globals.get(APART + name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(I64, [I64] * count), APART + name)
        function.linkage = "linkonce_odr"
        function.attributes.add("noinline")
        for attribute in (f'"target-features"="{wide_features()}"', '"min-legal-vector-width"="512"'):
            set.add(function.attributes, attribute)  # its own `add` refuses attributes with values, which llvmlite writes nevertheless
        builder, begin = ir.IRBuilder(function.append_basic_block()), function.append_basic_block()
        builder.branch(begin)  # places on the stack are made in the block before
        builder.position_at_end(begin)
        builder.ret(body(builder, function.args, True))
    return function


@intrinsic
def short(context, t, i):
    def emit(ctx, builder, signature, args):
        return builder.sext(builder.load(_at(builder, args[0], args[1], I16), align=ALIGNED, typ=I16), I64)

    return types.int64(types.int64, types.int64), emit


# ---- sums --------------------------------------------------------------------------------------


@intrinsic
def short_change(context, n, u, j, w, rows, view, c, a, added, r, removed, t, i):
    return types.int64(*[types.int64] * 13), lambda ctx, builder, signature, args: _of_width("change", _change, builder, args)


def _change(builder: Any, args: Any, is_wide: bool) -> Any:
    """Blocks of vectors, then single ones: each is read and written once, however many rows are added."""
    n, first = args[0], ir.Constant(I64, 0)
    for vectors in WIDE_BLOCKS if is_wide else BLOCKS:
        end = builder.and_(n, ir.Constant(I64, -vectors * SHORT_LANES))
        with cgutils.for_range_slice(builder, first, end, ir.Constant(I64, vectors * SHORT_LANES), I64) as (k, _):
            _change_block(builder, args, k, vectors)
        first = end
    return n


def _change_block(builder: Any, args: Any, k: Any, vectors: int) -> None:
    """So many vectors of the row from place k on."""
    n, u, j, w, rows, view, c, a, added, r, removed, t, i = args
    places = [builder.add(k, ir.Constant(I64, number * SHORT_LANES)) for number in range(vectors)]
    sums = [cgutils.alloca_once(builder, VECTOR) for _ in places]
    for one, place in zip(sums, places, strict=True):
        builder.store(_loaded(builder, u, builder.add(j, place)), one)
    for operation, at, count in ((builder.add, a, added), (builder.sub, r, removed)):
        with cgutils.for_range(builder, count) as loop:
            listed = builder.add(c, builder.shl(builder.add(at, loop.index), ir.Constant(I64, 3)))
            seen = builder.xor(builder.load(builder.inttoptr(listed, I64.as_pointer()), typ=I64), view)
            row = builder.select(builder.icmp_unsigned("<", seen, rows), seen, ir.Constant(I64, 0))
            begin = builder.mul(row, n)
            for one, place in zip(sums, places, strict=True):
                builder.store(operation(builder.load(one, typ=VECTOR), _loaded(builder, w, builder.add(begin, place))), one)
    for one, place in zip(sums, places, strict=True):
        builder.store(builder.load(one, typ=VECTOR), _at(builder, t, builder.add(i, place)), align=ALIGNED)


# ---- outputs -----------------------------------------------------------------------------------


@intrinsic
def clipped_squares(context, n, top, t, i, h, u, j):
    return types.int64(*[types.int64] * 7), lambda ctx, builder, signature, args: _of_width("squares", _squares, builder, args)


def _squares(builder: Any, args: Any, is_wide: bool) -> Any:
    n, top, t, i, h, u, j = args
    none, most = ir.Constant(VECTOR, None), _spread(builder, top)
    kind = _sums_of_products(builder, none, none, is_wide)[0].type
    sides = [(i, j), (h, builder.add(j, n))]
    sums = [[cgutils.alloca_once_value(builder, ir.Constant(kind, None)) for _ in range(MOST_SUMS)] for _ in sides]
    with cgutils.for_range_slice(builder, ir.Constant(I64, 0), n, ir.Constant(I64, SHORT_LANES), I64) as (k, _):
        for (row, weights), own in zip(sides, sums, strict=True):
            x = _limit(builder, "smax", _loaded(builder, t, builder.add(row, k)), none)
            x = _limit(builder, "smin", x, most)
            weighted = builder.mul(x, _loaded(builder, u, builder.add(weights, k)))
            for number, product in enumerate(_sums_of_products(builder, weighted, x, is_wide)):
                to = own[number % MOST_SUMS]
                builder.store(builder.add(builder.load(to, typ=kind), product), to)
    return _total(builder, [builder.load(one, typ=kind) for own in sums for one in own])


def _total(builder: Any, vectors: list[Any]) -> Any:
    """The sum of all lanes of these vectors, which may need more than 32 bits."""
    n = vectors[0].type.count
    wide = ir.VectorType(I64, n)
    total = ir.Constant(wide, None)
    for vector in vectors:
        total = builder.add(total, builder.sext(vector, wide))
    while n > 1:
        n //= 2
        total = builder.add(*(_part(builder, total, first, n) for first in (0, n)))
    return builder.extract_element(total, ir.Constant(I32, 0))


def _limit(builder: Any, name: str, x: Any, y: Any) -> Any:
    kind = ir.FunctionType(VECTOR, [VECTOR] * 2)
    return builder.call(builder.module.declare_intrinsic(f"llvm.{name}.v{SHORT_LANES}i16", (), kind), (x, y))


def _spread(builder: Any, x: Any) -> Any:
    """A vector whose every lane is x."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), builder.trunc(x, I16), ir.Constant(I32, 0))
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(I32, SHORT_LANES), [0] * SHORT_LANES))


def _sums_of_products(builder: Any, x: Any, y: Any, is_wide: bool) -> list[Any]:
    """Vectors of 32 bits whose lanes together are the sum of all products of x and y.

    AVX-512 and AVX2 multiply and add neighbours in one instruction, which LLVM does not find by itself; NEON multiplies halves to 32 bits.
    """
    if is_wide or "+avx2" in cpu()[1].split(","):
        n, name = PAIRED_512 if is_wide else PAIRED_256
        kind = ir.FunctionType(ir.VectorType(I32, n // 2), [ir.VectorType(I16, n)] * 2)
        multiply = cgutils.get_or_insert_function(builder.module, kind, name)
        return [builder.call(multiply, [_part(builder, v, first, n) for v in (x, y)]) for first in range(0, SHORT_LANES, n)]
    quarters = [[_part(builder, v, first, 4) for v in (x, y)] for first in range(0, SHORT_LANES, 4)]
    wide = ir.VectorType(I32, 4)
    return [builder.mul(builder.sext(a, wide), builder.sext(b, wide)) for a, b in quarters]

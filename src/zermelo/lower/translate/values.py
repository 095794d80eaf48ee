"""What a value of a generated module may be while it is translated, and how LLVM holds it.

A kind is a type of numba's (a number, a word, a float, a truth, a tuple of these), a row in memory, or the work record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target

I8, I64 = ir.IntType(8), ir.IntType(64)
I8P = I8.as_pointer()
ELEMENTS = {np.dtype(np.int64): types.int64, np.dtype(np.uint64): types.uint64, np.dtype(np.float64): types.float64}


class Unknown(Exception):
    """Something that is not translated here."""


class Row(NamedTuple):
    """An array in memory whose lengths are known."""

    element: Any
    shape: tuple[int, ...]


class Work(NamedTuple):
    """A work record."""

    dtype: np.dtype[Any]


Kind = Any  # a type of numba's, Row or Work


def row_of(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Row:
    if dtype not in ELEMENTS:
        raise Unknown(f"an array of {dtype}")
    return Row(ELEMENTS[dtype], shape)


def is_scalar(kind: Kind) -> bool:
    return kind in (types.int64, types.uint64, types.float64, types.boolean)


def is_tuple(kind: Kind) -> bool:
    return isinstance(kind, types.BaseTuple)


def joined(a: Kind, b: Kind) -> Kind:
    """The kind of a variable that is sometimes of the one and sometimes of the other."""
    if a == b:
        return a
    if isinstance(a, (Row, Work)) or isinstance(b, (Row, Work)) or {a, b} == {types.int64, types.uint64}:
        raise Unknown(f"{a} and {b} in one place")
    one = cpu_target.typing_context.unify_types(a, b)
    if one is None or not (is_scalar(one) or is_tuple(one)):
        raise Unknown(f"{a} and {b} in one place")
    return one


def llvm_type(kind: Kind) -> ir.Type:
    """How LLVM holds a value of this kind."""
    if isinstance(kind, Work):
        return I8P
    if isinstance(kind, Row):
        return llvm_type(kind.element).as_pointer()
    if not (is_scalar(kind) or is_tuple(kind)):
        raise Unknown(f"a value of {kind}")
    return cpu_target.target_context.get_value_type(kind)


def slot(builder: Any, kind: ir.Type, name: str = "") -> Any:
    """The address of a new place in the stack for a value that is written before it is read.

    It is made in the first block of the function, which holds nothing else: a place made further down counts as one whose size is
    known only when it is reached, and LLVM would inline no function that has one.
    """
    with builder.goto_entry_block():
        return builder.alloca(kind, name=name)


def flat(kind: Kind) -> list[ir.Type]:
    """The types of the arguments that a value of this kind is passed as: the parts of a tuple each for itself.

    A truth is a byte that is compared with 0, as numba has it: LLVM orders blocks by such comparisons (4 % of a random game of checkers).
    """
    if is_tuple(kind):
        return [t for part in kind.types for t in flat(part)]
    return [I8 if kind == types.boolean else llvm_type(kind)]


def parts(builder: Any, kind: Kind, value: Any) -> Iterator[Any]:
    """The arguments that a value is passed as."""
    if not is_tuple(kind):
        yield builder.zext(value, I8) if kind == types.boolean else value
        return
    for i, part in enumerate(kind.types):
        yield from parts(builder, part, builder.extract_value(value, i))


def rebuilt(context: Any, builder: Any, kind: Kind, arguments: Iterator[Any]) -> Any:
    """The value that was passed as these arguments."""
    if not is_tuple(kind):
        value = next(arguments)
        return builder.icmp_unsigned("!=", value, ir.Constant(I8, 0)) if kind == types.boolean else value
    return context.make_tuple(builder, kind, [rebuilt(context, builder, part, arguments) for part in kind.types])

"""Expressions of generated text: the kind of each, and how its code is emitted.

A method gives the kind of an expression and a function that emits its code when it is called and returns the value: types are
inferred by asking for the first alone.
"""

from __future__ import annotations

import ast
import builtins
import operator
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .calls import Calls, Emit, Value
from .functions import Pending, target
from .values import I64, Kind, Row, Unknown, Work, is_scalar, is_tuple, joined, llvm_type, row_of, slot

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPARE = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
UNARY = {ast.USub: operator.neg, ast.Invert: operator.invert, ast.UAdd: operator.pos}
NUMBERS = (bool, int, float, np.uint64, np.int64, np.float64)


class Expressions(Calls):
    """The expressions of one function. Only an Emission has a builder."""

    places: dict[str, Any]

    # ---- by syntax ---------------------------------------------------------------------------------

    def value(self, e: ast.expr) -> Value:
        """The kind of an expression and how to emit it."""
        method = getattr(self, type(e).__name__, None)
        if method is None:
            raise Unknown(type(e).__name__)
        return method(e)  # type: ignore[no-any-return]

    def Constant(self, e: ast.Constant) -> Value:
        return self.constant(e.value)

    def Name(self, e: ast.Name) -> Value:
        if e.id in self.function.names:
            kind = self.function.variables.get(e.id)
            if kind is None:
                raise Pending
            return kind, lambda: self.builder.load(self.places[e.id])
        return self.constant(self.known(e))

    def known(self, e: ast.expr) -> Any:
        """The object of Python that a name means, which is no variable."""
        if isinstance(e, ast.Attribute):
            return getattr(self.known(e.value), e.attr)
        if not isinstance(e, ast.Name) or e.id in self.function.names:
            raise Unknown(ast.unparse(e))
        found = self.function.scope.get(e.id, getattr(builtins, e.id, None))
        if found is None:
            raise Unknown(e.id)
        return found

    def constant(self, value: Any) -> Value:
        if isinstance(value, np.ndarray):
            kind = row_of(value.dtype, value.shape)
            return kind, lambda: self.in_memory(value, kind)
        if not isinstance(value, (*NUMBERS, tuple)):
            raise Unknown(f"a constant {type(value).__name__}")
        kind = constant_kind(value)
        return kind, lambda: target().get_constant_generic(self.builder, kind, value)

    def in_memory(self, array: Any, row: Row) -> Any:
        """The address of the elements of a constant array."""

        def make() -> ir.Constant:
            kind = llvm_type(row.element)
            return ir.Constant(ir.ArrayType(kind, array.size), [ir.Constant(kind, x.item()) for x in array.ravel()])

        return self.builder.bitcast(self.module.constant(array, make), llvm_type(row))

    def Tuple(self, e: ast.Tuple) -> Value:
        values = [self.value(x) for x in e.elts]
        return self.tuple_of(values)

    def BinOp(self, e: ast.BinOp) -> Value:
        left, right = self.value(e.left), self.value(e.right)
        if is_tuple(left[0]) and is_tuple(right[0]) and isinstance(e.op, ast.Add):
            return self.concatenated(left, right)
        return self.binary(e.op, left, right)

    def concatenated(self, left: Value, right: Value) -> Value:
        kind = types.BaseTuple.from_types((*left[0].types, *right[0].types))

        def emit() -> Any:
            both = [cgutils.unpack_tuple(self.builder, side()) for _, side in (left, right)]
            return target().make_tuple(self.builder, kind, both[0] + both[1])

        return kind, emit

    def binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        if type(op) not in BINARY:
            raise Unknown(type(op).__name__)
        return self.called(BINARY[type(op)], [left, right])

    def UnaryOp(self, e: ast.UnaryOp) -> Value:
        if isinstance(e.operand, ast.Constant) and isinstance(e.operand.value, (int, float)) and isinstance(e.op, ast.USub):
            return self.constant(-e.operand.value)
        if isinstance(e.op, ast.Not):
            value = self.condition(e.operand)
            return types.boolean, lambda: self.builder.not_(self.truth(value))
        return self.called(UNARY[type(e.op)], [self.value(e.operand)])

    def Compare(self, e: ast.Compare) -> Value:
        values = [self.value(x) for x in (e.left, *e.comparators)]
        if any(type(op) not in COMPARE for op in e.ops):
            raise Unknown("a comparison")
        pairs = [self.called(COMPARE[type(op)], values[i : i + 2]) for i, op in enumerate(e.ops)]
        if len(pairs) == 1:
            return pairs[0]
        if not all(is_scalar(kind) for kind, _ in values):
            raise Unknown("a chain of comparisons of tuples")

        def compared(i: int, left: Any, right: Any) -> Any:
            return self.truth(self.called(COMPARE[type(e.ops[i])], [(values[i][0], lambda: left), (values[i + 1][0], lambda: right)]))

        def at_once() -> Any:
            made = [value() for _, value in values]  # each once; they are cheap, and none has an effect
            whole = compared(0, made[0], made[1])
            for i in range(1, len(pairs)):
                whole = self.builder.and_(whole, compared(i, made[i], made[i + 1]))
            return whole

        def in_turn() -> Any:
            place, end = slot(self.builder, ir.IntType(1)), self.builder.append_basic_block()
            left = values[0][1]()
            for i in range(len(pairs)):
                right = values[i + 1][1]()
                truth = compared(i, left, right)
                self.builder.store(truth, place)
                more = self.builder.append_basic_block() if i + 1 < len(pairs) else end
                self.builder.cbranch(truth, more, end)
                self.builder.position_at_end(more)
                left = right
            return self.builder.load(place)

        has_call = any(isinstance(n, ast.Call) for x in e.comparators[1:] for n in ast.walk(x))  # it may end the run, or never be asked
        return types.boolean, in_turn if has_call else at_once

    def condition(self, e: ast.expr) -> Value:
        """A value of which only the truth is asked: a word and a number may stand beside each other."""
        if not isinstance(e, ast.BoolOp):
            return self.value(e)
        values = [self.condition(x) for x in e.values]
        if {types.int64, types.uint64} <= {kind for kind, _ in values}:
            values = [(types.boolean, partial(self.truth, value)) for value in values]
        return self.first_that_decides(e.op, values)

    def BoolOp(self, e: ast.BoolOp) -> Value:
        return self.first_that_decides(e.op, [self.value(x) for x in e.values])

    def first_that_decides(self, op: ast.boolop, values: list[Value]) -> Value:
        """The first value that makes `and` or `or` known, else the last; later ones are not evaluated."""
        kind = values[0][0]
        for other, _ in values[1:]:
            kind = joined(kind, other)

        def emit() -> Any:
            place = slot(self.builder, llvm_type(kind))
            end = self.builder.append_basic_block()
            for i, (own, make) in enumerate(values):
                value = make()
                self.builder.store(self.cast(value, own, kind), place)
                if i == len(values) - 1:
                    self.builder.branch(end)
                    break
                more = self.builder.append_basic_block()
                truth = target().is_true(self.builder, own, value)
                self.builder.cbranch(truth, *((more, end) if isinstance(op, ast.And) else (end, more)))
                self.builder.position_at_end(more)
            self.builder.position_at_end(end)
            return self.builder.load(place)

        return kind, emit

    def IfExp(self, e: ast.IfExp) -> Value:
        test, sides = self.condition(e.test), [self.value(e.body), self.value(e.orelse)]
        kind = joined(sides[0][0], sides[1][0])

        def emit() -> Any:
            place = slot(self.builder, llvm_type(kind))
            with self.builder.if_else(self.truth(test)) as branches:
                for branch, (own, make) in zip(branches, sides, strict=True):
                    with branch:
                        self.builder.store(self.cast(make(), own, kind), place)
            return self.builder.load(place)

        return kind, emit

    def Attribute(self, e: ast.Attribute) -> Value:
        if isinstance(e.value, ast.Name) and e.value.id not in self.function.names:
            return self.constant(self.known(e))
        kind, emit = self.value(e.value)
        if isinstance(kind, Work):
            field, address = self.field(kind, emit, e.attr)
            return field, address if isinstance(field, Row) else lambda: self.builder.load(address())
        if is_tuple(kind) and hasattr(kind, "fields") and e.attr in kind.fields:
            i = kind.fields.index(e.attr)
            return kind.types[i], lambda: self.builder.extract_value(emit(), i)
        if isinstance(kind, Row) and e.attr == "shape":
            return self.constant(kind.shape)
        raise Unknown(ast.unparse(e))

    def field(self, work: Work, emit: Emit, name: str) -> Value:
        """The kind of a field of the record, and how to emit its address."""
        dtype, offset = work.dtype.fields[name][:2]  # type: ignore[index]
        base, shape = dtype.subdtype or (dtype, ())
        row = row_of(base, shape)

        def address() -> Any:
            place = self.builder.gep(emit(), [ir.Constant(I64, offset)])
            return self.builder.bitcast(place, llvm_type(row))

        return (row if shape else row.element), address

    def Subscript(self, e: ast.Subscript) -> Value:
        kind, emit = self.value(e.value)
        if isinstance(kind, Row):
            found, address = self.element(kind, emit, e.slice)
            return found, address if isinstance(found, Row) else lambda: self.builder.load(address())
        if is_tuple(kind):
            return self.part(kind, emit, e.slice)
        raise Unknown(ast.unparse(e))

    def element(self, row: Row, emit: Emit, index: ast.expr) -> Value:
        """The kind of an element of a row, or of a row of rows, and how to emit its address."""
        indices = [self.value(i) for i in (index.elts if isinstance(index, ast.Tuple) else [index])]
        if len(indices) > len(row.shape) or any(kind not in (types.int64, types.uint64) for kind, _ in indices):
            raise Unknown(f"an index into {row}")
        left = row.shape[len(indices) :]

        def address() -> Any:
            place, stride = emit(), int(np.prod(row.shape))
            for n, (kind, make) in zip(row.shape, indices, strict=False):
                stride //= n
                steps = self.builder.mul(self.counted(make(), kind, n), ir.Constant(I64, stride))
                place = self.builder.gep(place, [steps])
            return place

        return (Row(row.element, left) if left else row.element), address

    def counted(self, i: Any, kind: Kind, n: int) -> Any:
        """An index of n elements as numba takes it: a number below 0 counts from the end."""
        if isinstance(i, ir.Constant):
            return ir.Constant(I64, i.constant + n if kind.signed and i.constant < 0 else i.constant)
        if not kind.signed:
            return i
        is_below = self.builder.icmp_signed("<", i, ir.Constant(I64, 0))
        return self.builder.select(is_below, self.builder.add(i, ir.Constant(I64, n)), i)

    def part(self, kind: Kind, emit: Emit, index: ast.expr) -> Value:
        """An element of a tuple."""
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and -len(kind) <= index.value < len(kind):
            i = index.value % len(kind)
            return kind.types[i], lambda: self.builder.extract_value(emit(), i)
        if isinstance(index, ast.Slice):
            return self.slice(kind, emit, index)
        own, make = self.value(index)
        if len(set(kind.types)) != 1 or own not in (types.int64, types.uint64):
            raise Unknown("an index into a tuple")

        def element() -> Any:
            place = self.spread(kind, emit())
            return self.builder.load(self.builder.gep(place, [self.counted(make(), own, len(kind))]))

        return kind.types[0], element

    def slice(self, kind: Kind, emit: Emit, index: ast.Slice) -> Value:
        """Some elements of a tuple."""
        ends = [None if e is None else ast.literal_eval(e) for e in (index.lower, index.upper, index.step)]
        chosen = range(len(kind))[slice(*ends)]
        found = types.BaseTuple.from_types(tuple(kind.types[i] for i in chosen))

        def some() -> Any:
            value = emit()
            return target().make_tuple(self.builder, found, [self.builder.extract_value(value, i) for i in chosen])

        return found, some

    def spread(self, kind: Kind, value: Any) -> Any:
        """The address of the elements of a tuple of equal ones, in memory."""
        element = llvm_type(kind.types[0])
        if isinstance(value, ir.Constant):
            place: Any = self.module.constant(value, lambda: value)
        else:
            place = slot(self.builder, value.type)
            self.builder.store(value, place)
        return self.builder.bitcast(place, element.as_pointer())


def constant_kind(value: Any) -> Kind:
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(tuple(constant_kind(v) for v in value))
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, (float, np.float64)):
        return types.float64
    if not -(1 << 63) <= value < 1 << 64:
        raise Unknown("a number beyond 64 bits")
    if isinstance(value, np.uint64) or value >= 1 << 63:
        return types.uint64
    return types.int64

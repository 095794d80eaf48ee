"""Expressions of rules and algorithms in lowered form: literals typed, constants in place, sequences written out.

The half of `emit.py` that looks at expressions; functions, statements and the module are there.
"""

from __future__ import annotations

import ast

import numpy as np

from .. import bits
from .emit_calls import Calls
from .fold import connected, folded, is_safe
from .pieces import call_of, name_of, tuple_of_parts

#: operations on floats that a processor has no instruction for, or one that rounds otherwise than Python does
REAL_OPERATIONS: dict[type[ast.operator], str] = {ast.Pow: "power", ast.FloorDiv: "real_floordiv", ast.Mod: "real_mod"}


class Expressions(Calls):
    """Turns expressions of the unit `_u` into those of the generated module."""

    def x(self, e: ast.expr) -> ast.expr:
        return self.loose(e)

    def loose(self, e: ast.expr) -> ast.expr:
        """The expression where only the low 64 bits of its value matter in the end: an operand of + - * << ~ & | ^ on words."""
        new, natural = self._x(e)
        node = self.p.of.get(id(e))
        if node is not None and node.is_word and not natural:
            return call_of("u64", new)
        return new

    def low_bits(self, e: ast.expr) -> ast.expr:
        return self.loose(e)

    def _x(self, e: ast.expr) -> tuple[ast.expr, bool]:
        """The lowered expression, and whether it is of its node's kind without conversion."""
        match e:
            case ast.Constant():
                return ast.Constant(e.value), False
            case ast.Name() if e.id in self._turn:
                return self._turn[e.id], not isinstance(self._turn[e.id], ast.Constant)
            case ast.Name() | ast.Attribute() if (ref := self.p.refs.get(id(e))) is not None:
                node = self.p.of[id(e)]
                if node.find().shape in ("tuple", "array"):
                    return name_of(self.sequence(e, node.find().shape or "")), True
                if self._turn and isinstance(ref.value, int):
                    return ast.Constant(ref.value), False  # so that what it decides in this turn is decided here
                return name_of(self.constant(ref, node, "scalar")), False
            case ast.Name():
                return ast.Name(self.local(e.id), e.ctx), True
            case ast.Attribute():
                field = self.p.fields.get(e.attr)
                return ast.Attribute(self.x(e.value), e.attr, e.ctx), not (field and field.type == "bool")
            case ast.BinOp(left=left, op=op, right=right):
                new = self.operation(e, left, op, right)
                return new, not isinstance(new, ast.Constant)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(ast.Not(), self.x(operand)), False
            case ast.UnaryOp():
                return self.unary(e), True
            case ast.BoolOp():
                return connected(e.op, [self.x(v) for v in e.values]), False
            case ast.Compare():
                return self.comparison(e), False
            case ast.IfExp():
                return self.choice(e), True
            case ast.Tuple():
                return tuple_of_parts([self.x(v) for v in e.elts], e.ctx), True
            case ast.Subscript():
                return self.subscript(e), True
            case ast.Call():
                return self.call(e)
        raise AssertionError(ast.dump(e))

    def sequence(self, e: ast.expr, form: str) -> str:
        """The name of a constant tuple or array in the form that is needed."""
        ref, node = self.p.refs[id(e)], self.p.of[id(e)]
        least = min(np.asarray(ref.value, dtype=object).ravel())
        if node.innermost.is_word and least < 0:
            instead = f"write it as {hex(int(least) & bits.FULL)} there, or i64(...) around the words"
            self._u.refuse(e, f"`{ast.unparse(e)}` holds {least} and meets words (u64), which are never negative: {instead}")
        return self.constant(ref, node, form)

    def operation(self, at: ast.BinOp | ast.AugAssign, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
        """`left op right`; a shift by what is known only at run time has a meaning for every count."""
        if self.reals.is_real(self._u, left) or self.reals.is_real(self._u, right):
            return self.of_reals(at, left, op, right)
        new = folded(ast.BinOp(self.x(left), op, self.x(right)))
        if not isinstance(new, ast.BinOp):
            return new
        if isinstance(op, ast.Pow):  # numba would make a float of a word's
            return call_of("power", new.left, self.exponent(right))
        if isinstance(op, (ast.LShift, ast.RShift)) and not _is_count(new.right):
            return call_of("shl" if isinstance(op, ast.LShift) else "shr", new.left, new.right)
        return new

    def exponent(self, e: ast.expr) -> ast.Constant:
        """The constant exponent of a power."""
        return ast.Constant(self.infer.static(self._u, e))

    def of_reals(self, at: ast.BinOp | ast.AugAssign, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
        """`left op right` of floats: a power, a quotient or a remainder is computed as Python computes it."""
        name, x = REAL_OPERATIONS.get(type(op)), self.x(left)
        y = self.exponent(right) if isinstance(op, ast.Pow) else self.x(right)
        return ast.BinOp(x, op, y) if name is None else call_of(name, x, y)

    def unary(self, e: ast.UnaryOp) -> ast.expr:
        """-x, +x or ~x; the bits of a truth are those of a number, as in Python."""
        operand = self.x(e.operand)
        if isinstance(e.op, ast.Invert) and not self.p.of[id(e)].is_word:
            operand = call_of("i64", operand)
        return ast.UnaryOp(e.op, operand)

    def choice(self, e: ast.IfExp) -> ast.expr:
        """`x if c else y`: a select where both sides are cheap and safe to compute, else a branch.

        A tuple(...) written out has one for each element: as branches they take numba seconds to compile.
        """
        test, body, orelse = self.x(e.test), self.x(e.body), self.x(e.orelse)
        if isinstance(test, ast.Constant):
            return body if test.value else orelse
        scalar = self.p.of[id(e)].find().shape is None
        if scalar and is_safe(body) and is_safe(orelse):
            return call_of("select", test, body, orelse)
        return ast.IfExp(test, body, orelse)

    def comparison(self, e: ast.Compare) -> ast.expr:
        if isinstance(e.ops[0], (ast.In, ast.NotIn)):
            return self.membership(e, isinstance(e.ops[0], ast.In))
        left, *others = self.sides(e, [e.left, *e.comparators])
        return folded(ast.Compare(left, e.ops, others))

    def membership(self, e: ast.Compare, inside: bool) -> ast.expr:
        """`x in t` or `x not in t`: x and all elements are computed, then compared one by one until one is equal."""
        among = e.comparators[0]
        if isinstance(among, ast.Tuple):
            first, (x, *parts) = self.held(self.sides(e, [e.left, *among.elts]))
        else:
            first, (x, t) = self.held(self.sides(e, [e.left, among]))
            parts = self.elements(t, self.p.of[id(among)].length or 0)
        one: list[ast.expr] = [ast.Compare(x, [ast.Eq() if inside else ast.NotEq()], [part]) for part in parts]
        return self.after(first, one[0] if len(one) == 1 else ast.BoolOp(ast.Or() if inside else ast.And(), one))

    def sides(self, e: ast.Compare, sides: list[ast.expr]) -> list[ast.expr]:
        """What is compared, in lowered form."""
        return [self.x(side) for side in sides]

    def subscript(self, e: ast.Subscript) -> ast.expr:
        base, node = e.value, self.p.of[id(e.value)]
        index = self.infer.static(self._u, e.slice) if not isinstance(e.slice, (ast.Slice, ast.Tuple)) else None
        if node.find().shape == "tuple" and not isinstance(e.slice, ast.Slice) and index is None:
            turn = self.x(e.slice)
            if isinstance(turn, ast.Constant):  # a turn of a generator expression
                return ast.Subscript(self.x(base), turn, e.ctx)
            if (array := self._indexed(e)) is not None:
                return array
            return self.picked(e, self.x(base), turn, node.length or 0)
        if node.find().shape == "array" and (array := self._indexed(e)) is not None:
            return array
        if isinstance(e.slice, ast.Slice):
            low, high = (None if v is None else ast.Constant(self.infer.static(self._u, v)) for v in (e.slice.lower, e.slice.upper))
            return ast.Subscript(self.x(base), ast.Slice(low, high, None), e.ctx)
        if index is not None and node.find().shape == "tuple":
            return ast.Subscript(self.x(base), ast.Constant(index), e.ctx)
        return self.element(e)

    def picked(self, e: ast.Subscript, t: ast.expr, index: ast.expr, n: int) -> ast.expr:
        """An element of a tuple by a run-time index."""
        return call_of(self.helper("pick", n), t, index)

    def element(self, e: ast.Subscript) -> ast.expr:
        """An element or a row of an array that is not a constant, or of a constant with fewer indices than it has dimensions."""
        array, indices = self.x(e.value), e.slice.elts if isinstance(e.slice, ast.Tuple) else [e.slice]
        shape = ast.Attribute(array, "shape", ast.Load())
        lengths = [ast.Subscript(shape, ast.Constant(k), ast.Load()) for k in range(len(indices))]
        places = [self.place(e, self.x(i), n) for i, n in zip(indices, lengths, strict=True)]
        return ast.Subscript(array, places[0] if len(places) == 1 else ast.Tuple(places, ast.Load()), e.ctx)

    def place(self, e: ast.Subscript, index: ast.expr, n: ast.expr) -> ast.expr:
        """An index into n elements: whatever a rule asks for, nothing outside is read. An algorithm's own indices are not tested."""
        base: ast.expr = e
        while isinstance(base, (ast.Subscript, ast.Attribute)):
            base = base.value
        is_work = isinstance(base, ast.Name) and base.id in self.infer.records
        return index if is_work or self._u.owner == "game" else call_of("bounded", index, n)

    def _indexed(self, e: ast.Subscript) -> ast.expr | None:
        """An element of a constant, read from its array: K[i], K[i][j] and K[i, j]; or a row of a tuple of tuples. None if e is neither."""
        indices: list[ast.expr] = []
        base: ast.expr = e
        while isinstance(base, ast.Subscript) and not isinstance(base.slice, ast.Slice):
            here = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            indices = [*here, *indices]
            base = base.value
        ref = self.p.refs.get(id(base))
        rows = int(self.p.of[id(e.value)].find().shape == "tuple")
        if ref is None or ref.what != "const" or not 0 <= np.ndim(ref.value) - len(indices) <= rows:
            return None
        array = name_of(self.sequence(base, "array"))
        shape = np.shape(ref.value)
        places = [self.place(e, self.x(i), ast.Constant(n)) for i, n in zip(indices, shape, strict=False)]
        if len(places) == len(shape):
            return _at(array, places, e.ctx)
        first, places = self.held(places)
        return self.after(first, tuple_of_parts([_at(array, [*places, ast.Constant(k)], e.ctx) for k in range(shape[-1])], e.ctx))


def _at(array: ast.expr, places: list[ast.expr], ctx: ast.expr_context) -> ast.expr:
    """An element of an array."""
    return ast.Subscript(array, places[0] if len(places) == 1 else ast.Tuple(places, ast.Load()), ctx)


def _is_count(e: ast.expr) -> bool:
    """Whether a word can surely be shifted by this."""
    return isinstance(e, ast.Constant) and isinstance(e.value, int) and 0 <= e.value < 64

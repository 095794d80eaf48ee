"""What is known of the value of every expression: a word or a number, a scalar, a tuple or a state.

The half of `infer.py` that looks at expressions; statements and calls are there.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ..errors import nearest
from ..tables import Table
from . import advice
from .kinds import Clash, Node, number, of_dtype, of_value, scalar, tuple_of, unify
from .program import Program
from .source import Unit

UNROLLED = 64  # the longest sequence that a generator expression is unrolled over


class Values:
    """Learns from expressions; `records` gives the fields of the parameters that are work records."""

    def __init__(self, program: Program, records: dict[str, Any] | None = None):
        self.p, self.records = program, records or {}

    def call(self, u: Unit, e: ast.Call) -> Node:
        """What a call gives; it walks what is called."""
        raise NotImplementedError

    def in_rule(self, u: Unit) -> bool:
        """Whether this unit is a rule, or is walked because a rule calls it."""
        raise NotImplementedError

    # ---- expressions -------------------------------------------------------------------------

    def meet(self, u: Unit, a: Node, b: Node, at: ast.AST) -> None:
        try:
            unify(a, b)
        except Clash as clash:
            u.refuse(at, f"in `{shown(at)}` {clash}: {advice.of_clash(at, str(clash))}")

    def expr(self, u: Unit, e: ast.expr) -> Node:
        node = self._expr(u, e)
        self.p.of[id(e)] = node
        return node

    def _expr(self, u: Unit, e: ast.expr) -> Node:
        match e:
            case ast.Constant(value=value):
                node = of_value(value, repr(value))
                return node if node is not None else u.refuse(e, advice.of_constant(value, "this number", ""))
            case ast.Name() | ast.Attribute():
                return self.name(u, e)
            case ast.Call():
                return self.call(u, e)
            case ast.BinOp(left=left, op=op, right=right):
                return self.operation(u, e, self.expr(u, left), op, self.expr(u, right), right)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.truth(u, operand)
            case ast.UnaryOp(op=op, operand=operand):
                node = self.expr(u, operand)
                if isinstance(op, ast.Invert) and self.is_truth(operand):  # -1 or -2, both of them true: surely not meant
                    u.refuse(e, f"`{ast.unparse(e)}` turns the bits of a truth: write not")
                if node.find().shape:
                    u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered on {node}: apply it to one number")
                return node
            case ast.BoolOp(values=values):
                return self.either(u, e, [self.expr(u, v) for v in values])
            case ast.Compare():
                return self.comparison(u, e)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.truth(u, test)
                node = self.expr(u, body)
                self.meet(u, node, self.expr(u, orelse), e)
                return node
            case ast.Tuple(elts=elts):
                if not elts:
                    u.refuse(e, "an empty tuple cannot be lowered: tuples have a fixed length of 1 or more")
                return tuple_of([self.expr(u, x) for x in elts])
            case ast.Subscript():
                return self.subscript(u, e)
        return u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: write it with numbers, tuples and loops")

    def is_truth(self, e: ast.expr) -> bool:
        """Whether the text shows that this is True or False."""
        if isinstance(e, ast.BoolOp):
            return all(map(self.is_truth, e.values))
        field = self.p.fields.get(e.attr) if isinstance(e, ast.Attribute) else None
        return (
            isinstance(e, ast.Compare)
            or (field is not None and field.type == "bool")
            or (isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not))
        )

    def either(self, u: Unit, e: ast.BoolOp, nodes: list[Node]) -> Node:
        """What `and` or `or` gives where its value is used: one of its operands, so all are of one kind."""
        if {"word", "number"} <= {node.find().kind for node in nodes}:
            u.refuse(e, f"`{ast.unparse(e)}` is a word (u64) or a number by turns: write u64(...) or i64(...) around one of them")
        for node in nodes:
            if node.find().shape:
                u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered on {node}: write x if ... else y")
            self.meet(u, nodes[0], node, e)
        return nodes[0]

    def truth(self, u: Unit, e: ast.expr) -> Node:
        """An expression that is only asked whether it is true: words and numbers may stand side by side."""
        if isinstance(e, ast.BoolOp):
            for v in e.values:
                self.truth(u, v)
            self.p.of[id(e)] = scalar()
        else:
            self.expr(u, e)
        return scalar()

    def name(self, u: Unit, e: ast.Name | ast.Attribute) -> Node:
        ref = self.p.resolve(u, e)
        if ref is not None:
            self.p.refs[id(e)] = ref
            if ref.what != "const":
                u.refuse(e, f"`{ast.unparse(e)}` is a function: call it")
            if self.in_rule(u) and isinstance(ref.value, (np.ndarray, np.generic)) and not isinstance(ref.value, Table):
                u.refuse(
                    e, f"`{ast.unparse(e)}` holds numbers of numpy's, which wrap around: keep it in self, in __init__, or make it a tuple"
                )
            node = of_value(ref.value, ast.unparse(e))
            assert node is not None
            return node
        if isinstance(e, ast.Name):
            return self.p.locals.setdefault((u.name, e.id), Node())
        if isinstance(e.value, ast.Name) and e.value.id in self.records:
            dtype = self.records[e.value.id]
            if e.attr not in (dtype.names or ()):
                u.refuse(e, f"the record {e.value.id} has no field '{e.attr}'")
            return of_dtype(dtype.fields[e.attr][0], f"{e.value.id}.{e.attr}")
        base = self.expr(u, e.value)
        if base.what not in (None, "state"):
            u.refuse(e, f"`{ast.unparse(e.value)}` is {base}: its .{e.attr} cannot be lowered, only a state has fields")
        if e.attr not in self.p.fields:
            u.refuse(e, self.no_field(e.attr))
        self.meet(u, base, Node(shape="state"), e)
        return self.p.field(e.attr)

    def no_field(self, name: str) -> str:
        return f"{self.p.layout.state.__name__} has no field '{name}'{nearest(name, self.p.fields)}: it has {', '.join(self.p.fields)}"

    def operation(self, u: Unit, e: ast.BinOp | ast.AugAssign, left: Node, op: ast.operator, right: Node, by: ast.expr) -> Node:
        if isinstance(op, ast.Add) and left.find().shape == "tuple" and right.find().shape == "tuple":
            return tuple_of([*left.elements, *right.elements])
        for node in (left, right):
            if node.find().shape:
                advice = "write tuple(... for ...)" if node.length else "apply it to numbers"
                u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered on {node}: {advice}")
        if isinstance(op, (ast.LShift, ast.RShift)):
            if (self.static(u, by) or 0) < 0:
                u.refuse(e, f"`{ast.unparse(e)}` shifts by a negative number: shift the other way")
            return left
        if isinstance(op, ast.Div):
            return number(f"`{ast.unparse(e)}`")
        if isinstance(op, ast.Pow):
            k = self.static(u, by)
            if k is None or k < 0:
                u.refuse(e, "** takes a constant exponent of 0 or more: write 1 << n, a loop, or math.pow")
            return left
        self.meet(u, left, right, e)
        return left

    def comparison(self, u: Unit, e: ast.Compare) -> Node:
        before = self.expr(u, e.left)
        for op, right in zip(e.ops, e.comparators, strict=True):
            if isinstance(op, (ast.In, ast.NotIn)):
                node = self.among(u, e, right)
                for part in node.elements:
                    self.meet(u, part, before, e)
                continue
            node = self.expr(u, right)
            if isinstance(op, (ast.Is, ast.IsNot)):
                u.refuse(e, "'is' cannot be lowered: write ==")
            self.meet(u, before, node, e)
            before = node
        if before.is_word and any((self.static(u, x) or 0) < 0 for x in (e.left, *e.comparators)):
            u.refuse(e, f"`{ast.unparse(e)}` compares a word (u64) with a negative number: write u64(...) around it")
        return scalar()

    def among(self, u: Unit, e: ast.Compare, right: ast.expr) -> Node:
        """What `x in right` looks through: a fixed tuple."""
        if isinstance(right, ast.Call) and ast.unparse(right.func) == "range":
            u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: write low <= x < high")
        node = self.expr(u, right)
        if node.length is None or len(e.ops) > 1:
            bits = ": write x >> i & 1 to ask for a bit" if node.is_word else ": write x in (a, b, ...) with a tuple"
            u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered{bits}")
        return node

    def subscript(self, u: Unit, e: ast.Subscript) -> Node:
        base = self.expr(u, e.value)
        root = base.find()
        if root.shape == "array":
            indices = e.slice.elts if isinstance(e.slice, ast.Tuple) else [e.slice]
            for i in indices:
                if root.shape != "array":
                    u.refuse(e, f"`{ast.unparse(e)}` has more indices than `{ast.unparse(e.value)}` has dimensions: leave some out")
                if isinstance(i, ast.Slice):
                    u.refuse(e, f"`{ast.unparse(e)}` is a slice of an array: loop over range(low, high) instead")
                self.expr(u, i)
                if not root.parts:
                    root.parts = [Node()]
                root = root.parts[0].find()
            return root
        if root.shape == "state":
            field = f"{ast.unparse(e.value)}.{next(iter(self.p.fields))}"
            u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered on a state: write its field, like {field}")
        if root.shape != "tuple" or isinstance(e.slice, ast.Tuple):
            u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: only tuples and arrays of constants have elements, t[i] and array[i, j]")
        if isinstance(e.slice, ast.Slice):
            low, high = (self.static(u, x) if x is not None else d for x, d in ((e.slice.lower, 0), (e.slice.upper, base.length)))
            if e.slice.step is not None:
                u.refuse(e, "a slice with a step cannot be lowered: name its elements, like (t[0], t[2])")
            if low is None or high is None:
                u.refuse(e, "a slice with bounds known only at run time cannot be lowered: write tuple(... for i, x in enumerate(t))")
            return tuple_of(base.elements[low:high])
        self.expr(u, e.slice)
        at = self.static(u, e.slice)
        if at is not None:
            if not -len(base.elements) <= at < len(base.elements):
                u.refuse(e, f"`{ast.unparse(e)}` is out of range: the tuple has {base.length} elements")
            return base.elements[at]
        return self.common(u, base, e)

    def common(self, u: Unit, base: Node, at: ast.AST) -> Node:
        """The one node that all elements of a tuple share."""
        for part in base.elements[1:]:
            self.meet(u, base.elements[0], part, at)
        return base.elements[0]

    # ---- sequences ---------------------------------------------------------------------------

    def element(self, u: Unit, e: ast.expr) -> Node:
        """What a loop over this expression gives at each turn."""
        if isinstance(e, ast.Call) and isinstance(e.func, (ast.Name, ast.Attribute)):
            ref = self.p.resolve(u, e.func)
            if ref is not None and ref.what == "builtin" and ref.name in ("range", "enumerate", "zip"):
                self.p.refs[id(e.func)] = ref
                if not e.args or len(e.args) > {"range": 3, "enumerate": 1}.get(ref.name, 64) or e.keywords:
                    u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: write range(n), range(low, high, step), enumerate(t) or zip(t, u)")
                if ref.name == "range":
                    if len(e.args) == 3 and self.static(u, e.args[2]) == 0:
                        u.refuse(e, f"`{ast.unparse(e)}` has a step of 0: write another")
                    for a in e.args:
                        if self.expr(u, a).is_word:
                            u.refuse(a, f"`{ast.unparse(a)}` is a word (u64), but range counts with numbers: write i64(...) around it")
                        self.meet(u, self.p.of[id(a)], number("a bound of range"), e)
                    return number("a count of range")
                parts = [self.element(u, a) for a in e.args]
                return tuple_of([number("a count of enumerate"), parts[0]]) if ref.name == "enumerate" else tuple_of(parts)
            if ref is not None and ref.what == "unit" and self.p.units[ref.name].rule == "actions":
                self.call(u, e)
                return self.p.action if u.owner == "self" else number("an action")
        base = self.expr(u, e)
        if base.find().shape == "array":
            return base.elements[0]
        if base.what == "state":
            u.refuse(e, f"a loop over `{ast.unparse(e)}`, a state, cannot be lowered: write its fields one by one")
        if base.find().shape != "tuple":
            u.refuse(e, f"a loop over `{ast.unparse(e)}` cannot be lowered: loop over range(...), a tuple or self.actions(s)")
        return self.common(u, base, e)

    def span(self, u: Unit, e: ast.expr) -> int:
        """How many turns a generator expression over this makes: it must be fixed and small."""
        n: int | None = None
        if isinstance(e, ast.Call) and (ref := self.p.refs.get(id(e.func))) and ref.what == "builtin":
            if ref.name == "range" and len(e.args) == 1:
                n = self.static(u, e.args[0])
            elif ref.name == "range":
                u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered in a generator expression: write range(n) and add to i, or a loop")
            elif ref.name in ("enumerate", "zip"):
                n = min((self.span(u, a) for a in e.args), default=None)
        else:
            n = self.p.of[id(e)].length if id(e) in self.p.of else None
        if n is None or not 0 < n <= UNROLLED:
            u.refuse(e, f"`{ast.unparse(e)}` has no fixed length of 1 to {UNROLLED}: write a loop")
        return n

    def runs(self, u: Unit, e: ast.expr) -> bool:
        """Whether a loop over this surely makes a turn."""
        if isinstance(e, ast.Call) and (ref := self.p.refs.get(id(e.func))) and ref.what == "builtin":
            if ref.name != "range":
                return all(self.runs(u, a) for a in e.args)
            bounds = [self.static(u, a) for a in e.args]
            return None not in bounds and len(range(*(b for b in bounds if b is not None))) > 0
        return id(e) in self.p.of and bool(self.p.of[id(e)].length)

    def static(self, u: Unit, e: ast.expr) -> int | None:
        """The value of this expression where it is a whole number known now; None otherwise."""
        match e:
            case ast.Constant(value=value) if isinstance(value, int):
                return int(value)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                x = self.static(u, operand)
                return None if x is None else -x
            case ast.Name() | ast.Attribute():
                ref = self.p.refs.get(id(e)) or self.p.resolve(u, e)
                return int(ref.value) if ref is not None and ref.what == "const" and isinstance(ref.value, int) else None
            case ast.Call(func=ast.Name(id="len"), args=[arg]):
                return self.expr(u, arg).length
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
                x, y = self.static(u, left), self.static(u, right)
                if x is None or y is None:
                    return None
                return x + y if isinstance(op, ast.Add) else x - y if isinstance(op, ast.Sub) else x * y
        return None


def shown(part: ast.AST) -> str:
    """A statement or an expression as one line of a message."""
    if isinstance(part, ast.For):
        return f"for {ast.unparse(part.target)} in {ast.unparse(part.iter)}"
    return ast.unparse(part).splitlines()[0]

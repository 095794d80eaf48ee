"""Expressions of rules and algorithms in lowered form: literals typed, constants in place, sequences written out.

The half of `emit.py` that looks at expressions; functions, statements and the module are there.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .fold import connected, folded, is_safe
from .infer import Infer
from .nodes import Node
from .program import Program, Ref
from .rules import RULES
from .source import Unit


class Expressions:
    """Turns expressions of the unit `_u` into those of the generated module."""

    def __init__(self, program: Program, infer: Infer):
        self.p, self.infer = program, infer
        self._helpers: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._turn: dict[str, ast.expr] = {}  # what the names of a generator expression stand for in this turn
        self._u: Unit

    # ---- expressions -------------------------------------------------------------------------

    def x(self, e: ast.expr) -> ast.expr:
        """The expression in lowered form; a word if it stands among words."""
        new, natural = self._x(e)
        node = self.p.of.get(id(e))
        if node is not None and node.is_word and not natural:
            return call_of("u64", new)
        return new

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
                    return name_of(self.constant(ref, node, node.find().shape or "")), True
                if self._turn and isinstance(ref.value, int):
                    return ast.Constant(ref.value), False  # so that what it decides in this turn is decided here
                return name_of(self.constant(ref, node, "scalar")), False
            case ast.Name():
                return ast.Name(e.id, e.ctx), True
            case ast.Attribute():
                field = self.p.fields.get(e.attr)
                return ast.Attribute(self.x(e.value), e.attr, e.ctx), not (field and field.type == "bool")
            case ast.BinOp():
                new = folded(ast.BinOp(self.x(e.left), e.op, self.x(e.right)))
                return new, not isinstance(new, ast.Constant)
            case ast.UnaryOp():
                return ast.UnaryOp(e.op, self.x(e.operand)), not isinstance(e.op, ast.Not)
            case ast.BoolOp():
                return connected(e.op, [self.x(v) for v in e.values]), False
            case ast.Compare():
                return self.comparison(e), False
            case ast.IfExp():
                return self.choice(e), True
            case ast.Tuple():
                return _tuple([self.x(v) for v in e.elts], e.ctx), True
            case ast.Subscript():
                return self.subscript(e), True
            case ast.Call():
                return self.call(e)
        raise AssertionError(ast.dump(e))

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
        if len(e.ops) == 1 and isinstance(e.ops[0], (ast.In, ast.NotIn)):
            inside = isinstance(e.ops[0], ast.In)
            one = [ast.Compare(self.x(e.left), [ast.Eq() if inside else ast.NotEq()], [v]) for v in self.parts(e.comparators[0])]
            return one[0] if len(one) == 1 else ast.BoolOp(ast.Or() if inside else ast.And(), list(one))
        return folded(ast.Compare(self.x(e.left), e.ops, [self.x(c) for c in e.comparators]))

    def subscript(self, e: ast.Subscript) -> ast.expr:
        base, node = e.value, self.p.of[id(e.value)]
        index = self.infer.static(self._u, e.slice) if not isinstance(e.slice, (ast.Slice, ast.Tuple)) else None
        if node.find().shape == "tuple" and not isinstance(e.slice, ast.Slice) and index is None:
            turn = self.x(e.slice)
            if isinstance(turn, ast.Constant):  # a turn of a generator expression
                return ast.Subscript(self.x(base), turn, e.ctx)
            if (array := self._indexed(e)) is not None:
                return array
            return call_of(self.helper("pick", node.length or 0), self.x(base), turn)
        if node.find().shape == "array" and (array := self._indexed(e)) is not None:
            return array
        if isinstance(e.slice, ast.Slice):
            low, high = (None if v is None else ast.Constant(self.infer.static(self._u, v)) for v in (e.slice.lower, e.slice.upper))
            return ast.Subscript(self.x(base), ast.Slice(low, high, None), e.ctx)
        return ast.Subscript(self.x(base), ast.Constant(index) if index is not None else self.x(e.slice), e.ctx)

    def _indexed(self, e: ast.Subscript) -> ast.expr | None:
        """An element of a constant, read from its array: K[i], K[i][j] and K[i, j]; None if e is none."""
        indices: list[ast.expr] = []
        base: ast.expr = e
        while isinstance(base, ast.Subscript) and not isinstance(base.slice, ast.Slice):
            here = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            indices = [self.x(i) for i in here] + indices
            base = base.value
        ref = self.p.refs.get(id(base))
        if ref is None or ref.what != "const" or len(indices) != np.ndim(ref.value):
            return None
        array = self.constant(ref, self.p.of[id(base)], "array")
        return ast.Subscript(name_of(array), indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load()), e.ctx)

    def parts(self, e: ast.expr) -> list[ast.expr]:
        """The elements of an expression that is a tuple of fixed length."""
        if isinstance(e, ast.Tuple):
            return [self.x(v) for v in e.elts]
        n = self.p.of[id(e)].length or 0
        return [ast.Subscript(self.x(e), ast.Constant(k), ast.Load()) for k in range(n)]

    # ---- calls -------------------------------------------------------------------------------

    def call(self, e: ast.Call) -> tuple[ast.expr, bool]:
        if isinstance(e.func, ast.Attribute) and e.func.attr == "_replace":
            return self.construct(e), True
        ref = self.p.refs[id(e.func)]
        match ref.what:
            case "state":
                return self.construct(e), True
            case "builtin":
                return self.builtin(e, ref.name)
            case "unit":
                return self.unit_call(e, ref.name)
            case "made":
                return call_of(f"made_{ref.name}", *(self.x(a) for a in e.args)), True
            case "math":
                return ast.Call(ast.Attribute(name_of("math"), ref.name, ast.Load()), [self.x(a) for a in e.args], []), True
            case "device":
                if ref.name == "thread":
                    return expression_of("cuda.grid(1)"), True
                return ast.Call(
                    expression_of("cuda.local.array"), [self.x(e.args[0]), name_of({"numbers": "i64", "reals": "f64"}[ref.name])], []
                ), True
        name = {"i32": "i64", "i16": "i64", "i8": "i64", "u32": "i64", "u16": "i64", "u8": "i64"}.get(ref.name, ref.name)
        inner = call_of(name, *(self.x(a) for a in e.args))
        if name != ref.name:  # a smaller type: keep its bits
            bits = int(ref.name[1:])
            masked = ast.BinOp(inner, ast.BitAnd(), ast.Constant((1 << bits) - 1))
            if ref.name[0] == "u":
                return masked, True
            half = ast.Constant(1 << (bits - 1))
            return ast.BinOp(ast.BinOp(masked, ast.BitXor(), half), ast.Sub(), half), True
        return inner, ref.name != "bool"

    def construct(self, e: ast.Call) -> ast.expr:
        given = dict(zip(self.p.fields, e.args, strict=False)) | {str(k.arg): k.value for k in e.keywords}
        values: list[ast.expr] = []
        for name, f in self.p.fields.items():
            convert = "u64" if f.is_word else "bool" if f.type == "bool" else "i64"
            if name not in given:
                assert isinstance(e.func, ast.Attribute)
                values.append(ast.Attribute(self.x(e.func.value), name, ast.Load()))
            elif f.length is None:
                values.append(call_of(convert, self.x(given[name])))
            else:
                new = self.x(given[name])
                if isinstance(new, ast.Tuple):
                    values.append(ast.Tuple([call_of(convert, v) for v in new.elts], ast.Load()))
                else:
                    values.append(call_of(self.helper(f"all_{convert}", f.length), new))
        return call_of("State", *values)

    def unit_call(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        callee = self.p.units[name]
        args = e.args[1:] if callee.owner == "game" and callee.rule is None else e.args
        out: list[ast.expr] = []
        for i, a in enumerate(args):
            new = self.x(a)
            is_action = callee.rule is not None and RULES[callee.rule].takes[i] == "action"
            literal = (isinstance(a, ast.Constant) and isinstance(a.value, int)) or (
                (r := self.p.refs.get(id(a))) is not None and isinstance(r.value, int)
            )
            if is_action or (literal and not self.p.of[id(a)].is_word):  # each distinct literal would compile a copy
                new = call_of("i64", new)
            out.append(new)
        call = call_of(name, *out)
        gives = RULES[callee.rule].gives if callee.rule else ""
        return call, gives not in ("action", "truth")

    def builtin(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        natural = name not in ("bool", "any", "all")
        if e.args and isinstance(e.args[0], ast.GeneratorExp):
            return self.combine(name, self.turns(e.args[0], name)), natural
        if name in ("sum", "min", "max", "any", "all") and len(e.args) == 1:
            return self.combine(name, self.parts(e.args[0])), natural
        if name == "int":
            return call_of("i64", *(self.x(a) for a in e.args)), True
        if name == "float":
            return call_of("f64", *(self.x(a) for a in e.args)), True
        return call_of(name, *(self.x(a) for a in e.args)), natural

    def combine(self, name: str, parts: list[ast.expr]) -> ast.expr:
        if name == "tuple":
            return _tuple(parts, ast.Load())
        if name in ("any", "all") and len(parts) == 1:
            return call_of("bool", parts[0])
        if len(parts) == 1:
            return parts[0]
        if name in ("any", "all"):
            return call_of("bool", ast.BoolOp(ast.Or() if name == "any" else ast.And(), parts))
        if name in ("min", "max"):
            return call_of(name, *parts)
        total = parts[0]
        for part in parts[1:]:
            total = ast.BinOp(total, ast.Add(), part)
        return total

    def turns(self, g: ast.GeneratorExp, name: str) -> list[ast.expr]:
        """The generator expression written out: one expression for each of its turns."""
        c, out, outer = g.generators[0], [], dict(self._turn)
        is_word = self.p.of[id(g.elt)].is_word
        for k in range(self.infer.span(self._u, c.iter)):
            self._bind(c.target, c.iter, k)
            value = self.x(g.elt)
            for test in c.ifs:
                nothing: ast.expr = ast.Constant(name == "all") if name != "sum" else call_of("u64" if is_word else "i64", ast.Constant(0))
                value = ast.IfExp(self.x(test), value, nothing)
            out.append(value)
        self._turn = outer
        return out

    def _bind(self, target: ast.expr, iterable: ast.expr, k: int) -> None:
        """Let the names of `target` stand for the k-th element of `iterable`."""
        if (
            isinstance(iterable, ast.Call)
            and (ref := self.p.refs.get(id(iterable.func)))
            and ref.what == "builtin"
            and ref.name in ("range", "enumerate", "zip")
        ):
            if ref.name == "range":
                assert isinstance(target, ast.Name)
                self._turn[target.id] = ast.Constant(k)
                return
            names = target.elts if isinstance(target, ast.Tuple) else []
            if len(names) != len(iterable.args) + (ref.name == "enumerate"):
                self._u.refuse(target, f"{ref.name} gives several values at each turn: name each of them")
            if ref.name == "enumerate":
                assert isinstance(names[0], ast.Name)
                self._turn[names[0].id] = ast.Constant(k)
                names = names[1:]
            for one, source in zip(names, iterable.args, strict=True):
                self._bind(one, source, k)
            return
        element: ast.expr = ast.Subscript(self.x(iterable), ast.Constant(k), ast.Load())
        if isinstance(target, ast.Name):
            self._turn[target.id] = element
            return
        assert isinstance(target, ast.Tuple)
        for i, one in enumerate(target.elts):
            assert isinstance(one, ast.Name)
            self._turn[one.id] = ast.Subscript(element, ast.Constant(i), ast.Load())

    # ---- constants and small functions that expressions need ---------------------------------

    def helper(self, what: str, n: int) -> str:
        """A small function on tuples of n: pick an element by a run-time index, convert them all."""
        name = f"{what}_{n}"
        if name not in self._helpers:
            if what == "pick":  # selects, not the switch that t[i] would be: 9 against 25 ns
                chain = f"t[{n - 1}]"
                for k in reversed(range(n - 1)):
                    chain = f"select(i == {k}, t[{k}], {chain})"
                self._helpers[name] = f"@inner\ndef {name}(t, i):\n    i = select(i < 0, i + {n}, i)\n    return {chain}\n"
            else:
                parts = tuple_text([f"{what[4:]}(t[{k}])" for k in range(n)])
                self._helpers[name] = f"@inner\ndef {name}(t):\n    return {parts}\n"
        return name

    def constant(self, ref: Ref, node: Node, form: str) -> str:
        """The name of a constant in the form that is needed: a scalar, a tuple or an array, of words or not."""
        value = ref.value
        if form == "scalar":
            plain = (
                bool(value)
                if isinstance(value, (bool, np.bool_))
                else float(value)
                if isinstance(value, (float, np.floating))
                else int(value)
            )
            self._constants[ref.name] = f"{ref.name} = {plain!r}".replace("= inf", "= math.inf").replace("= -inf", "= -math.inf")
            return ref.name
        element = node
        while element.find().parts:
            element = element.find().parts[0]  # type: ignore[index]
        flat = np.asarray(value, dtype=object).ravel()
        real = any(isinstance(v, (float, np.floating)) for v in flat)
        kind = "u64" if element.is_word else "f64" if real else "i64"
        name = f"{ref.name}_{form}" + ("_u64" if kind == "u64" else "")
        rows = _plain(value, float if real else int)
        self._constants[name] = f"{name} = {form}s({rows!r}, {kind!r})"
        return name


LONGEST = 30  # elements: CPython builds a longer tuple through a list, which numba cannot follow


def _tuple(parts: list[ast.expr], ctx: ast.expr_context) -> ast.expr:
    """A tuple of these parts, of any length."""
    if len(parts) <= LONGEST:
        return ast.Tuple(parts, ctx)
    return ast.BinOp(_tuple(parts[:LONGEST], ctx), ast.Add(), _tuple(parts[LONGEST:], ctx))


def tuple_text(parts: list[str]) -> str:
    return " + ".join("(" + ", ".join(parts[i : i + LONGEST]) + ",)" for i in range(0, len(parts), LONGEST))


def _plain(value: Any, convert: type) -> Any:
    if isinstance(value, (tuple, list, np.ndarray)):
        return tuple(_plain(v, convert) for v in value)
    return convert(value)


def statement_of(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def expression_of(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def call_of(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(name_of(name), list(args), [])

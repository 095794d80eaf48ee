"""Refuse a float where a whole number is needed: Python would stop or keep the float, native code would cut it off.

Whether a value is a float is learnt forwards, from the places where floats come from: a variable is one as
soon as one of its values is.
"""

from __future__ import annotations

import ast

import numpy as np

from .program import Program, Ref
from .signatures import RULES
from .source import Unit
from .trees import walk

WHOLE_FUNCTIONS = ("floor", "ceil", "trunc")  # the functions of math that give no float
#: what gives a float, beside the functions of math
REAL = {("builtin", "float"), *(("intrinsic", name) for name in ("to_real", "row_get", "row_put", "row_dot"))}
MAX_TUPLE_PARTS = 16  # of a returned tuple, whose kinds are tracked one by one
TEACHING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.comprehension, ast.Return, ast.Call)  # what `_learn` looks at
BITS = ("popcount", "ctz", "clz", "lowest", "rest", "bit", "byteswap", "bitreverse", "nth")


class Reals:
    """Looks through all units of a program that has been walked by `Infer`."""

    def __init__(self, program: Program):
        self.p = program
        self._constants: dict[str, bool] = {}
        #: unit and variable; unit and "" for what it returns, "#0", "#1", ... for the parts of a tuple that it returns
        self._known: set[tuple[str, str]] = set()
        self._tuples: set[str] = set()  # units that return a tuple

    def check(self) -> None:
        parts = [(u, part) for u in self.p.units.values() for part in walk(u.node)]
        teaching = [(u, part) for u, part in parts if isinstance(part, TEACHING)]
        before = -1
        while before != len(self._known):
            before = len(self._known)
            for u, part in teaching:
                self._learn(u, part)
        for u, node in parts:
            self._refuse(u, node)
        self._tuples = {u.name for u, part in teaching if isinstance(part, ast.Return) and isinstance(part.value, ast.Tuple)}

    def returns_real(self, u: Unit) -> bool:
        """Whether this unit, which is no rule, returns a float and nothing else."""
        return (u.name, "") in self._known and u.name not in self._tuples

    # ---- where floats come from --------------------------------------------------------------

    def is_real(self, u: Unit, e: ast.AST) -> bool:
        match e:
            case ast.Constant(value=value):
                return isinstance(value, float)
            case ast.Name() | ast.Attribute() if (ref := self.p.refs.get(id(e))) is not None:
                return ref.what == "const" and self._is_real_constant(ref)
            case ast.Name(id=name):
                return (u.name, name) in self._known
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, ast.Div) or self.is_real(u, left) or self.is_real(u, right)
            case ast.UnaryOp(op=op, operand=operand):
                return not isinstance(op, ast.Not) and self.is_real(u, operand)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_real(u, body) or self.is_real(u, orelse)
            case ast.Tuple(elts=parts) | ast.BoolOp(values=parts):
                return any(self.is_real(u, x) for x in parts)
            case ast.Subscript(value=value):
                return self.is_real(u, value)
            case ast.GeneratorExp(elt=elt):
                return self.is_real(u, elt)
            case ast.Call() if (ref := self.p.refs.get(id(e.func))) is not None:
                return self._is_real_call(u, e, ref)
        return False

    def of_parts(self, u: Unit, e: ast.expr, n: int) -> list[bool]:
        """Which of the n values that a sum goes over are floats. Values of no known kinds are all floats if one of them may be."""
        ref = self.p.refs.get(id(e))
        if isinstance(e, ast.Tuple):
            return [self.is_real(u, part) for part in e.elts]
        if ref is not None and ref.what == "const":
            return [isinstance(x, (float, np.floating)) for x in ref.value]
        return [self.is_real(u, e)] * n

    def _is_real_constant(self, ref: Ref) -> bool:
        if ref.name not in self._constants:
            flat = ref.value.ravel()[:1] if isinstance(ref.value, np.ndarray) else np.asarray(ref.value, dtype=object).ravel()
            self._constants[ref.name] = any(isinstance(x, (float, np.floating)) for x in flat)
        return self._constants[ref.name]

    def _is_real_call(self, u: Unit, e: ast.Call, ref: Ref) -> bool:
        if ref.what == "unit":
            rule = self.p.units[ref.name].rule
            return RULES[rule].gives == "real" if rule else (ref.name, "") in self._known
        if ref.what == "builtin" and ref.name in ("abs", "min", "max", "sum", "tuple"):
            return any(self.is_real(u, a) for a in e.args)
        return ref.name not in WHOLE_FUNCTIONS if ref.what == "math" else (ref.what, ref.name) in REAL

    def _learn(self, u: Unit, part: ast.AST) -> None:
        match part:
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    self._bind(u, t, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._bind(u, target, value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                if isinstance(op, ast.Div) or self.is_real(u, value):
                    self._known.add((u.name, name))
            case ast.For(target=target, iter=iterable) | ast.comprehension(target=target, iter=iterable):
                self._bind_turn(u, target, iterable)
            case ast.Return(value=value) if value is not None and u.rule is None and self.is_real(u, value):
                self._known.add((u.name, ""))
                parts = value.elts if isinstance(value, ast.Tuple) else [value] * MAX_TUPLE_PARTS
                self._known.update((u.name, f"#{i}") for i, part in enumerate(parts) if self.is_real(u, part))
            case ast.Call() if (ref := self.p.refs.get(id(part.func))) is not None and ref.what == "unit":
                callee = self.p.units[ref.name]
                for name, a in zip(reversed(callee.params), reversed(part.args), strict=False):
                    if self.is_real(u, a):
                        self._known.add((callee.name, name))

    def _bind(self, u: Unit, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for t, v in zip(target.elts, value.elts, strict=True):
                self._bind(u, t, v)
        elif isinstance(target, ast.Tuple) and (unit := self._called(value)) is not None and len(target.elts) <= MAX_TUPLE_PARTS:
            for i, t in enumerate(target.elts):
                if (unit, f"#{i}") in self._known:
                    self._known.update((u.name, n.id) for n in ast.walk(t) if isinstance(n, ast.Name))
        elif self.is_real(u, value):
            self._known.update((u.name, n.id) for n in walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))

    def _called(self, e: ast.expr) -> str | None:
        """The unit that this calls, if it is one that returns what it likes."""
        ref = self.p.refs.get(id(e.func)) if isinstance(e, ast.Call) else None
        return ref.name if ref is not None and ref.what == "unit" and self.p.units[ref.name].rule is None else None

    def _bind_turn(self, u: Unit, target: ast.expr, iterable: ast.expr) -> None:
        """Each of the names of a loop gets what its own part of zip or enumerate gives."""
        if isinstance(iterable, ast.Call) and isinstance(target, ast.Tuple):
            for t, source in zip(reversed(target.elts), reversed(iterable.args), strict=False):
                self._bind_turn(u, t, source)
        elif isinstance(iterable, ast.Tuple):
            for each in iterable.elts:
                self._bind(u, target, each)
        else:
            self._bind(u, target, iterable)

    # ---- where they cannot go ----------------------------------------------------------------

    def _refuse(self, u: Unit, part: ast.AST) -> None:
        gives = RULES[u.rule].gives if u.rule else ""
        match part:
            case ast.Yield(value=value) if value is not None and gives == "action":
                self._whole(u, value, "an action is a whole number")
            case ast.Return(value=value) if value is not None and gives in ("number", "action", "word"):
                self._whole(u, value, f"{u.rule} returns a whole number")
            case ast.Subscript(slice=index) if not isinstance(index, ast.Slice):
                self._whole(u, index, "an index is a whole number")
            case (
                ast.BinOp(left=left, op=ast.LShift() | ast.RShift() | ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right)
                | ast.AugAssign(target=left, op=ast.LShift() | ast.RShift() | ast.BitAnd() | ast.BitOr() | ast.BitXor(), value=right)
            ):
                for side in (left, right):
                    self._whole(u, side, "only whole numbers have bits")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                self._whole(u, operand, "only whole numbers have bits")
            case ast.Call(func=ast.Attribute(attr="_replace")):
                self._fields(u, part)
            case ast.Call() if (ref := self.p.refs.get(id(part.func))) is not None:
                if ref.what == "state":
                    self._fields(u, part)
                elif ref.name == "range" or ref.name in BITS:
                    for a in part.args:
                        self._whole(u, a, f"{ref.name} takes whole numbers")

    def _fields(self, u: Unit, e: ast.Call) -> None:
        for name, value in [*zip(self.p.fields, e.args, strict=False), *((k.arg, k.value) for k in e.keywords)]:
            self._whole(u, value, f"field {name} holds whole numbers")

    def _whole(self, u: Unit, e: ast.expr, why: str) -> None:
        if self.is_real(u, e):
            u.refuse(e, f"`{ast.unparse(e)}` gives a float, but {why}: write // instead of /, or int(...)")

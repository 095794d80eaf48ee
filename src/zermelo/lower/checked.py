"""The checked build: the same module with every index, shift, division, conversion and size of an integer checked.

The fast build (`emit.py`) assumes that rules never leave what 64 bits hold and never do what Python refuses. Here each
operation that could is written as a call of `checks.py` with the number of its site, its place in the author's text.
"""

from __future__ import annotations

import ast

from .. import bits
from ..layout import Field
from .emit import Emit
from .emit_calls import OWN_MATH
from .float_check import WHOLE_FUNCTIONS
from .fold import folded
from .pieces import call_of, expression_of, name_of, tuple_text
from .signatures import RULES, YIELDING
from .source import Unit
from .trees import walk

OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.LShift: "shl",
    ast.RShift: "shr",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}

#: what may go wrong, in the words of Python's errors where it has one
FAULTS = {
    "div": "division by zero, or of whole numbers beyond 2**53",
    "floordiv": "division by zero",
    "mod": "division by zero",
    "shl": "a shift by less than 0 or more than 63, or a number beyond 64 bits",
    "shr": "a shift by less than 0 or more than 63",
    "index": "index out of range",
    "number": "a number beyond 64 bits",
    "word": "a word beyond 64 bits is used: mask it before, like x & 0xFFFFFFFFFFFFFFFF",
    "real": "a whole number beyond 2**53 meets a float, which cannot hold it",
    "math": "math domain error or overflow",
    "step": "the step of a range is 0",
    "nth": "there are not as many bits set",
}


class Checked(Emit):
    """Writes the units of a program with their checks."""

    def check(self, e: ast.AST, fault: str) -> ast.Constant:
        """The number of a new site: this expression, with what may go wrong in it."""
        return ast.Constant(self.site(e, FAULTS.get(fault, fault)))

    # ---- words that may leave their 64 bits --------------------------------------------------

    def may_leave(self, e: ast.expr) -> bool:
        """Whether the value of this word may not fit 64 bits in Python, as far as the text shows."""
        match e:
            case ast.Constant(value=value):
                return isinstance(value, int) and value < 0
            case ast.Name() if e.id in self._turn:
                return False
            case ast.Name() | ast.Attribute() if (ref := self.p.refs.get(id(e))) is not None:
                return isinstance(ref.value, int) and ref.value < 0
            case ast.Name(id=name):
                return name in self.wide_locals
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation_may_leave(left, op, right)
            case ast.UnaryOp(op=op, operand=operand):
                return isinstance(op, (ast.Invert, ast.USub)) or (isinstance(op, ast.UAdd) and self.may_leave(operand))
            case ast.IfExp(body=body, orelse=orelse):
                return self.may_leave(body) or self.may_leave(orelse)
        return False

    def _operation_may_leave(self, left: ast.expr, op: ast.operator, right: ast.expr) -> bool:
        if isinstance(op, ast.BitAnd):
            return self.may_leave(left) and self.may_leave(right)
        if isinstance(op, (ast.BitOr, ast.BitXor)):
            return self.may_leave(left) or self.may_leave(right)
        return isinstance(op, (ast.Add, ast.Sub, ast.Mult, ast.LShift))

    def _is_wide(self, e: ast.expr) -> bool:
        node = self.p.of.get(id(e))
        return node is not None and node.is_word and self.may_leave(e)

    def function(self, u: Unit, form: str) -> ast.FunctionDef:
        """A variable is wide, a pair, if a word assigned to it may have left its 64 bits; what comes by other ways is clean."""
        self._u = u
        self.wide_locals: set[str] = set()
        simple: dict[str, list[tuple[ast.expr, ast.operator | None, ast.expr]]] = {}
        other = set(u.params)
        for s in walk(u.node):
            match s:
                case (
                    ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
                ):
                    simple.setdefault(name, []).append((target, None, value))
                case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                    simple.setdefault(name, []).append((target, op, value))
                case ast.Assign(targets=targets):
                    other |= {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}
                case ast.For(target=target) | ast.comprehension(target=target):
                    other |= {n.id for n in walk(target) if isinstance(n, ast.Name)}
        before = -1
        while before != len(self.wide_locals):
            before = len(self.wide_locals)
            for name, values in simple.items():
                if name not in other and self.p.locals[u.name, name].is_word:
                    if any(self.may_leave(v) if op is None else self._operation_may_leave(t, op, v) for t, op, v in values):
                        self.wide_locals.add(name)
        return super().function(u, form)

    def x(self, e: ast.expr) -> ast.expr:
        return call_of("clean", self.loose(e), self.check(e, "word")) if self._is_wide(e) else self.loose(e)

    def loose(self, e: ast.expr) -> ast.expr:
        node = self.p.of.get(id(e))
        value = self.infer.static(self._u, e) if isinstance(e, (ast.Constant, ast.Name, ast.Attribute)) else None
        if node is not None and node.is_word and value is not None and value < 0:
            return call_of("wide", ast.Constant(value))
        return super().loose(e)

    def low_bits(self, e: ast.expr) -> ast.expr:
        return call_of("low_bits", self.loose(e)) if self._is_wide(e) else self.x(e)

    def assign(self, targets: list[ast.expr], value: ast.expr) -> list[ast.stmt]:
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id in self.wide_locals:
            return [ast.Assign([self.target(targets[0])], call_of("wide", self.loose(value)))]
        return super().assign(targets, value)

    def updated(self, s: ast.AugAssign) -> list[ast.stmt]:
        new = self.operation(s, s.target, s.op, s.value)
        if isinstance(s.target, ast.Name) and s.target.id in self.wide_locals:
            new = call_of("wide", new)
        elif self.p.of[id(s.target)].is_word and self._operation_may_leave(s.target, s.op, s.value):
            new = call_of("clean", new, self.check(s, "word"))
        return [ast.Assign([self.target(s.target)], new)]

    # ---- operations --------------------------------------------------------------------------

    def operation(self, at: ast.BinOp | ast.AugAssign, left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
        name = OPERATIONS.get(type(op), "pow")
        node = self.p.of[id(left)]
        if node.find().shape:  # tuples are joined
            return super().operation(at, left, op, right)
        if name == "pow":
            fault = "math" if self.reals.is_real(self._u, left) else "number"
            return call_of("checked_power", self.x(left), self.exponent(right), self.check(at, fault))
        if node.is_word and name in ("add", "sub", "mul", "and", "or", "xor"):
            if not self._operation_may_leave(left, op, right):
                return ast.BinOp(self.low_bits(left), op, self.low_bits(right))
            return call_of(f"wide_{name}", self.loose(left), self.loose(right))
        if node.is_word and name == "shl":
            return call_of("wide_shl", self.loose(left), self.x(right), self.check(at, "shl"))
        plain = folded(ast.BinOp(self.x(left), op, self.x(right)))
        if name in ("and", "or", "xor") or not isinstance(plain, ast.BinOp):
            return plain
        return call_of(f"checked_{name}", plain.left, plain.right, self.check(at, name if name in FAULTS else "number"))

    def unary(self, e: ast.UnaryOp) -> ast.expr:
        if isinstance(e.op, ast.UAdd):
            return ast.UnaryOp(e.op, self.loose(e.operand)) if not self._is_wide(e) else self.loose(e.operand)
        if self.p.of[id(e)].is_word:
            if isinstance(e.op, ast.Invert):
                return call_of("wide_not", self.loose(e.operand))
            return call_of("wide_sub", expression_of("u64(0)"), self.loose(e.operand))
        if isinstance(e.op, ast.USub) and not isinstance(e.operand, ast.Constant):
            return ast.UnaryOp(e.op, call_of("not_least", self.x(e.operand), self.check(e, "number")))
        return super().unary(e)

    def choice(self, e: ast.IfExp) -> ast.expr:
        if self._is_wide(e):
            return ast.IfExp(self.x(e.test), call_of("wide", self.loose(e.body)), call_of("wide", self.loose(e.orelse)))
        return super().choice(e)

    def sides(self, e: ast.Compare, sides: list[ast.expr]) -> list[ast.expr]:
        """A whole number is compared with a float exactly in Python: as a float it must be what it was."""
        real = [self.reals.is_real(self._u, side) for side in sides]
        if not any(real) or all(real):
            return super().sides(e, sides)
        scalar = [not self.p.of[id(side)].find().shape and not isinstance(side, ast.Constant) for side in sides]
        return [
            call_of("exact", self.x(side), self.check(e, "real")) if s and not r else self.x(side)
            for side, r, s in zip(sides, real, scalar, strict=True)
        ]

    def yielded(self, value: ast.expr, form: str) -> list[ast.stmt]:
        """Actions that are only counted are computed, too: one of them may fail."""
        new = super().yielded(value, form)
        return [ast.Expr(self.x(value)), *new] if form == "count" else new

    def added(self, e: ast.Call, total: ast.expr, part: ast.expr) -> ast.expr:
        return call_of("checked_add", total, part, self.check(e, "number"))

    # ---- indices, conversions, fields --------------------------------------------------------

    def picked(self, e: ast.Subscript, t: ast.expr, index: ast.expr, n: int) -> ast.expr:
        return super().picked(e, t, call_of("at", index, ast.Constant(n), self.check(e, "index")), n)

    def place(self, e: ast.Subscript, index: ast.expr, n: ast.expr) -> ast.expr:
        return call_of("at", index, n, self.check(e, "index"))

    def whole(self, at: ast.Call, e: ast.expr) -> ast.expr:
        return call_of("checked_whole", self.x(e), self.check(at, "number"))

    def helped(self, e: ast.Call, name: str) -> ast.expr:
        args = [self.x(a) for a in e.args]
        if name == "bit":
            args = [call_of("fits", args[0], ast.Constant(0), ast.Constant(63), self.check(e, "a bit is one of 0 to 63"))]
        elif name == "nth":
            last = ast.BinOp(call_of("popcount", args[0]), ast.Sub(), ast.Constant(1))
            args[1] = call_of("fits", args[1], ast.Constant(0), last, self.check(e, "nth"))
        elif name == "lowest":
            args = [call_of("not_least", args[0], self.check(e, "number"))]
        return call_of(name, *args)

    def builtin(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        if name == "abs":
            return call_of("abs", call_of("not_least", self.x(e.args[0]), self.check(e, "number"))), True
        if name == "range" and len(e.args) == 3:
            low, high, step = (self.x(a) for a in e.args)
            return call_of("range", low, high, call_of("nonzero", step, self.check(e, "step"))), True
        return super().builtin(e, name)

    def math(self, e: ast.Call, name: str) -> ast.expr:
        """A function of math; from finite numbers comes a finite one, or Python stops."""
        if name in WHOLE_FUNCTIONS and not self.reals.is_real(self._u, e.args[0]):
            return self.whole(e, e.args[0])
        args = [self.x(a) for a in e.args]
        return call_of(self.helper(f"math_{name}", len(args)), *args, self.check(e, "number" if name in WHOLE_FUNCTIONS else "math"))

    def helper(self, what: str, n: int) -> str:
        name = f"{what}_{n}"
        if what.startswith("math_"):
            takes, given = ", ".join(f"x{i}" for i in range(n)), ", ".join(f"f64(x{i})" for i in range(n))
            function = OWN_MATH.get(what[5:], what.replace("_", "."))
            test = "checked_whole(x0, site_)" if what[5:] in WHOLE_FUNCTIONS else f"finite(r, ({given},), site_)"
            self._helpers[name] = f"@inner\ndef {name}({takes}, site_):\n    r = {function}({given})\n    {test}\n    return r\n"
            return name
        if what == "all_fits":
            parts = tuple_text([f"fits(t[{k}], least, most, site_)" for k in range(n)])
            self._helpers[name] = f"@inner\ndef {name}(t, least, most, site_):\n    return {parts}\n"
            return name
        return super().helper(what, n)

    def stored(self, f: Field, value: ast.expr, convert: str) -> ast.expr:
        if convert != "i64" or f.type == "i64":
            return super().stored(f, value, convert)
        machine = getattr(bits, f.type)
        fault = f"field {f.name} is one that no {f.type} can hold"
        limits = [ast.Constant(machine.least()), ast.Constant(machine.most()), self.check(value, fault)]
        new = self.x(value)
        if f.length is None:
            return call_of("fits", new, *limits)
        if isinstance(new, ast.Tuple):
            return ast.Tuple([call_of("fits", v, *limits) for v in new.elts], ast.Load())
        return call_of(self.helper("all_fits", f.length), new, *limits)

    def mover(self, value: ast.expr) -> ast.expr:
        most = self.p.game.players - 1
        least, chance = (-1, ", or CHANCE") if self.p.game.has_chance else (0, "")
        fault = f"to_move gives a player that there is not: expected 0 to {most}{chance}"
        return call_of("fits", self.x(value), ast.Constant(least), ast.Constant(most), self.check(value, fault))

    # ---- what an algorithm asks for ----------------------------------------------------------

    def unit_call(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        new, natural = super().unit_call(e, name)
        rule = self.p.units[name].rule
        if rule is None or self._u.owner != "game" or rule in YIELDING:
            return new, natural
        return self._asking(new, rule), natural

    def made(self, e: ast.Call, name: str) -> ast.expr:
        rule = {**{fill: rule for rule, fill in YIELDING.items()}, "pack_observation": "observe"}.get(name)
        return super().made(e, name) if rule is None else self._asking(super().made(e, name), rule)

    def _asking(self, call: ast.expr, rule: str) -> ast.expr:
        """The call by way of a function that remembers what is asked for."""
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        name = f"asked_{call.func.id}"
        takes = ", ".join(f"x{i}" for i in range(len(call.args)))
        number = list(RULES).index(rule) + 1
        self._helpers[name] = f"@inner\ndef {name}({takes}):\n    asked({number}, x0)\n    return {call.func.id}({takes})\n"
        return ast.Call(name_of(name), call.args, [])

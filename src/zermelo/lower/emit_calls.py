"""Calls in rules and algorithms in lowered form: helpers, states, functions of the module, and sequences written out.

What `emit_expressions.py` does with any other expression is declared here and written there.
"""

from __future__ import annotations

import ast
import builtins
import re

from ..layout import Field
from .float_check import WHOLE_FUNCTIONS, Reals
from .float_sums import name_of_sum, text_of_sum
from .fold import is_repeatable
from .infer import Infer
from .pieces import Pieces, call_of, expression_of, name_of, tuple_of_parts
from .program import Program
from .signatures import RULES
from .source import Unit
from .trees import walk
from .vocabulary import CHECKS, NAMES

NARROW_TYPES = ("i32", "i16", "i8", "u32", "u16", "u8")
#: helpers that look at the low 64 bits alone: to them a word that has left its 64 bits is what remains of it
OF_LOW_BITS = ("u64", "i64", *NARROW_TYPES, "popcount", "clz", "byteswap", "bitreverse")
#: functions of math that numba lacks, or computes otherwise than Python does
OWN_MATH = {"fmod": "fmod", "pow": "power"}
#: names that the generated module uses itself; a variable of the author's gets another
OURS = {"State", "cuda", "kernel", *dir(builtins), *NAMES, *CHECKS}

#: names of values that are computed first, and the values
Held = dict[str, ast.expr]


class Calls(Pieces):
    """Turns calls in the unit `_u` into those of the generated module."""

    def __init__(self, program: Program, infer: Infer, reals: Reals):
        super().__init__()
        self.p, self.infer, self.reals = program, infer, reals
        self._turn: dict[str, ast.expr] = {}  # what the names of a generator expression stand for in this turn
        self._sources: dict[int, ast.expr] = {}  # what a generator expression goes over, in lowered form
        self._count = 0
        self._u: Unit

    # ---- names -------------------------------------------------------------------------------

    def local(self, name: str) -> str:
        """A variable of the author's as it is called in the module: never like something of the module's own."""
        ours = (
            name in OURS or name[-1] == "_" or re.match(r"my_|(fn|rule|made|asked|after|deep|mover|player|pick|all|math|const\d+)_", name)
        )
        return f"my_{name}" if ours else name

    # ---- each value computed once ------------------------------------------------------------

    def held(self, values: list[ast.expr]) -> tuple[Held, list[ast.expr]]:
        """Names for those of these values that must be computed once and in order, and what stands for each value `after` that.

        A value that cannot fail and costs next to nothing needs no name.
        """
        first: Held = {}
        after: list[ast.expr] = []
        for value in values:
            if not is_repeatable(value):
                self._count += 1
                first[f"held{self._count}_"] = value
                value = name_of(f"held{self._count}_")
            after.append(value)
        return first, after

    def after(self, first: Held, value: ast.expr) -> ast.expr:
        """An expression over held values: the call of a function that takes them and all variables that it mentions."""
        if not first:
            return value
        used = [n for n in walk(value) if isinstance(n, ast.Name)]
        if any(n.id == self._u.name for n in used):  # in a function of its own, it would call itself by a detour
            return _Put(first).visit(value)
        mine = {self.local(name) for name in self._u.locals}
        names = dict.fromkeys(n.id for n in used if n.id not in first)
        free = [name for name in names if name in mine or re.fullmatch(r"held\d+_", name)]
        name = f"after_{len(self._helpers)}"
        text = ast.unparse(ast.fix_missing_locations(ast.Expression(value)))
        self._helpers[name] = f"@inner\ndef {name}({', '.join([*first, *free])}):\n    return {text}\n"
        return call_of(name, *first.values(), *map(name_of, free))

    # ---- expressions -------------------------------------------------------------------------

    def x(self, e: ast.expr) -> ast.expr:
        """The expression in lowered form, where its value is used; a word if it stands among words."""
        raise NotImplementedError

    def low_bits(self, e: ast.expr) -> ast.expr:
        """The low 64 bits of the expression's value."""
        raise NotImplementedError

    def parts(self, e: ast.expr) -> tuple[Held, list[ast.expr]]:
        """The elements of an expression that is a tuple of fixed length, each computed once: as `held` gives them."""
        if isinstance(e, ast.Tuple):
            return self.held([self.x(v) for v in e.elts])
        first, (t,) = self.held([self.x(e)])
        return first, self.elements(t, self.p.of[id(e)].length or 0)

    @staticmethod
    def elements(t: ast.expr, n: int) -> list[ast.expr]:
        return [ast.Subscript(t, ast.Constant(k), ast.Load()) for k in range(n)]

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
                return self.made(e, ref.name), True
            case "math":
                return self.math(e, ref.name), True
            case "device":
                if ref.name == "thread":
                    return expression_of("cuda.grid(1)"), True
                return ast.Call(
                    expression_of("cuda.local.array"), [self.x(e.args[0]), name_of({"numbers": "i64", "reals": "f64"}[ref.name])], []
                ), True
        if ref.name in OF_LOW_BITS:
            return self.converted(e, ref.name), True
        return self.helped(e, ref.name), True

    def made(self, e: ast.Call, name: str) -> ast.expr:
        """What lowering makes for algorithms: an array filled with actions, a state packed."""
        return call_of(f"made_{name}", *(self.x(a) for a in e.args))

    def math(self, e: ast.Call, name: str) -> ast.expr:
        """A function of math. What gives a whole number is given a float that has one, and gives it on a GPU, too."""
        function = expression_of(OWN_MATH.get(name, f"math.{name}"))
        if name in WHOLE_FUNCTIONS and not self.reals.is_real(self._u, e.args[0]):
            return self.whole(e, e.args[0])
        if name in WHOLE_FUNCTIONS:
            return call_of("i64", ast.Call(function, [call_of("tame", self.x(e.args[0]))], []))
        return ast.Call(function, [call_of("f64", self.x(a)) for a in e.args], [])  # of whole numbers numba would make floats of 32 bits

    def helped(self, e: ast.Call, name: str) -> ast.expr:
        """A bit helper, or a word of a table."""
        return call_of(name, *(self.x(a) for a in e.args))

    def converted(self, e: ast.Call, name: str) -> ast.expr:
        """u64(x), i64(x), ... and the helpers that look at the low 64 bits; a smaller type keeps its own bits."""
        inner = self.whole(e, e.args[0]) if self.reals.is_real(self._u, e.args[0]) else self.low_bits(e.args[0])
        if name not in NARROW_TYPES:
            return call_of(name, inner)
        bits = int(name[1:])
        masked = ast.BinOp(call_of("i64", inner), ast.BitAnd(), ast.Constant((1 << bits) - 1))
        if name[0] == "u":
            return masked
        half = ast.Constant(1 << (bits - 1))
        return ast.BinOp(ast.BinOp(masked, ast.BitXor(), half), ast.Sub(), half)

    def whole(self, at: ast.Call, e: ast.expr) -> ast.expr:
        """The whole number that a float or another number is cut to."""
        return call_of("i64", call_of("tame", self.x(e)))

    def construct(self, e: ast.Call) -> ast.expr:
        given = dict(zip(self.p.fields, e.args, strict=False)) | {str(k.arg): k.value for k in e.keywords}
        replacing = isinstance(e.func, ast.Attribute) and e.func.attr == "_replace"
        first, before = self.held([self.x(e.func.value)] if replacing else [])  # type: ignore[attr-defined]
        values: list[ast.expr] = []
        for name, f in self.p.fields.items():
            convert = "u64" if f.is_word else "bool" if f.type == "bool" else "i64"
            if name not in given:
                values.append(ast.Attribute(before[0], name, ast.Load()))
            else:
                values.append(self.stored(f, given[name], convert))
        return self.after(first, call_of("State", *values))

    def stored(self, f: Field, value: ast.expr, convert: str) -> ast.expr:
        """What a field of a new state gets."""
        new = self.x(value)
        if f.length is None:
            return call_of(convert, new)
        if isinstance(new, ast.Tuple):
            return ast.Tuple([call_of(convert, v) for v in new.elts], ast.Load())
        return call_of(self.helper(f"all_{convert}", f.length), new)

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
            first, turns = self.turns(e.args[0], name)
            return self.after(first, self.combine(e, name, turns)), natural
        if name in ("sum", "min", "max", "any", "all") and len(e.args) == 1:
            first, parts = self.parts(e.args[0])
            return self.after(first, self.combine(e, name, parts)), natural
        if name == "int":
            return self.whole(e, e.args[0]), True
        if name == "float":
            return call_of("f64", *(self.x(a) for a in e.args)), True
        return call_of(name, *(self.x(a) for a in e.args)), natural

    def combine(self, e: ast.Call, name: str, parts: list[ast.expr]) -> ast.expr:
        """tuple, sum, min, max, any or all of these."""
        if name == "tuple":
            return tuple_of_parts(parts, ast.Load())
        if name in ("any", "all") and len(parts) == 1:
            return call_of("bool", parts[0])
        if name == "sum":
            return self.sum(e, parts)
        if len(parts) == 1:
            return parts[0]
        if name in ("any", "all"):
            return call_of("bool", ast.BoolOp(ast.Or() if name == "any" else ast.And(), parts))
        return call_of(name, *parts)

    def sum(self, e: ast.Call, parts: list[ast.expr]) -> ast.expr:
        """The sum of these: whole numbers by themselves up to the first float."""
        reals = self.reals.of_parts(self._u, e.args[0], len(parts))
        first = reals.index(True) if True in reals else len(parts)
        total = parts[0] if first else ast.Constant(0.0)
        for part in parts[1:first]:
            total = self.added(e, total, part)
        if first == len(parts):
            return total
        self._helpers[name_of_sum(reals[first:])] = text_of_sum(reals[first:])
        return call_of(name_of_sum(reals[first:]), call_of("f64", total), *(call_of("f64", part) for part in parts[first:]))

    def added(self, e: ast.Call, total: ast.expr, part: ast.expr) -> ast.expr:
        return ast.BinOp(total, ast.Add(), part)

    # ---- generator expressions -----------------------------------------------------------------

    def turns(self, g: ast.GeneratorExp, name: str) -> tuple[Held, list[ast.expr]]:
        """The generator expression written out: what it goes over, computed once, and one expression for each of its turns."""
        c, out, outer = g.generators[0], [], dict(self._turn)
        is_word = self.p.of[id(g.elt)].is_word
        first = self._iterated(c.iter)
        for k in range(self.infer.span(self._u, c.iter)):
            self._turn = outer | self._bound(c.target, c.iter, k)
            value = self.x(g.elt)
            for test in reversed(c.ifs):
                nothing: ast.expr = ast.Constant(name == "all") if name != "sum" else call_of("u64" if is_word else "i64", ast.Constant(0))
                value = ast.IfExp(self.x(test), value, nothing)
            out.append(value)
            self._turn = outer
        return first, out

    def _counted(self, iterable: ast.expr) -> str | None:
        """range, enumerate or zip, if this is a call of one of them."""
        ref = self.p.refs.get(id(iterable.func)) if isinstance(iterable, ast.Call) else None
        return ref.name if ref and ref.what == "builtin" and ref.name in ("range", "enumerate", "zip") else None

    def _iterated(self, iterable: ast.expr) -> Held:
        """What a generator expression goes over, as far as it must be computed once; `_sources` gets what stands for it."""
        if self._counted(iterable) == "range":
            return {}
        if self._counted(iterable) is not None:
            assert isinstance(iterable, ast.Call)
            return {name: value for one in iterable.args for name, value in self._iterated(one).items()}
        new = self.x(iterable)
        if isinstance(new, ast.Tuple):
            first, parts = self.held(new.elts)
            self._sources[id(iterable)] = ast.Tuple(parts, ast.Load())
        else:
            first, (self._sources[id(iterable)],) = self.held([new])
        return first

    def _bound(self, target: ast.expr, iterable: ast.expr, k: int) -> dict[str, ast.expr]:
        """What the names of `target` stand for in turn k; the iterable itself is computed outside of the turn."""
        if (counted := self._counted(iterable)) is not None:
            assert isinstance(iterable, ast.Call)
            if counted == "range":
                assert isinstance(target, ast.Name)
                return {target.id: ast.Constant(k)}
            names = target.elts if isinstance(target, ast.Tuple) else []
            if len(names) != len(iterable.args) + (counted == "enumerate"):
                self._u.refuse(target, f"{counted} gives several values at each turn: name each of them")
            found: dict[str, ast.expr] = {}
            if counted == "enumerate":
                assert isinstance(names[0], ast.Name)
                found[names[0].id] = ast.Constant(k)
                names = names[1:]
            for one, source in zip(names, iterable.args, strict=True):
                found |= self._bound(one, source, k)
            return found
        element: ast.expr = ast.Subscript(self._sources[id(iterable)], ast.Constant(k), ast.Load())
        if isinstance(target, ast.Name):
            return {target.id: element}
        assert isinstance(target, ast.Tuple)
        parts = [
            (one.id, ast.Subscript(element, ast.Constant(i), ast.Load())) for i, one in enumerate(target.elts) if isinstance(one, ast.Name)
        ]
        return dict(parts)


class _Put(ast.NodeTransformer):
    """Puts values in the place of their names."""

    def __init__(self, values: Held):
        self.values = values

    def visit_Name(self, e: ast.Name) -> ast.expr:
        return self.values.get(e.id, e)

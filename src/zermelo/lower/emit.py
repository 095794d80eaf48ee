"""Write the units of a program as one module of plain functions over machine words.

What is inserted: `u64(...)` around literals and constants that stand among words, the conversions that
a rule's value needs, and the four forms of `yield`: a generator, a fill of an array, a count, and the pick of one.
The text is ordinary Python: compiled by numba it is native or device code, executed as it stands (with
the helpers of `bits.py`) it is what the simulator of a GPU runs.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .fold import connected, folded, is_safe
from .infer import Infer
from .nodes import Node
from .program import Program, Ref
from .rules import RULES, YIELDING
from .source import Unit

UNROLLED_LOOP = 16  # a loop over a longer tuple of constants goes over an array: a tuple would be a switch


#: how a form of a yielding rule ends: with how many there were, or (never, if the state is not terminal) with no action
ENDS = {"fill": "return n_", "fill_features": "return n_", "count": "return n_", "pick": "return i64(0)"}


class Emit:
    """Turns each unit's tree into text; `lines` maps a line of the text to the author's file and line."""

    def __init__(self, program: Program, infer: Infer):
        self.p, self.infer = program, infer
        self.text: list[str] = []
        self.lines: dict[int, tuple[str, int, str]] = {}
        self._helpers: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._turn: dict[str, ast.expr] = {}  # what the names of a generator expression stand for in this turn
        self._u: Unit

    def module(self) -> str:
        """The whole text; fills `lines`."""
        functions: list[tuple[Unit, ast.FunctionDef]] = []
        for u in list(self.p.units.values()):
            if u.rule in YIELDING:
                forms = ["generate", "fill" if u.rule == "actions" else "fill_features"]
                functions += [(u, self.function(u, form)) for form in forms]
            elif u.where in ("Game.count", "Game.sample"):  # left to us: other forms of the actions
                functions.append((u, self.function(self.p.units["rule_actions"], "count" if u.rule == "count" else "pick")))
            else:
                functions.append((u, self.function(u, "plain")))
        parts = [*self._prelude(), *self._constants.values(), *self._helpers.values()]
        text = "\n".join(parts) + "\n"
        for u, node in functions:
            text += "\n"
            part = ast.unparse(ast.fix_missing_locations(node)) + "\n"
            first = text.count("\n")
            fresh = ast.parse(part).body[0]
            for new, old in zip(_statements(fresh), _statements(node), strict=True):
                self.lines[first + new.lineno] = (u.file, getattr(old, "lineno", u.node.lineno), u.where)
            text += part
        return text

    # ---- functions ---------------------------------------------------------------------------

    def function(self, u: Unit, form: str) -> ast.FunctionDef:
        self._u = u
        name = {"fill": "made_fill", "fill_features": "made_fill_features", "count": "rule_count", "pick": "rule_sample"}.get(form, u.name)
        body = self.block(u.node.body, form)
        params = list(u.params)
        if u.rule:  # actions come as signed numbers, whatever they are inside
            for i, what in enumerate(RULES[u.rule].takes):
                if what == "action" and self.p.action.is_word:
                    params[i] = f"{u.params[i]}_"
                    body.insert(0, _parse(f"{u.params[i]} = u64({params[i]})"))
        if form.startswith("fill"):
            params.append("out_")
        if form in ENDS:
            body = [_parse("n_ = 0"), *body, _parse(ENDS[form])]
        if form == "pick":
            params.append("random_")
            body[0] = _parse("n_ = fn_below(random_, rule_count(s))".replace("(s)", f"({params[0]})"))
        for s in body:
            s.lineno = u.node.lineno if s.lineno == 1 else s.lineno
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg(p) for p in params], kwonlyargs=[], kw_defaults=[], defaults=[])
        decorator = _name("kernel" if u.name == "fn_kernel" else "inner")
        node = ast.FunctionDef(name, arguments, body or [ast.Pass()], [decorator], lineno=u.node.lineno)
        node.type_params = []  # type: ignore[attr-defined]
        return node

    def block(self, body: list[ast.stmt], form: str) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            for new in self.statement(s, form):
                out.append(ast.copy_location(new, s))
                for inner in ast.walk(new):
                    if isinstance(inner, ast.stmt) and not hasattr(inner, "lineno"):
                        ast.copy_location(inner, s)
        return out or [ast.Pass()]

    def statement(self, s: ast.stmt, form: str) -> list[ast.stmt]:
        match s:
            case ast.Expr(value=ast.Yield(value=value)):
                assert value is not None
                return self.yielded(value, form)
            case ast.Expr(value=value):
                return [ast.Expr(self.x(value))]
            case ast.Assign(targets=targets, value=value):
                return [ast.Assign([self.x(t) for t in targets], self.x(value))]
            case ast.AnnAssign(target=target, value=value):
                assert value is not None
                return [ast.Assign([self.x(target)], self.x(value))]
            case ast.AugAssign(target=target, op=op, value=value):
                return [ast.AugAssign(self.x(target), op, self.x(value))]  # type: ignore[arg-type]
            case ast.For():
                return self.loop(s, form)
            case ast.While(test=test, body=body):
                return [ast.While(self.x(test), self.block(body, form), [])]
            case ast.If(test=test, body=body, orelse=orelse):
                return [ast.If(self.x(test), self.block(body, form), self.block(orelse, form) if orelse else [])]
            case ast.Return(value=None):
                return [_parse(ENDS[form]) if form in ENDS else ast.Return(None)]
            case ast.Return(value=value):
                return [ast.Return(self.given(value))]
            case ast.Assert():
                return []
        return [s]

    def yielded(self, value: ast.expr, form: str) -> list[ast.stmt]:
        convert = "f64" if self._u.rule == "features" else "i64"
        step = _parse("n_ += 1")
        if form == "count":
            return [step]
        x = _call(convert, self.x(value))
        if form == "pick":
            return [ast.If(_expr("n_ == 0"), [ast.Return(x)], []), _parse("n_ -= 1")]
        if form == "generate":
            return [ast.Expr(ast.Yield(x))]
        # the room is a power of two: what does not fit wraps around, which costs no branch (a test: 40 % of a playout)
        index = ast.BinOp(_name("n_"), ast.BitAnd(), ast.BinOp(_call("len", _name("out_")), ast.Sub(), ast.Constant(1)))
        return [ast.Assign([ast.Subscript(_name("out_"), index, ast.Store())], x), step]

    def given(self, value: ast.expr) -> ast.expr:
        """The value that a function returns, converted to what its rule promises."""
        gives = RULES[self._u.rule].gives if self._u.rule else ""
        convert = {"number": "i64", "real": "f64", "truth": "bool", "word": "u64", "action": "i64"}.get(gives)
        return _call(convert, self.x(value)) if convert else self.x(value)

    def loop(self, s: ast.For, form: str) -> list[ast.stmt]:
        body = self.block(s.body, form)
        ref = self.p.refs.get(id(s.iter))
        node = self.p.of.get(id(s.iter))
        target = self.x(s.target)
        is_rule = self._u.owner == "self"
        if isinstance(s.iter, ast.Call) and is_rule and self.p.refs[id(s.iter.func)].name == "rule_actions" and self.p.action.is_word:
            body.insert(0, ast.Assign([target], _call("u64", _name("a_"))))
            return [ast.For(ast.Name("a_", ast.Store()), self.x(s.iter), body, [])]
        if ref is not None and ref.what == "const" and node is not None and (node.length is None or node.length > UNROLLED_LOOP):
            array, index = self.constant(ref, node, "array"), f"i{s.lineno}_"
            rows = np.asarray(ref.value)
            element: ast.expr
            if rows.ndim == 1:
                element = ast.Subscript(_name(array), _name(index), ast.Load())
            elif rows.ndim == 2 and isinstance(s.target, ast.Tuple):
                columns = [ast.Tuple([_name(index), ast.Constant(k)], ast.Load()) for k in range(rows.shape[1])]
                element = ast.Tuple([ast.Subscript(_name(array), c, ast.Load()) for c in columns], ast.Load())
            else:
                self._u.refuse(s, f"a loop over the rows of {ast.unparse(s.iter)} must name their elements: for a, b, ... in")
            body.insert(0, ast.Assign([target], element))
            return [ast.For(ast.Name(index, ast.Store()), _call("range", ast.Constant(len(rows))), body, [])]
        return [ast.For(target, self.x(s.iter), body, [])]

    # ---- expressions -------------------------------------------------------------------------

    def x(self, e: ast.expr) -> ast.expr:
        """The expression in lowered form; a word if it stands among words."""
        new, natural = self._x(e)
        node = self.p.of.get(id(e))
        if node is not None and node.is_word and not natural:
            return _call("u64", new)
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
                    return _name(self.constant(ref, node, node.find().shape or "")), True
                if self._turn and isinstance(ref.value, int):
                    return ast.Constant(ref.value), False  # so that what it decides in this turn is decided here
                return _name(self.constant(ref, node, "scalar")), False
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
            return _call("select", test, body, orelse)
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
            return _call(self.helper("pick", node.length or 0), self.x(base), turn)
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
        return ast.Subscript(_name(array), indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load()), e.ctx)

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
                return _call(f"made_{ref.name}", *(self.x(a) for a in e.args)), True
            case "math":
                return ast.Call(ast.Attribute(_name("math"), ref.name, ast.Load()), [self.x(a) for a in e.args], []), True
            case "device":
                if ref.name == "thread":
                    return _expr("cuda.grid(1)"), True
                return ast.Call(_expr("cuda.local.array"), [self.x(e.args[0]), _name({"numbers": "i64", "reals": "f64"}[ref.name])], []), True
        name = {"i32": "i64", "i16": "i64", "i8": "i64", "u32": "i64", "u16": "i64", "u8": "i64"}.get(ref.name, ref.name)
        inner = _call(name, *(self.x(a) for a in e.args))
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
                values.append(_call(convert, self.x(given[name])))
            else:
                new = self.x(given[name])
                if isinstance(new, ast.Tuple):
                    values.append(ast.Tuple([_call(convert, v) for v in new.elts], ast.Load()))
                else:
                    values.append(_call(self.helper(f"all_{convert}", f.length), new))
        return _call("State", *values)

    def unit_call(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        callee = self.p.units[name]
        args = e.args[1:] if callee.owner == "game" and callee.rule is None else e.args
        out: list[ast.expr] = []
        for i, a in enumerate(args):
            new = self.x(a)
            is_action = callee.rule is not None and RULES[callee.rule].takes[i] == "action"
            literal = isinstance(a, ast.Constant) and isinstance(a.value, int) or (r := self.p.refs.get(id(a))) is not None and isinstance(r.value, int)
            if is_action or (literal and not self.p.of[id(a)].is_word):  # each distinct literal would compile a copy
                new = _call("i64", new)
            out.append(new)
        call = _call(name, *out)
        gives = RULES[callee.rule].gives if callee.rule else ""
        return call, gives not in ("action", "truth")

    def builtin(self, e: ast.Call, name: str) -> tuple[ast.expr, bool]:
        natural = name not in ("bool", "any", "all")
        if e.args and isinstance(e.args[0], ast.GeneratorExp):
            return self.combine(name, self.turns(e.args[0], name)), natural
        if name in ("sum", "min", "max", "any", "all") and len(e.args) == 1:
            return self.combine(name, self.parts(e.args[0])), natural
        if name == "int":
            return _call("i64", *(self.x(a) for a in e.args)), True
        if name == "float":
            return _call("f64", *(self.x(a) for a in e.args)), True
        return _call(name, *(self.x(a) for a in e.args)), natural

    def combine(self, name: str, parts: list[ast.expr]) -> ast.expr:
        if name == "tuple":
            return _tuple(parts, ast.Load())
        if len(parts) == 1:
            return parts[0]
        if name in ("any", "all"):
            return ast.BoolOp(ast.Or() if name == "any" else ast.And(), parts)
        if name in ("min", "max"):
            return _call(name, *parts)
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
                nothing: ast.expr = ast.Constant(name == "all") if name != "sum" else _call("u64" if is_word else "i64", ast.Constant(0))
                value = ast.IfExp(self.x(test), value, nothing)
            out.append(value)
        self._turn = outer
        return out

    def _bind(self, target: ast.expr, iterable: ast.expr, k: int) -> None:
        """Let the names of `target` stand for the k-th element of `iterable`."""
        if isinstance(iterable, ast.Call) and (ref := self.p.refs.get(id(iterable.func))) and ref.what == "builtin" and ref.name in ("range", "enumerate", "zip"):
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

    # ---- what stands before the functions ----------------------------------------------------

    def helper(self, what: str, n: int) -> str:
        """A small function on tuples of n: pick an element by a run-time index, convert them all."""
        name = f"{what}_{n}"
        if name not in self._helpers:
            if what == "pick":  # selects, not the switch that t[i] would be: 9 against 25 ns
                chain = f"t[{n - 1}]"
                for k in reversed(range(n - 1)):
                    chain = f"select(i == {k}, t[{k}], {chain})"
                self._helpers[name] = f"@inner\ndef {name}(t, i):\n    return {chain}\n"
            else:
                parts = _tuple_text([f"{what[4:]}(t[{k}])" for k in range(n)])
                self._helpers[name] = f"@inner\ndef {name}(t):\n    return {parts}\n"
        return name

    def constant(self, ref: Ref, node: Node, form: str) -> str:
        """The name of a constant in the form that is needed: a scalar, a tuple or an array, of words or not."""
        value = ref.value
        if form == "scalar":
            plain = bool(value) if isinstance(value, (bool, np.bool_)) else float(value) if isinstance(value, (float, np.floating)) else int(value)
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

    def _prelude(self) -> list[str]:
        """The state's class, and what moves a state between words and the class."""
        at, pack, unpack, start = 0, [], [], []
        for f, value in zip(self.p.layout.fields, self.p.game.initial(), strict=True):
            convert = "u64" if f.is_word else "bool" if f.type == "bool" else "i64"
            if f.length is None:
                pack.append(f"    out[{at}] = u64(s.{f.name})")
                unpack.append(f"{convert}(row[{at}])")
                start.append(f"{convert}({int(value)})")
                at += 1
            else:
                pack += [f"    out[{at + k}] = u64(s.{f.name}[{k}])" for k in range(f.length)]
                unpack.append(_tuple_text([f"{convert}(row[{at + k}])" for k in range(f.length)]))
                start.append(_tuple_text([f"{convert}({int(v)})" for v in value]))
                at += f.length
        text = [f"State = namedtuple('State', {list(self.p.fields)!r})\n"]
        if "pack_observation" in self.p.made and self.p.returns["rule_observe"].find().shape == "state":
            self.p.made.add("pack")
        made = {
            "initial": f"def made_initial():\n    return State({', '.join(start)})\n",
            "pack": "def made_pack(s, out):\n" + "\n".join(pack) + f"\n    return {at}\n",
            "unpack": f"def made_unpack(row):\n    return State({', '.join(unpack)})\n",
        }
        text += [f"@inner\n{body}" for name, body in made.items() if name in self.p.made]
        if "pack_observation" in self.p.made:
            text.append(self._observation())
        return text

    def _observation(self) -> str:
        seen = self.p.returns["rule_observe"].find()
        head = "@inner\ndef made_pack_observation(s, p, out):\n    o = rule_observe(s, p)\n"
        if seen.shape == "state":
            return head + "    return made_pack(o, out)\n"
        n = len(seen.parts or []) if seen.shape == "tuple" else 0
        body = "".join(f"    out[{k}] = u64(o[{k}])\n" for k in range(n)) if n else "    out[0] = u64(o)\n"
        return head + body + f"    return {n or 1}\n"


LONGEST = 30  # elements: CPython builds a longer tuple through a list, which numba cannot follow


def _tuple(parts: list[ast.expr], ctx: ast.expr_context) -> ast.expr:
    """A tuple of these parts, of any length."""
    if len(parts) <= LONGEST:
        return ast.Tuple(parts, ctx)
    return ast.BinOp(_tuple(parts[:LONGEST], ctx), ast.Add(), _tuple(parts[LONGEST:], ctx))


def _tuple_text(parts: list[str]) -> str:
    return " + ".join("(" + ", ".join(parts[i : i + LONGEST]) + ",)" for i in range(0, len(parts), LONGEST))


def _plain(value: Any, convert: type) -> Any:
    if isinstance(value, (tuple, list, np.ndarray)):
        return tuple(_plain(v, convert) for v in value)
    return convert(value)


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.stmt)]


def _parse(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def _expr(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(args), [])

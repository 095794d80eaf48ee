"""Write the units of a program as one module of plain functions over machine words.

What is inserted: `u64(...)` around literals and constants that stand among words, the conversions that
a rule's value needs, and the four forms of `yield`: a generator, a fill of an array, a count, and the pick of one.
The text is ordinary Python: compiled by numba it is native or device code, executed as it stands (with
the helpers of `bits.py`) it is what the simulator of a GPU runs.
"""

from __future__ import annotations

import ast

import numpy as np

from .. import rng
from .emit_expressions import Expressions
from .faults import Site
from .float_check import Reals
from .infer import Infer
from .pieces import call_of, expression_of, name_of, statement_of, tuple_text
from .program import Program
from .signatures import LISTING, RULES, YIELDING
from .source import Unit
from .trees import walk

MAX_NESTED_CALLS = 1000  # calls of a function inside one another, as in Python
UNROLLED_LOOP = 16  # a loop over a longer tuple of constants goes over an array: a tuple would be a switch

#: how a form of a yielding rule ends: with how many there were, or (never, if the state is not terminal) with no action
ENDS = {**dict.fromkeys(YIELDING.values(), "return n_"), "count": "return n_", "pick": "return i64(0)"}


class Emit(Expressions):
    """Turns each unit's tree into text; `lines` maps a line of the text to the author's file and line."""

    def __init__(self, program: Program, infer: Infer, reals: Reals):
        super().__init__(program, infer, reals)
        self.lines: dict[int, tuple[str, int, str]] = {}
        self.sites: list[Site] = []

    def site(self, e: ast.AST, fault: str) -> int:
        """The number of a place in the author's text where this may go wrong."""
        u = self._u
        self.sites.append(Site(u.file, getattr(e, "lineno", u.node.lineno), u.where, ast.unparse(e).splitlines()[0], fault))
        return len(self.sites) - 1

    def module(self) -> str:
        """The whole text; fills `lines`."""
        functions: list[tuple[Unit, ast.FunctionDef]] = []
        for u in list(self.p.units.values()):
            if u.rule in YIELDING:
                functions += [(u, self.function(u, form)) for form in ("generate", YIELDING[u.rule])]
            elif u.where in ("Game.count", "Game.sample"):  # left to us: other forms of the actions
                functions.append((u, self.function(self.p.units["rule_actions"], "count" if u.rule == "count" else "pick")))
            else:
                functions += [(u, node) for node in self._bounded(u, self.function(u, "plain"))]
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
        name = {"count": "rule_count", "pick": "rule_sample", "generate": u.name, "plain": u.name}.get(form, f"made_{form}")
        body = self.block(u.node.body, form)
        params = [self.local(p) for p in u.params]
        if u.rule:  # actions come as signed numbers, whatever they are inside
            for i, what in enumerate(RULES[u.rule].takes):
                if what == "action" and self.p.action.is_word:
                    body.insert(0, statement_of(f"{params[i]} = u64({params[i]}_)"))
                    params[i] += "_"
        if form.startswith("fill"):
            params.append("out_")
        if form in ENDS:
            body = [statement_of("n_ = 0"), *body, statement_of(ENDS[form])]
        if u.rule in LISTING and form.startswith("fill") and "rule_is_terminal" in self.p.units and self.p.asks_for_the_end:
            body.insert(0, statement_of(f"if rule_is_terminal({params[0]}):\n    return 0"))
        if form == "pick":
            params.append("random_")
            below = self.p.unit_of_function(rng.below)  # type: ignore[arg-type]
            body[0] = statement_of(f"n_ = {below}(random_, rule_count({params[0]}))")
        if u.name in self.infer.cycles and self.reals.returns_real(u):
            number = next(p for p, node in zip(u.params, self.p.params[u.name], strict=True) if node.what == "number")
            body.insert(0, statement_of(f"if {number} != {number}:\n    return 0.0"))  # never: from it numba learns the type
        for s in body:
            s.lineno = u.node.lineno if s.lineno == 1 else s.lineno
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg(p) for p in params], kwonlyargs=[], kw_defaults=[], defaults=[])
        decorator = name_of("kernel" if u.name == "fn_kernel" else "inner")
        node = ast.FunctionDef(name, arguments, body or [ast.Pass()], [decorator], lineno=u.node.lineno)
        node.type_params = []  # type: ignore[attr-defined]
        return node

    def _bounded(self, u: Unit, node: ast.FunctionDef) -> list[ast.FunctionDef]:
        """A function of the author's that calls itself, with a count of the calls inside one another: Python's also end."""
        calls = [n for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == node.name]
        if not calls or u.owner == "game":
            return [node]
        takes = [ast.Name(a.arg, ast.Load()) for a in node.args.args]
        first = ast.FunctionDef(
            node.name,
            node.args,
            [ast.Return(call_of(f"deep_{node.name}", *takes, expression_of("i64(0)")))],
            node.decorator_list,
            lineno=node.lineno,
        )
        first.type_params = []  # type: ignore[attr-defined]
        for call in calls:
            call.func = name_of(f"deep_{node.name}")
            call.args = [*call.args, expression_of("depth_ + 1")]
        site = self.site(u.node, f"it calls itself more than {MAX_NESTED_CALLS:,} times inside one another: write it as a loop")
        guard = statement_of(f"fail_if(depth_ > {MAX_NESTED_CALLS}, {site})")
        node.name, node.body = f"deep_{node.name}", [ast.copy_location(guard, node.body[0]), *node.body]
        node.args = ast.arguments([], [*node.args.args, ast.arg("depth_")], None, [], [], None, [])
        return [first, node]

    def block(self, body: list[ast.stmt], form: str) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            for new in self.statement(s, form):
                out.append(ast.copy_location(new, s))
                for inner in walk(new):
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
                return self.assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self.assign([target], value)
            case ast.AugAssign():
                return self.updated(s)
            case ast.For():
                return self.loop(s, form)
            case ast.While(test=test, body=body):
                return [ast.While(self.x(test), self.block(body, form), [])]
            case ast.If(test=test, body=body, orelse=orelse):
                return [ast.If(self.x(test), self.block(body, form), self.block(orelse, form) if orelse else [])]
            case ast.Return(value=None):
                return [statement_of(ENDS[form]) if form in ENDS else ast.Return(None)]
            case ast.Return(value=ast.expr() as value):
                return [ast.Return(self.given(value))]
            case ast.Assert():
                return []
        return [s]

    def assign(self, targets: list[ast.expr], value: ast.expr) -> list[ast.stmt]:
        return [ast.Assign([self.target(t) for t in targets], self.x(value))]

    def updated(self, s: ast.AugAssign) -> list[ast.stmt]:
        """`x op= value`, written out."""
        return [ast.Assign([self.target(s.target)], self.operation(s, s.target, s.op, s.value))]

    def target(self, t: ast.expr) -> ast.expr:
        """What is assigned to: a variable, several, or in an algorithm a field or an element of its record."""
        if isinstance(t, ast.Name):
            return ast.Name(self.local(t.id), ast.Store())
        if isinstance(t, (ast.Tuple, ast.List)):
            return ast.Tuple([self.target(part) for part in t.elts], ast.Store())
        return self.x(t)

    def yielded(self, value: ast.expr, form: str) -> list[ast.stmt]:
        convert = {"real": "f64", "word": "u64"}.get(RULES[self._u.rule or ""].gives, "i64")
        step = statement_of("n_ += 1")
        if form == "count":
            return [step]
        x = call_of(convert, self.x(value))
        if form == "pick":
            return [ast.If(expression_of("n_ == 0"), [ast.Return(x)], []), statement_of("n_ -= 1")]
        if form == "generate":
            return [ast.Expr(ast.Yield(x))]
        # the room is a power of two: what does not fit wraps, which costs no branch (a test took a third of a Connect Four playout)
        index = ast.BinOp(name_of("n_"), ast.BitAnd(), ast.BinOp(call_of("len", name_of("out_")), ast.Sub(), ast.Constant(1)))
        return [ast.Assign([ast.Subscript(name_of("out_"), index, ast.Store())], x), step]

    def given(self, value: ast.expr) -> ast.expr:
        """The value that a function returns, converted to what its rule promises."""
        if self._u.rule == "to_move":
            return self.mover(value)
        gives = RULES[self._u.rule].gives if self._u.rule else ""
        convert = {"number": "i64", "real": "f64", "truth": "bool", "word": "u64", "action": "i64"}.get(gives)
        return call_of(convert, self.x(value)) if convert else self.x(value)

    def mover(self, value: ast.expr) -> ast.expr:
        """What to_move gives: whatever it is, an algorithm finds a player or CHANCE, and stays within its records."""
        return call_of(self.helper("mover" if self.p.game.has_chance else "player", self.p.game.players), self.x(value))

    def loop(self, s: ast.For, form: str) -> list[ast.stmt]:
        body = self.block(s.body, form)
        ref = self.p.refs.get(id(s.iter))
        node = self.p.of.get(id(s.iter))
        target = self.target(s.target)
        is_rule = self._u.owner == "self"
        if isinstance(s.iter, ast.Call) and is_rule and self.p.refs[id(s.iter.func)].name == "rule_actions" and self.p.action.is_word:
            body.insert(0, ast.Assign([target], call_of("u64", name_of("a_"))))
            return [ast.For(ast.Name("a_", ast.Store()), self.x(s.iter), body, [])]
        if ref is not None and ref.what == "const" and node is not None and (node.length is None or node.length > UNROLLED_LOOP):
            array, index = self.sequence(s.iter, "array"), f"i{s.lineno}_"
            rows = np.asarray(ref.value)
            element: ast.expr
            if rows.ndim == 1:
                element = ast.Subscript(name_of(array), name_of(index), ast.Load())
            elif rows.ndim == 2 and isinstance(s.target, ast.Tuple):
                columns = [ast.Tuple([name_of(index), ast.Constant(k)], ast.Load()) for k in range(rows.shape[1])]
                element = ast.Tuple([ast.Subscript(name_of(array), c, ast.Load()) for c in columns], ast.Load())
            else:
                self._u.refuse(s, f"a loop over the rows of {ast.unparse(s.iter)} must name their elements: for a, b, ... in")
            body.insert(0, ast.Assign([target], element))
            return [ast.For(ast.Name(index, ast.Store()), call_of("range", ast.Constant(len(rows))), body, [])]
        return [ast.For(target, self.x(s.iter), body, [])]

    # ---- what stands before the functions ----------------------------------------------------

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
                unpack.append(tuple_text([f"{convert}(row[{at + k}])" for k in range(f.length)]))
                start.append(tuple_text([f"{convert}({int(v)})" for v in value]))
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


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [n for n in walk(tree) if isinstance(n, ast.stmt)]

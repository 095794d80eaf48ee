"""Learn for every expression whether it is a word or a number, and refuse where the two meet.

Numba would make a float of a signed and an unsigned word that meet, or read a word as a signed
number, and the rules would mean something else natively than interpreted. Here each unit is walked
once, in the order of its text; calls are followed into units not yet walked. Expressions are in `infer_expressions.py`.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from . import advice
from .definite_assignment import Assigned
from .fold import fold
from .infer_expressions import Values, shown
from .kinds import Clash, Node, array_of, number, scalar, tuple_of, unify, word
from .program import Program, Ref
from .rows import OPERATIONS
from .signatures import LISTING, MADE, RULES, YIELDING
from .source import Unit
from .trees import walk

#: how many arguments a helper takes that does not take one
ARGUMENTS = {"nth": 2, "load": 2, "store": 3, "prefetch": 2, "publish": 3, "take": 2, "swap": 4}
ARGUMENTS |= {f"row_{f.__name__}": f.__code__.co_argcount for f in OPERATIONS}

#: helpers that return a word
WORDS = ("u64", "bit", "byteswap", "bitreverse", "load", "store", "prefetch", "publish", "take", "swap", "to_word")


class Infer(Values):
    """Walks the units of a program."""

    def __init__(self, program: Program, records: dict[str, Any] | None = None):
        super().__init__(program, records)
        self._walked: set[str] = set()
        self._calls: list[str] = []
        self.cycles: set[str] = set()  # units of an algorithm that call each other
        self._statements: set[int] = set()  # expressions whose value is not used
        self._gives: dict[str, bool] = {}  # whether a unit returns or yields a value

    def walk(self, name: str) -> None:
        """Learn everything about the unit of this name and all that it calls."""
        if name in self._walked:
            return
        self._walked.add(name)
        self._calls.append(name)
        u = self.p.units[name]
        u.node.body = fold(self.p, u, u.node.body, self.records)
        for statement in u.node.body:
            self.statement(u, statement)
        Assigned(u, lambda e: self.runs(u, e)).check()
        self._calls.pop()

    # ---- statements --------------------------------------------------------------------------

    def statement(self, u: Unit, s: ast.stmt) -> None:
        match s:
            case ast.Expr(value=ast.Yield(value=value)):
                assert value is not None
                node = self.expr(u, value)
                if node.find().shape:
                    u.refuse(s, f"it yields {node}: yield one number at a time")
                self.meet(u, node, self.p.returns[u.name], s)
            case ast.Expr(value=value):
                self._statements.add(id(value))
                self.expr(u, value)
            case ast.Assign(targets=targets, value=value):
                node = self.expr(u, value)
                for t in targets:
                    self.assign(u, t, node, s)
            case ast.AnnAssign(target=target, value=value):
                if value is None:
                    u.refuse(s, "a variable without a value cannot be lowered: assign to it")
                self.assign(u, target, self.expr(u, value), s)
            case ast.AugAssign(target=target, op=op, value=value):
                before, node = self.target(u, target), self.expr(u, value)
                self.meet(u, before, self.operation(u, s, before, op, node, value), s)
            case ast.For():
                self.assign(u, s.target, self.element(u, s.iter), s)
                self.block(u, s.body)
            case ast.While() | ast.If():
                self.truth(u, s.test)
                self.block(u, s.body)
                self.block(u, s.orelse)
            case ast.Return(value=value):
                if value is not None:
                    is_truth = u.rule is not None and RULES[u.rule].gives == "truth" and isinstance(value, ast.BoolOp)
                    self.returned(u, self.truth(u, value) if is_truth else self.expr(u, value), s)
            case ast.Pass() | ast.Break() | ast.Continue() | ast.Assert():
                pass
            case _:
                u.refuse(s, f"'{ast.unparse(s).splitlines()[0]}' cannot be lowered: write it with if, for, while and assignments")

    def block(self, u: Unit, body: list[ast.stmt]) -> None:
        for s in body:
            self.statement(u, s)

    def returned(self, u: Unit, node: Node, s: ast.Return) -> None:
        wanted, cls = self.p.returns[u.name], self.p.layout.state.__name__
        if u.rule and RULES[u.rule].gives == "state" and node.what not in (None, "state"):
            u.refuse(s, f"it returns {node}, but initial() a {cls}: return a {cls}")
        if u.rule and RULES[u.rule].gives in ("real", "number", "truth", "action", "word") and node.find().shape:
            u.refuse(s, f"it returns {node}: return {'True or False' if RULES[u.rule].gives == 'truth' else 'one number'}")
        if u.rule and RULES[u.rule].gives in ("real", "truth") and node.is_word:
            return  # a word is true or false as well as a number, and converts to a float
        self.meet(u, node, wanted, s)

    def assign(self, u: Unit, target: ast.expr, node: Node, at: ast.stmt) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if node.what is None:
                self.meet(u, node, tuple_of([Node() for _ in target.elts]), at)
            if node.what == "state":
                u.refuse(at, f"in `{shown(at)}` a state is taken apart: write its fields, like s.{next(iter(self.p.fields))}")
            if node.length != len(target.elts):
                given = f"a tuple of {node.length}" if node.length else str(node)
                u.refuse(at, f"in `{shown(at)}` {len(target.elts)} names are given {given}: make both sides of one length")
            for t, part in zip(target.elts, node.elements, strict=True):
                self.assign(u, t, part, at)
            return
        self.meet(u, self.target(u, target), node, at)

    def target(self, u: Unit, target: ast.expr) -> Node:
        """The place that is assigned to: a variable, or in an algorithm a field or element of its record."""
        if isinstance(target, ast.Name):
            node = self.p.locals.setdefault((u.name, target.id), Node())
            self.p.of[id(target)] = node
            return node
        if self.in_rule(u):
            place = ast.unparse(target)
            if place.startswith("self."):
                u.refuse(target, f"it assigns {place}: rules are pure, so compute it in __init__ or keep it in the state")
            u.refuse(target, f"it assigns {place}: states and tuples are immutable, so make a new one with _replace or tuple(...)")
        return self.expr(u, target)

    def in_rule(self, u: Unit) -> bool:
        return u.owner == "self" or (u.owner is None and any(self.p.units[n].owner == "self" for n in self._calls))

    # ---- calls -------------------------------------------------------------------------------

    def call(self, u: Unit, e: ast.Call) -> Node:
        if any(k.arg is None for k in e.keywords):
            u.refuse(e, "** in a call cannot be lowered: name each argument")
        if isinstance(e.func, ast.Attribute) and e.func.attr == "_replace":
            self.meet(u, self.expr(u, e.func.value), Node(shape="state"), e)
            return self.construct(u, e)
        if not isinstance(e.func, (ast.Name, ast.Attribute)):
            u.refuse(e, f"`{ast.unparse(e.func)}` cannot be called: call a method or a function by its name")
        ref = self.p.resolve(u, e.func)
        if ref is None:
            self.no_method(u, e)
        self.p.refs[id(e.func)] = ref
        if ref.what == "state":
            return self.construct(u, e)
        if ref.what == "const":
            u.refuse(e, f"`{ast.unparse(e.func)}` is not a function that can be lowered")
        if e.keywords:
            advice = "write a loop" if ref.what == "builtin" else "give its arguments by position"
            u.refuse(e, f"{ast.unparse(e.func)} is called by keyword: {advice}")
        if ref.what == "builtin":
            return self.builtin(u, e, ref.name)
        if ref.what == "unit":
            return self.unit_call(u, e, ref.name)
        nodes = [self.expr(u, a) for a in e.args]
        if ref.what == "made":
            return self.made_call(u, e, ref.name, nodes)
        if ref.what == "device":
            return number("the thread") if ref.name == "thread" else array_of(number(f"gpu.{ref.name}"))
        return self.intrinsic(u, e, ref, nodes)

    def no_method(self, u: Unit, e: ast.Call) -> NoReturn:
        """Refuse a call of something that is not a function, or of a method of a value."""
        if isinstance(e.func, ast.Attribute):
            if e.func.attr in advice.METHOD:
                u.refuse(e, f"`{ast.unparse(e.func)}` cannot be lowered: {advice.METHOD[e.func.attr]}")
            ref = self.p.resolve(u, e.func.value)
            if ref is not None and ref.what == "state":
                u.refuse(e, f"`{ast.unparse(e.func)}` cannot be lowered: write {ref.name}(...) with each field")
            self.expr(u, e.func.value)  # refused if it is not a value at all
        u.refuse(e, f"`{ast.unparse(e.func)}` cannot be called: call a method of the game or a function of the file")

    def intrinsic(self, u: Unit, e: ast.Call, ref: Ref, nodes: list[Node]) -> Node:
        expected = advice.MATH[ref.name] if ref.what == "math" else ARGUMENTS.get(ref.name, 1)
        if len(nodes) != expected:
            u.refuse(e, f"{ref.name} takes {expected} argument{'s' * (expected > 1)}, not {len(nodes)}")
        for node in nodes:
            if node.find().shape:
                u.refuse(e, f"{ref.name} is given {node}: give it one number or word")
        if ref.name in ("lowest", "rest"):
            return nodes[0]
        why = f"`{ast.unparse(e)}`"
        return word(why) if ref.name in WORDS else number(why)

    def construct(self, u: Unit, e: ast.Call) -> Node:
        names = list(self.p.fields)
        cls = self.p.layout.state.__name__
        given = dict(zip(names, e.args, strict=False)) | {str(k.arg): k.value for k in e.keywords}
        replacing = isinstance(e.func, ast.Attribute) and e.func.attr == "_replace"
        if replacing and e.args:
            u.refuse(e, f"_replace takes its fields by name: write _replace({names[0]}=...)")
        if len(e.args) > len(names) or (not replacing and len(given) != len(names)) or len(given) != len(e.args) + len(e.keywords):
            message = f"{cls} has {len(names)} fields ({', '.join(names)}), not {len(e.args) + len(e.keywords)}"
            u.refuse(e, f"{message}: give each of them once")
        for name, value in given.items():
            if name not in self.p.fields:
                u.refuse(e, self.no_field(name))
            self.store(u, name, value)
        return Node(shape="state")

    def store(self, u: Unit, name: str, value: ast.expr) -> None:
        """The field `name` of a new state gets this value."""
        f, node = self.p.fields[name], self.expr(u, value)
        given = f"`{ast.unparse(value)}`"
        if f.length is None and node.find().shape:
            u.refuse(value, f"field {name} is one {f.type}, but {given} is {node}: give it one number")
        if f.type == "bool" and node.find().kind:
            u.refuse(value, f"field {name} is a bool, but {given} is {node}: write a test, like {ast.unparse(value)} != 0")
        if f.length is not None and node.what not in (None, "tuple"):
            u.refuse(value, f"field {name} is a tuple of {f.length}, but {given} is {node}: give it a tuple")
        if f.length is not None and node.length not in (None, f.length):
            u.refuse(value, f"field {name} is a tuple of {f.length} in initial(), but {given} is one of {node.length}: keep its length")
        try:
            unify(node, self.p.field(name))
        except Clash as clash:
            u.refuse(value, f"field {name} cannot be {given}: {clash}, so {advice.of_field(f, value, str(clash))}")

    def builtin(self, u: Unit, e: ast.Call, name: str) -> Node:
        args = e.args
        if args and isinstance(args[0], ast.GeneratorExp):
            return self.generated(u, e, name, args[0])
        if name in ("range", "enumerate", "zip"):
            u.refuse(e, f"{name} is only for loops: write for ... in {name}(...)")
        if name == "tuple":
            u.refuse(e, "tuple(...) takes a generator expression over a fixed tuple: tuple(f(x) for x in s.field)")
        nodes = [self.expr(u, a) for a in args]
        if not nodes:
            u.refuse(e, f"{name} takes an argument")
        if name == "len":
            if nodes[0].what not in (None, "tuple", "array"):
                u.refuse(e, f"len is given {nodes[0]}: only a tuple has a length, and popcount(x) counts the bits of a word")
            return number("a length")
        if len(nodes) > 1 and name not in ("min", "max"):
            u.refuse(e, f"{name} is given {len(nodes)} arguments: give it one")
        if name in ("int", "float", "bool", "abs") or len(nodes) > 1:
            for node in nodes:
                if node.find().shape:
                    u.refuse(e, f"{name} is given {node}: give it one number")
        if name in ("int", "float", "bool"):
            return scalar() if name == "bool" else number(f"`{ast.unparse(e)}`")
        first = nodes[0]
        if first.find().shape == "tuple" and len(nodes) == 1:
            node = self.common(u, first, e)
            return scalar() if name in ("any", "all") else node
        if name in ("any", "all", "sum"):
            u.refuse(e, f"{name} takes a fixed tuple or a generator expression over one")
        for node in nodes[1:]:
            self.meet(u, first, node, e)
        return first

    def generated(self, u: Unit, e: ast.Call, name: str, g: ast.GeneratorExp) -> Node:
        """tuple, sum, min, max, any or all of a generator expression: it will be written out turn by turn."""
        if name not in ("tuple", "sum", "min", "max", "any", "all") or len(g.generators) != 1 or g.generators[0].is_async:
            u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: write a loop")
        c = g.generators[0]
        if c.ifs and name == "tuple":
            u.refuse(e, "a tuple has a fixed length: choose with x if ... else y, not with a filter")
        if c.ifs and name in ("min", "max"):
            u.refuse(e, f"{name} over a filter cannot be lowered: write a loop")
        self.assign(u, c.target, self.element(u, c.iter), ast.copy_location(ast.Expr(e), e))
        for test in c.ifs:
            self.expr(u, test)
        node = self.expr(u, g.elt)
        n = self.span(u, c.iter)
        if name == "tuple":
            return tuple_of([node] * n)
        return scalar() if name in ("any", "all") else node

    def unit_call(self, u: Unit, e: ast.Call, name: str) -> Node:
        callee = self.p.units[name]
        args = self._arguments(u, e, callee)
        if name in self._calls and name != self._calls[-1]:
            if callee.owner != "game":
                u.refuse(e, f"{callee.where} and {u.where} call each other: write one of them as a loop")
            self.cycles.update(self._calls[self._calls.index(name) :])
        for i, a in enumerate(args):
            self._argument(u, e, callee, i, a)
        self.walk(name)
        if name not in self._gives:
            self._gives[name] = any(isinstance(n, (ast.Return, ast.Yield)) and n.value is not None for n in walk(callee.node))
        if not self._gives[name] and id(e) not in self._statements:
            u.refuse(e, f"{callee.where} returns nothing: end it with return and a value")
        if callee.rule and RULES[callee.rule].gives == "action" and u.owner == "game":
            return number("an action")
        return self.p.returns[name] if callee.rule is None or RULES[callee.rule].gives != "truth" else scalar()

    def _arguments(self, u: Unit, e: ast.Call, callee: Unit) -> list[ast.expr]:
        """The arguments of this call without the game, which a function of an algorithm takes first."""
        args = e.args
        if callee.owner == "game" and callee.rule is None:
            if u.owner != "game":
                u.refuse(e, f"'{u.owner}' cannot be passed on to {callee.where}: write it as a method")
            if not (args and isinstance(args[0], ast.Name) and args[0].id == u.owner):
                u.refuse(e, f"{callee.where} takes the game as its first argument")
            args = args[1:]
        if len(args) != len(callee.params):
            takes = f"{len(callee.params)} arguments ({', '.join(callee.params)})"
            u.refuse(e, f"{callee.where} takes {takes}, not {len(args)}: give it each of them")
        return args

    def _argument(self, u: Unit, e: ast.Call, callee: Unit, i: int, a: ast.expr) -> None:
        """Argument i of a call meets the parameter that it is given for."""
        takes = RULES[callee.rule].takes[i] if callee.rule else ""
        wanted = number("an action") if u.owner == "game" and takes == "action" else self.p.params[callee.name][i]
        node = self.expr(u, a)
        if takes == "state" and node.what not in (None, "state"):
            u.refuse(e, f"{callee.rule} is a rule, which takes a state, not {node}: give a method of your own another name")
        record = a.value if isinstance(a, ast.Subscript) else a  # a record, or one of an array of them
        if isinstance(record, ast.Name) and record.id in self.records:
            self.records[callee.params[i]] = self.records[record.id]
        else:
            self.meet(u, node, wanted, e)

    def made_call(self, u: Unit, e: ast.Call, name: str, nodes: list[Node]) -> Node:
        takes, gives = MADE[name]
        if len(takes) != len(nodes):
            u.refuse(e, f"{name} takes {len(takes)} arguments")
        for what, node in zip(takes, nodes, strict=True):
            if what == "state":
                self.meet(u, node, Node(shape="state"), e)
        needs = {**{fill: rule for rule, fill in YIELDING.items()}, "pack_observation": "observe"}.get(name)
        if needs:
            self.walk(self.p.unit_of_method(needs, getattr(type(self.p.game), needs)))
        if needs in LISTING and self.p.asks_for_the_end:
            self.walk(self.p.unit_of_method("is_terminal", type(self.p.game).is_terminal))
        return self.p.node_of(gives, name)

"""Learn for every expression whether it is a word or a number, and refuse where the two meet.

Numba would make a float of a signed and an unsigned word that meet, or read a word as a signed
number, and the rules would mean something else natively than interpreted. Here each unit is walked
once, in the order of its text; calls are followed into units not yet walked.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from ..errors import nearest
from . import instead
from .assigned import Assigned
from .fold import fold
from .nodes import Clash, Node, array_of, number, of_dtype, of_value, scalar, tuple_of, unify, word
from .program import Program, Ref
from .rules import MADE, RULES
from .source import Unit

UNROLLED = 64  # the longest sequence that a generator expression is unrolled over


class Infer:
    """Walks the units of a program; `records` tells the fields of the parameters that are work records."""

    def __init__(self, program: Program, records: dict[str, Any] | None = None):
        self.p, self.records = program, records or {}
        self._walked: set[str] = set()
        self._calls: list[str] = []
        self._statements: set[int] = set()  # expressions whose value nobody uses

    def walk(self, name: str) -> None:
        """Learn everything about the unit of this name and all that it calls."""
        if name in self._walked:
            return
        self._walked.add(name)
        self._calls.append(name)
        u = self.p.units[name]
        u.node.body = fold(self.p, u, u.node.body)
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
        if u.owner == "self" or (u.owner is None and self._in_rule()):
            place = ast.unparse(target)
            if place.startswith("self."):
                u.refuse(target, f"it assigns {place}: rules are pure, so compute it in __init__ or keep it in the state")
            u.refuse(target, f"it assigns {place}: states and tuples are immutable, so make a new one with _replace or tuple(...)")
        return self.expr(u, target)

    def _in_rule(self) -> bool:
        return any(self.p.units[n].owner == "self" for n in self._calls)

    # ---- expressions -------------------------------------------------------------------------

    def meet(self, u: Unit, a: Node, b: Node, at: ast.AST) -> None:
        try:
            unify(a, b)
        except Clash as clash:
            u.refuse(at, f"in `{shown(at)}` {clash}: {instead.of_clash(at, str(clash))}")

    def expr(self, u: Unit, e: ast.expr) -> Node:
        node = self._expr(u, e)
        self.p.of[id(e)] = node
        return node

    def _expr(self, u: Unit, e: ast.expr) -> Node:
        match e:
            case ast.Constant(value=value):
                node = of_value(value, repr(value))
                return node if node is not None else u.refuse(e, instead.of_constant(value, "this number", ""))
            case ast.Name() | ast.Attribute():
                return self.name(u, e)
            case ast.Call():
                return self.call(u, e)
            case ast.BinOp(left=left, op=op, right=right):
                return self.operation(u, e, self.expr(u, left), op, self.expr(u, right), right)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.truth(u, operand)
            case ast.UnaryOp(operand=operand):
                node = self.expr(u, operand)
                if node.find().shape:
                    u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered on {node}: apply it to one number")
                return node
            case ast.BoolOp(values=values):
                kinds = {self.expr(u, v).find().kind for v in values}
                if {"word", "number"} <= kinds:
                    u.refuse(e, f"`{ast.unparse(e)}` is a word (u64) or a number by turns: write u64(...) or i64(...) around one of them")
                return scalar()
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
        u.refuse(e, f"`{ast.unparse(e)}` cannot be lowered: write it with numbers, tuples and loops")

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
                        self.meet(u, self.expr(u, a), number("a bound of range"), e)
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
            u.refuse(e, f"`{ast.unparse(e.func)}` is no function that can be lowered")
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
        """Refuse the call of something that is no function, or of a method of a value."""
        if isinstance(e.func, ast.Attribute):
            ref = self.p.resolve(u, e.func.value)
            if ref is not None and ref.what == "state":
                u.refuse(e, f"`{ast.unparse(e.func)}` cannot be lowered: write {ref.name}(...) with each field")
            if e.func.attr in instead.METHOD:
                u.refuse(e, f"`{ast.unparse(e.func)}` cannot be lowered: {instead.METHOD[e.func.attr]}")
            self.expr(u, e.func.value)  # refused if it is no value at all
        u.refuse(e, f"`{ast.unparse(e.func)}` cannot be called: call a method of the game or a function of the file")

    def intrinsic(self, u: Unit, e: ast.Call, ref: Ref, nodes: list[Node]) -> Node:
        expected = instead.MATH[ref.name] if ref.what == "math" else {"nth": 2, "load": 2, "store": 3}.get(ref.name, 1)
        if len(nodes) != expected:
            u.refuse(e, f"{ref.name} takes {expected} argument{'s' * (expected > 1)}, not {len(nodes)}")
        for node in nodes:
            if node.find().shape:
                u.refuse(e, f"{ref.name} is given {node}: give it one number or word")
        if ref.name in ("lowest", "rest"):
            return nodes[0]
        why = f"`{ast.unparse(e)}`"
        return word(why) if ref.name in ("u64", "bit", "byteswap", "bitreverse", "load", "store", "to_word") else number(why)

    def construct(self, u: Unit, e: ast.Call) -> Node:
        names = list(self.p.fields)
        cls = self.p.layout.state.__name__
        given = dict(zip(names, e.args, strict=False)) | {str(k.arg): k.value for k in e.keywords}
        replacing = isinstance(e.func, ast.Attribute) and e.func.attr == "_replace"
        if replacing and e.args:
            u.refuse(e, f"_replace takes its fields by name: write _replace({names[0]}=...)")
        if len(e.args) > len(names) or (not replacing and len(given) != len(names)) or len(given) != len(e.args) + len(e.keywords):
            told = f"{cls} has {len(names)} fields ({', '.join(names)}), not {len(e.args) + len(e.keywords)}"
            u.refuse(e, f"{told}: give each of them once")
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
            u.refuse(value, f"field {name} cannot be {given}: {clash}, so {instead.of_field(f, value, str(clash))}")

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
        args = e.args
        if callee.owner == "game" and callee.rule is None:
            if u.owner != "game":
                u.refuse(e, f"'{u.owner}' cannot be passed on to {callee.where}: write it as a method")
            if not (args and isinstance(args[0], ast.Name) and args[0].id == u.owner):
                u.refuse(e, f"{callee.where} takes the game as its first argument")
            args = args[1:]
        if len(args) != len(callee.params):
            u.refuse(e, f"{callee.where} takes {len(callee.params)} arguments ({', '.join(callee.params)}), not {len(args)}")
        if name in self._calls and name != self._calls[-1]:
            u.refuse(e, f"{callee.where} and {u.where} call each other: write one of them as a loop")
        for i, a in enumerate(args):
            wanted = self.p.params[name][i]
            if u.owner == "game" and callee.rule and RULES[callee.rule].takes[i] == "action":
                wanted = number("an action")  # to an algorithm every action is a number
            node = self.expr(u, a)
            if callee.rule and RULES[callee.rule].takes[i] == "state" and node.what not in (None, "state"):
                u.refuse(e, f"{callee.rule} is a rule, which takes a state, not {node}: give a method of your own another name")
            record = a.value if isinstance(a, ast.Subscript) else a  # a record, or one of an array of them
            if isinstance(record, ast.Name) and record.id in self.records:
                self.records[callee.params[i]] = self.records[record.id]
                continue
            self.meet(u, node, wanted, e)
        self.walk(name)
        gives = any(isinstance(n, (ast.Return, ast.Yield)) and n.value is not None for n in ast.walk(callee.node))
        if not gives and id(e) not in self._statements:
            u.refuse(e, f"{callee.where} returns nothing: end it with return and a value")
        if callee.rule and RULES[callee.rule].gives == "action" and u.owner == "game":
            return number("an action")
        return self.p.returns[name] if callee.rule is None or RULES[callee.rule].gives != "truth" else scalar()

    def made_call(self, u: Unit, e: ast.Call, name: str, nodes: list[Node]) -> Node:
        takes, gives = MADE[name]
        if len(takes) != len(nodes):
            u.refuse(e, f"{name} takes {len(takes)} arguments")
        for what, node in zip(takes, nodes, strict=True):
            if what == "state":
                self.meet(u, node, Node(shape="state"), e)
        needs = {"fill": "actions", "fill_features": "features", "pack_observation": "observe"}.get(name)
        if needs:
            self.walk(self.p.unit_of_method(needs, getattr(type(self.p.game), needs)))
        return self.p.node_of(gives, name)


def shown(part: ast.AST) -> str:
    """A statement or an expression as one line of a message."""
    if isinstance(part, ast.For):
        return f"for {ast.unparse(part.target)} in {ast.unparse(part.iter)}"
    return ast.unparse(part).splitlines()[0]

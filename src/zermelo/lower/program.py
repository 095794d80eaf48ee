"""All the functions that one entry point needs, found by following names from it.

A name in a rule or an algorithm may mean a local, a constant of the game (`self.x`) or of the file,
another method or function (which is then lowered too), a bit helper, or the state's class. Everything
else is refused here, with the line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import bits, rng
from ..errors import nearest
from ..game import Game
from . import advice, gpu, memory, rows
from .facts import MISSING, Facts, attribute
from .kinds import Node, number, of_value, scalar, tuple_of, word
from .signatures import MADE, RULES
from .source import Unit, read
from .trees import walk

#: the bit helpers by identity: whatever name a file imports them under
INTRINSICS: dict[int, str] = {
    id(getattr(bits, n)): n
    for n in [
        "u64",
        "u32",
        "u16",
        "u8",
        "i64",
        "i32",
        "i16",
        "i8",
        "popcount",
        "ctz",
        "clz",
        "lowest",
        "rest",
        "bit",
        "byteswap",
        "bitreverse",
        "nth",
    ]
} | {id(getattr(memory, n)): n for n in ("load", "store", "prefetch", "publish", "take", "swap", "to_word", "to_real")}
INTRINSICS |= {id(function): f"row_{function.__name__}" for function in rows.OPERATIONS}
BUILTINS = ("abs", "all", "any", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "sum", "tuple", "zip")
MAX_CONSTANT_BYTES = 1 << 20  # bytes of one constant: numba and a GPU's constant memory want less, tables are arguments


@dataclass(frozen=True)
class Ref:
    """What a name means: a `what`, and its name in the generated module or its value."""

    what: str  # const, unit, made, intrinsic, state, builtin, math, device
    name: str
    value: Any = None


class Program:
    """The units and constants of one entry point, with what is known of every expression in them."""

    def __init__(self, game: Game):
        self.game, self.layout = game, game.layout
        self.units: dict[str, Unit] = {}
        self.params: dict[str, list[Node]] = {}
        self.returns: dict[str, Node] = {}
        self.locals: dict[tuple[str, str], Node] = {}
        self.of: dict[int, Node] = {}  # expression -> what is known of it
        self.refs: dict[int, Ref] = {}  # name or attribute -> what it means
        self.made: set[str] = set()
        self.action = scalar()
        self._names: dict[int, str] = {}
        self._labels: dict[tuple[str, Any], str] = {}
        self._kept: list[Any] = []
        self.fields = {f.name: f for f in self.layout.fields}
        self.facts = Facts(game)

    @property
    def asks_for_the_end(self) -> bool:
        """Whether a list of actions begins with the question whether the game is over."""
        return not self.facts.add(None, "ends_without_actions", self.game.ends_without_actions)

    # ---- names -------------------------------------------------------------------------------

    def resolve(self, u: Unit, e: ast.expr) -> Ref | None:
        """What this name or attribute means; None for a local, or an attribute of a value."""
        if isinstance(e, ast.Name):
            if e.id in u.locals:
                return None
            if e.id == u.owner:
                u.refuse(e, f"'{e.id}' cannot be passed on: call its methods as {e.id}.method(...)")
            if (found := self.global_of(u, e.id)) is not MISSING:
                return self._of_object(u, e, found, e.id)
            if e.id in BUILTINS:
                return Ref("builtin", e.id)
            if hasattr(builtins, e.id):
                u.refuse(e, f"'{e.id}' cannot be lowered: {advice.BUILTIN.get(e.id) or 'use ' + ', '.join(BUILTINS)}")
            known = nearest(e.id, [*u.globals, *u.locals])
            u.refuse(e, f"'{e.id}' is not defined{known}: define it at the top of the file, or in __init__ as self.{e.id}")
        if isinstance(e, ast.Attribute):
            if isinstance(e.value, ast.Name) and e.value.id == u.owner:
                return self._of_game(u, e)
            holder = self._holder(u, e.value)
            if holder is gpu:
                return Ref("device", e.attr)
            if holder is not None:
                return self._of_object(u, e, self._member(u, e, holder), e.attr)
        return None

    def global_of(self, u: Unit, name: str) -> Any:
        """What the file of this unit calls by this name, or MISSING."""
        return self.facts.add(u.globals, name, u.globals.get(name, MISSING))

    def _holder(self, u: Unit, e: ast.expr) -> Any:
        """The module or class that this expression names; None if it names neither."""
        found = None
        if isinstance(e, ast.Name) and e.id not in u.locals:
            found = self.global_of(u, e.id)
        elif isinstance(e, ast.Attribute) and (outer := self._holder(u, e.value)) is not None:
            found = self.facts.add(outer, e.attr, getattr(outer, e.attr, MISSING))
        is_class = isinstance(found, type) and found is not self.layout.state and id(found) not in INTRINSICS
        return found if is_class or isinstance(found, types.ModuleType) else None

    def _member(self, u: Unit, e: ast.Attribute, holder: Any) -> Any:
        """What a module or a class calls by this name."""
        kind, shown = ("module" if isinstance(holder, types.ModuleType) else "class"), ast.unparse(e.value)
        if not hasattr(holder, e.attr):
            u.refuse(e, f"the {kind} {shown} has no '{e.attr}'{nearest(e.attr, vars(holder))}")
        found = inspect.getattr_static(holder, e.attr) if kind == "class" else None
        if isinstance(found, (types.FunctionType, classmethod, property)):
            u.refuse(e, f"{ast.unparse(e)} cannot be lowered: write {u.owner or 'self'}.{e.attr}")
        return self.facts.add(holder, e.attr, getattr(holder, e.attr))

    def _of_game(self, u: Unit, e: ast.Attribute) -> Ref:
        name, cls = e.attr, type(self.game)
        if name in MADE and u.owner == "game":
            self.made.add(name)
            return Ref("made", name)
        found = inspect.getattr_static(cls, name, None)
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        found = inspect.unwrap(found) if callable(found) else found  # so that the message is about the decorator
        self.facts.add(None, name, attribute(self.game, name))
        if isinstance(found, types.FunctionType) and found is getattr(Game, name, None) and name not in RULES:
            u.refuse(e, f"{ast.unparse(e)} cannot be lowered: call a rule, or a method of your own")
        if isinstance(found, types.FunctionType) and name not in vars(self.game):
            return Ref("unit", self.unit_of_method(name, found))
        if found is None and name not in vars(self.game):
            known = [n for n in (*vars(self.game), *dir(cls)) if not n.startswith("_")]
            u.refuse(e, f"{cls.__name__} has no '{name}'{nearest(name, known)}: write the method, or assign self.{name} in __init__")
        try:
            value = getattr(self.game, name)
        except Exception as error:
            u.refuse(e, f"{ast.unparse(e)} cannot be computed ({type(error).__name__}: {error}): compute it in __init__")
        return Ref("const", *self._constant(u, e, value, name))

    def _of_object(self, u: Unit, e: ast.expr, value: Any, name: str) -> Ref:
        if id(value) in INTRINSICS:
            return Ref("intrinsic", INTRINSICS[id(value)])
        if value is self.layout.state:
            return Ref("state", "State")
        if callable(value) and isinstance(inspect.unwrap(value), types.FunctionType) and not _is_foreign(value):
            return Ref("unit", self.unit_of_function(inspect.unwrap(value)))
        if isinstance(value, types.BuiltinFunctionType) and value.__module__ == "math":
            if value.__name__ not in advice.MATH:
                u.refuse(e, f"{ast.unparse(e)} cannot be lowered: write it with functions of numbers, like sqrt, exp, log, floor")
            return Ref("math", value.__name__)
        if (
            value in (min, max, abs, sum, any, all, len, range, int, bool, float, tuple)
            if isinstance(value, (type, types.BuiltinFunctionType))
            else False
        ):
            return Ref("builtin", value.__name__)
        return Ref("const", *self._constant(u, e, value, name))

    def _constant(self, u: Unit, e: ast.expr, value: Any, name: str | None = None) -> tuple[str, Any]:
        """A label for this value among the constants of the module; refuses what code cannot hold."""
        shown = ast.unparse(e)
        if of_value(value, shown) is None:
            u.refuse(e, advice.of_constant(value, shown, self.layout.state.__name__))
        if isinstance(value, (np.ndarray, tuple)) and 8 * np.size(value) > MAX_CONSTANT_BYTES:
            most = f"a constant may hold {MAX_CONSTANT_BYTES // 8}, so compute them where they are needed"
            u.refuse(e, f"{shown} holds {np.size(value)} numbers: {most}")
        base = name or shown.replace(".", "_")
        # the exact value and no hash of it: -1 and -2 have one hash, and so have 1 and 2**61
        key = (base, id(value) if isinstance(value, (tuple, np.ndarray)) else (type(value), repr(value)))
        if key not in self._labels:
            self._labels[key] = f"const{len(self._labels)}_{base}"
            self._kept.append(value)  # so that no other value gets its id
        return self._labels[key], value

    # ---- units -------------------------------------------------------------------------------

    def unit_of_method(self, name: str, function: Callable[..., Any]) -> str:
        label = f"rule_{name}"
        if label not in self.units:
            if name in ("count", "key", "sample") and function is getattr(Game, name):
                self.add(self._default(name, label))
            else:
                where = f"{type(self.game).__name__}.{name}"
                self.add(read(function, label, where, "self", name if name in RULES else None))
        return label

    def unit_of_function(self, function: types.FunctionType) -> str:
        if id(function) not in self._names:
            label = f"fn_{function.__name__}"
            while label in self.units:
                label += "_"
            self._names[id(function)] = label
            self.add(read(function, label, function.__qualname__, "game"))
        return self._names[id(function)]

    def _default(self, name: str, label: str) -> Unit:
        """A rule that the author left to us and that depends on the layout of the state."""
        if name == "key":
            words = [f"s.{f.name}" if f.length is None else f"s.{f.name}[{i}]" for f in self.layout.fields for i in range(f.length or 1)]
            steps = "".join(f"    h = mix(h ^ u64({w}))\n" for w in words)
            text = f"def key(self, s):\n    h = u64(0)\n{steps}    return h\n"
        elif name == "count":
            text = "def count(self, s):\n    n = 0\n    for a in self.actions(s):\n        n += 1\n    return n\n"
        else:
            text = (
                "def sample(self, s, random):\n    k = below(random, self.count(s))\n    chosen = 0\n"
                "    for a in self.actions(s):\n        if k == 0:\n            chosen = a\n        k -= 1\n    return chosen\n"
            )
        tree = ast.parse(text).body[0]
        assert isinstance(tree, ast.FunctionDef)
        unit = Unit(label, f"Game.{name}", "game.py", tree, {"mix": rng.mix, "below": rng.below, "u64": bits.u64}, "self", name)
        unit.params = [a.arg for a in tree.args.args[1:]]
        unit.locals = {n.id for n in walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | set(unit.params)
        return unit

    def add(self, u: Unit) -> None:
        """Add the unit; its parameters and its value get the kinds that its rule or its annotations imply."""
        self.units[u.name] = u
        if u.rule is not None:
            takes, gives = RULES[u.rule]
            if len(takes) != len(u.params):
                expected = ", ".join(inspect.signature(getattr(Game, u.rule)).parameters)
                u.refuse(u.node, f"it takes other parameters than expected: write {u.rule}({expected})")
            self.params[u.name] = [self.node_of(t, p) for t, p in zip(takes, u.params, strict=True)]
            self.returns[u.name] = self.node_of(gives, u.where)
        else:
            annotations = {a.arg: a.annotation for a in u.node.args.args}
            self.params[u.name] = [self._annotated(u, annotations.get(p), p) for p in u.params]
            self.returns[u.name] = self._annotated(u, u.node.returns, u.where)
        for p, node in zip(u.params, self.params[u.name], strict=True):
            self.locals[u.name, p] = node

    def node_of(self, what: str, label: str) -> Node:
        """What is known of a value that a rule takes or gives."""
        if what == "state":
            return Node(shape="state")
        if what == "action":
            return self.action
        if what == "array":
            return Node(shape="array")
        if what == "word":
            return word(label)
        return Node() if what in ("truth", "any") else number(label)

    def _annotated(self, u: Unit, annotation: ast.expr | None, label: str) -> Node:
        """The kind that an annotation implies: u64 is a word, the other machine types are numbers, int implies nothing."""
        if isinstance(annotation, (ast.Name, ast.Attribute)):
            name = annotation.id if isinstance(annotation, ast.Name) else annotation.attr
            found = self.global_of(u, name)
            machine = INTRINSICS.get(id(getattr(bits, name, None) if found is MISSING else found))
            if machine == "u64":
                return word(label)
            if machine in ("i64", "i32", "i16", "i8", "u32", "u16", "u8") or name == "float":
                return number(label)
            if found is self.layout.state:
                return Node(shape="state")
        return Node()

    def field(self, name: str) -> Node:
        """What is known of a field of the state."""
        f = self.fields[name]
        one = word(f"field {name}") if f.is_word else scalar() if f.type == "bool" else number(f"field {name}")
        return one if f.length is None else tuple_of([one] * f.length)


def _is_foreign(function: Any) -> bool:
    """Whether this is a function of Python's library or of numpy, which the author cannot rewrite."""
    return (function.__module__ or "").split(".")[0] in (*sys.stdlib_module_names, "numpy")

"""The source of one function as a tree: read, named for messages, and refused early if it can't be lowered."""

from __future__ import annotations

import ast
import inspect
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from ..errors import LoweringError
from .signatures import YIELDING
from .trees import walk


@dataclass
class Unit:
    """One function to be lowered: its tree (with the author's line numbers) and where it came from."""

    name: str  # in the generated module
    where: str  # Class.method or function, for messages
    file: str
    node: ast.FunctionDef
    globals: dict[str, Any]
    owner: str | None = None  # the parameter that stands for the game: `self` in rules, `game` in algorithms
    rule: str | None = None  # the word of the rules that this is, if it is one
    params: list[str] = field(default_factory=list)  # without the owner
    locals: set[str] = field(default_factory=set)

    def refuse(self, at: ast.AST | int, message: str) -> NoReturn:
        """End with the one message a user gets: file, line, class and method, what to write instead."""
        line = at if isinstance(at, int) else getattr(at, "lineno", self.node.lineno)
        raise LoweringError(f"{os.path.basename(self.file)}:{line}: {self.where}: {message}")


def read(function: Callable[..., Any], name: str, where: str, owner: str | None, rule: str | None = None) -> Unit:
    """The unit of this Python function; LoweringError if it has no source or uses what can't be lowered."""
    text, first, file = _source(function, where)
    try:
        tree = ast.parse(text).body[0]
    except SyntaxError:
        raise LoweringError(f"{where}: its source cannot be read: write it as an ordinary def") from None
    ast.increment_lineno(tree, first - 1)
    if not isinstance(tree, ast.FunctionDef):
        raise LoweringError(f"{os.path.basename(file)}:{first}: {where}: it is not an ordinary function: write it with def")
    _mangle(tree, function.__qualname__)
    _separate(tree)
    unit = Unit(name, where, file, tree, function.__globals__, rule=rule)
    _signature(unit, owner)
    if function.__closure__:
        for n in walk(tree):
            if isinstance(n, ast.Name) and n.id == "super":
                unit.refuse(n, "super() cannot be lowered: write out what it does, or call a method of another name")
        free = function.__code__.co_freevars[0]
        unit.refuse(tree, f"it uses '{free}' of an enclosing function: pass it as an argument or keep it in self")
    if rule not in _checked.setdefault(function, set()):
        _check(unit)
        _checked[function].add(rule)
    return unit


#: the text of a function, its first line and its file; and as which rules it was checked: searches share most of their functions
_sources: WeakKeyDictionary[Callable[..., Any], tuple[str, int, str]] = WeakKeyDictionary()
_checked: WeakKeyDictionary[Callable[..., Any], set[str | None]] = WeakKeyDictionary()


def _source(function: Callable[..., Any], where: str) -> tuple[str, int, str]:
    """The text of a function, its first line and its file, read once."""
    if function not in _sources:
        try:
            lines, first = inspect.getsourcelines(function)
            _sources[function] = textwrap.dedent("".join(lines)), first, inspect.getsourcefile(function) or "?"
        except (OSError, TypeError):
            raise LoweringError(f"{where}: its source cannot be read: write the game in a file of its own") from None
    return _sources[function]


def _signature(unit: Unit, owner: str | None) -> None:
    """Take the owner off the parameters and drop what only people and type checkers read."""
    node, args = unit.node, unit.node.args
    for d in node.decorator_list:
        if not (isinstance(d, ast.Name) and d.id == "staticmethod"):
            unit.refuse(d, f"the decorator @{ast.unparse(d)} cannot be lowered: leave it out")
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs:
        unit.refuse(node, "*args, **kwargs and keyword-only parameters cannot be lowered: name each parameter")
    if args.defaults:
        unit.refuse(node, "default values of parameters cannot be lowered: pass each argument")
    names = [a.arg for a in args.args]
    if owner == "self" and names[:1] != ["self"] and not node.decorator_list:
        unit.refuse(node, f"its first parameter must be self: write {node.name}({', '.join(['self', *names])})")
    if owner is not None and names and names[0] == owner:
        unit.owner, names = owner, names[1:]
    unit.params = names
    if "self" in names or any(isinstance(n, ast.Name) and n.id == "self" and isinstance(n.ctx, ast.Store) for n in walk(node)):
        unit.refuse(node, "'self' cannot be the name of a variable: choose another")
    stored = {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del))}
    unit.locals = stored | set(names)
    if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
        if isinstance(node.body[0].value.value, str):
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
    for inner in walk(node):
        if isinstance(inner, ast.AnnAssign):
            inner.annotation = ast.copy_location(ast.Constant(0), inner)


def _mangle(tree: ast.FunctionDef, qualified: str) -> None:
    """Write private names (`self.__x` in a class) as Python does: with the name of the class before them."""
    owner = qualified.split(".")[-2].lstrip("_") if "." in qualified else ""
    if not owner or owner == "<locals>":
        return
    for n in walk(tree):
        field = {ast.Attribute: "attr", ast.Name: "id", ast.arg: "arg"}.get(type(n))
        if field is not None and (name := getattr(n, field)).startswith("__") and not name.endswith("__"):
            setattr(n, field, f"_{owner}{name}")


def _separate(tree: ast.FunctionDef) -> None:
    """Give the variables of each generator expression names of their own: they are not those of the function.

    The first iterable is computed outside, where a name still means what it meant before.
    """
    for g in [n for n in walk(tree) if isinstance(n, ast.GeneratorExp)]:
        parts = [g.elt, *(t for c in g.generators for t in (c.target, *c.ifs)), *(c.iter for c in g.generators[1:])]
        inside = [n for part in parts for n in walk(part) if isinstance(n, ast.Name)]
        known = {id(n) for n in inside}
        outside = {n.id for n in walk(tree) if isinstance(n, ast.Name) and id(n) not in known} | {a.arg for a in tree.args.args}
        for name in {n.id for c in g.generators for n in walk(c.target) if isinstance(n, ast.Name)} & outside:
            fresh = name
            while fresh in outside:
                fresh += "ʹ"
            for n in inside:
                n.id = fresh if n.id == name else n.id


REFUSED: dict[type[ast.AST], str] = {
    ast.List: "a list cannot be lowered: use a tuple of fixed length, or the bits of a word",
    ast.Dict: "a dict cannot be lowered: use a tuple or a numpy array computed in __init__",
    ast.Set: "a set cannot be lowered: use the bits of a word",
    ast.ListComp: "a list comprehension cannot be lowered: write tuple(... for ...) over a fixed tuple, or a loop",
    ast.SetComp: "a set comprehension cannot be lowered: write a loop over bits",
    ast.DictComp: "a dict comprehension cannot be lowered: compute a table in __init__",
    ast.Lambda: "a lambda cannot be lowered: write a method",
    ast.Try: "try cannot be lowered: rules are never given illegal actions, so test with if",
    ast.TryStar: "try cannot be lowered: rules are never given illegal actions, so test with if",
    ast.With: "with cannot be lowered: rules only compute",
    ast.Raise: "raise cannot be lowered: rules are never given illegal actions; check text in read_action and read_state",
    ast.Import: "import cannot be lowered here: import at the top of the file",
    ast.ImportFrom: "import cannot be lowered here: import at the top of the file",
    ast.Global: "global cannot be lowered: rules are pure, keep everything in the state",
    ast.Nonlocal: "nonlocal cannot be lowered: rules are pure, keep everything in the state",
    ast.FunctionDef: "a function inside a method cannot be lowered: write a method of its own",
    ast.ClassDef: "a class inside a method cannot be lowered: write it at the top of the file",
    ast.Delete: "del cannot be lowered: values are immutable",
    ast.Match: "match cannot be lowered: write if and elif",
    ast.JoinedStr: "an f-string is text, which cannot be lowered: write it in show, write_action or write_state",
    ast.NamedExpr: "':=' cannot be lowered: assign on a line of its own",
    ast.Starred: "'*' in a call or assignment cannot be lowered: name each value",
    ast.Await: "await cannot be lowered: rules only compute",
    ast.YieldFrom: "yield from cannot be lowered: write a loop with yield",
}


def _check(unit: Unit) -> None:
    """Refuse what cannot be lowered, at the first place that has it."""
    _check_yields(unit)
    gives = unit.rule is not None or any(isinstance(n, ast.Return) and n.value is not None for n in walk(unit.node))
    gives = gives and unit.rule not in YIELDING
    for node in _walk(unit.node.body):
        if message := REFUSED.get(type(node)) or _fault_of_statement(unit, node, gives) or _fault_of_value(node):
            unit.refuse(node, message)
        if isinstance(node, (ast.For, ast.While)) and node.orelse:
            unit.refuse(node.orelse[0], "else after a loop cannot be lowered: set a flag and test it")
    if gives and not _returns(unit.node.body):
        unit.refuse(unit.node.body[-1], "one path ends without a return: return a value on every path")


def _fault_of_statement(unit: Unit, node: ast.AST, gives: bool) -> str:
    """Why a return, a yield or an asynchronous statement cannot be lowered; nothing if it can. `gives`: the function returns a value."""
    if isinstance(node, (ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef)):
        return "async cannot be lowered: rules only compute"
    if isinstance(node, ast.Return) and gives:
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            return "it returns nothing here: return a value on every path"
    if isinstance(node, ast.Yield):
        if unit.rule not in YIELDING:
            return f"only {', '.join(YIELDING)} may yield: write the loop there, or return a value"
        if node.value is None:
            return "yield gives nothing: write yield and a number"
    return ""


def _fault_of_value(node: ast.AST) -> str:
    """Why an operation or a constant cannot be lowered; nothing if it can."""
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.MatMult):
        return "'@' cannot be lowered: write the sum as a loop"
    if not isinstance(node, ast.Constant) or isinstance(node.value, (int, float)):
        return ""
    if isinstance(node.value, str):
        return f"{node.value!r} is text, which cannot be lowered: use a number that stands for it"
    if node.value is None:
        return "None cannot be lowered: use a number that stands for nothing, like -1"
    if node.value is ...:
        return "'...' cannot be lowered: write the method out"
    return f"{node.value!r} cannot be lowered: use whole numbers or floats"


def _walk(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every part of these statements but assertions, which are only for the interpreter."""
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop(0)
        if not isinstance(node, ast.Assert):
            yield node
            todo.extend(ast.iter_child_nodes(node))


def _check_yields(unit: Unit) -> None:
    statements = {id(n.value) for n in walk(unit.node) if isinstance(n, ast.Expr)}
    yields = [n for n in walk(unit.node) if isinstance(n, (ast.Yield, ast.YieldFrom))]
    for y in yields:
        if id(y) not in statements:
            unit.refuse(y, "yield gives back nothing: write it as a statement of its own")
    if unit.rule in YIELDING:
        returns = [n for n in walk(unit.node) if isinstance(n, ast.Return) and n.value is not None]
        if not yields:
            unit.refuse(returns[0] if returns else unit.node, f"{unit.rule} must yield each value: write yield in a loop, not return")
        if returns:
            unit.refuse(returns[0], f"{unit.rule} yields its values: write a bare return")


def _returns(body: list[ast.stmt]) -> bool:
    """Whether every path through these statements ends in a return (or never ends)."""
    for statement in body:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, ast.If) and _returns(statement.body) and _returns(statement.orelse):
            return True
        if isinstance(statement, ast.While) and isinstance(statement.test, ast.Constant) and statement.test.value:
            if not any(isinstance(n, ast.Break) for n in walk(statement)):
                return True
    return False

"""What is decided while lowering: branches on constants of the game, arithmetic of literals, selects for branches."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from .program import Program
from .source import Unit


def fold(program: Program, u: Unit, body: list[ast.stmt], records: Mapping[str, Any]) -> list[ast.stmt]:
    """Drop the branches that a constant of the game or a length in a work record decides, before anything in them is asked for."""
    kept: list[ast.stmt] = []
    for s in body:
        if _only_notes(u, s, records):
            continue
        if isinstance(s, ast.If):
            s.test = decide(program, u, s.test, records)
            if isinstance(s.test, ast.Constant):
                kept.extend(fold(program, u, s.body if s.test.value else s.orelse, records))
                continue
            s.body = fold(program, u, s.body, records)
            s.orelse = fold(program, u, s.orelse, records)
            if not s.body and not s.orelse and is_safe(s.test):
                continue
            s.body = s.body or [ast.copy_location(ast.Pass(), s)]
        elif isinstance(s, (ast.For, ast.While)):
            s.body = fold(program, u, s.body, records) or [ast.copy_location(ast.Pass(), s)]
        kept.append(s)
    return kept


def _only_notes(u: Unit, s: ast.stmt, records: Mapping[str, Any]) -> bool:
    """Whether this calls a function that only notes (it has an attribute `notes_in`), and the record has no room for notes."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            field = getattr(u.globals.get(name), "notes_in", None)
            return any(field in (r.names or ()) and r.fields[field][0].shape == (1,) for r in records.values())
    return False


def decide(program: Program, u: Unit, test: ast.expr, records: Mapping[str, Any]) -> ast.expr:
    """The test with what is known of it worked out: True, False, or what is left to ask."""
    if isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name) and test.value.id == u.owner:
        ref = program.resolve(u, test)
        if ref is not None and ref.what == "const" and isinstance(ref.value, bool):
            return ast.copy_location(ast.Constant(ref.value), test)
    if isinstance(test, ast.Compare) and (length := _length(test.left, records)) is not None:
        return ast.copy_location(folded(ast.Compare(ast.Constant(length), test.ops, test.comparators)), test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = decide(program, u, test.operand, records)
        if isinstance(inner, ast.Constant):
            return ast.copy_location(ast.Constant(not inner.value), test)
    if isinstance(test, ast.BoolOp):
        ends = isinstance(test.op, ast.Or)  # an Or ends at the first truth, an And at the first falsehood
        left: list[ast.expr] = []
        for value in test.values:
            value = decide(program, u, value, records)
            if not isinstance(value, ast.Constant):
                left.append(value)
            elif bool(value.value) == ends:
                return (
                    ast.copy_location(ast.Constant(ends), test)
                    if not left
                    else ast.copy_location(ast.BoolOp(test.op, [*left, value]), test)
                )
        if not left:
            return ast.copy_location(ast.Constant(not ends), test)
        return left[0] if len(left) == 1 else ast.copy_location(ast.BoolOp(test.op, left), test)
    return test


def _length(e: ast.expr, records: Mapping[str, Any]) -> int | None:
    """What len(work.field) is, if e is that and work a record."""
    match e:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=ast.Name(id=record), attr=field)]) if record in records:
            kind = (records[record].fields or {}).get(field)
            return kind[0].shape[0] if kind and kind[0].shape else None
    return None


def is_safe(e: ast.expr) -> bool:
    """Whether computing this in vain does no harm and costs little: no call, no element by a run-time index."""
    if isinstance(e, ast.Call):
        return (
            isinstance(e.func, ast.Name)
            and e.func.id in ("u64", "i64", "f64", "bit", "select", "popcount", "shl", "shr", "tame")
            and all(map(is_safe, e.args))
        )
    if isinstance(e, ast.Subscript):
        return isinstance(e.slice, ast.Constant) and is_safe(e.value)
    if isinstance(e, ast.BinOp):
        return not isinstance(e.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)) and is_safe(e.left) and is_safe(e.right)
    if isinstance(e, ast.UnaryOp):
        return is_safe(e.operand)
    if isinstance(e, ast.Compare):
        return len(e.ops) == 1 and is_safe(e.left) and is_safe(e.comparators[0])
    if isinstance(e, ast.Attribute):
        return is_safe(e.value)
    return isinstance(e, (ast.Name, ast.Constant))


def is_repeatable(e: ast.expr) -> bool:
    """Whether this can be computed as often as it is written, or never: safe, or a tuple or a slice of what is."""
    if isinstance(e, ast.Tuple):
        return all(map(is_repeatable, e.elts))
    if isinstance(e, ast.Subscript):
        return isinstance(e.slice, (ast.Constant, ast.Slice)) and is_repeatable(e.value)
    return is_safe(e)


def folded(e: ast.expr) -> ast.expr:
    """The expression worked out where it is made of whole numbers alone."""
    operands = [e.left, e.right] if isinstance(e, ast.BinOp) else [e.left, *e.comparators] if isinstance(e, ast.Compare) else []
    values = [x.value for x in operands if isinstance(x, ast.Constant) and isinstance(x.value, int)]
    if not operands or len(values) != len(operands):
        return e
    if isinstance(e, ast.Compare):
        pairs = zip(e.ops, values, values[1:])
        if all(type(op) in _OPERATORS for op in e.ops):
            return ast.Constant(all(_OPERATORS[type(op)](a, b) for op, a, b in pairs))
    elif isinstance(e, ast.BinOp) and type(e.op) in _OPERATORS and (values[1] or not isinstance(e.op, (ast.FloorDiv, ast.Mod))):
        value = _OPERATORS[type(e.op)](*values)
        if abs(value) < 1 << 63:
            return ast.Constant(value)
    return e


_OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def connected(op: ast.boolop, values: list[ast.expr]) -> ast.expr:
    """`and` or `or` of these; where all are true or false, without those that are decided and without branches."""
    if not all(_is_bool(v) for v in values):
        return ast.BoolOp(op, values)  # of numbers it gives one of them
    ends = isinstance(op, ast.Or)
    decided = next((k for k, v in enumerate(values) if isinstance(v, ast.Constant) and v.value == ends), None)
    left = [v for v in values[:decided] if not isinstance(v, ast.Constant)]
    if decided is not None:  # what stands before it may fail
        return ast.Constant(ends) if all(map(is_safe, left)) else ast.BoolOp(op, [*left, ast.Constant(ends)])
    if not left:
        return ast.Constant(not ends)
    if not all(is_safe(v) for v in left):
        return left[0] if len(left) == 1 else ast.BoolOp(op, left)
    total = left[0]
    for value in left[1:]:
        total = ast.BinOp(total, ast.BitOr() if ends else ast.BitAnd(), value)
    return total


def _is_bool(e: ast.expr) -> bool:
    """Whether this is surely true or false, and no other number."""
    if isinstance(e, ast.BinOp):
        return isinstance(e.op, (ast.BitOr, ast.BitAnd)) and _is_bool(e.left) and _is_bool(e.right)
    if isinstance(e, ast.BoolOp):
        return all(_is_bool(v) for v in e.values)
    if isinstance(e, ast.Constant):
        return isinstance(e.value, bool)
    return isinstance(e, ast.Compare) or (isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not))

"""Pieces of the generated module: constants in the form that is asked for, small functions on tuples, bits of syntax."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .kinds import Node
from .program import Ref


class Pieces:
    """Collects the constants and the small functions of one module."""

    def __init__(self) -> None:
        self._helpers: dict[str, str] = {}
        self._constants: dict[str, str] = {}

    def helper(self, what: str, n: int) -> str:
        """A small function on tuples of n, to pick an element by a run-time index or convert them all; or one of n players."""
        name = f"{what}_{n}"
        if name not in self._helpers:
            if what == "pick":  # selects, not the switch that t[i] would be: 9 against 25 ns; one a line, for CPython nests at most 200
                selects = "".join(f"    x = select(k == {k}, t[{k}], x)\n" for k in reversed(range(n - 1)))
                first = f"    k = select(i < 0, i64(i) + {n}, i64(i))\n    x = t[{n - 1}]\n"
                self._helpers[name] = f"@inner\ndef {name}(t, i):\n{first}{selects}    return x\n"
            elif what in ("mover", "player"):
                chosen = f"select((p >= {-1 if what == 'mover' else 0}) & (p < {n}), i64(p), i64(0))"
                self._helpers[name] = f"@inner\ndef {name}(p):\n    return {chosen}\n"
            else:
                parts = tuple_text([f"{what[4:]}(t[{k}])" for k in range(n)])
                self._helpers[name] = f"@inner\ndef {name}(t):\n    return {parts}\n"
        return name

    def constant(self, ref: Ref, node: Node, form: str) -> str:
        """The name of a constant in the form that is needed: a scalar, a tuple or an array, of words or not."""
        value = ref.value
        if form == "scalar":
            plain = (
                bool(value)
                if isinstance(value, (bool, np.bool_))
                else float(value)
                if isinstance(value, (float, np.floating))
                else int(value)
            )
            self._constants[ref.name] = f"{ref.name} = {plain!r}".replace("= inf", "= math.inf").replace("= -inf", "= -math.inf")
            return ref.name
        flat = np.asarray(value, dtype=object).ravel()
        real = any(isinstance(v, (float, np.floating)) for v in flat)
        kind = "u64" if node.innermost.is_word else "f64" if real else "i64"
        name = f"{ref.name}_{form}" + ("_u64" if kind == "u64" else "")
        rows = _plain(value, float if real else int)
        self._constants[name] = f"{name} = {form}s({rows!r}, {kind!r})"
        return name


MAX_TUPLE_ELEMENTS = 30  # elements: CPython builds a longer tuple through a list, which numba cannot follow


def tuple_of_parts(parts: list[ast.expr], ctx: ast.expr_context) -> ast.expr:
    """A tuple of these parts, of any length."""
    if len(parts) <= MAX_TUPLE_ELEMENTS:
        return ast.Tuple(parts, ctx)
    return ast.BinOp(tuple_of_parts(parts[:MAX_TUPLE_ELEMENTS], ctx), ast.Add(), tuple_of_parts(parts[MAX_TUPLE_ELEMENTS:], ctx))


def tuple_text(parts: list[str]) -> str:
    return " + ".join("(" + ", ".join(parts[i : i + MAX_TUPLE_ELEMENTS]) + ",)" for i in range(0, len(parts), MAX_TUPLE_ELEMENTS))


def _plain(value: Any, convert: type) -> Any:
    if isinstance(value, (tuple, list, np.ndarray)):
        return tuple(_plain(v, convert) for v in value)
    return convert(value)


def statement_of(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def expression_of(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def call_of(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(name_of(name), list(args), [])

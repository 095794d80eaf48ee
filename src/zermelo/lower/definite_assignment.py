"""Refuse a variable that some path reads before it has a value: Python would stop there, native code goes on with 0."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .source import Unit
from .trees import walk

Known = frozenset[str]


class Assigned:
    """Follows every path through one unit; `runs` says whether a for loop makes at least one turn."""

    def __init__(self, u: Unit, runs: Callable[[ast.expr], bool]):
        self._u, self._runs = u, runs
        self._loops: list[tuple[ast.stmt, list[Known]]] = []  # the loops that we are in, and what is known where each is left

    def check(self) -> None:
        self._block(self._u.node.body, frozenset(self._u.params))

    def _block(self, body: list[ast.stmt], known: Known | None) -> Known | None:
        """The names that have a value after these statements; None when no path goes on from there."""
        for s in body:
            if known is None:
                return None
            known = self._statement(s, known)
        return known

    def _statement(self, s: ast.stmt, known: Known) -> Known | None:
        match s:
            case ast.If():
                self._read(s.test, known)
                return _both(self._block(s.body, known), self._block(s.orelse, known))
            case ast.For() | ast.While():
                return self._loop(s, known)
            case ast.Break() | ast.Continue():
                loop, left = self._loops[-1]
                if isinstance(s, ast.Break) or isinstance(loop, ast.For):  # its last turn may end by continue
                    left.append(known)
                return None
            case ast.Assert():
                return known
        self._read(s, known)
        if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
            self._read(ast.copy_location(ast.Name(s.target.id, ast.Load()), s), known)
        return None if isinstance(s, ast.Return) else known | _stored(s)

    def _loop(self, s: ast.For | ast.While, known: Known) -> Known | None:
        """After a loop that may make no turn, no more is known than before it."""
        self._read(s.iter if isinstance(s, ast.For) else s.test, known)
        left: list[Known] = []
        self._loops.append((s, left))
        end = self._block(s.body, known | _stored(s.target) if isinstance(s, ast.For) else known)
        self._loops.pop()
        endless = isinstance(s, ast.While) and isinstance(s.test, ast.Constant) and bool(s.test.value)
        if not endless and not (isinstance(s, ast.For) and self._runs(s.iter)):
            return known
        after = None if endless else end
        for exit in left:
            after = _both(after, exit)
        return after

    def _read(self, part: ast.AST, known: Known) -> None:
        if isinstance(part, ast.GeneratorExp):
            known = known.union(*(_stored(c.target) for c in part.generators))
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in self._u.locals and part.id not in known:
            self._u.refuse(part, f"'{part.id}' has no value yet on some path: assign to it before")
        for child in ast.iter_child_nodes(part):
            self._read(child, known)


def _both(a: Known | None, b: Known | None) -> Known | None:
    return a & b if a is not None and b is not None else b if a is None else a


def _stored(part: ast.AST) -> Known:
    """The names that this statement or target assigns."""
    if isinstance(part, ast.AnnAssign) and part.value is None:
        return frozenset()
    return frozenset(n.id for n in walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))

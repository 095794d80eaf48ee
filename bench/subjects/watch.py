"""The cost of notes when a search is not watched: searches as they are, and the same source with every note removed.

Natively both are compiled from the same text, as lowering drops the notes (`tests/search/test_watch.py` compares the texts):
the difference is noise. In the interpreter, each skipped note costs a test of the length of a list.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import zermelo
from zermelo.game import Game
from zermelo.search import depth_first
from zermelo.search.alphabeta import engine, lines, plain, quiescence
from zermelo.search.alphabeta.plain import PlainAlphaBeta
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.prepare import prepare
from zermelo.search.searcher import Searcher

from ..harness import Claim, Table
from ..peers import candidate

NOTED, BARE = "with notes, nobody watches", "notes taken out of the source"
BAR = 0.98


def tables() -> Iterator[Table]:
    yield _table("plain alpha-beta, Connect Four to depth 10, native", "connect4", PlainAlphaBeta(depth=10), BarePlain(depth=10), 40)
    yield _table(
        "alpha-beta with table and order, Connect Four to depth 12, native", "connect4", AlphaBeta(depth=12), BareEngine(depth=12), 20
    )
    slow = {"depth": 6, "interpreted": True}
    yield _table("plain alpha-beta, Connect Four to depth 6, interpreted", "connect4", PlainAlphaBeta(**slow), BarePlain(**slow), 2)


class _Strip(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        match node.value:
            case ast.Call(func=ast.Name(id="note" | "enter")):
                return None
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body or node.orelse else None


def bare(module: ModuleType) -> ModuleType:
    """The module without notes."""
    text = ast.unparse(_Strip().visit(ast.parse(inspect.getsource(module))))
    new = ModuleType(f"{module.__name__}_bare")
    new.__package__ = module.__package__
    file = f"<{new.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[new.__name__] = new  # dataclasses look there
    exec(compile(text, file, "exec"), new.__dict__)
    return new


SHARED, PLAIN, ENGINE, QUIESCENCE = bare(depth_first), bare(plain), bare(engine), bare(quiescence)
for module in (PLAIN, ENGINE, QUIESCENCE):
    for name in ("visit", "proven_leaf", "estimated_leaf"):
        if hasattr(module, name):
            setattr(module, name, getattr(SHARED, name))
for name in ("quiescence", "end_of_game"):
    setattr(ENGINE, name, getattr(QUIESCENCE, name))


@dataclass(frozen=True, kw_only=True)
class BarePlain(PlainAlphaBeta):
    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return prepare(game, PLAIN.root, depth_first.DepthFirst, self.interpreted, plies=plies, width=width)


@dataclass(frozen=True, kw_only=True)
class BareEngine(AlphaBeta):
    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return prepare(game, ENGINE.root, engine.Engine, self.interpreted, plies=plies, width=width, **lines.sizes(1, plies, width))


def _table(title: str, game: str, noted: Searcher, without: Searcher, times: int) -> Table:
    return Table(
        f"The watcher: {title}",
        "nodes/s",
        [candidate(NOTED, _searched(game, noted, times)), candidate(BARE, _searched(game, without, times))],
        [Claim("with notes against without", lambda best: best[NOTED] / best[BARE], BAR)],
        "From the empty board. CPU time of the process.",
    )


def _searched(text: str, searcher: Searcher, times: int) -> Callable[[], float]:
    game = zermelo.game(text)
    return lambda: float(sum(searcher.search(game).nodes for _ in range(times)))

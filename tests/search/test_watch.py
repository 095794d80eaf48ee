"""Notes compile to nothing if a search is not watched, and are the same natively and interpreted if it is."""

from __future__ import annotations

import ast
import inspect
import textwrap

import numpy as np
import pytest

import zermelo
from zermelo.lower.generate import generate
from zermelo.search import expectiminimax, maxn, minimax
from zermelo.search.alphabeta import engine, plain
from zermelo.search.alphabeta.quiescence import search_tactical, settled
from zermelo.search.depth_first import DepthFirst
from zermelo.search.mcts import simulation
from zermelo.search.mcts.record import TreeRecord
from zermelo.search.notes import ENTER, WORDS, Log, watched_by, watching
from zermelo.search.prepare import prepare
from zermelo.search.puct import puct
from zermelo.search.puct.record import Tree
from zermelo.search.records import record_of
from zermelo.search.zero_sum import gains_of

ALGORITHMS = {
    "minimax": (minimax.root, minimax.MinimaxRecord),
    "plain": (plain.root, DepthFirst),
    "alphabeta": (engine.root, engine.Engine),
    "expectiminimax": (expectiminimax.root, expectiminimax.Expecting),
    "maxn": (maxn.root, maxn.Vectors),
    "mcts": (simulation.search, TreeRecord),
    "mcts, guided": (simulation.search, TreeRecord),
    "mcts by a network": (puct.advance, Tree),
}


class Strip(ast.NodeTransformer):
    """Takes the notes out of a text: every statement that only notes, and what is then empty."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        match node.value:
            case ast.Call(func=ast.Name(id=name)) if name in ("note", "enter") or (name.startswith("note_") and name != "note_taken"):
                return None
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body or node.orelse else None


@pytest.fixture
def stripped(monkeypatch: pytest.MonkeyPatch):
    """Lowering, from here on, of a source from which the notes were taken out by hand."""
    from zermelo.lower import program, source

    def read(function, *given):
        unit = source.read(function, *given)
        unit.node = Strip().visit(unit.node)
        return unit

    monkeypatch.setattr(program, "read", read)


def text_of(game, name: str) -> str:
    function, record = ALGORITHMS[name]
    guided = {"trail": 1024, "taken": 4096} if "guided" in name else {"trail": 1, "taken": 1}
    sizes = {"plies": 128, "width": 64, "watch": 1, "lines": 1, "length": 1, "proofs": 1, "nodes": 16, "gains": gains_of(game)} | guided
    fields = record.fields(words=game.layout.words, players=game.players, planes=1, **sizes)
    return generate(game, function, {"work": record_of(fields)}).source


@pytest.mark.parametrize("game", ["tictactoe", "chess", "pig", "tree"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_left_of_notes_where_nobody_watches(request, game, name):
    it = zermelo.game(game)
    unwatched = text_of(it, name)
    assert "watch" not in unwatched
    request.getfixturevalue("stripped")
    assert text_of(it, name) == unwatched, "what is compiled is not what would be without notes"


def test_notes_are_there_to_be_stripped():
    for function in (minimax.minimax, plain.alphabeta, engine.search_actions, settled, search_tactical, expectiminimax.choose, maxn.maxn):
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        assert len(ast.dump(Strip().visit(tree))) < len(ast.dump(ast.parse(textwrap.dedent(inspect.getsource(function)))))


def test_only_this_thread_and_only_while_it_lasts():
    log = Log(100, True)
    with watching(log):
        assert watched_by() is log
        assert zermelo.AlphaBeta(depth=2, threads=2, interpreted=True).search(zermelo.game("tictactoe")).nodes
    assert watched_by() is None
    entered = sum(run.entered for run in log.runs)
    zermelo.AlphaBeta(depth=2, interpreted=True).search(zermelo.game("tictactoe"))
    assert entered == sum(run.entered for run in log.runs) == log.entered


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_the_search_goes_on_when_the_log_is_full(limit):
    game, searcher = zermelo.game("tictactoe"), zermelo.Minimax(depth=4, interpreted=True)
    log = Log(limit, True)
    with watching(log):
        result = searcher.search(game)
    assert result.nodes == searcher.search(game).nodes
    assert log.is_full
    notes = log.notes(0, log.runs[-1].end)
    assert (notes[:, 0] & np.uint64(0xFF) == ENTER).sum() == limit


def test_a_run_that_did_not_fit_is_forgotten(tmp_path):
    lines = [f"{'max' if i % 2 == 0 else 'min'} n{i}: n{i + 1}" for i in range(200)]
    file = tmp_path / "long.tree"
    file.write_text("\n".join([*lines, "n200 = 1"]))
    log = Log(1000, True)
    with watching(log):
        result = zermelo.Minimax(interpreted=True).search(zermelo.game("tree", file=str(file)))
    assert result.nodes == log.entered == 201
    assert len(log.runs) == 1
    assert (log.runs[0].end - log.runs[0].begin) % WORDS == 0


def test_records_without_the_field_are_not_watched():
    game, log = zermelo.game("tictactoe"), Log(10, True)
    fields = [f for f in DepthFirst.fields(plies=16, width=16, words=2, players=2, planes=1, watch=1, gains=0) if f[0] != "watch"]
    with watching(log):
        run = prepare(game, lambda game, work: 7, fields, True)
        assert run().value == 7
    assert log.runs == []
    assert zermelo.MCTS(simulations=3, interpreted=True).search(game).nodes == 3

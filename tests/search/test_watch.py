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
from zermelo.search.alphabeta import engine, lines
from zermelo.search.alphabeta import searcher as alphabeta
from zermelo.search.mcts import simulation
from zermelo.search.notes import ENTER, WORDS, Log, watched_by, watching
from zermelo.search.prepare import prepare
from zermelo.search.records import record_of

ALGORITHMS = {
    "minimax": (minimax.root, minimax.fields),
    "plain": (alphabeta.root, alphabeta.plain_fields),
    "alphabeta": (engine.root, lambda game, plies, width: engine.fields(game, plies, width) + lines.fields(plies, width, 1)),
    "expectiminimax": (expectiminimax.root, expectiminimax.fields),
    "maxn": (maxn.root, maxn.fields),
    "mcts": (simulation.search, lambda game, plies, width: simulation.fields(game, width, False, False)),
    "mcts, guided": (simulation.search, lambda game, plies, width: simulation.fields(game, width, True, False)),
}


class Strip(ast.NodeTransformer):
    """Takes the notes out of a text: every `if len(work.watch) > 1`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if "work.watch" in ast.unparse(node.test) else self.generic_visit(node)


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
    function, fields = ALGORITHMS[name]
    return generate(game, function, {"work": record_of(fields(game, 128, 64))}).source


@pytest.mark.parametrize("game", ["tictactoe", "chess", "pig", "tree"])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_left_of_notes_where_nobody_watches(request, game, name):
    it = zermelo.game(game)
    unwatched = text_of(it, name)
    assert "watch" not in unwatched
    request.getfixturevalue("stripped")
    assert text_of(it, name) == unwatched, "what is compiled is not what would be without notes"


def test_notes_are_there_to_be_stripped():
    for function in (minimax.minimax, alphabeta.alphabeta, engine.search, engine.settle, expectiminimax.search, maxn.maxn):
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
    fields = [f for f in minimax.fields(game, 16, 16) if f[0] != "watch"]
    with watching(log):
        run = prepare(game, lambda game, work: 7, fields, True)
        assert run().value == 7
    assert log.runs == []
    assert zermelo.MCTS(simulations=3, interpreted=True).search(game).nodes == 3

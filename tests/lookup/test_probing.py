"""Every search takes proven values of tables: the same values as without, fewer states, wins by distance, explained as known."""

from __future__ import annotations

from dataclasses import replace

import pytest

import zermelo
from zermelo.errors import ZermeloError
from zermelo.explain.narrate import text
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.search.bestfirst import BestFirst
from zermelo.search.endgames.table import Table
from zermelo.search.endgames.values import is_decided, plies_of, sign_of

GAME = zermelo.game("tictactoe")


def after(*actions):
    s = GAME.initial()
    for a in actions:
        s = GAME.result(s, a)
    return s


@pytest.fixture(scope="module")
def late(tmp_path_factory):
    """A table of what follows from one state, so that the states before are not in it."""
    path = tmp_path_factory.mktemp("tables") / "late.table"
    build_table(GAME, path, state=after(0, 1, 2), interpreted=True)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "whole.table"
    build_table(GAME, path, interpreted=True)
    return path


SEARCHES = {
    "minimax": zermelo.Minimax,
    "plain": lambda **given: zermelo.AlphaBeta.plain().__class__(**given),
    "alphabeta": zermelo.AlphaBeta,
    "expectiminimax": zermelo.Expectiminimax,
    "maxn": zermelo.MaxN,
    "proofnumber": zermelo.ProofNumber,
    "mcts": lambda **given: zermelo.MCTS(simulations=3000, **given),
    "bestfirst": BestFirst,
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_value_is_the_same_and_the_table_is_not_searched(name, late):
    """Two plies before the table most states are in it: the search ends there."""
    s = after(0, 1)
    without = SEARCHES[name](interpreted=True).search(GAME, s)
    found = SEARCHES[name](interpreted=True, endgames=str(late)).search(GAME, s)
    assert round(found.value) == round(without.value) == 1
    if name != "mcts":
        assert found.exact and found.nodes < without.nodes


@pytest.mark.parametrize("name", ["expectiminimax", "proofnumber", "mcts"])
def test_natively_as_interpreted(name, late):
    s = after(0, 1)
    native, interpreted = (SEARCHES[name](interpreted=i, endgames=str(late)).search(GAME, s) for i in (False, True))
    assert (native.value, native.action, native.nodes, native.scores) == (
        interpreted.value,
        interpreted.action,
        interpreted.nodes,
        interpreted.scores,
    )


@pytest.mark.parametrize("name", ["minimax", "expectiminimax", "proofnumber", "mcts"])
def test_at_the_root_the_quickest_win_is_taken(name, whole):
    table = Table(whole)
    for line in ((0, 1), (4, 1), (0, 8, 2), (4, 0), ()):
        history = History(GAME, after(*line))
        searcher = SEARCHES[name](interpreted=True, endgames=str(whole))
        while not history.is_over:
            v, result = table.value(GAME, history.state), searcher.search(GAME, history)
            assert result.exact and result.value == sign_of(v) and result.nodes == 1
            history.do(result.action)
            if is_decided(v) and plies_of(v) > 0:
                assert plies_of(table.value(GAME, history.state)) == plies_of(v) - 1 or history.is_over


@pytest.mark.parametrize("searcher", [zermelo.Minimax(depth=1), zermelo.AlphaBeta(depth=1), zermelo.MCTS(simulations=3)])
def test_it_is_explained_as_known_from_the_table(searcher, whole):
    searcher, s = replace(searcher, interpreted=True), after(0, 1, 3, 4, 2, 5)
    told = ["\n".join(text(zermelo.trace(replace(searcher, endgames=file), GAME, s).story)) for file in (None, str(whole))]
    assert "known from the table" in told[1] and "known from the table" not in told[0]


def test_who_cannot_use_a_table_says_so(whole):
    for name in ("ismcts", "worlds"):
        with pytest.raises(ZermeloError, match="expected no endgames, as it looks at states that it does not see whole"):
            zermelo.search.by_name.searcher(name, endgames=str(whole)).search(GAME)
    with pytest.raises(ZermeloError, match="expected a network without endgames"):
        zermelo.MCTS(net="learned", endgames=str(whole))

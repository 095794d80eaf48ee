"""Exact scores and the N best lines: compared with brute force, interpreted and native."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import tree_of, trees, two_sided
from strange import Lottery, Strange
from trees import told

import zermelo
from zermelo import ZermeloError
from zermelo.search.alphabeta.lines import bounds_of
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.maxn import MaxN, Paranoid
from zermelo.search.minimax import Minimax

#: alpha-beta to a depth and no further, that leaves nothing out for good: its values are those of minimax
BARE = AlphaBeta(table=None, quiescence=False, extensions=False, nulls=False, futility=False, reductions=False, distance=False, order=False)


def for_mover(game, s, value):
    return value if game.to_move(s) == 0 else -value


def holds(game, result, n, depth=-1):
    """The n best scores are those of brute force, in order; no bound is wrong, and every other score is right."""
    s = game.initial()
    true = {a: for_mover(game, s, two_sided(game, game.result(s, a), depth - 1)) for a in game.actions(s)}
    best = [result.scores[line[0]] for line in result.lines]
    assert best == sorted(true.values(), reverse=True)[:n] and result.value == best[0]
    assert len({line[0] for line in result.lines}) == len(best) == min(n, len(true)) and result.line[0] == result.action
    assert set(result.scores) == set(true) and not {line[0] for line in result.lines} & set(result.bounds)
    for a, v in result.scores.items():
        bound = result.bounds.get(a)
        assert v >= true[a] if bound == "at most" else v <= true[a] if bound == "at least" else v == true[a]


def is_played(game, line, value, depth=-1):
    """Whether the line is legal, and ends with this value for who begins."""
    s = end = game.initial()
    for a in line:
        assert a in set(game.actions(end))
        end = game.result(end, a)
    there = game.utility(end, 0) if game.is_terminal(end) else game.evaluate(end, 0)
    return for_mover(game, s, there) == value and (game.is_terminal(end) or len(line) == depth)


@settings(max_examples=150, deadline=None)
@given(game=trees(widest=4), n=st.integers(1, 5), pvs=st.booleans(), deepening=st.booleans(), table=st.sampled_from([None, 1]))
def test_the_n_best_of_random_trees(game, n, pvs, deepening, table):
    result = AlphaBeta(lines=n, pvs=pvs, deepening=deepening, table=table, interpreted=True).search(game)
    assert result.exact
    holds(game, result, n)
    if table is None:
        assert all(is_played(game, line, result.scores[line[0]]) for line in result.lines)


@settings(max_examples=100, deadline=None)
@given(game=trees(widest=4), n=st.integers(1, 4), depth=st.integers(1, 3))
def test_the_n_best_to_a_depth(game, n, depth):
    result = AlphaBeta(lines=n, depth=depth, table=None, interpreted=True).search(game)
    holds(game, result, n, depth)
    assert all(is_played(game, line, result.scores[line[0]], depth) for line in result.lines)


@settings(max_examples=100, deadline=None)
@given(game=trees(widest=4))
def test_bounds_of_the_other_searches_hold(game):
    for searcher in (Minimax(interpreted=True), AlphaBeta.plain(interpreted=True), Expectiminimax(interpreted=True)):
        result = searcher.search(game)
        holds(game, result, 1)
        assert not (result.bounds and isinstance(searcher, Minimax))


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("tictactoe", 4),
        ("connect4:width=4,height=3,line=3", 6),
        ("kalah", 4),
        *(pytest.param(text, n, marks=pytest.mark.slow) for text, n in (("othello", 4), ("nim:heaps=2,3,4", 3), ("chess", 3))),
    ],
)
def test_the_n_best_of_real_games(text, depth):
    game = zermelo.game(text)
    true = Minimax(depth=depth).search(game).scores
    for n in (1, 2, 3, 300):
        result = replace(BARE, depth=depth, lines=n).search(game)
        best = sorted(true.values(), reverse=True)[:n]
        assert [result.scores[line[0]] for line in result.lines] == best
        for a, v in result.scores.items():
            assert v >= true[a] if a in result.bounds else v == true[a]
        assert all(is_played(game, line, result.scores[line[0]], depth) for line in result.lines)


@pytest.mark.parametrize(("text", "depth"), [("tictactoe", 6), ("connect4", 5), ("othello", 3), ("chess", 2)])
def test_the_same_interpreted(text, depth):
    game = zermelo.game(text)
    for searcher in (AlphaBeta(depth=depth, lines=3), AlphaBeta(depth=depth), replace(BARE, depth=depth, lines=2)):
        native, here = searcher.search(game), replace(searcher, interpreted=True).search(game)
        assert told(native) == told(here) and len(native.lines) == searcher.lines


def test_many_actions_and_strange_ones():
    for root, names in ((65, 0), (300, 1), (300, 2)):
        game = Strange(root, 3, 3, names)
        result = AlphaBeta(lines=70, interpreted=True).search(game)
        holds(game, result, 70)
        assert told(AlphaBeta(lines=70).search(game)) == told(result)


def test_chance_and_many_players_know_their_bounds():
    """An outcome of chance has no bounds, nor has a score of max^n: nothing is pruned there."""
    game = Lottery(3, 2, 3, first=True)
    assert not Expectiminimax(bounds=(-1, 1), interpreted=True).search(game).bounds
    game = Strange(5, 3, 3, players=3)
    everything = MaxN(interpreted=True).search(game)
    assert not everything.bounds and len(everything.scores) == 5
    s = game.initial()
    for a, v in (paranoid := Paranoid(interpreted=True).search(game)).scores.items():
        below = [[game.utility(game.result(game.result(game.result(s, a), b), c), 0) for c in range(3)] for b in range(3)]
        true = min(min(row) for row in below)
        assert paranoid.scores[a] >= true if a in paranoid.bounds else v == true


def test_a_window_that_is_left_makes_bounds():
    assert bounds_of({1: 0.5, 2: 0.2, 3: 0.5, 4: 0.7}) == {2: "at most", 3: "at most"}
    assert bounds_of({1: 0.5, 2: 0.2, 3: 0.5, 4: 0.7}, lines=2) == {}
    assert bounds_of({1: 0.5, 2: 0.2, 3: 0.1, 4: 0.7, 5: 0.5}, lines=2) == {3: "at most", 5: "at most"}
    assert bounds_of({1: 0.1, 2: 0.9}, 0.2, 0.8) == {1: "at most", 2: "at least"}


def test_what_is_shown_of_a_bound():
    game = tree_of("max r: a b c\na = 1\nb = 0\nc = 2")
    result = AlphaBeta(deepening=False, interpreted=True).search(game)
    assert result.bounds == {1: "at most"} and [result.score(a) for a in range(3)] == ["+1", "<= +0", "+2"]
    assert "2: +2, 0: +1, 1: &lt;= +0" in result._repr_html_()
    assert result.lines == ((2,),) and result.others == ()


def test_an_unfinished_depth_is_not_told():
    """However early it is stopped, there are N lines, all of one depth."""
    game = zermelo.game("othello")
    steps = {r.depth: r for r in AlphaBeta(depth=5, lines=3).deepen(game)}
    spent = [r.nodes for r in steps.values()]
    for nodes in range(spent[1], spent[-1], (spent[-1] - spent[1]) // 20):
        result = AlphaBeta(nodes=nodes, lines=3).search(game)
        assert len(result.lines) == 3 and len(result.scores) == 4
        assert told(result) == told(steps[result.depth]) and result.nodes <= nodes
    assert len(AlphaBeta(nodes=1, lines=3).search(game).lines) == 1  # there is nothing before


def test_threads_find_them_too():
    game = zermelo.game("connect4:width=4,height=4,line=3")
    true = Minimax().search(game).scores
    result = AlphaBeta(lines=2, threads=3).search(game)
    assert result.exact and [result.scores[line[0]] for line in result.lines] == sorted(true.values(), reverse=True)[:2]


def test_lines_that_cannot_be():
    for lines in (0, -1, 1.5, True, 1 << 16):
        with pytest.raises(ZermeloError, match="AlphaBeta: expected 1 to 65,535 lines, not"):
            AlphaBeta(lines=lines)
    with pytest.raises(ZermeloError, match="trace: expected a search for one line, not for 2"):
        zermelo.trace(AlphaBeta(lines=2), zermelo.game("tictactoe"))


def test_one_line_costs_nothing():
    """The code for several is dropped before anything is compiled: the record of a search for one has no room for more."""
    game = zermelo.game("connect4")
    nodes = [r.nodes for r in islice(AlphaBeta(depth=11).deepen(game), 11)]
    assert nodes[-1] == 69_248
    from zermelo.search.alphabeta import lines

    assert lines.sizes(1, 128, 64) == {"lines": 1, "length": 1}

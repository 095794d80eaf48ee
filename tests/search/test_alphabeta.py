"""Minimax and alpha-beta: brute force on random trees, known values, the same interpreted and native, stopped at once."""

from __future__ import annotations

import itertools
import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solved, tree_of, trees, two_sided

import zermelo
from zermelo import Game, ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.mate_distance import PLY_VALUE
from zermelo.search.minimax import Minimax
from zermelo.search.stop import Stop
from zermelo.search.table import Memory

SWITCHES = ("deepening", "pvs", "killers", "history", "order")
EVERY = [
    AlphaBeta(table=1 if table else None, **dict(zip(SWITCHES, given, strict=True)), interpreted=True)
    for table in (True, False)
    for given in itertools.product((True, False), repeat=len(SWITCHES))
]


def holds(game, s, result, value):
    """The value is right for both players, and so are the best action, the line and the root's exact scores."""
    me = game.to_move(s)
    assert result.exact
    assert result.values[0] == value == -result.values[1]
    assert result.value == result.values[me]
    assert two_sided(game, game.result(s, result.action)) == value
    for a in result.line:
        assert a in set(game.actions(s))
        s = game.result(s, a)
    assert result.line[0] == result.action


@settings(max_examples=200, deadline=None)
@given(game=trees())
def test_minimax_and_plain_alphabeta_are_brute_force(game):
    s = game.initial()
    value = two_sided(game, s)
    full, pruned = Minimax(interpreted=True).search(game), AlphaBeta.plain(interpreted=True).search(game)
    holds(game, s, full, value)
    holds(game, s, pruned, value)
    for result in (full, pruned):
        end = s
        for a in result.line:
            end = game.result(end, a)
        assert game.is_terminal(end)
        assert game.utility(end, 0) == value
    assert full.scores == {a: two_sided(game, game.result(s, a)) * (1 if game.to_move(s) == 0 else -1) for a in game.actions(s)}
    assert pruned.nodes <= full.nodes
    assert pruned.evaluations <= full.evaluations


@settings(max_examples=50, deadline=None)
@given(game=trees(), data=st.data())
def test_no_switch_of_alphabeta_changes_the_value(game, data):
    s = game.initial()
    value = two_sided(game, s)
    for searcher in data.draw(st.permutations(EVERY))[:6]:
        holds(game, s, searcher.search(game), value)


@settings(max_examples=100, deadline=None)
@given(game=trees(), depth=st.integers(1, 4))
def test_a_depth_limit_evaluates_there(game, depth):
    s = game.initial()
    value = two_sided(game, s, depth)
    for searcher in (Minimax(depth=depth, interpreted=True), AlphaBeta.plain(depth, interpreted=True)):
        assert searcher.search(game).values[0] == value
    bare = AlphaBeta(depth=depth, table=None, interpreted=True)
    assert bare.search(game).values[0] == value


def test_rounds_go_down_where_the_last_player_moved():
    game = tree_of("max A: B C\nmin B: D E\nmin C ~ 5: F G\nmax D ~ 1: H I\nE = 3\nF = 2\nG = 9\nH = 7\nI = 8\n")
    assert Minimax(depth=1, rounds=True, interpreted=True).search(game).value == two_sided(game, game.initial(), 2) == 2
    assert Minimax(depth=1, interpreted=True).search(game).value == two_sided(game, game.initial(), 1) == 5


def names(game, actions):
    s, told = game.initial(), []
    for a in actions:
        told.append(game.write_action(s, a))
        s = game.result(s, a)
    return told


def test_the_recitations_tree():
    """Value 6 by A C H; ten static evaluations for minimax, six for alpha-beta: E K Q N H I."""
    game = zermelo.game("tree")
    full, pruned = Minimax().search(game), AlphaBeta.plain().search(game)
    assert (full.value, full.evaluations) == (6, 10)
    assert (pruned.value, pruned.evaluations) == (6, 6)
    assert names(game, full.line) == names(game, pruned.line) == ["C", "H"]


@pytest.mark.parametrize("file", ["three-by-three", "three-by-three-variant"])
def test_three_by_three(file):
    game = zermelo.game("tree", file=file)
    result = AlphaBeta.plain().search(game)
    assert (result.value, result.action, result.evaluations) == (3, 0, 7)
    assert Minimax().search(game).evaluations == 9


def test_bins():
    game = zermelo.game("bins")
    result = Minimax().search(game)
    assert (names(game, result.line)[0], result.value) == ("B", 1)


def test_tic_tac_toe_is_a_draw_and_its_tree_has_549946_nodes():
    game = zermelo.game("tictactoe")
    full = Minimax().search(game)
    assert (full.value, full.nodes, full.evaluations, full.depth) == (0, 549_946, 255_168, 9)
    assert AlphaBeta.plain().search(game).nodes == 18_297
    best = AlphaBeta().search(game)
    assert (best.value, best.exact, len(best.line)) == (0, True, 9)


class Blind(ConnectFour):
    """Connect Four without hints."""

    evaluate = Game.evaluate
    order = Game.order
    immediate = Game.immediate


def test_connect_four_to_depth_10_visits_the_known_tree():
    assert AlphaBeta.plain(10).search(Blind()).nodes == 155_590


@pytest.mark.parametrize(
    "text", ["tictactoe", "nim:heaps=2,3,4", "nim:heaps=3,4,misere=true", "kalah:houses=2,seeds=2", "connect4:width=4,height=3,line=3"]
)
def test_native_searches_are_exact_and_the_interpreters_node_for_node(text):
    game = zermelo.game(text)
    value = solved(game)
    chooser = random.Random(5)
    for _ in range(6):
        s = game.initial()
        for _ in range(chooser.randrange(4)):
            moves = list(game.actions(s))
            if moves:
                s = game.result(s, chooser.choice(moves))
        for native in (AlphaBeta.plain(), AlphaBeta(), AlphaBeta(table=None), AlphaBeta(distance=True)):
            result = native.search(game, s)
            assert abs(result.values[0] - value(s)) < 0.001
            if native != AlphaBeta(distance=True):
                assert result.values[0] == value(s)
        if list(game.actions(s)) and text != "tictactoe":
            for searcher in (AlphaBeta.plain, AlphaBeta):
                fast, slow = searcher().search(game, s), searcher(interpreted=True).search(game, s)
                assert (fast.nodes, fast.evaluations, fast.line, fast.scores) == (slow.nodes, slow.evaluations, slow.line, slow.scores)


def test_distance_finds_the_quickest_win_and_the_slowest_loss():
    """By brute force over the lengths of games, on a small board."""
    game = zermelo.game("connect4:width=4,height=3,line=3")

    def best(s):  # (utility for the player to move, plies), ordered as a player would
        if game.is_terminal(s):
            return game.utility(s, game.to_move(s)), 0
        options = []
        for a in game.actions(s):
            v, n = best(game.result(s, a))
            options.append((-v, n + 1))
        return max(options, key=lambda o: (o[0], -o[1] * (o[0] > 0) + o[1] * (o[0] < 0)))

    start = game.result(game.initial(), 0)
    for a in game.actions(start):
        s = game.result(start, a)
        v, plies = best(s)
        found = AlphaBeta(distance=True).search(game, s)
        assert found.value == v - (v > 0) * plies * PLY_VALUE + (v < 0) * plies * PLY_VALUE
        if v:
            assert len(found.line) == plies or found.line


def test_deepening_yields_each_depth_with_an_answer():
    game = zermelo.game("connect4")
    results = list(AlphaBeta(depth=7).deepen(game))
    assert [r.depth for r in results] == list(range(1, 8))
    assert all(r.action in set(game.actions(game.initial())) for r in results)
    assert [r.nodes for r in results] == sorted({r.nodes for r in results})


def test_a_terminal_state_has_no_action():
    game = zermelo.game("connect4")
    s = game.read_state("1122334")
    for searcher in (Minimax(), AlphaBeta(), AlphaBeta.plain()):
        result = searcher.search(game, s)
        assert (result.action, result.values, result.line, result.exact) == (None, (1.0, -1.0), (), True)


def test_a_node_limit_is_kept_and_reproducible():
    game = zermelo.game("connect4")
    for searcher in (AlphaBeta(nodes=5000), AlphaBeta(nodes=5000, interpreted=True)):
        result = searcher.search(game)
        assert result.nodes <= 5001
        assert result.action in set(game.actions(game.initial()))
        assert not result.exact
    assert AlphaBeta(nodes=5000).search(game).scores == AlphaBeta(nodes=5000, interpreted=True).search(game).scores


def test_seconds_and_stops_end_a_search_at_once():
    game = zermelo.game("connect4:width=8,height=7")
    AlphaBeta(depth=2).search(game)
    began = time.process_time()
    assert AlphaBeta(seconds=0.1).search(game).action is not None
    assert time.process_time() - began < 1.0
    for searcher in (AlphaBeta(), AlphaBeta.plain(), Minimax()):
        searcher.__class__(nodes=10).search(game)  # compiles
        stop = Stop()
        threading.Timer(0.05, stop.set).start()
        result = searcher.search(game, stop=stop)
        assert result.action in set(game.actions(game.initial()))
        assert not result.exact
    stopped = Stop()
    stopped.set()
    assert AlphaBeta().search(game, stop=stopped).action in set(game.actions(game.initial()))


def test_the_table_takes_no_more_memory_than_asked():
    for asked in (1, 3, 16):
        assert Memory(asked, interpreted=False)._words.array.nbytes <= asked << 20
    assert Memory(16, interpreted=False)._words.array.nbytes == 16 << 20


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AlphaBeta(depth=-1), "expected depth of at least 1, not -1"),
        (lambda: Minimax(depth=0), "expected depth of at least 1, not 0"),
        (lambda: AlphaBeta(table=0), "expected a table of 1 to 1,048,576 MiB, or None for none, not 0"),
        (lambda: AlphaBeta(seconds=-1), "expected a positive number of seconds, not -1"),
        (lambda: AlphaBeta(nodes=0), "expected nodes of at least 1, not 0"),
        (lambda: AlphaBeta().search(zermelo.game("trio")), "use MaxN or Paranoid"),
        (lambda: AlphaBeta().search(zermelo.game("pig")), "use Expectiminimax"),
        (lambda: Minimax().search(zermelo.game("nim"), zermelo.game("kuhn").initial()), "expected a state of nim"),
    ],
)
def test_bad_settings_are_refused_before_the_search(make, message):
    with pytest.raises(ZermeloError, match=message):
        make()


@settings(max_examples=40, deadline=None)
@given(game=trees(), width=st.sampled_from([0.5, 1.0, 3.0]))
def test_aspiration_changes_nothing(game, width):
    s = game.initial()
    value = two_sided(game, s)
    assert AlphaBeta(aspiration=width, interpreted=True).search(game).values[0] == value
    assert AlphaBeta(aspiration=width, table=None, interpreted=True).search(game).values[0] == value


def test_many_threads_find_the_value_of_one():
    for text in ("connect4:width=4,height=4", "nim:heaps=2,3,4"):
        game = zermelo.game(text)
        one, many = AlphaBeta().search(game), AlphaBeta(threads=3).search(game)
        assert (one.value, one.exact) == (many.value, many.exact) == (many.value, True)
        assert AlphaBeta(threads=3, deepening=False).search(game).value == one.value


def test_reductions_look_at_less():
    game = zermelo.game("connect4")
    whole, less = AlphaBeta(depth=9).search(game), AlphaBeta(depth=9, reductions=True).search(game)
    assert less.nodes < whole.nodes
    assert less.action in set(game.actions(game.initial()))

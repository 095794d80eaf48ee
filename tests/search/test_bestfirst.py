"""Best-first search: exact if the whole tree fits, the same interpreted and native, always legal, within its limits."""

from __future__ import annotations

import math
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import tree_of, trees, two_sided

import zermelo
from zermelo import ZermeloError
from zermelo.search.bestfirst import BestFirst
from zermelo.search.stop import Stop

sys.path.insert(0, str(Path(__file__).parents[2]))


@settings(max_examples=150, deadline=None)
@given(game=trees(depth=4), reach=st.sampled_from([0.1, 1.0, 5.0]))
def test_the_whole_tree_is_brute_force(game, reach):
    s = game.initial()
    side = 1 if game.to_move(s) == 0 else -1
    result = BestFirst(reach=reach, interpreted=True).search(game)
    assert result.exact
    assert result.values[0] == two_sided(game, s) == -result.values[1]
    assert result.scores == {a: two_sided(game, game.result(s, a)) * side for a in game.actions(s)}
    for a in result.line:
        assert a in set(game.actions(s))
        s = game.result(s, a)
    assert game.is_terminal(s) and game.utility(s, 0) == result.values[0]


@settings(max_examples=100, deadline=None)
@given(game=trees(depth=4), depth=st.integers(1, 4))
def test_a_depth_limit_evaluates_there(game, depth):
    result = BestFirst(depth=depth, interpreted=True).search(game)
    assert result.values[0] == two_sided(game, game.initial(), depth)
    assert result.depth <= depth


def test_the_leaf_that_matters_is_expanded_first():
    """B leads by 1: to expand C's leaf may change the choice, to expand D's, far behind, may not."""
    game = tree_of("max A: B C D\nmin B ~ 2: B0\nmin C ~ 1.5: C0\nmin D ~ -3: D0\nB0 = 2\nC0 = 3\nD0 = 9\n")
    result = BestFirst(reach=1.0, cost=0.0, interpreted=True).search(game)
    assert (result.value, game.write_action(game.initial(), result.action)) == (3, "C")
    assert not result.exact and result.nodes == 6  # the root, its three children, and one each below B and C: D was left alone
    assert BestFirst(reach=1.0, interpreted=True).search(game).value == 9  # at no cost it looks at everything


@pytest.mark.parametrize("text", ["tictactoe", "nim:heaps=2,3", "kalah:houses=3,seeds=2", "kalah"])
@pytest.mark.parametrize("cost", [None, 0.001])
def test_native_is_the_interpreters_node_for_node(text, cost):
    game = zermelo.game(text)
    fast, slow = (BestFirst(nodes=1500, cost=cost, interpreted=i).search(game) for i in (False, True))
    assert (fast.nodes, fast.evaluations, fast.depth, fast.line, fast.scores, fast.exact) == (
        slow.nodes, slow.evaluations, slow.depth, slow.line, slow.scores, slow.exact,
    )  # fmt: skip


def test_known_values():
    result = BestFirst().search(zermelo.game("tictactoe"))
    assert (result.value, result.exact, result.nodes) == (0, True, 549_946)  # it prunes nothing


def test_limits_memory_and_stops_leave_a_legal_answer():
    game = zermelo.game("connect4")
    legal = set(game.actions(game.initial()))
    for settings_ in ({"nodes": 1}, {"nodes": 500}, {"nodes": 5000}, {"seconds": 0.03}, {"memory": 1}):
        result = BestFirst(**settings_).search(game)
        assert result.action in legal and not result.exact
        assert "nodes" not in settings_ or result.nodes <= settings_["nodes"] + 7
    assert result.nodes * 24 <= 1 << 20  # the memory was full
    assert [r.nodes for r in BestFirst(nodes=9000).deepen(game)] == sorted({r.nodes for r in BestFirst(nodes=9000).deepen(game)})
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    assert BestFirst().search(game, stop=stop).action in legal
    stopped = Stop()
    stopped.set()
    assert BestFirst().search(game, stop=stopped).action in legal


def test_a_terminal_state_has_no_action():
    game = zermelo.game("connect4")
    result = BestFirst().search(game, game.read_state("1122334"))
    assert (result.action, result.values, result.exact) == (None, (1.0, -1.0), True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BestFirst(cost=-1), "expected a cost of at least 0, or None to go on at any, not -1"),
        (lambda: BestFirst(reach=0), "expected a reach above 0, not 0"),
        (lambda: BestFirst(reach=math.nan), "expected a reach above 0, not nan"),
        (lambda: BestFirst(memory=0), "expected a memory of 1 to 131,072 MiB, not 0"),
        (lambda: BestFirst(depth=0), "expected depth of at least 1, not 0"),
        (lambda: BestFirst().search(zermelo.game("trio")), "use MaxN or Paranoid"),
        (lambda: BestFirst().search(zermelo.game("pig")), "use Expectiminimax"),
    ],
)
def test_bad_settings_are_refused_before_the_search(make, message):
    with pytest.raises(ZermeloError, match=message):
        make()


@pytest.mark.slow
def test_the_experiment_runs():
    from bench.bestfirst import losses, points

    lost = losses(3, 4, 3, 200)
    assert lost == {"BestFirst": [0.0] * 3, "AlphaBeta": [0.0] * 3}  # the trees are seen whole
    assert all(0 <= x <= 1 for x in points(zermelo.game("kalah:houses=3,seeds=2"), 2, 50))

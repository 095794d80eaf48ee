"""Max^n and paranoid search: brute force on random trees of several players, partners, stops, the same interpreted and native."""

from __future__ import annotations

import threading
import time
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vectors import is_legal, sided, vector, vector_trees

import zermelo
from zermelo import ZermeloError
from zermelo.search import deepening
from zermelo.search.maxn import MaxN, Paranoid
from zermelo.search.stop import Stop

TREES = st.integers(2, 4).flatmap(vector_trees)


def same(a, b):
    """Whether two searches did the same, node for node."""
    return [getattr(a, k) == getattr(b, k) for k in ("action", "values", "line", "depth", "nodes", "evaluations", "scores", "exact")]


@settings(max_examples=150, deadline=None)
@given(game=TREES)
def test_maxn_is_brute_force(game):
    s = game.initial()
    with patch.object(deepening, "FIRST_PLIES", 4):
        steps = list(MaxN(interpreted=True).deepen(game))
    for depth, result in enumerate(steps, 1):
        assert result.values == vector(game, s, depth)
        mover = max(game.to_move(s), 0)
        assert result.value == result.values[mover]
        assert result.scores == {a: vector(game, game.result(s, a), depth - 1)[mover] for a in game.actions(s)}
        assert is_legal(game, s, result)
        if result.action is not None:
            assert result.action == max(game.actions(s), key=lambda a: result.scores[a])  # the first of equals
    assert steps[-1].exact
    assert steps[-1].values == vector(game, s)


@settings(max_examples=150, deadline=None)
@given(game=TREES, team=st.sets(st.integers(0, 1)), table=st.sampled_from([None, 1]), limit=st.sampled_from([None, 1, 2, 3]))
def test_paranoid_is_brute_force(game, team, table, limit):
    s = game.initial()
    me = max(game.to_move(s), 0)
    team = tuple(team)
    ours = {me} if not team else set(team) if me in team else set(range(game.players)) - set(team)
    with patch.object(deepening, "FIRST_PLIES", 4):
        steps = list(Paranoid(team=team, table=table, depth=limit, interpreted=True).deepen(game))
    for depth, result in enumerate(steps, 1):
        if limit is not None or result is steps[-1]:  # without a limit the table may look further than it is asked
            value = sided(game, s, me, ours, -1 if limit is None else depth)
            assert result.values == tuple(value if p in ours else -value for p in range(game.players))
            assert is_legal(game, s, result)
            if result.action is not None:
                assert result.scores[result.action] == result.value == value
                assert all(v <= value for v in result.scores.values())
    assert limit is not None or steps[-1].exact


def test_three_players_of_the_textbook():
    game = zermelo.game("tree:file=three-players")
    result = MaxN().search(game)
    assert (result.values, result.action, result.line, result.exact) == ((1, 2, 6), 0, (0, 0, 0), True)
    assert result.scores == {0: 1, 1: 1}
    assert all(same(result, MaxN(interpreted=True).search(game)))


def test_bins():
    result = MaxN(interpreted=True).search(zermelo.game("bins:game=2"))
    assert (result.action, result.values, result.scores) == (2, (-2, 2), {0: -27.5, 1: -24.5, 2: -2})


@pytest.mark.parametrize(
    ("text", "searcher"),
    [
        ("trio", {"depth": 3}),
        ("pig:target=8,players=3", {"depth": 5}),
        ("whist:suits=2,ranks=6,hand=2", {}),
    ],
)
def test_native_is_the_interpreter_node_for_node(text, searcher):
    game = zermelo.game(text)
    kinds = [MaxN] if "pig" in text else [MaxN, Paranoid]  # compiling takes its time: chance on two sides is Expectiminimax
    for kind in kinds:
        fast, slow = kind(**searcher).search(game), kind(**searcher, interpreted=True).search(game)
        assert all(same(fast, slow))


@pytest.mark.parametrize("deal", range(4))
def test_partners_play_as_one_side(deal):
    """With open hands the two partners are one player: max^n and paranoid search find the value of two-sided minimax."""
    game = zermelo.game("whist", suits=2, ranks=6, hand=2, deal=deal)
    s = game.initial()
    for _ in range(3):
        me = game.to_move(s)
        ours = {me, (me + 2) % 4}
        value = sided(game, s, me, ours)
        for searcher in (MaxN(), Paranoid(team=(0, 2)), Paranoid(team=(1, 3), table=None)):
            result = searcher.search(game, s)
            assert result.values == tuple(value if p in ours else -value for p in range(4))
            assert result.exact
        s = game.result(s, result.action)


def test_a_side_is_sure_of_no_more_than_its_own_play_gives():
    game = zermelo.game("whist", suits=2, ranks=6, hand=2, deal=1)
    assert Paranoid().search(game).value <= Paranoid(team=(0, 2)).search(game).value


def test_two_players():
    game = zermelo.game("tictactoe")
    s = game.result(game.result(game.initial(), 0), 1)  # the corner, and next to it: won
    assert Paranoid(interpreted=True).search(game, s).value == MaxN(interpreted=True, depth=7).search(game, s).value == 1


def test_chance_to_move_and_the_end():
    game = zermelo.game("kuhn")
    for kind in (MaxN, Paranoid):
        result = kind(interpreted=True).search(game)
        assert (result.action, result.line, result.exact) == (None, (), True)
        assert result.values == vector(game, game.initial())
        assert set(result.scores) == {1, 2, 3}
        over = kind().search(game, game.read_state("KQ bb"))
        assert (over.action, over.values, over.exact) == (None, (2, -2), True)


# ---- stopped -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [MaxN, Paranoid])
def test_stops(kind):
    game = zermelo.game("trio")
    s = game.initial()
    for nodes in (1, 2, 20, 300, 5000):
        fast, slow = (kind(nodes=nodes, interpreted=i).search(game) for i in (False, True))
        assert fast.nodes <= nodes + 20
        assert is_legal(game, s, fast)
        assert all(same(fast, slow))
    began, worked = time.perf_counter(), time.process_time()
    result = kind(seconds=0.1).search(game)
    assert time.perf_counter() - began > 0.09 and time.process_time() - worked < 0.5
    assert is_legal(game, s, result)
    for _ in range(5):
        stop = Stop()
        asked = []
        timer = threading.Timer(0.05, lambda stop=stop, asked=asked: (asked.append(time.process_time()), stop.set()))
        for result in kind().deepen(game, s, stop):
            if result.depth == 3:
                timer.start()
        assert time.process_time() - asked[0] < 0.2  # 20 ms, were this machine ours alone
        assert is_legal(game, s, result)
        assert result.depth >= 3
    stop = Stop()
    stop.set()
    assert is_legal(game, s, kind(interpreted=True).search(game, stop=stop))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MaxN(depth=0), "MaxN: expected depth of at least 1, not 0"),
        (lambda: Paranoid(seconds=-1), "Paranoid: expected a positive number of seconds, not -1"),
        (lambda: Paranoid(table=0), "Paranoid: expected a table of 1 to 1,048,576 MiB, or None for none, not 0"),
        (lambda: Paranoid(team=(0, 0)), "Paranoid: expected a team as a tuple of different players"),
        (lambda: Paranoid(team=(-1,)), "counted from 0"),
        (lambda: Paranoid(team=[0, 2]), "expected a team as a tuple"),
        (lambda: Paranoid(team=(0, 4)).search(zermelo.game("whist")), "expected a team of players 0 to 3 of whist"),
        (lambda: MaxN().search(zermelo.game("trio"), (1, 2)), "MaxN: expected a state of trio"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(make, message):
    with pytest.raises(ZermeloError, match=message):
        make()

"""Expectiminimax: brute force on random trees with chance, every way of pruning, samples, stops, the same interpreted and native."""

from __future__ import annotations

import math
import statistics
import threading
import time
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import tree_of
from vectors import is_legal, sided, vector_trees

import zermelo
from zermelo import ZermeloError
from zermelo.game import CHANCE
from zermelo.search import deepening
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.stop import Stop

WAYS = [
    {"bounds": bounds, "star": star, "table": table}
    for bounds, star in ((None, 2), ((-3, 3), 0), ((-3, 3), 1), ((-3, 3), 2), ((-10, 4.5), 2))
    for table in (None, 1)
]


def same(a, b):
    """Whether two searches did the same, node for node."""
    return [getattr(a, k) == getattr(b, k) for k in ("action", "values", "line", "depth", "nodes", "evaluations", "scores", "exact")]


def value(game, s, depth=-1):
    """The value of s for the player to move, for player 0 where chance is."""
    me = max(game.to_move(s), 0)
    return sided(game, s, me, {me}, depth)


@settings(max_examples=250, deadline=None)
@given(game=vector_trees(2, zero_sum=True, depth=5), way=st.sampled_from(WAYS), limit=st.sampled_from([None, 2, 4]))
def test_every_way_of_pruning_is_brute_force(game, way, limit):
    s = game.initial()
    with patch.object(deepening, "FIRST_PLIES", 8):
        steps = list(Expectiminimax(**way, depth=limit, interpreted=True).deepen(game))
    for depth, result in enumerate(steps, 1):
        if limit is not None or result is steps[-1]:  # without a limit the table may look further than it is asked
            v = value(game, s, -1 if limit is None else depth)
            assert result.value == v
            assert result.values[1] == -result.values[0]
            assert is_legal(game, s, result)
            if result.action is not None:
                assert result.scores[result.action] == v
                assert all(x <= v for x in result.scores.values())
    assert limit is not None or steps[-1].exact


def test_bins_of_the_lectures():
    game = zermelo.game("bins:game=2")
    for interpreted in (False, True):
        result = Expectiminimax(interpreted=interpreted).search(game)
        assert (result.action, result.value, result.values, result.exact) == (2, -2, (-2, 2), True)
        assert result.scores == {0: -27.5, 1: -24.5, 2: -2}
    assert Expectiminimax(bounds=(-50, 50), interpreted=True).search(game).value == -2
    tree = Expectiminimax(interpreted=True).search(zermelo.game("tree:file=bins-2"))
    assert (tree.action, tree.scores) == (2, {0: -27.5, 1: -24.5, 2: -2})


def test_open_cards():
    game = zermelo.game("kuhn")
    result = Expectiminimax(interpreted=True, bounds=(-2, 2)).search(game)
    assert (result.action, result.line, result.value, result.exact) == (None, (), 0, True)
    assert result.scores == {card: value(game, game.result(game.initial(), card)) for card in (1, 2, 3)}
    over = Expectiminimax().search(game, game.read_state("KQ bb"))
    assert (over.action, over.values, over.exact) == (None, (2, -2), True)


PIG = "pig:target=12"


@pytest.mark.parametrize("way", [*WAYS[:2], *WAYS[4:8], {"samples": 2, "table": 1}], ids=str)
def test_pig_native_and_interpreted(way):
    game = zermelo.game(PIG)
    fast, slow = (Expectiminimax(depth=6, interpreted=i, **way).search(game) for i in (False, True))
    assert all(same(fast, slow))
    if "samples" not in way:
        assert fast.value == value(game, game.initial(), 6)
        fast = Expectiminimax(depth=12, **way).search(game)
        assert fast.value == Expectiminimax(depth=12).search(game).value


def test_what_pruning_saves():
    game = zermelo.game(PIG)
    s = game.read_state("6,5 4 1")
    count = [Expectiminimax(depth=8, bounds=(-1, 1), star=star, table=None).search(game, s).evaluations for star in (0, 1, 2)]
    assert count[0] > count[1] > count[2] > 0
    assert Expectiminimax(depth=10).search(game, s).nodes < Expectiminimax(depth=10, table=None).search(game, s).nodes


def test_without_chance_it_is_minimax():
    game = zermelo.game("tictactoe")
    result = Expectiminimax().search(game)
    assert (result.value, result.exact, len(result.scores)) == (0, True, 9)
    s = game.result(game.result(game.initial(), 0), 1)
    assert Expectiminimax().search(game, s).value == 1


# ---- bounds and samples ----------------------------------------------------------------------------


def test_bounds_that_do_not_hold_are_refused():
    with pytest.raises(ZermeloError, match="expected bounds that hold every value, and -50 is not in -20 to 20"):
        Expectiminimax(bounds=(-20, 20), interpreted=True).search(zermelo.game("bins:game=2"))


def wheel(outcomes):
    """A choice between 0 and a wheel with so many outcomes, worth 0.5 on average."""
    odds = [2 * (i + 1) for i in range(outcomes)]
    spins = ", ".join(f"w{i} {n}/{sum(odds)}" for i, n in enumerate(odds))
    worth = [(0.5 * sum(odds) / outcomes) / n for n in odds]
    leaves = "\n".join(f"w{i} = {v!r}" for i, v in enumerate(worth))
    return tree_of(f"max r: w none\nchance w: {spins}\nnone = 0\n{leaves}")


def test_samples_estimate_the_value():
    game = wheel(40)
    exact = Expectiminimax(interpreted=True).search(game)
    assert exact.value == pytest.approx(0.5)
    all_of_them = Expectiminimax(interpreted=True, samples=40, seed=3).search(game)
    assert (all_of_them.value, all_of_them.exact) == (exact.value, True)
    with patch.object(deepening, "FIRST_PLIES", 4):
        few = [Expectiminimax(interpreted=True, samples=10, seed=seed).search(game) for seed in range(60)]
    assert not any(r.exact for r in few)
    assert all(r.depth == 2 for r in few)
    assert len({r.value for r in few}) > 10
    values = [r.value for r in few]
    assert statistics.mean(values) == pytest.approx(0.5, abs=4 * statistics.stdev(values) / math.sqrt(len(values)))
    assert Expectiminimax(interpreted=True, samples=10, seed=7).search(game).value == few[7].value


def test_samples_where_chance_begins():
    game = wheel(40)
    result = Expectiminimax(interpreted=True, samples=10, seed=1).search(game, game.read_state("w"))
    assert 1 < len(result.scores) <= 10
    assert result.action is None
    assert result.value == pytest.approx(0.5, abs=0.4)


@settings(max_examples=60, deadline=None)
@given(game=vector_trees(2, zero_sum=True, depth=5), way=st.sampled_from(WAYS), seed=st.integers(0, 99))
def test_samples_are_the_same_however_the_rest_is_pruned(game, way, seed):
    with patch.object(deepening, "FIRST_PLIES", 8):
        plain, pruned = (
            Expectiminimax(samples=2, seed=seed, interpreted=True, **settings).search(game) for settings in ({"table": None}, way)
        )
    assert plain.value == pruned.value
    for result in (plain, pruned):
        assert not result.exact or result.value == value(game, game.initial())


def among_candidates(game, s, depth, most):
    """By brute force: the value to player 0 if only the best few actions by the states after them are looked at further."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    if depth <= 0:
        return game.evaluate(s, 0)
    mover = game.to_move(s)
    if mover == CHANCE:
        return sum(game.probability(s, a) * among_candidates(game, game.result(s, a), depth - 1, most) for a in game.actions(s))
    sign, after = 1 if mover == 0 else -1, [game.result(s, a) for a in game.actions(s)]
    if depth > 1:
        after = sorted(after, key=lambda t: -sign * among_candidates(game, t, 0, most))[:most]
    return sign * max(sign * among_candidates(game, t, depth - 1, most) for t in after)


@settings(max_examples=150, deadline=None)
@given(game=vector_trees(2, zero_sum=True, depth=5), way=st.sampled_from(WAYS), most=st.integers(1, 3), depth=st.integers(1, 5))
def test_candidates_are_those_of_brute_force(game, way, most, depth):
    with patch.object(deepening, "FIRST_PLIES", 8):
        result = Expectiminimax(candidates=most, depth=depth, interpreted=True, **way).search(game)
    assert result.values[0] == pytest.approx(among_candidates(game, game.initial(), depth, most), abs=1e-12)
    assert not result.exact or result.value == value(game, game.initial())


# ---- stopped -----------------------------------------------------------------------------------------


def test_stops():
    game = zermelo.game(PIG)
    s = game.read_state("0,0 4 1")
    for nodes in (1, 2, 20, 300, 5000):
        fast, slow = (Expectiminimax(nodes=nodes, bounds=(-1, 1), table=1, interpreted=i).search(game, s) for i in (False, True))
        assert fast.nodes <= nodes + 20
        assert is_legal(game, s, fast)
        assert all(same(fast, slow))
    began, worked = time.perf_counter(), time.process_time()
    result = Expectiminimax(seconds=0.1).search(game, s)
    assert time.perf_counter() - began > 0.09 and time.process_time() - worked < 0.5
    assert is_legal(game, s, result)
    late = []
    for _ in range(5):
        stop = Stop()
        asked: list[float] = []
        timer = threading.Timer(0.05, lambda stop=stop, asked=asked: (asked.append(time.process_time()), stop.set()))
        for result in Expectiminimax(table=None).deepen(game, s, stop):
            if result.depth == 4:
                timer.start()
        late.append(time.process_time() - asked[0])
        assert is_legal(game, s, result)
        assert result.depth >= 4
    assert sorted(late)[2] < 0.2  # 20 ms, were this machine ours alone; other work of the process may get between
    chance = game.read_state("0,0 4 1 rolling")
    assert is_legal(game, chance, Expectiminimax(nodes=3, interpreted=True).search(game, chance))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Expectiminimax(nodes=0), "Expectiminimax: expected nodes of at least 1, not 0"),
        (lambda: Expectiminimax(table=0), "Expectiminimax: expected a table of 1 to 1,048,576 MiB, or None for none, not 0"),
        (lambda: Expectiminimax(bounds=(1, -1)), "expected bounds as two finite numbers, the lower first"),
        (lambda: Expectiminimax(bounds=(0, math.inf)), "two finite numbers"),
        (lambda: Expectiminimax(bounds=3), "two finite numbers"),
        (lambda: Expectiminimax(star=3), "expected star 0, 1 or 2, not 3"),
        (lambda: Expectiminimax(samples=0), "expected at least 1 sample, or None for all outcomes, not 0"),
        (lambda: Expectiminimax(candidates=0), "Expectiminimax: expected candidates of at least 1, not 0"),
        (lambda: Expectiminimax(seed="x"), "expected a whole number as seed, not 'x'"),
        (lambda: Expectiminimax().search(zermelo.game("trio")), "expected a game of two players, and trio has 3: use MaxN or Paranoid"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(make, message):
    with pytest.raises(ZermeloError, match=message):
        make()

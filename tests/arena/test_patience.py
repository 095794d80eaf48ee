"""How long a search goes on: an answer that is new, has rivals or gets worse is looked at longer."""

from __future__ import annotations

from copy import deepcopy

import pytest

import zermelo
from zermelo.arena.patience import MAX_CLOCK_DEPTH, Patience
from zermelo.search.searcher import Result

CHESS = zermelo.game("chess")


def found(action=1, value=0.0, effort=0.8, depth=8):
    return Result(
        action=action,
        value=value,
        values=(value, -value),
        line=(action,),
        depth=depth,
        nodes=1,
        evaluations=1,
        seconds=0.0,
        scores={},
        exact=False,
        effort=effort,
    )


def longest(results, game=CHESS):
    """Seconds after which the last of these results is the answer, of a usual second."""
    patience = Patience(game, 1.0)
    for r in results[:-1]:
        patience.is_spent(r, 0.0)
    return min(x / 100 for x in range(1, 1000) if deepcopy(patience).is_spent(results[-1], x / 100))


def test_an_old_answer_without_rivals_is_given_soon():
    times = [longest([found()] * n) for n in range(1, 8)]
    assert times == sorted(times, reverse=True) and times[-1] < 1.0 < times[0]
    assert longest([found(effort=0.95)] * 6) < longest([found(effort=0.5)] * 6)


def test_a_new_answer_is_looked_at_longer():
    assert longest([found(1)] * 5 + [found(2)]) > 2 * longest([found(1)] * 6) - 0.01


def test_a_value_that_falls_costs_time_and_one_that_rises_does_not():
    pawn = CHESS.quiet_margin
    steady = longest([found()] * 5)
    assert longest([found()] * 4 + [found(value=-pawn)]) == pytest.approx(1.5 * steady, abs=0.02)
    assert longest([found()] * 4 + [found(value=-9 * pawn)]) == pytest.approx(1.5 * steady, abs=0.02)
    assert longest([found()] * 4 + [found(value=pawn)]) == steady
    assert longest([found(value=pawn)] + [found()] * 5) == longest([found()] * 6)  # that was long ago


def test_without_margins_or_an_effort_the_time_is_the_usual():
    assert longest([found(1), found(2)], zermelo.game("othello")) == 1.0
    assert longest([found(1, effort=0.0), found(2, effort=0.0)]) == 1.0


def test_it_ends_where_lines_would_need_more_room_and_never_without_a_limit():
    assert Patience(CHESS, 1e9).is_spent(found(depth=MAX_CLOCK_DEPTH), 0.0)
    assert not Patience(CHESS, None).is_spent(found(depth=MAX_CLOCK_DEPTH), 1e9)


def test_the_effort_is_the_share_of_the_best_action():
    r = zermelo.searcher("alphabeta", depth=5).search(CHESS, CHESS.read_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    assert 0.0 < r.effort <= 1.0
    only = zermelo.searcher("alphabeta", depth=3).search(CHESS, CHESS.read_state("7k/8/8/8/8/8/7r/K7 w - - 0 1"))
    assert len(only.scores) == 1 and only.effort > 0.9

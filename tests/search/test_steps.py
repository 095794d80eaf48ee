"""The steps of the alpha-beta engine, each alone: what it says, and that its switch turns it off."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import zermelo
from zermelo.lower.memory import to_word
from zermelo.search.alphabeta import engine
from zermelo.search.alphabeta.engine import Engine
from zermelo.search.alphabeta.quiescence import quiescence
from zermelo.search.prepare import _zeros
from zermelo.search.table import ENDLESS, EXACT, LOWER, UPPER, Memory, keep, packed

CHESS = zermelo.game("chess")
SIZES = {"planes": 1, "plies": 16, "width": 64, "words": 1, "players": 2, "watch": 1, "lines": 1, "length": 1}


@pytest.fixture
def work() -> SimpleNamespace:
    """An empty record with every switch on."""
    record = SimpleNamespace(**{name: _zeros(kind, shape) for name, kind, shape in Engine.fields(**SIZES)})
    memory = Memory(1, interpreted=True)
    record.table, record.mask, record.has_table = memory.table, memory.mask, 1
    record.futility = record.nulls = record.reductions = record.extensions = record.has_quiescence = 1
    record.has_killers = record.has_history = record.by_order = record.has_pvs = 1
    record.depth = 8
    return record


def at(fen: str):
    return CHESS.read_state(fen)


QUIET = at("4k3/pppp4/8/8/8/8/PPPP1N2/4K1N1 w - - 0 1")
CHECK = at("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")


def test_a_position_of_the_path_is_repeated_and_one_of_the_past_only_the_second_time(work):
    assert not engine.is_repeated(7, 0, work)
    assert not engine.is_repeated(8, 1, work)
    assert engine.is_repeated(7, 2, work)
    work.past_keys[0], work.past_count = 9, 1
    work.past_slots[9] = 1
    assert not engine.is_repeated(9, 3, work)
    work.past_keys[1], work.past_count = 9, 2
    work.past_slots[9] = 2
    assert engine.is_repeated(9, 3, work)


def test_a_check_is_extended(work):
    assert engine.is_forced(CHESS, CHECK, work) and not engine.is_forced(CHESS, QUIET, work)
    work.extensions = 0
    assert not engine.is_forced(CHESS, CHECK, work)


@pytest.mark.parametrize(
    ("bound", "value", "window", "is_known"),
    [
        (EXACT, 0.3, (0.0, 0.5), True),
        (LOWER, 0.6, (0.0, 0.5), True),
        (LOWER, 0.3, (0.0, 0.5), False),
        (UPPER, -0.1, (0.0, 0.5), True),
        (UPPER, 0.3, (0.0, 0.5), False),
    ],
)
def test_the_table_cuts_by_what_its_value_is(work, bound, value, window, is_known):
    keep(77, to_word(value), packed(5, 0, 0, 4, bound), to_word(0.25), work)
    known, v, move, static = engine.table_cutoff(77, 0, 4, *window, 1, work)
    assert (known, move, static) == (is_known, 5, 0.25) and (v == value or not known)
    assert engine.table_cutoff(77, 0, 5, *window, 1, work) == (False, 0.0, 5, 0.25), "it was not searched as deeply"
    assert engine.table_cutoff(78, 0, 4, *window, 1, work) == (False, 0.0, -1, 0.0)
    work.has_table = 0
    assert engine.table_cutoff(77, 0, 4, *window, 1, work) == (False, 0.0, -1, 0.0)


def test_what_is_stored_is_found_again_with_the_distance_from_the_root(work):
    work.distance = 2.0**-24
    engine.store(5, 3, 1.0 - 6 * 2.0**-24, -1.0, 2.0, ENDLESS, 0.5, 4, work)
    assert engine.table_cutoff(5, 0, 100, -1.0, 2.0, 4, work) == (True, 1.0 - 6 * 2.0**-24, 3, 0.5)
    assert engine.table_cutoff(5, 0, 100, -1.0, 2.0, 2, work) == (True, 1.0 - 4 * 2.0**-24, 3, 0.5), "two plies nearer to the root"


def test_quiescence_takes_and_enters_values_of_depth_0(work):
    key, static = CHESS.key(QUIET), CHESS.evaluate(QUIET, 0)
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == static
    assert engine.table_cutoff(key, 0, 0, -1.0, 1.0, 1, work) == (True, static, -1, static)
    work.evaluations = 0
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == static and work.evaluations == 0
    engine.store(key, 2, 0.5, -1.0, 1.0, 3, static, 1, work)
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == 0.5, "a search knows better"
    engine.store(key, -1, 0.1, -1.0, 1.0, 0, static, 1, work)
    assert engine.table_cutoff(key, 0, 3, -1.0, 1.0, 1, work) == (True, 0.5, 2, static), "and is not replaced"


def test_a_state_is_evaluated_unless_it_is_forced_or_nobody_asks(work):
    judged, static, rising = engine.static_value(CHESS, QUIET, 0, False, 0.0, 2, work)
    assert judged and static == CHESS.evaluate(QUIET, 0) and rising == int(static > 0)
    assert engine.static_value(CHESS, QUIET, 0, False, 0.125, 2, work)[:2] == (True, 0.125), "the table knows it"
    assert engine.static_value(CHESS, QUIET, 0, True, 0.0, 2, work) == (False, 0.0, 0)
    work.futility = work.nulls = 0
    assert engine.static_value(CHESS, QUIET, 0, False, 0.0, 2, work) == (False, 0.0, 0)
    assert engine.static_value(zermelo.game("connect4"), None, 0, False, 0.0, 2, work) == (False, 0.0, 0)


def test_reverse_futility_needs_a_quiet_margin_for_each_ply(work):
    margin = CHESS.quiet_margin
    for depth in range(1, 9):
        reaches = depth <= engine.FRONTIER
        assert engine.reverse_futility(CHESS, 0, depth * margin, 0, depth, 0.0, 1, work) == reaches
        assert not engine.reverse_futility(CHESS, 0, depth * margin - 1e-9, 0, depth, 0.0, 1, work)
        assert engine.reverse_futility(CHESS, 0, (depth - 1) * margin, 1, depth, 0.0, 1, work) == reaches, "rising: a ply less"
    work.futility = 0
    assert not engine.reverse_futility(CHESS, 0, 100.0, 0, 1, 0.0, 1, work)


def test_a_null_move_cuts_only_where_it_is_allowed_and_comes_back_above_beta(work, monkeypatch):
    asked = []
    monkeypatch.setattr(engine, "search", lambda game, s, p, depth, *rest: asked.append((s, depth)) or 0.5)
    assert engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work)
    assert asked == [(CHESS.null_move(QUIET), 8 - 3 - 2 - 3)] and work.null_moves[1] == 0
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.8, 8, 0.6, 0.7, 1, work), "the search gave less than beta"
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.0, 8, 0.0, 0.1, 1, work), "the evaluation is below beta"
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 2, 0.0, 0.1, 1, work), "too near to the end of the depth"
    assert not engine.null_move_cutoff(CHESS, CHECK, 0, 0.2, 8, 0.0, 0.1, 1, work), "in check"
    work.null_moves[0] = 1
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work), "two in a row"
    work.null_moves[0] = work.nulls = 0
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work)


def test_internal_reduction_is_for_states_that_the_table_does_not_know(work):
    assert [engine.internal_reduction(-1, depth, work) for depth in (3, 4, 9)] == [3, 3, 8]
    assert engine.internal_reduction(0, 9, work) == 9
    work.reductions = 0
    assert engine.internal_reduction(-1, 9, work) == 9


def test_an_action_is_futile_if_it_cannot_reach_alpha_and_forces_nothing(work):
    assert engine.is_futile(CHESS, QUIET, 0, 1, 0.1, False, 0.2, 1, work)
    assert not engine.is_futile(CHESS, QUIET, 0, 1, 0.3, False, 0.2, 1, work)
    assert engine.is_futile(CHESS, QUIET, 0, 1, 0.3, True, 0.2, 1, work), "it comes too late"
    assert not engine.is_futile(CHESS, CHECK, 0, 1, 0.1, True, 0.2, 1, work), "it gives check"


def test_late_moves_are_reduced_more_the_deeper_and_the_later(work):
    def less(i, depth, hopes=0, t=QUIET):
        return engine.late_move_reduction(CHESS, t, 0, 1, i, depth, hopes, work)

    assert all(less(i, 10) == 0 for i in range(engine.FULL_DEPTH_MOVES)) and less(3, 2) == 0
    grid = [[less(i, depth) for i in (3, 8, 30)] for depth in (3, 6, 12)]
    assert all(row == sorted(row) for row in grid) and all(list(c) == sorted(c) for c in zip(*grid, strict=True))
    assert less(30, 12) == engine.REDUCTIONS[12 * 64 + 30] + 1
    assert less(30, 12, hopes=1) == less(30, 12) - 1
    assert less(30, 3) <= 1, "at least a ply is left"
    assert less(30, 12, t=CHECK) == 0
    work.history[0][1] = engine.HISTORY_LIMIT
    assert less(30, 12) == engine.REDUCTIONS[12 * 64 + 30] - 1
    work.reductions = 0
    assert less(30, 12) == 0


@pytest.mark.parametrize(
    ("less", "is_full", "answers", "asked"),
    [
        (0, True, [0.7], [(7, 0.0, 1.0)]),
        (0, False, [-0.5], [(7, 0.0, "null")]),
        (0, False, [0.5, 0.4], [(7, 0.0, "null"), (7, 0.0, 1.0)]),
        (2, False, [-0.5], [(5, 0.0, "null")]),
        (2, False, [0.5, -0.5], [(5, 0.0, "null"), (7, 0.0, "null")]),
        (2, False, [0.5, 0.5, 0.4], [(5, 0.0, "null"), (7, 0.0, "null"), (7, 0.0, 1.0)]),
        (0, False, [1.5], [(7, 0.0, "null")]),  # above beta: enough is known
    ],
)
def test_a_child_is_searched_again_only_while_it_may_be_better(work, monkeypatch, less, is_full, answers, asked):
    calls, given = [], iter(answers)

    def search(game, t, p, depth, alpha, beta, ply, work):
        calls.append((depth, alpha, "null" if beta == engine.next_float(alpha) else beta))
        return next(given)

    monkeypatch.setattr(engine, "search", search)
    v = engine.search_child(CHESS, QUIET, 0, 8, less, is_full, True, 0.0, 1.0, 1, work)
    assert calls == asked and v == answers[-1] and work.cutoffs == int(less > 0)

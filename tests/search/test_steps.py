"""The steps of the alpha-beta engine, each alone: what it says, and that its switch turns it off."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import zermelo
from zermelo.lower.memory import to_word
from zermelo.search.alphabeta import engine, selective
from zermelo.search.alphabeta.quiescence import quiescence
from zermelo.search.alphabeta.selective import Engine
from zermelo.search.continuation import continuation, kind_of
from zermelo.search.prepare import _zeros
from zermelo.search.table import ENDLESS, EXACT, LOWER, UPPER, Memory, keep, packed

CHESS = zermelo.game("chess")
SIZES = {"planes": 1, "plies": 16, "width": 64, "words": 1, "players": 2, "watch": 1, "lines": 1, "length": 1, "gains": 0}


@pytest.fixture
def work() -> SimpleNamespace:
    """An empty record with every switch on."""
    record = SimpleNamespace(**{name: _zeros(kind, shape) for name, kind, shape in Engine.fields(**SIZES)})
    memory = Memory(1, interpreted=True)
    record.table, record.mask, record.has_table, record.pairs = memory.table, memory.mask, 1, memory.pairs
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
    null = engine.next_float(0.0)
    assert engine.is_forced(CHESS, CHECK, work) and not engine.is_forced(CHESS, QUIET, work)
    assert engine.forced_extension(CHESS, 0, 0.0, null, 1, work) == 1, "the depth is spent"
    assert engine.forced_extension(CHESS, 5, 0.0, 1.0, 1, work) == 1, "an open window"
    assert engine.forced_extension(CHESS, 5, 0.0, null, 1, work) == 0
    assert engine.forced_extension(zermelo.game("connect4"), 5, 0.0, null, 1, work) == 1, "without a quiet margin, everywhere"
    assert engine.forced_extension(CHESS, 0, 0.0, null, 2 * work.depth, work) == 0, "not for ever"
    work.extensions = 0
    assert engine.forced_extension(CHESS, 0, 0.0, 1.0, 1, work) == 0


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
    assert engine.table_cutoff(77, 0, 4, *window, 1, work) == (is_known, value, 5, 0.25, 4 * 4 + bound)
    assert engine.table_cutoff(77, 0, 5, *window, 1, work) == (False, value, 5, 0.25, 4 * 4 + bound), "it was not searched as deeply"
    assert engine.table_cutoff(78, 0, 4, *window, 1, work) == (False, 0.0, -1, 0.0, -1)
    work.has_table = 0
    assert engine.table_cutoff(77, 0, 4, *window, 1, work) == (False, 0.0, -1, 0.0, -1)


def test_what_is_stored_is_found_again_with_the_distance_from_the_root(work):
    work.distance = 2.0**-24
    engine.store(5, 3, 1.0 - 6 * 2.0**-24, -1.0, 2.0, ENDLESS, 0.5, 4, work)
    assert engine.table_cutoff(5, 0, 100, -1.0, 2.0, 4, work)[:4] == (True, 1.0 - 6 * 2.0**-24, 3, 0.5)
    assert engine.table_cutoff(5, 0, 100, -1.0, 2.0, 2, work)[:4] == (True, 1.0 - 4 * 2.0**-24, 3, 0.5), "two plies nearer to the root"


def test_quiescence_takes_and_enters_values_of_depth_0(work):
    key, static = CHESS.key(QUIET), CHESS.evaluate(QUIET, 0)
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == static
    assert engine.table_cutoff(key, 0, 0, -1.0, 1.0, 1, work) == (True, static, -1, static, EXACT)
    work.evaluations = 0
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == static and work.evaluations == 0
    engine.store(key, 2, 0.5, -1.0, 1.0, 3, static, 1, work)
    assert quiescence(CHESS, QUIET, 0, -1.0, 1.0, 1, work) == 0.5, "a search knows better"
    engine.store(key, -1, 0.1, -1.0, 1.0, 0, static, 1, work)
    assert engine.table_cutoff(key, 0, 3, -1.0, 1.0, 1, work) == (True, 0.5, 2, static, 3 * 4 + EXACT), "and is not replaced"


def test_a_state_is_evaluated_unless_it_is_forced_or_nobody_asks(work):
    judged, static, rising = engine.static_value(CHESS, QUIET, 0, False, 0.0, 2, work)
    assert judged and static == CHESS.evaluate(QUIET, 0) and rising == int(static > 0)
    assert engine.static_value(CHESS, QUIET, 0, False, 0.125, 2, work)[:2] == (True, 0.125), "the table knows it"
    assert engine.static_value(CHESS, QUIET, 0, True, 0.0, 2, work) == (False, 0.0, 0)
    work.futility = work.nulls = 0
    assert engine.static_value(CHESS, QUIET, 0, False, 0.0, 2, work) == (False, 0.0, 0)
    assert engine.static_value(zermelo.game("connect4"), None, 0, False, 0.0, 2, work) == (False, 0.0, 0)


def test_what_the_table_knows_is_a_better_guess_where_its_bound_is_on_the_right_side():
    guesses = {(bound, v): engine.best_estimate_of(CHESS, 0.01, v, 4 * 3 + bound) for bound in (EXACT, LOWER, UPPER) for v in (0.0, 0.02)}
    assert guesses == {
        (EXACT, 0.0): 0.0,
        (EXACT, 0.02): 0.02,
        (LOWER, 0.0): 0.01,
        (LOWER, 0.02): 0.02,
        (UPPER, 0.0): 0.0,
        (UPPER, 0.02): 0.01,
    }
    assert engine.best_estimate_of(CHESS, 0.01, 1.0, 4 * 3 + EXACT) == 0.01, "a mate is no guess"
    assert engine.best_estimate_of(CHESS, 0.01, 0.0, -1) == 0.01, "the table knows nothing"


def test_reverse_futility_needs_three_quarters_of_a_quiet_margin_for_each_ply(work):
    margin = 0.75 * CHESS.quiet_margin
    for depth in range(1, 11):
        reaches = depth <= selective.FUTILITY_MAX_DEPTH
        assert engine.reverse_futility(CHESS, 0, depth * margin, 0, depth, 0.0, 1, work) == reaches
        assert not engine.reverse_futility(CHESS, 0, depth * margin - 1e-9, 0, depth, 0.0, 1, work)
        assert engine.reverse_futility(CHESS, 0, (depth - 1) * margin, 1, depth, 0.0, 1, work) == reaches, "rising: a ply less"
    work.futility = 0
    assert not engine.reverse_futility(CHESS, 0, 100.0, 0, 1, 0.0, 1, work)


def test_a_null_move_cuts_only_where_it_is_allowed_and_comes_back_above_beta(work, monkeypatch):
    asked = []
    monkeypatch.setattr(engine, "search", lambda game, s, p, depth, *rest: asked.append((s, depth)) or 0.5)
    assert engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work)
    assert asked == [(CHESS.null_move(QUIET), 8 - 4 - 2 - 3)] and work.null_moves[1] == 0
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.8, 8, 0.6, 0.7, 1, work), "the search gave less than beta"
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.0, 8, 0.0, 0.1, 1, work), "the evaluation is below beta"
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.106, 8, 0.0, 0.1, 1, work), "or not far enough above it"
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 2, 0.0, 0.1, 1, work), "too near to the end of the depth"
    assert not engine.null_move_cutoff(CHESS, CHECK, 0, 0.2, 8, 0.0, 0.1, 1, work), "in check"
    work.null_moves[0] = 1
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work), "two in a row"
    work.null_moves[0] = work.nulls = 0
    assert not engine.null_move_cutoff(CHESS, QUIET, 0, 0.2, 8, 0.0, 0.1, 1, work)


def test_internal_reduction_is_for_states_that_the_table_does_not_know(work):
    assert [engine.internal_reduction(-1, depth, True, work) for depth in (3, 4, 9)] == [3, 3, 8]
    assert engine.internal_reduction(0, 9, True, work) == 9
    assert engine.internal_reduction(-1, 9, False, work) == 9, "where all actions are likely to fail, the first does not matter"
    work.reductions = 0
    assert engine.internal_reduction(-1, 9, True, work) == 9


def test_an_action_is_futile_if_it_cannot_reach_alpha_and_forces_nothing(work):
    a = CHESS.read_action(QUIET, "Ne4")
    assert engine.is_futile(CHESS, QUIET, QUIET, 0, a, 0.1, False, 1, 0.2, 1, work)
    assert not engine.is_futile(CHESS, QUIET, QUIET, 0, a, 0.3, False, 1, 0.2, 1, work)
    assert engine.is_futile(CHESS, QUIET, QUIET, 0, a, 0.3, True, 1, 0.2, 1, work), "it comes too late"
    assert not engine.is_futile(CHESS, QUIET, CHECK, 0, a, 0.1, True, 1, 0.2, 1, work), "it gives check"


def test_an_action_that_loses_a_knight_is_futile_where_little_depth_is_left(work):
    s = at("4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1")
    loses = CHESS.read_action(s, "Nc6")
    assert CHESS.loses_material(s, loses, 0.0299) and not CHESS.loses_material(s, loses, 0.0301)
    assert not CHESS.loses_material(s, CHESS.read_action(s, "Nf5"), 0.0)
    futile = [engine.is_futile(CHESS, s, QUIET, 0, loses, 0.3, False, left, 0.2, 1, work) for left in range(6)]
    assert futile == [selective.MAX_EXCHANGE_LOSS * left * left < 3 for left in range(6)]


def test_late_moves_are_reduced_more_the_deeper_and_the_later(work):
    def less(i, depth, optimism=0, t=QUIET):
        return engine.late_move_reduction(CHESS, t, past, i, depth, optimism, work)

    past = 0
    assert all(less(i, 10) == 0 for i in range(selective.FULL_DEPTH_MOVES)) and less(3, 2) == 0
    grid = [[less(i, depth) for i in (3, 8, 30)] for depth in (3, 6, 12)]
    assert all(row == sorted(row) for row in grid) and all(list(c) == sorted(c) for c in zip(*grid, strict=True))
    assert less(30, 12) == selective.REDUCTIONS[12 * 64 + 30] + 1
    assert less(30, 12, optimism=1) == less(30, 12) - 1
    assert less(30, 3) <= 1, "at least a ply is left"
    assert less(30, 12, t=CHECK) == 0
    past = 2 * selective.HISTORY_WEIGHT
    assert less(30, 12) == selective.REDUCTIONS[12 * 64 + 30] - 1
    work.reductions = 0
    assert less(30, 12) == 0


def test_a_quiet_cut_is_remembered_with_the_actions_before_it(work):
    a, other = CHESS.read_action(QUIET, "Ne4"), CHESS.read_action(QUIET, "Nd3")
    work.moves[3][:2] = [other, a]
    work.path_kinds[3], work.path_kinds[4] = 70, 80
    engine.remember_quiet_cut(CHESS, QUIET, 0, a, 1, 4, 3, work)
    kinds = [kind_of(CHESS, QUIET, b) for b in (a, other)]
    assert [continuation(kind, 0, 3, work) for kind in kinds] == [2 * 256, -2 * 256] and kinds[0] != kinds[1]
    assert engine.enter_move(CHESS, QUIET, 0, a, 3, work) == 3 * 256 and work.killers[3][0] == a and work.path_kinds[5] == kinds[0]
    work.path_kinds[4] = 81
    assert continuation(kinds[0], 0, 3, work) == 256, "after another action only the one two plies back counts"
    assert continuation(kinds[0], 1, 3, work) == 0, "of the other player nothing is known"
    work.has_history = 0
    assert continuation(kinds[0], 0, 3, work) == 0


@pytest.mark.parametrize(
    ("other", "beta", "more"),
    [(0.008, 1.0, 1), (0.0, 1.0, 2), (0.05, 0.001, engine.MULTI_CUT), (0.05, 0.0099, -2), (0.05, 1.0, 0)],
)
def test_the_only_good_action_is_searched_deeper(work, monkeypatch, other, beta, more):
    asked = []
    monkeypatch.setattr(engine, "node", lambda *given: asked.append((given[5], given[6], work.excluded_move[2])) or other)

    def extension(value=0.01, bound=4 * 8 + LOWER, tt_move=3, depth=8):
        return engine.singular_extension(CHESS, QUIET, 0, 0, False, depth, value, 0.0, bound, tt_move, beta, False, 2, work)

    target = 0.01 - selective.SINGULAR_MARGIN * 8 * CHESS.quiet_margin
    assert extension() == (more, target if more == engine.MULTI_CUT else 0.01)
    assert asked == [(3, target, 4)] and work.excluded_move[2] == 0 and work.double_extensions[2] == int(more == 2)
    assert extension(tt_move=-1)[0] == extension(depth=selective.SINGULAR_MIN_DEPTH - 1)[0] == 0
    assert extension(bound=4 * 8 + UPPER)[0] == extension(bound=4 * 4 + LOWER)[0] == extension(value=0.9)[0] == 0
    work.extensions = 0
    assert extension()[0] == 0 and len(asked) == 1


def test_a_tactical_action_tells_that_a_state_is_far_above_beta(work, monkeypatch):
    s = at("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1")  # a queen can be taken
    monkeypatch.setattr(engine, "search", lambda *given: 0.08)
    monkeypatch.setattr(engine, "tactical_child", lambda *given: 0.08)

    def left(depth, beta, bound=-1):
        return engine.probable_cutoff(CHESS, s, 0, 0.0, depth, beta, 0.0, bound, 2, work)

    target = 0.06 + selective.PROBCUT_MARGIN * CHESS.quiet_margin
    assert left(selective.PROBCUT_MIN_DEPTH, 0.06) == (True, 0.08 - (target - 0.06))
    assert left(selective.PROBCUT_MIN_DEPTH, 0.07) == (False, 0.0), "the search does not reach that"
    assert left(selective.PROBCUT_MIN_DEPTH, 0.06, bound=4 * 3 + UPPER) == (False, 0.0), "the table knows that it is less"
    assert left(selective.PROBCUT_MIN_DEPTH - 1, 0.06) == (False, 0.0)
    work.futility = 0
    assert left(selective.PROBCUT_MIN_DEPTH, 0.06) == (False, 0.0)


@pytest.mark.parametrize(
    ("less", "is_full", "answers", "asked"),
    [
        (0, True, [0.7], [(7, 0.0, 1.0)]),
        (0, False, [-0.5], [(7, 0.0, "null")]),
        (0, False, [0.5, 0.4], [(7, 0.0, "null"), (7, 0.0, 1.0)]),
        (2, False, [-0.5], [(5, 0.0, "null")]),
        (2, False, [0.002, -0.5], [(5, 0.0, "null"), (7, 0.0, "null")]),
        (2, False, [0.5, -0.5], [(5, 0.0, "null"), (8, 0.0, "null")]),  # far above: a ply deeper
        (2, False, [0.0001, -0.5], [(5, 0.0, "null"), (6, 0.0, "null")]),  # hardly above: a ply less
        (1, False, [0.0001, -0.5], [(6, 0.0, "null"), (7, 0.0, "null")]),  # but deeper than before
        (2, False, [0.002, 0.5, 0.4], [(5, 0.0, "null"), (7, 0.0, "null"), (7, 0.0, 1.0)]),
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

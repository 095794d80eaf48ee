"""What the steps of the engine decide without searching: which states, and which actions of a state, are looked at less, or not at all."""

from __future__ import annotations

import math

import numpy as np

from ...bits import i64, u64
from ...game import Game, State
from ..continuation import continuation, kind_of, rank_by_continuation, remember_continuation
from ..evaluation import enter_ply, estimate_at, is_proven
from ..mate_distance import next_float
from ..move_ordering import HISTORY_LIMIT, SLOTS, adjust_history, bonus_of, put_first, rank, remember_cut, remember_killer, slot
from ..notes import FUTILE, STATIC, note
from ..records import PLIES, room
from ..table import ENDLESS, EXACT, LOWER, UPPER
from .entries import tt_bound_kind
from .lines import Lines
from .quiescence import Quiescent, end_of_game, quiescence
from .sharing import Sharing

FULL_DEPTH_MOVES = 3  # actions that are searched to the full depth before reductions begin
FUTILITY_MAX_DEPTH = 8  # plies before the end of the depth where futility is thought of
MAX_EVAL_GAP = 8  # quiet margins below its evaluation: a state with nothing better so far is in danger, and all is tried there
HISTORY_WEIGHT = HISTORY_LIMIT  # of the histories for or against an action makes a ply
SINGULAR_MIN_DEPTH = 6  # from which it is asked whether the table's action is the only good one
SINGULAR_MARGIN = 0.015  # quiet margins, times the depth, that others must be worse than it
DOUBLE_MARGIN = 0.2  # quiet margins more than that, and it is two plies
MAX_DOUBLE_EXTENSIONS = 6  # of two plies on a path
MULTI_CUT = 99  # in place of an extension: another action is good enough, too
DEEPER_MARGIN = 0.3  # quiet margins above alpha by a reduced search, from which on the next is a ply deeper
SHALLOWER_MARGIN = 0.05  # quiet margins above alpha, up to which it is a ply less deep
NULL_MOVE_MARGIN = 1.5  # quiet margins above beta, before passing the turn is tried
NULL_MOVE_PER_PLY = 0.1  # quiet margins less for each ply that is left
NULL_MOVE_REDUCTION = 4  # plies, and one for three plies that are left
PROBCUT_MARGIN = 1.75  # quiet margins above beta by a shallow search, which are enough
PROBCUT_MIN_DEPTH = 5  # from which on a shallow search is asked
FUTILITY_MARGIN = 1.25  # quiet margins that a quiet action may gain
FUTILITY_PER_PLY = 0.75  # quiet margins more for each ply that is left after it
REVERSE_FUTILITY_PER_PLY = 0.75  # quiet margins that each ply may cost the mover
LATE_ACTIONS = 3  # tried in any case, and as many more as the square of the depth; half of both if the mover is not improving
HISTORY_PRUNING_PER_PLY = 3500  # of the histories against an action, for each ply that is left, leave it out
MAX_EXCHANGE_LOSS = 0.3  # quiet margins that an action may lose by exchange, times the square of the depth that is left after it
MAX_PAST_POSITIONS = 128  # positions before the root that are remembered
#: plies that an action late in the order is searched less: more the deeper and the later (depth * 64 + place)
REDUCTIONS = np.array([int(0.5 + math.log(d) * math.log(i) / 2.0) if min(d, i) > 1 else 0 for d in range(64) for i in range(64)])


class Engine(Lines, Quiescent, Sharing):
    """The record of the engine."""

    has_pvs: int
    nulls: int
    reductions: int
    best_nodes: int  # below the best action of the root
    low: float  # the window of the root
    high: float
    counter_moves: list[list[int]] = room(2, SLOTS)  # what cut after an action of the opponent
    path: list[int] = room(PLIES + 1)  # the actions of the path
    eval_history: list[float] = room(PLIES + 1)  # what evaluate says of its states, for player 0
    static_eval: list[float] = room(PLIES + 1)  # what they are evaluated at for their movers, 0 for nothing
    best_estimate: list[float] = room(PLIES + 1)  # what its states seem to be worth to their movers
    improving: list[int] = room(PLIES + 1)  # whether the mover stands better than a turn ago
    extension: list[int] = room(PLIES + 1)  # plies that the table's action is searched deeper
    null_moves: list[int] = room(PLIES + 1)  # whether the turn was passed at this ply
    cut_nodes: list[int] = room(PLIES + 1)  # whether its state is expected to be left at the first action, as it was good enough
    excluded_move: list[int] = room(
        PLIES + 1
    )  # one more than the index of the action that a search for others leaves out there, 0 for none
    double_extensions: list[int] = room(PLIES + 1)  # actions of the path before it that were searched two plies deeper
    path_keys: list[u64] = room(PLIES + 1)  # the positions of the path
    past_keys: list[u64] = room(MAX_PAST_POSITIONS)  # those of the game before the root
    past_count: int
    past_slots: list[int] = room(SLOTS)  # how many of them have each slot


def start_search(game: Game, s: State, work: Engine) -> int:
    """What the steps need to know of the root and of the positions before it."""
    if game.has_draws_by_repetition:
        work.path_keys[0] = game.repetition_key(s)
        for k in range(work.past_count):
            work.past_slots[slot(i64(work.past_keys[k]))] = 0
        for k in range(work.past_count):
            work.past_slots[slot(i64(work.past_keys[k]))] += 1
    if game.quiet_margin > 0.0 or game.has_null_move:
        enter_ply(game, 0, work)
        work.eval_history[0] = estimate_at(game, s, 0, 0, work)
    return 0


def root_reduction(game: Game, s: State, t: State, a: int, i: int, work: Engine) -> int:
    """Plies that the root's action at place i is searched less: half of what it would be elsewhere."""
    if work.reductions == 0 or i < FULL_DEPTH_MOVES or work.depth <= 2 or game.is_tactical(s, a) or game.is_forcing(t):
        return 0
    return min(REDUCTIONS[min(work.depth, 63) * 64 + min(i, 63)], work.depth - 2) // 2


def is_repeated(position: u64, ply: int, work: Engine) -> bool:
    """Step 1: whether this position was there before on the path, where whoever went there once can again; or twice in the game.

    Once in the game is not enough: who stands worse would take any way back for a draw, and not think what to do if it is none.
    """
    work.path_keys[ply] = position
    for k in range(ply):
        if work.path_keys[k] == position:
            return True
    if work.past_slots[slot(i64(position))] < 2:
        return False
    times = 0
    for k in range(work.past_count):
        times += int(work.past_keys[k] == position)
    return times > 1


def is_forced(game: Game, s: State, work: Engine) -> bool:
    """Whether the mover of s has little choice: nothing is left out there."""
    if game.has_forcing:
        return game.is_forcing(s) and not is_proven(game, s, work)
    return False


def forced_extension(game: Game, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> int:
    """Step 2: plies that a state in which the mover is forced is searched deeper.

    In games with a quiet margin only where it may be on the line that is to be played, or the depth is spent.
    """
    if work.extensions == 0 or ply >= 2 * work.depth:
        return 0
    return int(game.quiet_margin <= 0.0 or depth <= 0 or beta > next_float(alpha))


def horizon(game: Game, s: State, me: int, p: int, alpha: float, beta: float, ply: int, work: Engine) -> float:
    """Step 3: what s is worth to `me` where the depth is spent and p is to move."""
    if is_proven(game, s, work):
        return end_of_game(game, s, me, ply, work)
    if p == me:
        return quiescence(game, s, p, alpha, beta, ply, work)
    return -quiescence(game, s, p, -beta, -alpha, ply, work)


def known_depth(game: Game, depth: int, is_open: bool, ply: int, work: Engine) -> int:
    """Step 4: how deep an entry of the table must be to end the search of a state.

    None is deep enough on the line that is to be played, if positions must not come back: it was entered when they had not been there, and
    a won game of chess was drawn by moves that it praised.
    """
    if work.excluded_move[ply] != 0:
        return ENDLESS + 1
    if game.has_draws_by_repetition:
        if is_open and work.has_pvs != 0:
            return ENDLESS + 1
    return depth


def static_value(game: Game, s: State, p: int, forced: bool, tt_static_eval: float, ply: int, work: Engine) -> tuple[bool, float, int]:
    """Step 5: whether s is evaluated, what it seems to be worth to p, and 1 if p stands better than a turn ago.

    `tt_static_eval` is what the table says that it was evaluated at, or 0.
    """
    if not (game.quiet_margin > 0.0 or game.has_null_move):
        return False, 0.0, 0
    work.eval_history[ply] = work.eval_history[max(ply - 2, 0)]
    if forced or (work.futility == 0 and work.nulls == 0) or is_proven(game, s, work):
        return False, 0.0, 0
    static_eval = tt_static_eval
    if tt_static_eval == 0.0:
        static_eval = estimate_at(game, s, p, ply, work)
        work.evaluations += 1
    note(STATIC, ply, p, 0, static_eval, 0.0, work)
    improving = int(static_eval > (work.eval_history[ply] if p == 0 else -work.eval_history[ply]))
    work.eval_history[ply] = static_eval if p == 0 else -static_eval
    return True, static_eval, improving


def best_estimate_of(game: Game, static_eval: float, tt_value: float, tt_bound: int) -> float:
    """What a state of this static value seems to be worth, if the table knows that it is worth v or at least or at most that."""
    if game.quiet_margin <= 0.0 or tt_bound < 0 or abs(tt_value - static_eval) > MAX_EVAL_GAP * game.quiet_margin:
        return static_eval
    bound = tt_bound_kind(tt_bound)
    return (
        tt_value
        if bound == EXACT or (bound == LOWER and tt_value > static_eval) or (bound == UPPER and tt_value < static_eval)
        else static_eval
    )


def reverse_futility(game: Game, p: int, estimate: float, improving: int, depth: int, beta: float, ply: int, work: Engine) -> bool:
    """Step 6: whether s would stay above beta even if each ply that is left cost a quiet margin."""
    floor = estimate - REVERSE_FUTILITY_PER_PLY * game.quiet_margin * (depth - improving)
    if not is_near_frontier(game, depth, work) or floor < beta:
        return False
    work.cutoffs += 1
    note(FUTILE, ply, p, -1, floor, beta, work)
    return True


def internal_reduction(tt_move: int, depth: int, matters: bool, work: Engine) -> int:
    """Step 9: the depth, one less if the table knows no action where the first one matters: a shallower search will tell it."""
    if work.reductions != 0 and work.has_table != 0 and tt_move < 0 and depth > FULL_DEPTH_MOVES and matters:
        return depth - 1
    return depth


def table_move_first(game: Game, tt_move: int, n: int, ply: int, work: Engine) -> int:
    """Step 11: put the table's action first; from which place on actions are to be ranked, which they are only if it does not cut."""
    if 0 <= tt_move < n and not game.has_immediate:
        put_first(tt_move, ply, work)
        return 1
    return 0


def rank_all(game: Game, s: State, p: int, first: int, n: int, tt_move: int, ply: int, work: Engine) -> int:
    """Rank the actions from the first; how many need to be tried."""
    n = rank(game, s, p, first, n, tt_move, work.counter_moves[p][slot(work.path[ply - 1])], ply, work)
    if game.quiet_margin > 0.0:
        rank_by_continuation(game, s, p, first, n, ply, work)
    return n


def table_move_of(game: Game, chosen: int, tt_move: int, is_better: bool) -> int:
    """Step 15: the action to enter into the table: the one that was known where none was better than alpha, for bounds compare nothing."""
    return chosen if is_better or game.quiet_margin <= 0.0 else tt_move


def enter_move(game: Game, s: State, p: int, a: int, ply: int, work: Engine) -> int:
    """Action a is the next of the path; what the history and the continuation history say of it."""
    work.path[ply] = a
    past = work.history[p][slot(a)]
    if game.quiet_margin > 0.0:
        kind = kind_of(game, s, a)
        work.path_kinds[ply + 2] = kind
        past += continuation(kind, p, ply, work)
    return past


def remember_quiet_cut(game: Game, s: State, p: int, a: int, i: int, depth: int, ply: int, work: Engine) -> int:
    """The quiet action a at place i cut."""
    work.counter_moves[p][slot(work.path[ply - 1])] = a
    if game.quiet_margin <= 0.0:
        return remember_cut(p, a, i, depth, ply, work)
    remember_killer(a, ply, work)
    bonus = bonus_of(depth)
    if work.has_history != 0:
        for k in range(i + 1):
            b = work.moves[ply][k]
            if k == i or not game.is_tactical(s, b):
                adjust_history(p, b, bonus if k == i else -bonus, work)
    return remember_continuation(game, s, p, i, bonus, ply, work)


def is_near_frontier(game: Game, depth: int, work: Engine) -> bool:
    """Whether so little of the depth is left that actions may be left out."""
    return game.quiet_margin > 0.0 and work.futility != 0 and depth <= FUTILITY_MAX_DEPTH


def late_actions(depth: int, improving: int) -> int:
    """How many actions are tried before the quiet ones that are left come too late."""
    return (LATE_ACTIONS + depth * depth) >> (1 - improving)


def ceiling_of(game: Game, s: State, a: int, left: int, ply: int, work: Engine) -> float:
    """What the quiet action a may be worth at most, if so much of the depth is left after it."""
    return work.best_estimate[ply] + game.quiet_margin * (FUTILITY_MARGIN + FUTILITY_PER_PLY * left) + game.material_gain(s, a)


def is_futile(
    game: Game, s: State, t: State, p: int, a: int, ceiling: float, is_late: bool, left: int, alpha: float, ply: int, work: Engine
) -> bool:
    """Step 12: whether the quiet action a, which leads to t, is left out: it comes too late, its ceiling does not reach alpha, or it loses
    too much material for what is `left` of the depth after it."""
    if game.is_forcing(t):
        return False
    if ceiling > alpha and not is_late and not game.loses_material(s, a, MAX_EXCHANGE_LOSS * left * left * game.quiet_margin):
        return False
    work.cutoffs += 1
    note(FUTILE, ply, p, a, ceiling, alpha, work)
    return True


def late_move_reduction(game: Game, t: State, past: int, i: int, depth: int, optimism: int, work: Engine) -> int:
    """Step 13: plies that the quiet action at place i is searched less; fewer with more optimism, and if it cut elsewhere."""
    if work.reductions == 0 or i < FULL_DEPTH_MOVES or depth <= 2:
        return 0
    if game.has_forcing:
        if game.is_forcing(t):
            return 0
    reduction = REDUCTIONS[min(depth, 63) * 64 + min(i, 63)] + 1 - optimism - past // HISTORY_WEIGHT
    return max(0, min(reduction, depth - 2))

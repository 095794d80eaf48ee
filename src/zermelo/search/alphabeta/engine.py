"""The alpha-beta engine: a sequence of steps, each of which can be switched off.

    SEARCH(s, depth, alpha, beta)                                                        switch
      1  a draw by repetition                                   repetition
      2  search a ply deeper where the mover is forced          extension                extensions
      3  where the depth is spent, quiescence                   horizon                  quiescence
      4  take the value that the table knows                    known_depth, entries.py  table
      5  evaluate s, for the next two steps                     static_value
      6  leave s if it stays above beta by a margin             reverse_futility         futility
      7  leave s if even passing the turn is good enough        null_move_cutoff         nulls
      8  one ply less if the table knows nothing of s           internal_reduction       reductions
      9  list the actions, the most promising first             move_ordering.py         killers, history, order
     10  leave out an action that cannot reach alpha            is_futile                futility
     11  search a late action less deeply                       late_move_reduction      reductions
     12  search the child, at first in a null window            search_child             pvs
     13  enter what was found into the table                    entries.py               table

Most of this does not change the value that plain alpha-beta finds; it changes what must be looked at to find it (leaves at best
b^(m/2), at worst b^m). Quiescence and extensions look further than they were asked to, and so does a depth limit with a table.
Null moves, futility and reductions (type B) may miss the value: they are for games that allow them.
"""

from __future__ import annotations

import math

import numpy as np

from ...bits import i64, u64
from ...game import Game, State
from ..continuation import Continued, continuation, kind_of, rank_by_continuation, remember_continuation
from ..depth_first import INFINITE, actions, keep_line, visit
from ..endgames.probe import is_tabled
from ..evaluation import enter_ply, estimate_at, is_proven, leave_ply
from ..mate_distance import next_float
from ..move_ordering import (
    HISTORY_LIMIT,
    SLOTS,
    adjust_history,
    bonus_of,
    bring_best,
    index_of,
    put_first,
    rank,
    remember_cut,
    remember_killer,
    slot,
)
from ..notes import AGAIN, CHILD, CUT, FUTILE, PASS, PASSED, REPEATED, SHALLOW, STATIC, TRY, enter, note
from ..records import PLIES, room
from ..table import ENDLESS, EXACT, LOWER, UPPER
from .entries import store, table_cutoff
from .lines import Lines, enter_line
from .quiescence import Quiescent, end_of_game, quiescence, tactical_actions, tactical_child

FULL_DEPTH_MOVES = 3  # actions that are searched to the full depth before reductions begin
FRONTIER = 8  # plies before the end of the depth where futility is thought of
DANGER = 8  # quiet margins below its evaluation: a state with nothing better so far is in danger, and all is tried there
HISTORY_WEIGHT = HISTORY_LIMIT  # of the histories for or against an action makes a ply
SINGULAR_DEPTH = 6  # from which it is asked whether the table's action is the only good one
SINGULAR = 0.015  # quiet margins, times the depth, that others must be worse than it
DOUBLE, MOST_DOUBLED = 0.2, 6  # quiet margins more make it two plies, so often on a path
MULTI_CUT = 99
MUCH, LITTLE = 0.3, 0.05  # quiet margins above alpha by a reduced search make the next a ply deeper, or less deep
RAZOR = 3.0  # quiet margins below alpha for each ply that is left: only tactical actions may help
PROBABLE, PROBABLE_DEPTH = 1.75, 5  # quiet margins above beta by a shallow search are enough, from this depth on
HOPELESS = 3500  # of the histories against an action, for each ply that is left, leave it out
LOSS = 0.3  # quiet margins that an action may lose by exchange, times the square of the depth that is left after it
PAST = 128  # positions before the root that are remembered
#: plies that an action late in the order is searched less: more the deeper and the later (depth * 64 + place)
REDUCTIONS = np.array([int(0.5 + math.log(d) * math.log(i) / 2.0) if min(d, i) > 1 else 0 for d in range(64) for i in range(64)])


class Engine(Lines, Quiescent, Continued):
    """The record of the engine."""

    has_pvs: int
    nulls: int
    reductions: int
    low: float  # the window of the root
    high: float
    counter_moves: list[list[int]] = room(2, SLOTS)  # what cut after an action of the opponent
    path: list[int] = room(PLIES + 1)  # the actions of the path
    statics: list[float] = room(PLIES + 1)  # what evaluate says of its states, for player 0
    null_moves: list[int] = room(PLIES + 1)  # whether the turn was passed at this ply
    cut_nodes: list[int] = room(PLIES + 1)  # whether its state is expected to be left at the first action, as it was good enough
    left_out: list[int] = room(PLIES + 1)  # one more than the index of the action that a search for others leaves out there, 0 for none
    doubled: list[int] = room(PLIES + 1)  # actions of the path before it that were searched two plies deeper
    path_keys: list[u64] = room(PLIES + 1)  # the positions of the path
    past_keys: list[u64] = room(PAST)  # those of the game before the root
    past_count: int
    past_slots: list[int] = room(SLOTS)  # how many of them have each slot


# ---- the root ----------------------------------------------------------------------------------


def root(game: Game, work: Engine) -> int:
    """Search the actions of the start in the order given; their scores are exact or, after the best, bounds (`bounds.py`)."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    work.widest = work.root_count
    enter(game, s, me, work.depth, work.low, work.high, 0, work)
    begin(game, s, work)
    best = -INFINITE
    for i in range(min(work.root_count, len(work.root_moves))):
        a = work.root_moves[i]
        t = game.result(s, a)
        alpha = max(best, work.low)
        is_full = i == 0 or work.has_pvs == 0  # whether to ask at once what it is worth, and not only whether it is better
        if len(work.tops) > 1:
            alpha = work.tops[work.wanted - 1]
            is_full = i < work.wanted or work.has_pvs == 0
        work.path[0] = a
        work.kinds[2] = kind_of(game, s, a)
        note(TRY, 0, me, a, 0.0, 0.0, work)
        less = 0 if is_full else root_reduction(game, s, t, a, i, work)
        v = search_child(game, t, me, work.depth, less, is_full, alpha < work.high, alpha, work.high, 0, work)
        if work.stopped != 0:
            return 0
        note(CHILD, 0, me, a, v, best, work)
        work.scores[i] = v
        work.searched = i + 1
        if len(work.tops) > 1:
            if v > alpha:
                enter_line(i, v, work)
        if v > best:
            best = v
            work.best = i
            keep_line(0, a, work)
            if best >= work.high:
                return 0  # the window was too low
    return 0


def begin(game: Game, s: State, work: Engine) -> int:
    """What the steps need to know of the root and of the positions before it."""
    if game.has_draws_by_repetition:
        work.path_keys[0] = game.repetition_key(s)
        for k in range(work.past_count):
            work.past_slots[slot(i64(work.past_keys[k]))] = 0
        for k in range(work.past_count):
            work.past_slots[slot(i64(work.past_keys[k]))] += 1
    if game.quiet_margin > 0.0 or game.has_null_move:
        enter_ply(game, 0, work)
        work.statics[0] = estimate_at(game, s, 0, 0, work)
    return 0


def root_reduction(game: Game, s: State, t: State, a: int, i: int, work: Engine) -> int:
    """Plies that the root's action at place i is searched less: half of what it would be elsewhere."""
    if work.reductions == 0 or i < FULL_DEPTH_MOVES or work.depth <= 2 or game.is_tactical(s, a) or game.is_forcing(t):
        return 0
    return min(REDUCTIONS[min(work.depth, 63) * 64 + min(i, 63)], work.depth - 2) // 2


# ---- a node ------------------------------------------------------------------------------------


def search(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> float:
    """What s is worth to `me`, whose bounds alpha and beta are: exact between them, a bound outside. Steps 1 to 3."""
    if not visit(game, s, me, depth, alpha, beta, ply, work):
        return 0.0
    if game.has_draws_by_repetition:
        if is_repeated(game.repetition_key(s), ply, work):
            work.cutoffs += 1  # true on this path only
            note(REPEATED, ply, me, 0, 0.0, 0.0, work)
            return 0.0
    if game.has_endgames:
        if is_tabled(game, s, work):  # whether the game is over is seen when actions are listed
            return end_of_game(game, s, me, ply, work)
    forced = is_forced(game, s, work)
    if forced and ply < 2 * work.depth and (depth <= 0 or beta > next_float(alpha) or game.quiet_margin <= 0.0):
        depth += 1
    p = game.to_move(s)
    if game.quiet_margin > 0.0 and ply + 1 >= len(work.moves):
        depth = 0  # a game that is not searched to its end needs no room for longer lines
    if depth <= 0:
        return horizon(game, s, me, p, alpha, beta, ply, work)
    if p == me:
        return node(game, s, me, p, forced, depth, alpha, beta, ply, work)
    return -node(game, s, me, p, forced, depth, -beta, -alpha, ply, work)


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
    """Step 2: whether s is searched a ply deeper, because its mover has little choice."""
    if game.has_forcing:
        return work.extensions != 0 and game.is_forcing(s) and not is_proven(game, s, work)
    return False


def horizon(game: Game, s: State, me: int, p: int, alpha: float, beta: float, ply: int, work: Engine) -> float:
    """Step 3: what s is worth to `me` where the depth is spent and p is to move."""
    if is_proven(game, s, work):
        return end_of_game(game, s, me, ply, work)
    if p == me:
        return quiescence(game, s, p, alpha, beta, ply, work)
    return -quiescence(game, s, p, -beta, -alpha, ply, work)


def node(game: Game, s: State, me: int, p: int, forced: bool, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> float:
    """What s is worth to p, who is to move and whose bounds these are. Steps 4 to 13."""
    key = game.key(s)
    is_open = beta > next_float(alpha)
    is_known, v, table_move, static, known = table_cutoff(key, p, known_depth(game, depth, is_open, ply, work), alpha, beta, ply, work)
    if is_known:
        return v
    is_judged, static, rising = static_value(game, s, p, forced, static, ply, work)
    guess = better_guess(game, static, v, known)
    cuts_early = is_judged and not is_open and work.left_out[ply] == 0
    if cuts_early and reverse_futility(game, p, guess, rising, depth, beta, ply, work):
        return guess
    if cuts_early and null_move_cutoff(game, s, p, guess, depth, alpha, beta, ply, work):
        return beta
    if cuts_early and guess + RAZOR * depth * game.quiet_margin <= alpha and depth <= 3 and work.futility != 0 and game.quiet_margin > 0.0:
        w = quiescence(game, s, p, alpha, beta, ply, work)
        if w <= alpha:
            return w
    if cuts_early and game.quiet_margin > 0.0 and work.futility != 0 and depth >= PROBABLE_DEPTH:
        is_left, w = probable_cutoff(game, s, p, static, depth, beta, v, known, ply, work)
        if is_left:
            return w
    depth = internal_reduction(table_move, depth, is_open or work.cut_nodes[ply] != 0, work)
    more = 0
    if game.quiet_margin > 0.0:
        more, v = singular_extension(game, s, me, p, forced, depth, v, static, known, table_move, beta, is_open, ply, work)
        if more == MULTI_CUT:
            return v

    n = actions(game, s, ply, work)
    if n == 0:  # listing is also how the end is seen: nobody is asked twice
        return end_of_game(game, s, me, ply, work) if p == me else -end_of_game(game, s, me, ply, work)
    first = table_move_first(game, table_move, n, ply, work)
    cutoffs, low, best, chosen = work.cutoffs, alpha, -INFINITE, 0
    prunes = is_judged and not is_open and game.quiet_margin > 0.0 and work.futility != 0 and depth <= FRONTIER
    is_late = False  # whether only actions that force something are tried still, in any order
    i = -1
    while i + 1 < n:
        i += 1
        if i == first:
            n = rank(game, s, p, first, n, table_move, work.counter_moves[p][slot(work.path[ply - 1])], ply, work)
            if game.quiet_margin > 0.0:
                rank_by_continuation(game, s, p, first, n, ply, work)
        if i >= first and not is_late:
            bring_best(i, n, ply, work)
        if index_of(i, ply, work) == work.left_out[ply] - 1:
            continue
        a = work.moves[ply][i]
        quiet = not game.is_tactical(s, a)
        t = game.result(s, a)
        work.path[ply] = a
        past = go_on(game, s, p, a, ply, work)
        is_full = i == 0 or (work.has_pvs == 0 and is_open)
        less = 0
        if not is_full and quiet and not forced:
            hopes = rising + int(is_open) - work.cut_nodes[ply]
            less = late_move_reduction(game, t, past, i, depth, hopes, work)
        if prunes and i > 0 and quiet and best > static - DANGER * game.quiet_margin:
            is_late = i >= (3 + depth * depth) >> (1 - rising)
            left = depth - 1 - less
            is_bad = past < -HOPELESS * depth
            hope = guess + game.quiet_margin * (1.25 + 0.75 * left) + game.material_gain(s, a)
            if is_futile(game, s, t, p, a, hope, is_late or is_bad, left, alpha, ply, work):
                best = max(best, min(hope, alpha))
                continue
        note(TRY, ply, p, a, 0.0, 0.0, work)
        leave_ply(game, s, ply, work)
        v = search_child(game, t, p, depth + (more if i == 0 else 0), less, is_full, is_open, alpha, beta, ply, work)
        note(CHILD, ply, p, a, v, best, work)
        if v > best:
            best = v
            chosen = index_of(i, ply, work)
            if is_open:
                keep_line(ply, a, work)
            alpha = max(alpha, v)
            if alpha >= beta:
                if quiet:
                    remember_quiet_cut(game, s, p, a, i, depth, ply, work)
                note(CUT, ply, p, n - i - 1, best, beta, work)
                break
    if work.left_out[ply] != 0:
        return best
    if best <= low and game.quiet_margin > 0.0:
        chosen = table_move  # which of the actions had the greatest bound tells nothing
    store(key, chosen, best, low, beta, ENDLESS if work.cutoffs == cutoffs else depth, static, ply, work)
    return best


def known_depth(game: Game, depth: int, is_open: bool, ply: int, work: Engine) -> int:
    """Step 4: how deep an entry of the table must be to end the search of a state.

    None is deep enough on the line that is to be played, if positions must not come back: it was entered when they had not been there, and
    a won game of chess was drawn by moves that it praised.
    """
    if work.left_out[ply] != 0:
        return ENDLESS + 1
    if game.has_draws_by_repetition:
        if is_open and work.has_pvs != 0:
            return ENDLESS + 1
    return depth


def static_value(game: Game, s: State, p: int, forced: bool, known: float, ply: int, work: Engine) -> tuple[bool, float, int]:
    """Step 5: whether s is evaluated, what it seems to be worth to p, and 1 if p stands better than a turn ago.

    `known` is what the table says that it was evaluated at, or 0.
    """
    if not (game.quiet_margin > 0.0 or game.has_null_move):
        return False, 0.0, 0
    work.statics[ply] = work.statics[max(ply - 2, 0)]
    if forced or (work.futility == 0 and work.nulls == 0) or is_proven(game, s, work):
        return False, 0.0, 0
    static = known
    if known == 0.0:
        static = estimate_at(game, s, p, ply, work)
        work.evaluations += 1
    note(STATIC, ply, p, 0, static, 0.0, work)
    rising = int(static > (work.statics[ply] if p == 0 else -work.statics[ply]))
    work.statics[ply] = static if p == 0 else -static
    return True, static, rising


def better_guess(game: Game, static: float, v: float, known: int) -> float:
    """What a state of this static value seems to be worth, if the table knows that it is worth v or at least or at most that."""
    if game.quiet_margin <= 0.0 or known < 0 or abs(v - static) > DANGER * game.quiet_margin:
        return static
    bound = known & 3
    return v if bound == EXACT or (bound == LOWER and v > static) or (bound == UPPER and v < static) else static


def reverse_futility(game: Game, p: int, static: float, rising: int, depth: int, beta: float, ply: int, work: Engine) -> bool:
    """Step 6: whether s would stay above beta even if each ply that is left cost a quiet margin."""
    floor = static - 0.75 * game.quiet_margin * (depth - rising)
    if game.quiet_margin <= 0.0 or work.futility == 0 or depth > FRONTIER or floor < beta:
        return False
    work.cutoffs += 1
    note(FUTILE, ply, p, -1, floor, beta, work)
    return True


def null_move_cutoff(game: Game, s: State, p: int, static: float, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> bool:
    """Step 7: whether s is worth beta even if p passes the turn, by a search some plies less deep."""
    if not game.has_null_move:
        return False
    if work.nulls == 0 or depth <= 2 or static < beta or work.null_moves[ply - 1] != 0 or not game.allows_null_move(s):
        return False
    less = 4 + depth // 3
    if game.quiet_margin > 0.0:
        less += min(int((static - beta) / (2.0 * game.quiet_margin)), 3)
    work.null_moves[ply] = 1
    work.path[ply] = -1
    work.kinds[ply + 2] = 0
    note(PASS, ply, p, 0, 0.0, 0.0, work)
    work.cut_nodes[ply + 1] = 1 - work.cut_nodes[ply]
    v = search(game, game.null_move(s), p, depth - less, alpha, beta, ply + 1, work)
    work.null_moves[ply] = 0
    note(PASSED, ply, p, 0, v, beta, work)
    if v < beta or work.stopped != 0:
        return False
    work.cutoffs += 1
    return True


def probable_cutoff(
    game: Game, s: State, p: int, static: float, depth: int, beta: float, v: float, known: int, ply: int, work: Engine
) -> tuple[bool, float]:
    """Whether a tactical action leads so far above beta by a search some plies less deep that the whole search would, too."""
    target = beta + PROBABLE * game.quiet_margin
    if (known >= 0 and known >> 2 >= depth - 3 and v <= target) or abs(beta - static) > DANGER * game.quiet_margin:
        return False, 0.0
    n = tactical_actions(game, s, ply, work)
    n = rank(game, s, p, 0, n, -1, -1, ply, work)
    for i in range(n):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        if static + game.material_gain(s, a) <= target or not game.is_tactical(s, a):
            continue
        work.path[ply] = a
        go_on(game, s, p, a, ply, work)
        note(TRY, ply, p, a, 0.0, 0.0, work)
        leave_ply(game, s, ply, work)
        t = game.result(s, a)
        w = tactical_child(game, t, p, target, next_float(target), ply + 1, work)
        if w > target and work.stopped == 0:
            work.cut_nodes[ply + 1] = 1 - work.cut_nodes[ply]
            w = search(game, t, p, depth - 4, target, next_float(target), ply + 1, work)
        note(CHILD, ply, p, a, w, -INFINITE, work)
        if work.stopped != 0:
            return False, 0.0
        if w > target:
            work.cutoffs += 1
            return True, w - (target - beta)
    return False, 0.0


def internal_reduction(table_move: int, depth: int, matters: bool, work: Engine) -> int:
    """Step 8: the depth, one less if the table knows no action where the first one matters: a shallower search will tell it."""
    if work.reductions != 0 and work.has_table != 0 and table_move < 0 and depth > FULL_DEPTH_MOVES and matters:
        return depth - 1
    return depth


def singular_extension(
    game: Game,
    s: State,
    me: int,
    p: int,
    forced: bool,
    depth: int,
    v: float,
    static: float,
    known: int,
    table_move: int,
    beta: float,
    is_open: bool,
    ply: int,
    work: Engine,
) -> tuple[int, float]:
    """Step 9: plies that the table's action is searched deeper, because no other comes near to what it is worth; fewer if others do.

    MULTI_CUT, and a value, if another one is good enough, too, to leave s.
    """
    work.doubled[ply] = work.doubled[ply - 1]
    if work.extensions == 0 or work.reductions == 0 or table_move < 0 or depth < SINGULAR_DEPTH or work.left_out[ply] != 0:
        return 0, v
    if ply >= 2 * work.depth or known >> 2 < depth - 3 or known & 3 == UPPER or abs(v - static) > DANGER * game.quiet_margin:
        return 0, v
    target = v - SINGULAR * depth * game.quiet_margin
    work.left_out[ply] = table_move + 1
    other = node(game, s, me, p, forced, (depth - 1) // 2, target, next_float(target), ply, work)
    work.left_out[ply] = 0
    if work.stopped != 0:
        return 0, v
    if other <= target:
        if not is_open and other < target - DOUBLE * game.quiet_margin and work.doubled[ply] < MOST_DOUBLED:
            work.doubled[ply] += 1
            return 2, v
        return 1, v
    if target >= beta and not is_open:
        work.cutoffs += 1
        return MULTI_CUT, target
    return -2 if v >= beta else -1 if work.cut_nodes[ply] != 0 else 0, v


def table_move_first(game: Game, table_move: int, n: int, ply: int, work: Engine) -> int:
    """Step 9: put the table's action first; from which place on actions are to be ranked, which they are only if it does not cut."""
    if 0 <= table_move < n and not game.has_immediate:
        put_first(table_move, ply, work)
        return 1
    return 0


def is_futile(
    game: Game, s: State, t: State, p: int, a: int, hope: float, is_late: bool, left: int, alpha: float, ply: int, work: Engine
) -> bool:
    """Step 10: whether the quiet action a, which leads to t, is left out: it comes too late, its hope does not reach alpha, or it loses too
    much material for what is `left` of the depth after it."""
    if game.is_forcing(t):
        return False
    if hope > alpha and not is_late and not game.loses_material(s, a, LOSS * left * left * game.quiet_margin):
        return False
    work.cutoffs += 1
    note(FUTILE, ply, p, a, hope, alpha, work)
    return True


def go_on(game: Game, s: State, p: int, a: int, ply: int, work: Engine) -> int:
    """Action a is the next of the path; what the history and the continuation history say of it."""
    past = work.history[p][slot(a)]
    if game.quiet_margin > 0.0:
        kind = kind_of(game, s, a)
        work.kinds[ply + 2] = kind
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


def late_move_reduction(game: Game, t: State, past: int, i: int, depth: int, hopes: int, work: Engine) -> int:
    """Step 11: plies that the quiet action at place i is searched less; fewer where p hopes for more, and if it cut elsewhere."""
    if work.reductions == 0 or i < FULL_DEPTH_MOVES or depth <= 2:
        return 0
    if game.has_forcing:
        if game.is_forcing(t):
            return 0
    less = REDUCTIONS[min(depth, 63) * 64 + min(i, 63)] + 1 - hopes - past // HISTORY_WEIGHT
    return max(0, min(less, depth - 2))


def search_child(
    game: Game,
    t: State,
    p: int,
    depth: int,
    less: int,
    is_full: bool,
    is_open: bool,
    alpha: float,
    beta: float,
    ply: int,
    work: Engine,
) -> float:
    """Step 12: what t is worth to p (principal variation search).

    With is_full it is searched in the whole window. Otherwise the question is only whether it is better than alpha, asked `less` plies
    less deeply at first; if it is, it is searched again, to the full depth and then in the open window.
    """
    work.cut_nodes[ply + 1] = 0 if is_open and is_full else 1 - work.cut_nodes[ply]
    if is_full:
        return search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
    if less > 0:
        note(SHALLOW, ply, p, less, 0.0, 0.0, work)
        work.cut_nodes[ply + 1] = 1
    v = search(game, t, p, depth - 1 - less, alpha, next_float(alpha), ply + 1, work)
    if less > 0:
        work.cutoffs += 1
        if game.quiet_margin > 0.0 and v > alpha:
            depth += int(v > alpha + MUCH * game.quiet_margin) - int(v < alpha + LITTLE * game.quiet_margin and less > 1)
        if v > alpha and work.stopped == 0:
            note(AGAIN, ply, p, 1, v, 0.0, work)
            work.cut_nodes[ply + 1] = 1 - work.cut_nodes[ply]
            v = search(game, t, p, depth - 1, alpha, next_float(alpha), ply + 1, work)
    if is_open and alpha < v < beta and work.stopped == 0:
        note(AGAIN, ply, p, 0, v, 0.0, work)
        work.cut_nodes[ply + 1] = 0
        v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
    return v

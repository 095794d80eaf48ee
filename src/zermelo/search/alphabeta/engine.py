"""The alpha-beta engine: a sequence of steps, each of which can be switched off.

    SEARCH(s, depth, alpha, beta)                                                        switch
      1  a draw by repetition                                   is_repeated
      2  search a ply deeper where the mover is forced          forced_extension         extensions
      3  where the depth is spent, quiescence                   horizon                  quiescence
      4  take the value that the table knows                    known_depth, entries.py  table
      5  evaluate s, for the next steps                         static_value, best_estimate_of
      6  leave s if it stays above beta by a margin             reverse_futility         futility
      7  leave s if even passing the turn is good enough        null_move_cutoff         nulls
      8  leave s if a tactical action leads far above beta, as  probable_cutoff          futility
         far as a shallow search sees
      9  one ply less if the table knows nothing of s           internal_reduction       reductions
     10  search the table's action deeper if it is the only     singular_extension       extensions, reductions
         good one
     11  list the actions, the most promising first             move_ordering.py,        killers, history, order
                                                                continuation.py
     12  leave out an action that cannot reach alpha            is_futile                futility
     13  search a late action less deeply                       late_move_reduction      reductions
     14  search the child, at first in a null window            search_child             pvs
     15  enter what was found into the table                    entries.py               table

Most of this does not change the value that plain alpha-beta finds; it changes what must be looked at to find it (leaves at best
b^(m/2), at worst b^m). Quiescence and extensions look further than they were asked to, and so does a depth limit with a table.
Null moves, futility and reductions (type B) may miss the value: they are for games that allow them. Steps 8 and 10 and the
continuation history are for games with a `quiet_margin`. What a step decides without searching is in `selective.py`.
"""

from __future__ import annotations

from ...game import Game, State
from ..depth_first import INFINITE, actions, keep_line, visit
from ..endgames.probe import is_tabled
from ..evaluation import leave_ply
from ..mate_distance import next_float
from ..move_ordering import bring_best, index_of, rank
from ..notes import AGAIN, CHILD, CUT, PASS, PASSED, REPEATED, SHALLOW, TRY, enter, note
from ..table import ENDLESS, UPPER
from .entries import store, table_cutoff, tt_bound_kind, tt_depth
from .lines import enter_line
from .quiescence import end_of_game, tactical_actions, tactical_child
from .selective import (
    DEEPER_MARGIN,
    DOUBLE_MARGIN,
    HISTORY_PRUNING_PER_PLY,
    MAX_DOUBLE_EXTENSIONS,
    MAX_EVAL_GAP,
    MULTI_CUT,
    NULL_MOVE_MARGIN,
    NULL_MOVE_PER_PLY,
    NULL_MOVE_REDUCTION,
    PROBCUT_MARGIN,
    PROBCUT_MIN_DEPTH,
    SHALLOWER_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_MIN_DEPTH,
    Engine,
    best_estimate_of,
    ceiling_of,
    enter_move,
    forced_extension,
    horizon,
    internal_reduction,
    is_forced,
    is_futile,
    is_near_frontier,
    is_repeated,
    known_depth,
    late_actions,
    late_move_reduction,
    rank_all,
    remember_quiet_cut,
    reverse_futility,
    root_reduction,
    start_search,
    static_value,
    table_move_first,
    table_move_of,
)
from .sharing import SHARED_DEPTH, claim, is_put_off, put_off_claimed, release

# ---- the root ----------------------------------------------------------------------------------


def root(game: Game, work: Engine) -> int:
    """Search the actions of the start in the order given; their scores are exact or, after the best, bounds (`bounds.py`)."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    work.widest = work.root_count
    enter(game, s, me, work.depth, work.low, work.high, 0, work)
    start_search(game, s, work)
    best = -INFINITE
    for i in range(min(work.root_count, len(work.root_moves))):
        a = work.root_moves[i]
        t = game.result(s, a)
        alpha = max(best, work.low)
        is_full = i == 0 or work.has_pvs == 0  # whether to ask at once what it is worth, and not only whether it is better
        if len(work.tops) > 1:
            alpha = work.tops[work.wanted - 1]
            is_full = i < work.wanted or work.has_pvs == 0
        enter_move(game, s, me, a, 0, work)
        note(TRY, 0, me, a, 0.0, 0.0, work)
        before = work.nodes
        reduction = 0 if is_full else root_reduction(game, s, t, a, i, work)
        v = search_child(game, t, me, work.depth, reduction, is_full, alpha < work.high, alpha, work.high, 0, work)
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
            work.best_nodes = work.nodes - before
            keep_line(0, a, work)
            if best >= work.high:
                return 0  # the window was too low
    return 0


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
    if forced:
        depth += forced_extension(game, depth, alpha, beta, ply, work)
    p = game.to_move(s)
    if game.quiet_margin > 0.0 and ply + 1 >= len(work.moves):
        depth = 0  # a game that is not searched to its end needs no room for longer lines
    if depth <= 0:
        return horizon(game, s, me, p, alpha, beta, ply, work)
    if p == me:
        return node(game, s, me, p, forced, depth, alpha, beta, ply, work)
    return -node(game, s, me, p, forced, depth, -beta, -alpha, ply, work)


def node(game: Game, s: State, me: int, p: int, forced: bool, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> float:
    """What s is worth to p, who is to move and whose bounds these are. Steps 4 to 10."""
    key = game.key(s)
    is_open = beta > next_float(alpha)
    # step 4: the table
    enough = known_depth(game, depth, is_open, ply, work)
    is_cutoff, tt_value, tt_move, static_eval, tt_bound = table_cutoff(key, p, enough, alpha, beta, ply, work)
    if is_cutoff:
        return tt_value
    # step 5: the static value
    is_judged, static_eval, improving = static_value(game, s, p, forced, static_eval, ply, work)
    best_estimate = best_estimate_of(game, static_eval, tt_value, tt_bound)
    # steps 6 to 8: leave s without listing its actions
    if is_judged and not is_open and work.excluded_move[ply] == 0:
        if reverse_futility(game, p, best_estimate, improving, depth, beta, ply, work):
            return best_estimate
        if null_move_cutoff(game, s, p, best_estimate, depth, alpha, beta, ply, work):
            return beta
        if game.has_tactical_actions:
            is_left, w = probable_cutoff(game, s, p, static_eval, depth, beta, tt_value, tt_bound, ply, work)
            if is_left:
                return w
    work.keys[ply] = key
    work.static_eval[ply] = static_eval
    work.best_estimate[ply] = best_estimate
    work.improving[ply] = improving
    work.extension[ply] = 0
    # step 9: internal reduction
    asked = depth
    depth = internal_reduction(tt_move, depth, is_open or work.cut_nodes[ply] != 0, work)
    work.reduced[ply] = asked - depth if work.claims != 0 else 0
    # step 10: singular extension
    if game.quiet_margin > 0.0:
        extension, tt_value = singular_extension(
            game, s, me, p, forced, depth, tt_value, static_eval, tt_bound, tt_move, beta, is_open, ply, work
        )
        if extension == MULTI_CUT:
            return tt_value
        work.extension[ply] = extension
    return search_actions(game, s, me, p, forced, depth, alpha, beta, tt_move, ply, work)


def search_actions(
    game: Game, s: State, me: int, p: int, forced: bool, depth: int, alpha: float, beta: float, tt_move: int, ply: int, work: Engine
) -> float:
    """What s is worth to p by the actions there, of which the table knows this one. Steps 11 to 15."""
    n = actions(game, s, ply, work)
    if n == 0:  # listing is also how the end is seen: nobody is asked twice
        return end_of_game(game, s, me, ply, work) if p == me else -end_of_game(game, s, me, ply, work)
    is_open = beta > next_float(alpha)
    first = table_move_first(game, tt_move, n, ply, work)
    improving = work.improving[ply]
    static_eval = work.static_eval[ply]
    prunes = not forced and not is_open and is_near_frontier(game, depth, work)
    cutoffs, low = work.cutoffs, alpha
    best, chosen = -INFINITE, 0
    is_late = False  # whether only actions that force something are tried still, in any order
    i = -1
    while i + 1 < n:
        i += 1
        # step 11: the next action
        if i == first:
            n = rank_all(game, s, p, first, n, tt_move, ply, work)
            work.put_off[ply] = 0
        order = i
        if i >= first and (not is_late or work.put_off[ply] > 0):
            bring_best(i, n, ply, work)
            if work.claims != 0 and i > 0 and depth >= SHARED_DEPTH:
                order = put_off_claimed(i, n, ply, work)
        if index_of(i, ply, work) == work.excluded_move[ply] - 1:
            continue
        a = work.moves[ply][i]
        quiet = not game.is_tactical(s, a)
        t = game.result(s, a)
        past = enter_move(game, s, p, a, ply, work)
        # step 13: reduction
        is_full = i == 0 or (work.has_pvs == 0 and is_open)
        reduction = 0
        if not is_full and quiet and not forced:
            reduction = late_move_reduction(game, t, past, order, depth, improving + int(is_open) - work.cut_nodes[ply], work)
            if reduction > 0 and is_put_off(i, ply, work):
                reduction = min(reduction + 1, depth - 2)  # by which the other thread may have searched it less
        # step 12: futility, by what is left of the depth after the reduction
        if prunes and i > 0 and quiet and best > static_eval - MAX_EVAL_GAP * game.quiet_margin:
            is_late = order >= late_actions(depth, improving)
            ceiling = ceiling_of(game, s, a, depth - 1 - reduction, ply, work)
            is_late_or_bad = is_late or past < -HISTORY_PRUNING_PER_PLY * depth
            if is_futile(game, s, t, p, a, ceiling, is_late_or_bad, depth - 1 - reduction, alpha, ply, work):
                best = max(best, min(ceiling, alpha))
                continue
        # step 14: the child
        note(TRY, ply, p, a, 0.0, 0.0, work)
        leave_ply(game, s, ply, work)
        claim(a, depth, ply, work)
        v = search_child(game, t, p, depth + (work.extension[ply] if i == 0 else 0), reduction, is_full, is_open, alpha, beta, ply, work)
        release(a, depth, ply, work)
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
    # step 15: the table
    if work.excluded_move[ply] == 0:
        deep = ENDLESS if work.cutoffs == cutoffs and work.extension[ply] >= 0 else depth + work.reduced[ply]
        store(work.keys[ply], table_move_of(game, chosen, tt_move, best > low), best, low, beta, deep, static_eval, ply, work)
    return best


def null_move_cutoff(game: Game, s: State, p: int, estimate: float, depth: int, alpha: float, beta: float, ply: int, work: Engine) -> bool:
    """Step 7: whether s is worth beta even if p passes the turn, by a search some plies less deep."""
    if not game.has_null_move:
        return False
    if work.nulls == 0 or depth <= 2 or work.null_moves[ply - 1] != 0 or not game.allows_null_move(s):
        return False
    if estimate < beta + game.quiet_margin * max(0.0, NULL_MOVE_MARGIN - NULL_MOVE_PER_PLY * depth):
        return False
    reduction = NULL_MOVE_REDUCTION + depth // 3
    if game.quiet_margin > 0.0:
        reduction += min(int((estimate - beta) / (2.0 * game.quiet_margin)), 3)
    work.null_moves[ply] = 1
    work.path[ply] = -1
    work.path_kinds[ply + 2] = 0
    note(PASS, ply, p, 0, 0.0, 0.0, work)
    work.cut_nodes[ply + 1] = 1 - work.cut_nodes[ply]
    v = search(game, game.null_move(s), p, depth - reduction, alpha, beta, ply + 1, work)
    work.null_moves[ply] = 0
    note(PASSED, ply, p, 0, v, beta, work)
    if v < beta or work.stopped != 0:
        return False
    work.cutoffs += 1
    return True


def probable_cutoff(
    game: Game, s: State, p: int, static_eval: float, depth: int, beta: float, tt_value: float, tt_bound: int, ply: int, work: Engine
) -> tuple[bool, float]:
    """Step 8: whether a tactical action leads so far above beta by a search some plies less deep that the whole search would, too."""
    target = beta + PROBCUT_MARGIN * game.quiet_margin
    if game.quiet_margin <= 0.0 or work.futility == 0 or depth < PROBCUT_MIN_DEPTH:
        return False, 0.0
    if abs(beta - static_eval) > MAX_EVAL_GAP * game.quiet_margin:
        return False, 0.0
    if tt_bound >= 0 and tt_depth(tt_bound) >= depth - 3 and tt_value <= target:
        return False, 0.0
    n = tactical_actions(game, s, ply, work)
    n = rank(game, s, p, 0, n, -1, -1, ply, work)
    for i in range(n):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        if static_eval + game.material_gain(s, a) <= target or not game.is_tactical(s, a):
            continue
        enter_move(game, s, p, a, ply, work)
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


def singular_extension(
    game: Game,
    s: State,
    me: int,
    p: int,
    forced: bool,
    depth: int,
    tt_value: float,
    static_eval: float,
    tt_bound: int,
    tt_move: int,
    beta: float,
    is_open: bool,
    ply: int,
    work: Engine,
) -> tuple[int, float]:
    """Step 10: plies that the table's action is searched deeper, because no other comes near to what it is worth; fewer if others do.

    MULTI_CUT, and a value, if another one is good enough, too, to leave s.
    """
    work.double_extensions[ply] = work.double_extensions[ply - 1]
    if work.extensions == 0 or work.reductions == 0 or tt_move < 0 or depth < SINGULAR_MIN_DEPTH or work.excluded_move[ply] != 0:
        return 0, tt_value
    if ply >= 2 * work.depth or abs(tt_value - static_eval) > MAX_EVAL_GAP * game.quiet_margin:
        return 0, tt_value
    if tt_depth(tt_bound) < depth - 3 or tt_bound_kind(tt_bound) == UPPER:
        return 0, tt_value
    target = tt_value - SINGULAR_MARGIN * depth * game.quiet_margin
    work.excluded_move[ply] = tt_move + 1
    other = node(game, s, me, p, forced, (depth - 1) // 2, target, next_float(target), ply, work)
    work.excluded_move[ply] = 0
    if work.stopped != 0:
        return 0, tt_value
    if other <= target:
        if not is_open and other < target - DOUBLE_MARGIN * game.quiet_margin and work.double_extensions[ply] < MAX_DOUBLE_EXTENSIONS:
            work.double_extensions[ply] += 1
            return 2, tt_value
        return 1, tt_value
    if target >= beta and not is_open:
        work.cutoffs += 1
        return MULTI_CUT, target
    return -2 if tt_value >= beta else -1 if work.cut_nodes[ply] != 0 else 0, tt_value


def search_child(
    game: Game,
    t: State,
    p: int,
    depth: int,
    reduction: int,
    is_full: bool,
    is_open: bool,
    alpha: float,
    beta: float,
    ply: int,
    work: Engine,
) -> float:
    """Step 14: what t is worth to p (principal variation search).

    With is_full it is searched in the whole window. Otherwise the question is only whether it is better than alpha, asked `less` plies
    less deeply at first; if it is, it is searched again, to the full depth and then in the open window.
    """
    work.cut_nodes[ply + 1] = 0 if is_open and is_full else 1 - work.cut_nodes[ply]
    if is_full:
        return search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
    if reduction > 0:
        note(SHALLOW, ply, p, reduction, 0.0, 0.0, work)
        work.cut_nodes[ply + 1] = 1
    v = search(game, t, p, depth - 1 - reduction, alpha, next_float(alpha), ply + 1, work)
    if reduction > 0:
        work.cutoffs += 1
        if game.quiet_margin > 0.0 and v > alpha:
            is_far_above = v > alpha + DEEPER_MARGIN * game.quiet_margin
            is_hardly_above = v < alpha + SHALLOWER_MARGIN * game.quiet_margin and reduction > 1
            depth += int(is_far_above) - int(is_hardly_above)
        if v > alpha and work.stopped == 0:
            note(AGAIN, ply, p, 1, v, 0.0, work)
            work.cut_nodes[ply + 1] = 1 - work.cut_nodes[ply]
            v = search(game, t, p, depth - 1, alpha, next_float(alpha), ply + 1, work)
    if is_open and alpha < v < beta and work.stopped == 0:
        note(AGAIN, ply, p, 0, v, 0.0, work)
        work.cut_nodes[ply + 1] = 0
        v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
    return v

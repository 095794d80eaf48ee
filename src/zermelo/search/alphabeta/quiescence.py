"""Quiescence: where the depth of alpha-beta is spent, only tactical actions are looked at, until none pays.

    QUIESCENCE(s, alpha, beta):
        take the value that the table knows, and at the end enter the one that was found
        best = EVAL(s): the mover may let the state stand; if best >= beta: return best
        for each tactical a in ACTIONS(s): best = max(best, -QUIESCENCE(RESULT(s, a), -beta, -best)), cut as alpha-beta does
        return best

Where the game says that the mover is forced, or has none but tactical actions, all are tried: letting the state stand is no choice there.
"""

from __future__ import annotations

from ...game import Game, State
from ..depth_first import INFINITE, actions, estimated_leaf, fitting, keep_line, visit
from ..evaluation import estimate_at, is_proven, leave_ply, proven_plies
from ..mate_distance import from_root
from ..move_ordering import Ordering, bring_best, rank
from ..notes import CHILD, CUT, END, FUTILE, QUIET, STATIC, TRY, note
from ..zero_sum import opposed_value
from .entries import Entered, store, table_cutoff


class Quiescent(Entered, Ordering):
    """The record of a search with quiescence."""

    has_quiescence: int
    extensions: int
    futility: int


def quiescence(game: Game, s: State, p: int, alpha: float, beta: float, ply: int, work: Quiescent) -> float:
    """The value to p of s, in which p is to move, where the depth is spent."""
    if not game.has_tactical:
        return estimated_leaf(game, s, p, ply, work)
    if game.quiet_margin > 0.0:
        key = game.key(s)
        is_cutoff, v, _, static_eval, _ = table_cutoff(key, p, 0, alpha, beta, ply, work)
        if is_cutoff:
            return v
        best, static_eval = settled(game, s, p, static_eval, alpha, beta, ply, work)
        store(key, -1, best, alpha, beta, 0, static_eval, ply, work)
        return best
    best, static_eval = settled(game, s, p, 0.0, alpha, beta, ply, work)
    return best


def settled(
    game: Game, s: State, p: int, tt_static_eval: float, alpha: float, beta: float, ply: int, work: Quiescent
) -> tuple[float, float]:
    """The value to p of s where tactical actions are followed, and its static value; `tt_static_eval` is that if it is not 0."""
    work.evaluations += int(tt_static_eval == 0.0)
    work.cutoffs += 1
    n, forced = 0, must_move(game, s, work)
    if not game.has_null_move:  # a game in which one could pass can be let stand anywhere
        if work.has_quiescence != 0:
            n = actions(game, s, ply, work)
            forced = forced or no_quiet(game, s, n, ply, work)
    best, static_eval = -INFINITE, tt_static_eval
    if not forced:
        if tt_static_eval == 0.0:
            static_eval = estimate_at(game, s, p, ply, work)
        best = static_eval
        note(STATIC, ply, p, 0, best, 0.0, work)
        if work.has_quiescence == 0 or best >= beta:
            return best, static_eval
        alpha = max(alpha, best)
    if game.quiet_margin > 0.0 and ply + 1 >= len(work.moves):
        return estimate_at(game, s, p, ply, work), static_eval
    note(QUIET, ply, p, 0, best, 0.0, work)
    if game.has_null_move:
        n = list_actions(game, s, forced, ply, work)
    return search_tactical(game, s, p, n, forced, best, alpha, beta, ply, work), static_eval


def search_tactical(
    game: Game, s: State, p: int, n: int, forced: bool, static_eval: float, alpha: float, beta: float, ply: int, work: Quiescent
) -> float:
    """The best for p of letting s stand at its static value and of the tactical actions among the n that are listed; of all if forced."""
    best = static_eval
    n = rank(game, s, p, 0, n, -1, work.killers[ply][0], ply, work)
    for i in range(n):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        if not forced:
            if not game.is_tactical(s, a):
                continue
            if game.quiet_margin > 0.0 and work.futility != 0:
                ceiling = static_eval + game.quiet_margin + game.material_gain(s, a)
                if ceiling <= alpha:
                    best = max(best, ceiling)
                    note(FUTILE, ply, p, a, ceiling, alpha, work)
                    continue
        note(TRY, ply, p, a, 0.0, 0.0, work)
        leave_ply(game, s, ply, work)
        v = tactical_child(game, game.result(s, a), p, alpha, beta, ply + 1, work)
        if work.stopped != 0:
            return best
        note(CHILD, ply, p, a, v, best, work)
        if v > best:
            best = v
            keep_line(ply, a, work)
            alpha = max(alpha, v)
            if alpha >= beta:
                note(CUT, ply, p, 0, best, beta, work)
                break
    return best


def tactical_child(game: Game, t: State, p: int, alpha: float, beta: float, ply: int, work: Quiescent) -> float:
    """What t is worth to p, whose bounds these are."""
    if not visit(game, t, p, 0, alpha, beta, ply, work):
        return 0.0
    if is_proven(game, t, work):
        v = from_root(opposed_value(game, t, p, work), ply + proven_plies(game, t, work), work)
        note(END, ply, p, 0, v, 0.0, work)
        return v
    if game.to_move(t) == p:
        return quiescence(game, t, p, alpha, beta, ply, work)
    return -quiescence(game, t, game.to_move(t), -beta, -alpha, ply, work)


def end_of_game(game: Game, s: State, me: int, ply: int, work: Quiescent) -> float:
    """What a state that is proven is worth to `me`, a little less the farther off it is."""
    work.evaluations += 1
    v = from_root(opposed_value(game, s, me, work), ply + proven_plies(game, s, work), work)
    note(END, ply, me, 0, v, 0.0, work)
    return v


def must_move(game: Game, s: State, work: Quiescent) -> bool:
    """Whether the mover has so little choice that all actions are tried."""
    if game.has_forcing:
        return work.extensions != 0 and work.has_quiescence != 0 and game.is_forcing(s)
    return False


def list_actions(game: Game, s: State, forced: bool, ply: int, work: Quiescent) -> int:
    """List the tactical actions of s, if the game lists them by themselves and the mover is not forced, or else all; how many."""
    if game.has_tactical_actions:
        if not forced:
            return tactical_actions(game, s, ply, work)
    return actions(game, s, ply, work)


def tactical_actions(game: Game, s: State, ply: int, work: Quiescent) -> int:
    """Write the actions of s that may be tactical into the row of this ply; how many there are, as `actions`."""
    return fitting(game.fill_tactical(s, work.moves[ply]), ply, work)


def no_quiet(game: Game, s: State, n: int, ply: int, work: Quiescent) -> bool:
    """Whether all of these actions are tactical (a capture is forced)."""
    for i in range(n):
        if not game.is_tactical(s, work.moves[ply][i]):
            return False
    return True

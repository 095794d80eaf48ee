"""Quiescence: where the depth of alpha-beta is spent, only actions that are noisy are looked at, until none pays."""

from __future__ import annotations

from typing import Any

from ...game import Game, State
from ..mate_distance import distant
from ..minimax import INFINITE, actions, fitting, keep_line, must_stop
from ..move_ordering import bring_best, rank
from ..notes import CHILD, CUT, END, FUTILE, QUIET, STATIC, TRY, enter, note


def settle(game: Game, s: State, p: int, alpha: float, beta: float, ply: int, work: Any) -> float:
    """The value of s, which is not terminal, for p where the depth is spent: its evaluation, after noisy actions if there are any.

    Where the game says that much is forced, or has none but noisy actions, all are tried: to let the state stand is no choice there.
    """
    work.evaluations += 1
    work.cutoffs += 1
    if not game.has_tactical:
        if len(work.watch) > 1:
            note(STATIC, ply, p, 0, game.evaluate(s, p), 0.0, work)
        return game.evaluate(s, p)
    forced = False
    if game.has_forcing:
        forced = work.extensions != 0 and work.quiet != 0 and game.is_forcing(s)
    n = 0
    if not game.has_null_move:  # a game in which one could pass can be let stand anywhere
        if work.quiet != 0:
            n = actions(game, s, ply, work)
            forced = forced or no_quiet(game, s, n, ply, work)
    best = -INFINITE
    if not forced:
        best = game.evaluate(s, p)
        if len(work.watch) > 1:
            note(STATIC, ply, p, 0, best, 0.0, work)
        if work.quiet == 0 or best >= beta:
            return best
        alpha = max(alpha, best)
    if game.quiet_margin > 0.0 and ply + 1 >= len(work.moves):
        return game.evaluate(s, p)
    static = best
    if len(work.watch) > 1:
        note(QUIET, ply, p, 0, best, 0.0, work)
    if game.has_null_move:
        n = actions(game, s, ply, work) if forced or not game.has_tactical_actions else loud_actions(game, s, ply, work)
    n = rank(game, s, p, 0, n, -1, work.killer[ply][0], ply, work)
    for i in range(n):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        if forced or game.is_tactical(s, a):
            if game.quiet_margin > 0.0 and work.futility != 0 and not forced:
                if static + game.quiet_margin + game.material_gain(s, a) <= alpha:
                    best = max(best, static + game.quiet_margin + game.material_gain(s, a))
                    if len(work.watch) > 1:
                        note(FUTILE, ply, p, a, static + game.quiet_margin + game.material_gain(s, a), alpha, work)
                    continue
            t = game.result(s, a)
            v = 0.0
            work.nodes += 1
            work.deepest = max(work.deepest, ply + 1)
            if ply + 1 >= len(work.moves) or must_stop(work):
                work.stopped = 1
                return best
            work.lines[ply + 1][0] = 0
            if len(work.watch) > 1:
                note(TRY, ply, p, a, 0.0, 0.0, work)
                enter(game, t, p, 0, alpha, beta, ply + 1, work)
            if game.is_terminal(t):
                v = distant(game.utility(t, p), ply + 1, work)
                if len(work.watch) > 1:
                    note(END, ply + 1, p, 0, v, 0.0, work)
            elif game.to_move(t) == p:
                v = settle(game, t, p, alpha, beta, ply + 1, work)
            else:
                v = -settle(game, t, game.to_move(t), -beta, -alpha, ply + 1, work)
            if len(work.watch) > 1:
                note(CHILD, ply, p, a, v, best, work)
            if v > best:
                best = v
                keep_line(ply, a, work)
                alpha = max(alpha, v)
                if alpha >= beta:
                    if len(work.watch) > 1:
                        note(CUT, ply, p, 0, best, beta, work)
                    break
    return best


def loud_actions(game: Game, s: State, ply: int, work: Any) -> int:
    """Write the actions of s that may be noisy into the row of this ply; how many there are, as `actions`."""
    return fitting(game.fill_tactical(s, work.moves[ply]), ply, work)


def no_quiet(game: Game, s: State, n: int, ply: int, work: Any) -> bool:
    """Whether all of these actions are noisy (a capture is forced)."""
    for i in range(n):
        if not game.is_tactical(s, work.moves[ply][i]):
            return False
    return True

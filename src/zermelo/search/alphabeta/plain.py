"""Alpha-beta: minimax that does not look at what cannot matter.

    ALPHA-BETA(s, alpha, beta), seen by the player to move:
        if IS-TERMINAL(s): return UTILITY(s)
        if the depth is spent: return EVAL(s)
        best = -infinity
        for each a in ACTIONS(s):
            v = ALPHA-BETA(RESULT(s, a)) with alpha and beta; with -beta, -alpha and the sign turned where the turn passes
            best = max(best, v); alpha = max(alpha, v)
            if alpha >= beta: return best      the player before would not let it come to this
        return best

Alpha is the best that the player to move can already force on this path, beta the best for the opponent. Fail-soft: what
is returned is a bound on the value even outside the window. The sign follows `to_move`, never the ply: extra turns are nothing
special.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...game import Game, State
from ..depth_first import (
    INFINITE,
    DepthFirst,
    Whole,
    actions,
    estimated_leaf,
    keep_line,
    proven_leaf,
    score_root_action,
    visit,
)
from ..evaluation import is_proven
from ..forbidden import without_forbidden
from ..notes import CHILD, CUT, TRY, enter, note
from ..prepare import prepare


@dataclass(frozen=True, kw_only=True)
class PlainAlphaBeta(Whole):
    """Alpha-beta as in the pseudocode: no table, no ordering, no deepening."""

    prunes = True

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., DepthFirst]:
        return prepare(game, root, DepthFirst, self.interpreted, plies=plies, width=width)


def root(game: Game, work: DepthFirst) -> int:
    """The start, whose actions keep the values that they were found to have, or a bound on them."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    enter(game, s, me, work.depth, -INFINITE, INFINITE, 0, work)
    best = -INFINITE
    for i in range(without_forbidden(work.moves[0], actions(game, s, 0, work), work)):
        a = work.moves[0][i]
        note(TRY, 0, me, a, 0.0, 0.0, work)
        v = alphabeta(game, game.result(s, a), me, work.depth - 1, best, INFINITE, 1, work)
        if work.stopped != 0:
            return 0
        note(CHILD, 0, me, a, v, best, work)
        best = score_root_action(i, v, best, work)
    return 0


def alphabeta(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: DepthFirst) -> float:
    """What s is worth to `me`, whose bounds alpha and beta are: exact between them, a bound outside."""
    if not visit(game, s, me, depth, alpha, beta, ply, work):
        return 0.0
    if is_proven(game, s, work):
        return proven_leaf(game, s, me, ply, work)
    if depth == 0:
        return estimated_leaf(game, s, me, ply, work)
    p = game.to_move(s)
    if p != me:
        alpha, beta = -beta, -alpha
    best = -INFINITE
    n = actions(game, s, ply, work)
    for i in range(n):
        a = work.moves[ply][i]
        note(TRY, ply, p, a, 0.0, 0.0, work)
        v = alphabeta(game, game.result(s, a), p, depth - 1, alpha, beta, ply + 1, work)
        note(CHILD, ply, p, a, v, best, work)
        best = max(best, v)
        if v > alpha:
            alpha = v
            keep_line(ply, a, work)
            if alpha >= beta:
                note(CUT, ply, p, n - i - 1, best, beta, work)
                break
    return best if p == me else -best

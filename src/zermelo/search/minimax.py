"""Minimax: the value of a state if both players play as well as can be.

    MINIMAX(s) = UTILITY(s, MAX)                          if IS-TERMINAL(s)
                 max over a of MINIMAX(RESULT(s, a))      if TO-MOVE(s) = MAX
                 min over a of MINIMAX(RESULT(s, a))      if TO-MOVE(s) = MIN

Cut off at a depth, EVAL takes the place of UTILITY (H-minimax). Depth first: time O(b^m), space O(bm).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..game import Game, State
from .depth_first import INFINITE, DepthFirst, Whole, actions, estimated_leaf, keep_line, proven_leaf, score_root_action, visit
from .evaluation import is_proven
from .forbidden import without_forbidden
from .notes import CHILD, TRY, enter, note
from .prepare import prepare


@dataclass(frozen=True, kw_only=True)
class Minimax(Whole):
    """The pseudocode, and nothing else. A depth is counted in plies, or with rounds=True in moves of both sides:
    then it goes down only where player 1's turn ends.
    """

    rounds: bool = False

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., DepthFirst]:
        return prepare(game, root, MinimaxRecord, self.interpreted, plies=plies, width=width)

    def _settings(self) -> dict[str, int]:
        return {"rounds": int(self.rounds)}


class MinimaxRecord(DepthFirst):
    """The record of minimax."""

    rounds: int


def root(game: Game, work: MinimaxRecord) -> int:
    """Every action of the start gets its score; the first of the best is the answer."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    enter(game, s, me, work.depth, -INFINITE, INFINITE, 0, work)
    best = -INFINITE
    for i in range(without_forbidden(work.moves[0], actions(game, s, 0, work), work)):
        a = work.moves[0][i]
        note(TRY, 0, me, a, 0.0, 0.0, work)
        v = minimax(game, game.result(s, a), depth_after(game, s, work.depth, work), me, 1, work)
        if work.stopped != 0:
            return 0
        note(CHILD, 0, me, a, v, best, work)
        best = score_root_action(i, v, best, work)
    return 0


def minimax(game: Game, s: State, depth: int, me: int, ply: int, work: MinimaxRecord) -> float:
    """What s is worth to the player `me`."""
    if not visit(game, s, me, depth, -INFINITE, INFINITE, ply, work):
        return 0.0
    if is_proven(game, s, work):
        return proven_leaf(game, s, me, ply, work)
    if depth == 0:
        return estimated_leaf(game, s, me, ply, work)
    mine = game.to_move(s) == me
    best = -INFINITE if mine else INFINITE
    for i in range(actions(game, s, ply, work)):
        a = work.moves[ply][i]
        note(TRY, ply, me, a, 0.0, 0.0, work)
        v = minimax(game, game.result(s, a), depth_after(game, s, depth, work), me, ply + 1, work)
        note(CHILD, ply, me, a, v, best, work)
        if (mine and v > best) or (not mine and v < best):
            best = v
            keep_line(ply, a, work)
    return best


def depth_after(game: Game, s: State, depth: int, work: MinimaxRecord) -> int:
    """The depth that is left after a move in s."""
    if work.rounds != 0 and game.to_move(s) != game.players - 1:
        return depth
    return depth - 1

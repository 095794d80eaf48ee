"""What each action is worth in many worlds, each seen whole: a few plies of negamax, then captures until it is quiet.

QUICK(s, depth, alpha, beta):
    if s is terminal: return UTILITY(s), a little less the later it is: a mate that can wait would else wait for ever
    if depth = 0:     best = EVAL(s), and only tactical actions from here on; return it if it reaches beta
    for each action a that passes the turn:          one that does not was refused by an umpire, and helps nobody who sees the world
        best = max(best, -QUICK(RESULT(s, a), depth - 1, -beta, -max(alpha, best)))
        if best >= beta: return best
    return best
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...bits import u64
from ...game import Game, State
from ...lower.memory import Words, load, store, to_word
from ..prepare import prepare, width_of
from ..records import PLIES, WIDTH, WORDS, Record, room
from ..stop import Stop
from .particles import Rows

QUIESCENCE = 4  # plies of tactical actions at most
LATER = 0.01  # the share that an end loses of its worth for each ply that it is away

Values = np.ndarray[Any, np.dtype[np.float64]]


def values_of(game: Game, rows: Rows, actions: list[int], depth: int, interpreted: bool, stop: Stop | None = None) -> tuple[Values, int]:
    """What each action is worth to the player to move in each world (rows), inf if it is refused there; and the nodes looked at.

    If it is stopped, the values mean nothing.
    """
    width = width_of(game, len(actions))
    run = prepare(game, value_worlds, Quick, interpreted, words=game.layout.words, width=width, plies=depth + QUIESCENCE)
    source, target = Words.of(rows, interpreted), Words(len(rows) * len(actions), interpreted)
    listed = actions + [0] * (width - len(actions))
    work = run(
        stop,
        states=source.table,
        answers=target.table,
        count=len(rows),
        many=len(actions),
        depth=depth,
        listed=listed if interpreted else np.array(listed, np.int64),
    )
    found = target.read(0, len(rows) * len(actions)).copy().view(np.float64).reshape(len(rows), len(actions))
    return found, int(work.nodes)


class Quick(Record):
    """The record of the quick search."""

    start: list[u64] = room(WORDS)
    moves: list[list[int]] = room(PLIES, WIDTH)
    listed: list[int] = room(WIDTH)
    states: int
    answers: int
    count: int
    many: int
    depth: int
    nodes: int
    stop: int  # not 0 once somebody has asked for it


def value_worlds(game: Game, work: Quick) -> int:
    """Write what each of the listed actions is worth in each world."""
    words = len(work.start)
    for w in range(work.count):
        for k in range(words):
            work.start[k] = load(work.states, w * words + k)
        s = game.unpack(work.start)
        p = game.to_move(s)
        for i in range(work.many):
            t = game.result(s, work.listed[i])
            v = math.inf
            if game.is_terminal(t):
                v = game.utility(t, p) * 1.0
            elif game.to_move(t) != p:
                v = -quick(game, t, work.depth - 1, -math.inf, math.inf, 0, work)
            store(work.answers, w * work.many + i, to_word(v))
    return 0


def quick(game: Game, s: State, depth: int, alpha: float, beta: float, ply: int, work: Quick) -> float:
    """What s is worth to the player to move."""
    work.nodes += 1
    p = game.to_move(s)
    if work.stop != 0:
        return 0.0
    if game.is_terminal(s):
        return game.utility(s, p) * (1.0 - LATER * (ply + 1))
    best = -math.inf
    if depth <= 0:
        best = game.evaluate(s, p) * 1.0
        if best >= beta or ply >= len(work.moves) or not game.has_tactical:
            return best
    n = min(game.fill(s, work.moves[ply]), len(work.moves[ply]))
    for i in range(n):
        a = work.moves[ply][i]
        if depth <= 0 and not game.is_tactical(s, a):
            continue
        t = game.result(s, a)
        if game.to_move(t) == p and not game.is_terminal(t):
            continue
        best = max(best, -quick(game, t, depth - 1, -beta, -max(alpha, best), ply + 1, work))
        if best >= beta:
            return best
    return best if best > -math.inf else game.evaluate(s, p) * 1.0

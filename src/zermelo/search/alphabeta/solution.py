"""The solution of one state: its exact value, the best actions, a line of best play.

    SOLUTION(s): v = VALUE(s)
        best = the actions after which the mover still has v, asked one by one
        line = a best action, then a best one of the state after it, ...

Both kinds of solver answer in numbers that grow with what the mover likes: scores, or ranks (`solve.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ..depth_first import INFINITE
from ..mate_distance import next_float
from .scores import Scores
from .solve import TOP, Ranks, older, younger


@dataclass(frozen=True)
class Solution:
    """What a state is worth to its mover: a score; or 1, 0 or -1 and, unless it is a draw, the plies to the end.

    `line` is best play to the end of the game, or as far as somebody hurries: to a draw nobody does. `scores` are what all actions
    are worth, if that was asked: value and plies each.
    """

    value: float
    plies: int | None
    best: tuple[int, ...]
    line: tuple[int, ...]
    scores: dict[int, tuple[float, int | None]]
    nodes: int
    seconds: float


class Stopped(Exception):
    """The answer is not known."""


def find_solution(oracle: Scores | Ranks, game: Game, s: State, all_moves: bool) -> Solution | None:
    """The solution of s; None if it was stopped."""
    try:
        v = value_of(oracle, s)
        moves = [] if game.is_terminal(s) else sorted(game.actions(s), key=lambda a: -game.order(s, a))
        scores = dict(after_each(oracle, s, moves, -INFINITE)) if all_moves else {}
        best = tuple(a for a, x in (scores.items() if all_moves else after_each(oracle, s, moves, v)) if x >= v)
        line = tuple(line_from(oracle, s, v, best[:1]))
    except Stopped:
        return None
    told = {a: meaning(oracle, x) for a, x in scores.items()}
    return Solution(*meaning(oracle, v), best, line, told, oracle.nodes, oracle.watch.seconds)


def best_action(oracle: Scores | Ranks, s: State) -> tuple[int, float] | None:
    """A best action of s, the most promising first, and the value of s; None if it was stopped."""
    try:
        v = value_of(oracle, s)
        return keeping(oracle, s, v), v
    except Stopped:
        return None


def keeping(oracle: Scores | Ranks, s: State, v: float) -> int:
    """The most promising action of s that is worth v, as s is."""
    game = oracle.game
    for a in sorted(game.actions(s), key=lambda a: -game.order(s, a)):
        if after(oracle, s, a, v) >= v:
            return a
    raise ZermeloError(f"solve: expected utilities whose sum is 0, and in {game.name} no action keeps what a state is worth: use MaxN")


def line_from(oracle: Scores | Ranks, s: State, v: float, first: tuple[int, ...]) -> Iterator[int]:
    """Best play from s, whose value is v, beginning with the first action if one is given."""
    game = oracle.game
    while not game.is_terminal(s) and (v != 0 or isinstance(oracle, Scores)):
        a = first[0] if first else keeping(oracle, s, v)
        yield a
        t, first = game.result(s, a), ()
        v = v if isinstance(oracle, Scores) else younger(int(v))
        v = v if game.to_move(t) == game.to_move(s) else -v
        s = t


def value_of(oracle: Scores | Ranks, s: State, low: float = -INFINITE, high: float = INFINITE) -> float:
    """What s is worth to its mover; a bound if it lies outside these."""
    if oracle.stop.is_set:  # a small search would end before it asks
        raise Stopped
    if isinstance(oracle, Scores):
        v = oracle.value(s, low, high)
        if v is None:
            raise Stopped
        return v
    found = oracle.ranks(np.array([oracle.game.layout.pack(s)], np.uint64), int(max(low, -TOP)), int(min(high, TOP)))
    if not len(found):
        raise Stopped
    return int(found[0])


def after_each(oracle: Scores | Ranks, s: State, moves: list[int], wanted: float) -> Iterator[tuple[int, float]]:
    """Each action of s and what it is worth to the mover; one of two that lead to images of each other is not searched."""
    game, known = oracle.game, dict[State, float]()
    for a in moves:
        t = game.result(s, a)
        image = next((u for u in game.symmetries(t) if u in known), None)
        known[t] = after(oracle, s, a, wanted) if image is None else known[image]
        yield a, known[t]


def after(oracle: Scores | Ranks, s: State, a: int, wanted: float) -> float:
    """What action a of s is worth to the mover; only whether that is as much as is wanted, if that is a number."""
    game = oracle.game
    t = game.result(s, a)
    low, high = -INFINITE, INFINITE
    if isinstance(oracle, Scores):
        if wanted > -INFINITE:
            low, high = -next_float(-wanted), wanted
        return value_of(oracle, t, low, high) if game.to_move(t) == game.to_move(s) else -value_of(oracle, t, -high, -low)
    if wanted > -INFINITE:
        high = younger(int(wanted)) if wanted else 0
        low = high - 1
    v = value_of(oracle, t, low, high) if game.to_move(t) == game.to_move(s) else -value_of(oracle, t, -high, -low)
    return older(int(v))


def meaning(oracle: Scores | Ranks, v: float) -> tuple[float, int | None]:
    """A value as the solution tells it."""
    if isinstance(oracle, Scores):
        return v, None
    return (float(np.sign(v)), TOP - abs(int(v))) if v else (0.0, None)

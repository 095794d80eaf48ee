"""The exact values of small games, by looking at all of them: best play, or players who take any action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from small_games import reachable

from zermelo import CHANCE


def values(game: Any, policy: Callable[[list[float]], float]) -> dict[Any, float]:
    """What each state is worth to player 0 in a game of two, if `policy` gives the value to the mover from the values of its actions."""
    states = reachable(game)
    known = dict.fromkeys(states, 0.0)
    change = 1.0
    while change > 1e-9:  # once for each ply of the longest game; games with cycles converge
        change = 0.0
        for s in reversed(states):
            v = value(game, s, known, policy)
            change, known[s] = max(change, abs(v - known[s])), v
    return known


def value(game: Any, s: Any, known: dict[Any, float], policy: Callable[[list[float]], float]) -> float:
    if game.is_terminal(s):
        return game.utility(s, 0)
    p = game.to_move(s)
    if p == CHANCE:
        return sum(game.probability(s, a) * known[game.result(s, a)] for a in game.actions(s))
    sign = 1 if p == 0 else -1
    return sign * policy([sign * known[game.result(s, a)] for a in game.actions(s)])


def mean(scores: list[float]) -> float:
    return sum(scores) / len(scores)

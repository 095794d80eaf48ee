"""N-tuple networks: linear models in which a state switches on one weight of each of many tables.

    h = b + sum of T[i] for the numbers i that the state's patterns are        o = sigmoid(h)

A pattern is what a few cells of the board look like, written as a number (Bledsoe and Browning 1959, Buro's Logistello 1997, Lucas
2008). The game says which weights a state has (`Game.patterns`), so patterns that are the same by symmetry can share them.

In a game of two with one outcome a weight is one float, and what it adds to one player's sum it takes from the other's; elsewhere it
is a float for each output. The tables stand behind b.
"""

from __future__ import annotations

from ...bits import u64
from ...game import Game, State
from ...lower.memory import load
from ...lower.rows import get, put
from .record import Judging


def weight_at(i: u64, work: Judging) -> int:
    """Where weight i begins; whatever the rules say, one of them."""
    n = int(i)
    return work.first_row + work.width + (n if 0 <= n < work.pattern_weights else 0) * work.weight_floats


def sum_patterns(game: Game, s: State, p: int, work: Judging) -> int:
    """Make the sums of s as player p sees it; the number of patterns, which are left in the record in place of planes."""
    n = min(game.fill_patterns(s, p, work.planes), work.plane_count)
    for k in range(work.weight_floats):
        h = get(work.model, work.first_row + k)
        for i in range(n):
            h += get(work.model, weight_at(work.planes[i], work) + k)
        put(work.scratch, k, h)
    if work.weight_floats < work.outputs:
        put(work.scratch, 1, -get(work.scratch, 0))
    return n


def change_weights(path: int, first: int, patterns: int, deltas: int, faster: float, work: Judging) -> int:
    """Add the steps of the outputs, in scratch at `deltas`, to b and to the weights of a state, whose patterns are words of `path`."""
    for k in range(work.weight_floats):
        step = faster * get(work.scratch, deltas + k)
        put(work.model, work.first_row + k, get(work.model, work.first_row + k) + step)
        for i in range(patterns):
            at = weight_at(load(path, first + i), work) + k
            put(work.model, at, get(work.model, at) + step)
    return patterns

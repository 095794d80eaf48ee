"""RAVE: what an action gave wherever it was taken later in a simulation (all moves as first, AMAF) stands in for its own few visits.

    value = (1 - beta) * mean + beta * AMAF mean        beta = m / (m + n + m n / k) after n visits and m of AMAF

So the one of more visits weighs more, and after k of its own the mean weighs at least as much, however often AMAF saw the action.
Right where an action means the same now and later (stones on a board: Hex, Go, m,n,k); misleading where it does not (captures,
pieces that move). An action counts for the player who took it first, at the node or below it. Whether it was taken is kept in
SLOTS by a hash: numbers below 1,500 never share one.

What the game's `prior_value` says of an action is there from the beginning, as if AMAF had seen it `prior` times.
"""

from __future__ import annotations

from ...bits import FULL, i64, u64
from ...game import Game, State
from .node import (
    PROVEN,
    action_of,
    add_to_average,
    average_at,
    bonus_of,
    child_count,
    count_at,
    first_child,
    mean_of,
    packed_of,
    set_average,
    status,
    visits_of,
)
from .record import TreeRecord

SLOTS = 4096  # of each player


def slot_of(p: int, a: int) -> int:
    """The slot of player p's action a among those of all players."""
    return p * SLOTS + i64((u64(a) * 0x9E3779B97F4A7C15 & FULL) >> 52)


def prefer(first: int, count: int, c: float, work: TreeRecord) -> int:
    """Selection: the child of the best value, with c times its bonus as in UCB1. One that AMAF alone knows counts as visited once."""
    best, chosen = 0.0, -1
    for node in range(first, first + count):
        v, bonus = mean_of(node, work), bonus_of(node, work)
        seen = float(count_at(work.amaf + 2 * node, work))
        if seen > 0.0 and status(packed_of(node, work)) != PROVEN:
            visits = float(visits_of(node, work))
            if visits == 0.0 and work.priors == 0:
                bonus = 1.0
            beta = seen / (seen + visits + seen * visits / work.rave)
            v += beta * (average_at(work.amaf + 2 * node, work) - v)
        v += c * bonus
        if chosen < 0 or v > best:
            best = v
            chosen = node
    return chosen


def expect(game: Game, s: State, n: int, work: TreeRecord) -> int:
    """The newest n nodes, children of s, begin with what the game thinks of their actions."""
    for node in range(work.used, work.used + n):
        set_average(work.amaf + 2 * node, float(game.prior_value(s, action_of(node, work))), work.prior, work)
    return n


def spread(node: int, by: int, work: TreeRecord) -> int:
    """Every child of a node of the path, where player `by` moves, whose action this simulation took there or later counts it."""
    packed = packed_of(node, work)
    first = first_child(packed)
    for child in range(first, first + child_count(packed)):
        if work.taken[slot_of(by, action_of(child, work))] == work.simulations:
            add_to_average(work.amaf + 2 * child, work.utility[by], work)
    return first

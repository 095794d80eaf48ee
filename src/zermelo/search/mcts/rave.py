"""RAVE: what an action gave wherever it was taken later in a simulation (all moves as first, AMAF) stands in for its own few visits.

    value = (1 - beta) * mean + beta * AMAF mean        beta = m / (m + n + m n / k) after n visits and m of AMAF

So the one of more visits weighs more, and after k of its own the mean weighs at least as much, however often AMAF saw the action.
Right where an action means the same now and later (stones on a board: Hex, Go, m,n,k); misleading where it does not (captures,
pieces that move). An action counts for the player who took it first, at the node or below it. Whether it was taken is kept in
SLOTS by a hash: numbers below 1,500 never share one.

What the game's `prior_value` says of an action is there from the beginning, as if AMAF had seen it `prior_value` times.
"""

from __future__ import annotations

from typing import Any

from ...bits import FULL, i64, u64
from ...game import Game, State
from ...lower.memory import load, store, to_real, to_word
from .tree import ABOUT, ACTION, BONUS, LOW, MEAN, PROVEN, WORDS

SLOTS = 4096  # of each player


def slot_of(p: int, a: int) -> int:
    """The slot of player p's action a among those of all players."""
    return p * SLOTS + i64((u64(a) * 0x9E3779B97F4A7C15 & FULL) >> 52)


def prefer(first: int, count: int, c: float, work: Any) -> int:
    """Selection: the child of the best value, with c times its bonus as in UCB1. One that AMAF alone knows counts as visited once."""
    best, chosen = 0.0, -1
    for node in range(first, first + count):
        at = WORDS * node
        v, bonus = to_real(load(work.pool, at + MEAN)), to_real(load(work.pool, at + BONUS))
        seen = float(load(work.pool, work.amaf + 2 * node + 1))
        if seen > 0.0 and load(work.pool, at + ABOUT) & 0xFF != PROVEN:
            visits = float(load(work.pool, at + BONUS) & LOW)
            if visits == 0.0 and work.priors == 0:
                bonus = 1.0
            beta = seen / (seen + visits + seen * visits / work.rave)
            v += beta * (to_real(load(work.pool, work.amaf + 2 * node)) - v)
        v += c * bonus
        if chosen < 0 or v > best:
            best = v
            chosen = node
    return chosen


def expect(game: Game, s: State, n: int, work: Any) -> int:
    """The newest n nodes, children of s, begin with what the game thinks of their actions."""
    for node in range(work.used, work.used + n):
        prior = game.prior_value(s, i64(load(work.pool, WORDS * node + ACTION)))
        store(work.pool, work.amaf + 2 * node, to_word(float(prior)))
        store(work.pool, work.amaf + 2 * node + 1, u64(work.prior))
    return n


def spread(node: int, by: int, work: Any) -> int:
    """Every child of a node of the path, where player `by` moves, whose action this simulation took there or later counts it."""
    about = load(work.pool, WORDS * node + ABOUT)
    first = i64(about >> 32)
    for child in range(first, first + i64(about >> 16 & 0xFFFF)):
        if work.seen[slot_of(by, i64(load(work.pool, WORDS * child + ACTION)))] == work.simulations:
            at = work.amaf + 2 * child
            count = load(work.pool, at + 1) + 1
            mean = to_real(load(work.pool, at))
            store(work.pool, at, to_word(mean + (work.utility[by] - mean) / float(count)))
            store(work.pool, at + 1, count)
    return first

"""Proofs in a tree of simulations (MCTS-Solver), for two players whose utilities sum to zero, without chance.

A node is proven by a child that is a win for who moves there, or by children that are all proven: it then has its value as its
mean, and no bonus. So a proven loss is never chosen while another child is left, and a draw only for what it is worth.
"""

from __future__ import annotations

from typing import Any

from ..bits import i64, u64
from ..lower.memory import load, store, to_real, to_word
from .pool import ABOUT, BONUS, LOW, MEAN, PROVEN, TERMINAL, WORDS, bonus_of


def recall(node: int, about: u64, work: Any) -> int:
    """What a proven node gives."""
    by = i64(about >> 8 & 0xFF)
    work.utility[by] = to_real(load(work.pool, WORDS * node))
    work.utility[1 - by] = -work.utility[by]
    return by


def conclude(node: int, depth: int, work: Any) -> int:
    """The node at the end of the path is terminal: mark it, and prove what follows for the nodes above it."""
    at = WORDS * node
    if work.solver == 0:
        store(work.pool, at + ABOUT, load(work.pool, at + ABOUT) | TERMINAL)
        return depth
    by = load(work.pool, at + ABOUT) >> 8 & 0xFF
    value = work.utility[i64(by)]
    d = depth
    while True:
        at = WORDS * work.path[d]
        about = load(work.pool, at + ABOUT)
        mine = about >> 8 & 0xFF
        if mine != by:
            value = -value
            by = mine
        store(work.pool, at + MEAN, to_word(value))
        store(work.pool, at + BONUS, load(work.pool, at + BONUS) & LOW)
        store(work.pool, at + ABOUT, about | PROVEN)
        if d == 0:
            work.stopped = 1
            return d
        d -= 1
        if value < work.win:
            above = load(work.pool, WORDS * work.path[d] + ABOUT)
            at = WORDS * i64(above >> 32)
            for _ in range(i64(above >> 16 & 0xFFFF)):
                if load(work.pool, at + ABOUT) & 0xFF != PROVEN:
                    return d
                value = max(value, to_real(load(work.pool, at)))
                at += WORDS


def forget_proofs(work: Any) -> int:
    """The utilities are not such that proofs hold: make no more, and let the proven nodes go on from their visits."""
    work.solver = 0
    for node in range(work.used):
        at = WORDS * node
        about = load(work.pool, at + ABOUT)
        if about & 0xFF == PROVEN:
            store(work.pool, at + ABOUT, about ^ (PROVEN if about >> 32 != 0 else PROVEN ^ TERMINAL))
            store(work.pool, at + BONUS, bonus_of(node, load(work.pool, at + BONUS), work))
    return work.used

"""Proofs in a tree of simulations (MCTS-Solver), for two players whose utilities sum to zero, without chance.

A node is proven by a child that is a win for who moves there, or by children that are all proven: it then has its value as its
mean, and no bonus. So a proven loss is never chosen while another child is left, and a draw only for what it is worth.

Where threads share a tree, another one may write an older mean over a proven one. There a word of its own holds the value: a node
is proven when it is a number, whatever else is said, and so what follows from it is right.
"""

from __future__ import annotations

from typing import Any

from ...bits import i64, u64
from ...lower.memory import load, store, to_real, to_word
from .tree import ABOUT, BONUS, LOW, MEAN, PROVEN, TERMINAL, UNPROVEN, WORDS, bonus_of


def recall(node: int, about: u64, work: Any) -> int:
    """What a proven node gives."""
    by = i64(about >> 8 & 0xFF)
    work.utility[by] = proven_value(node, work)
    work.utility[1 - by] = -work.utility[by]
    return by


def is_proven(node: int, work: Any) -> bool:
    if len(work.proofs) > 1:
        return load(work.pool, work.proofs[0] + node) != UNPROVEN
    return load(work.pool, WORDS * node + ABOUT) & 0xFF == PROVEN


def proven_value(node: int, work: Any) -> float:
    """What a proven node is worth to the player who chose it."""
    return to_real(load(work.pool, work.proofs[0] + node if len(work.proofs) > 1 else WORDS * node))


def prove(node: int, value: float, work: Any) -> int:
    """The node is worth so much to the player who chose it."""
    if len(work.proofs) > 1:
        store(work.pool, work.proofs[0] + node, to_word(value))
    at = WORDS * node
    store(work.pool, at + MEAN, to_word(value))
    store(work.pool, at + BONUS, load(work.pool, at + BONUS) & LOW)
    store(work.pool, at + ABOUT, load(work.pool, at + ABOUT) | PROVEN)
    return node


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
        mine = load(work.pool, WORDS * work.path[d] + ABOUT) >> 8 & 0xFF
        if mine != by:
            value = -value
            by = mine
        prove(work.path[d], value, work)
        if d == 0:
            work.stopped = 1
            return d
        d -= 1
        if value < work.win:
            above = load(work.pool, WORDS * work.path[d] + ABOUT)
            first = i64(above >> 32)
            for child in range(first, first + i64(above >> 16 & 0xFFFF)):
                if not is_proven(child, work):
                    return d
                value = max(value, proven_value(child, work))


def forget_proofs(work: Any) -> int:
    """The utilities are not such that proofs hold: make no more, and let the proven nodes go on from their visits."""
    work.solver = 0
    for node in range(work.base, work.used):
        at = WORDS * node
        about = load(work.pool, at + ABOUT)
        if len(work.proofs) > 1:
            store(work.pool, work.proofs[0] + node, UNPROVEN)
        if about & 0xFF == PROVEN:
            store(work.pool, at + ABOUT, about ^ (PROVEN if about >> 32 != 0 else PROVEN ^ TERMINAL))
            store(work.pool, at + BONUS, bonus_of(node, max(load(work.pool, at + BONUS) & LOW, u64(1)), work))
    return work.used

"""Proofs in a tree of simulations (MCTS-Solver), for two players whose utilities sum to zero, without chance.

A node is proven by a child that is a win for who moves there, or by children that are all proven: it then has its value as its
mean, and no bonus. So a proven loss is never chosen while another child is left, and a draw only for what it is worth.

Where threads share a tree, another one may write an older mean over a proven one. There a word of its own holds the value: a node
is proven when it is a number, whatever else is said, and so what follows from it is right.
"""

from __future__ import annotations

from ...bits import u64
from ...lower.memory import load, store, to_real, to_word
from .node import (
    PROVEN,
    TERMINAL,
    UNPROVEN,
    child_count,
    chooser,
    first_child,
    mean_of,
    packed_of,
    set_mean,
    set_packed,
    set_visits,
    set_visits_without_bonus,
    status,
    visits_of,
)
from .record import TreeRecord


def recall(node: int, packed: u64, work: TreeRecord) -> int:
    """Write what a proven node gives each player; the player who chose it."""
    by = chooser(packed)
    work.utility[by] = proven_value(node, work)
    work.utility[1 - by] = -work.utility[by]
    return by


def is_proven(node: int, work: TreeRecord) -> bool:
    if len(work.proofs) > 1:
        return load(work.pool, work.proofs[0] + node) != UNPROVEN
    return status(packed_of(node, work)) == PROVEN


def proven_value(node: int, work: TreeRecord) -> float:
    """What a proven node is worth to the player who chose it."""
    if len(work.proofs) > 1:
        return to_real(load(work.pool, work.proofs[0] + node))
    return mean_of(node, work)


def prove(node: int, value: float, work: TreeRecord) -> int:
    """The node is worth this much to the player who chose it."""
    if len(work.proofs) > 1:
        store(work.pool, work.proofs[0] + node, to_word(value))
    set_mean(node, value, work)
    set_visits_without_bonus(node, visits_of(node, work), work)
    set_packed(node, packed_of(node, work) | PROVEN, work)
    return node


def conclude(node: int, depth: int, work: TreeRecord) -> int:
    """The node at the end of the path is terminal: mark it, and prove what follows for the nodes above it."""
    if work.solver == 0:
        set_packed(node, packed_of(node, work) | TERMINAL, work)
        return depth
    by = chooser(packed_of(node, work))
    value = work.utility[by]
    d = depth
    while True:
        mine = chooser(packed_of(work.path[d], work))
        if mine != by:
            value = -value
            by = mine
        prove(work.path[d], value, work)
        if d == 0:
            work.stopped = 1
            return d
        d -= 1
        if value < work.win:
            above = packed_of(work.path[d], work)
            first = first_child(above)
            for child in range(first, first + child_count(above)):
                if not is_proven(child, work):
                    return d
                value = max(value, proven_value(child, work))


def forget_proofs(work: TreeRecord) -> int:
    """The utilities are not such that proofs hold: make no more, and let the proven nodes go on from their visits."""
    work.solver = 0
    for node in range(work.base, work.used):
        packed = packed_of(node, work)
        if len(work.proofs) > 1:
            store(work.pool, work.proofs[0] + node, UNPROVEN)
        if status(packed) == PROVEN:
            set_packed(node, packed ^ (PROVEN if first_child(packed) != 0 else PROVEN ^ TERMINAL), work)
            set_visits(node, max(visits_of(node, work), 1), work)
    return work.used

"""A node of the tree: 32 bytes in a pool, read and written by these functions alone."""

from __future__ import annotations

import math

import numpy as np

from ...bits import i64, u64
from ...lower.memory import load, store, swap, to_real, to_word
from .record import TreeRecord

MAX_VISITS = (1 << 32) - 2  # that a node can count
NODE_WORDS = 4  # two nodes are one line of the processor's cache
MEAN = 0  # the mean utility of the player who chose the node (0 where chance did), as a float
BONUS = 1  # upper half: 1 / sqrt(visits), or prior / (1 + visits), as the upper half of a float; lower half: the visits
PACKED = 2  # from the top: the first child (32 bits), how many children (16), the player who chose the node (8), what is known (8)
ACTION = 3  # what leads here from the parent
OPEN, TERMINAL, PROVEN, WAITING = 0, 1, 2, 4  # what is known; a node that waits is a leaf whose value is being asked for
VISITS = (1 << 32) - 1  # the bits of them in the word of the bonus
UNVISITED = 2.0**500  # the bonus of a node that must be tried before all others
ROOTS = np.array([1.0 / math.sqrt(max(n, 1)) for n in range(1024)])  # 1 / sqrt(n): most nodes have few visits, and the two take long
UNPROVEN = 0x7FF8000000000000  # in place of a proven value: no number


# ---- what a node tells -------------------------------------------------------------------------


def packed_of(node: int, work: TreeRecord) -> u64:
    """First child, number of children, chooser and status in one word, which is read and written at once."""
    return load(work.pool, NODE_WORDS * node + PACKED)


def first_child(packed: u64) -> int:
    """The first child, 0 for a leaf."""
    return i64(packed >> 32)


def child_count(packed: u64) -> int:
    return i64(packed >> 16 & 0xFFFF)


def chooser(packed: u64) -> int:
    """The player who chose the node; the number of players for chance."""
    return i64(packed >> 8 & 0xFF)


def status(packed: u64) -> u64:
    """OPEN, TERMINAL, PROVEN or WAITING."""
    return packed & 0xFF


def mean_of(node: int, work: TreeRecord) -> float:
    """The mean utility of the player who chose the node."""
    return to_real(load(work.pool, NODE_WORDS * node + MEAN))


def bonus_of(node: int, work: TreeRecord) -> float:
    """1 / sqrt(visits), or prior / (1 + visits): what the exploration multiplies."""
    return to_real(load(work.pool, NODE_WORDS * node + BONUS))


def visits_of(node: int, work: TreeRecord) -> int:
    return i64(load(work.pool, NODE_WORDS * node + BONUS) & VISITS)


def action_of(node: int, work: TreeRecord) -> int:
    """The action that leads to the node."""
    return i64(load(work.pool, NODE_WORDS * node + ACTION))


def prior_of(node: int, work: TreeRecord) -> float:
    return to_real(load(work.pool, work.priors + node))


# ---- a mean with its count, elsewhere in the pool -----------------------------------------------


def average_at(at: int, work: TreeRecord) -> float:
    return to_real(load(work.pool, at))


def count_at(at: int, work: TreeRecord) -> int:
    return i64(load(work.pool, at + 1))


def set_average(at: int, mean: float, count: int, work: TreeRecord) -> int:
    store(work.pool, at, to_word(mean))
    store(work.pool, at + 1, u64(count))
    return count


def add_to_average(at: int, value: float, work: TreeRecord) -> int:
    """Count one value more; how many there are then."""
    mean, count = average_at(at, work), count_at(at, work) + 1
    return set_average(at, mean + (value - mean) / float(count), count, work)


# ---- what is written into it -------------------------------------------------------------------


def set_packed(node: int, packed: u64, work: TreeRecord) -> u64:
    return store(work.pool, NODE_WORDS * node + PACKED, packed)


def set_mean(node: int, mean: float, work: TreeRecord) -> u64:
    return store(work.pool, NODE_WORDS * node + MEAN, to_word(mean))


def set_visits(node: int, visits: int, work: TreeRecord) -> u64:
    """The node has this many visits, and the bonus that follows from them."""
    return store(work.pool, NODE_WORDS * node + BONUS, bonus_word(node, u64(visits), work))


def set_visits_without_bonus(node: int, visits: int, work: TreeRecord) -> u64:
    """The node has this many visits; its value is proven, so that nothing is to be explored there."""
    return store(work.pool, NODE_WORDS * node + BONUS, u64(visits))


def set_prior(node: int, prior: float, work: TreeRecord) -> u64:
    """The prior of a node that was never visited, and the bonus that follows from it."""
    store(work.pool, work.priors + node, to_word(prior))
    return store(work.pool, NODE_WORDS * node + BONUS, to_word(prior) & ~VISITS)


def add_to_mean(node: int, value: float, visits: int, work: TreeRecord) -> u64:
    """The mean moves towards a value, which is the last of so many."""
    mean = mean_of(node, work)
    return set_mean(node, mean + (value - mean) / float(visits), work)


def add_visits(node: int, count: int, total: float, work: TreeRecord) -> int:
    """Add `count` visits to the node, which gave `total` in all, even while other threads add theirs; its visits."""
    at, is_known = NODE_WORDS * node, status(packed_of(node, work)) == PROVEN
    found, visits = load(work.pool, at + BONUS), 0
    while True:
        visits, was = i64(found & VISITS) + count, found
        found = swap(work.pool, at + BONUS, was, u64(visits) if is_known else bonus_word(node, u64(visits), work))
        if found == was:
            break
    if not is_known:
        move_mean(node, total, count, visits, work)
    return visits


def move_mean(node: int, total: float, count: int, visits: int, work: TreeRecord) -> int:
    """Let `count` of a node's visits, which gave `total` in all, enter its mean, even while other threads move it; the visits."""
    at = NODE_WORDS * node + MEAN
    found = load(work.pool, at)
    while True:
        mean, was = to_real(found), found
        found = swap(work.pool, at, was, to_word(mean + (total - float(count) * mean) / float(max(visits, 1))))
        if found == was:
            break
    return visits


def put_node(node: int, by: int, a: int, work: TreeRecord) -> int:
    """A new node, which player `by` reaches by action a."""
    at = NODE_WORDS * node
    store(work.pool, at + MEAN, to_word(work.urgency))
    store(work.pool, at + BONUS, to_word(work.first_bonus))
    store(work.pool, at + PACKED, u64(by) << 8)
    store(work.pool, at + ACTION, u64(a))
    return node


def clear_more(first: int, count: int, work: TreeRecord) -> int:
    """What the searches that need it know of new nodes: nothing."""
    if len(work.trail) > 1 and work.amaf > 0:
        for i in range(2 * first, 2 * (first + count)):
            store(work.pool, work.amaf + i, u64(0))
    if len(work.proofs) > 1:
        for i in range(first, first + count):
            store(work.pool, work.proofs[0] + i, UNPROVEN)
    return count


def bonus_word(node: int, visits: u64, work: TreeRecord) -> u64:
    """1 / sqrt(visits), or prior / (1 + visits), and the visits in one word: as a float it is the former, to one part in a million."""
    bonus = 0.0
    if work.priors > 0:
        bonus = prior_of(node, work) / (1.0 + float(visits))
    elif visits < u64(len(ROOTS)):
        bonus = ROOTS[i64(visits)]
    else:
        bonus = 1.0 / math.sqrt(float(visits))
    return to_word(bonus) & ~VISITS | visits

"""The nodes of a tree that grows by simulations: 32 bytes each, children side by side, in memory that never grows.

No states are stored: they are computed again on the way down. A leaf has no first child; the root is node 0.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..bits import i64, u64
from ..lower.memory import store, to_real, to_word

MOST = (1 << 32) - 2  # visits that a node can count
WORDS = 4  # of a node: two nodes are one line of the processor's cache
MEAN = 0  # the mean utility of the player who chose the node (of player 0, where chance did), as a float
BONUS = 1  # upper half: 1 / sqrt(visits), as the upper half of a float; lower half: the visits
ABOUT = 2  # from the top: the first child (32 bits), how many children (16), the player who chose the node (8), what is known (8)
ACTION = 3  # what leads here from the parent
OPEN, TERMINAL, PROVEN = 0, 1, 2  # what is known
LOW = (1 << 32) - 1
UNVISITED = 2.0**500  # the bonus of a node that must be tried before all others


class Pool:
    """Memory for nodes: at most so many bytes, and no more than `simulations` with `width` actions each can fill."""

    def __init__(self, size: int, interpreted: bool):
        self.most, self._interpreted = size // (8 * WORDS), interpreted

    def clear(self, simulations: int, width: int) -> None:
        """An empty pool. Interpreted, only the words in use take memory."""
        self.room = min(self.most, 1 + (simulations + 1) * width)
        self._words: Any = {}
        self.table: Any = self._words
        if not self._interpreted:
            self._words = np.empty(self.room * WORDS, np.uint64)
            self.table = self._words.ctypes.data

    def nodes(self, first: int, count: int) -> list[list[int]]:
        """The words of some nodes."""
        span = range(WORDS * first, WORDS * (first + count))
        words = [self._words[i] for i in span] if self._interpreted else self._words[span.start : span.stop].tolist()
        return [words[i : i + WORDS] for i in range(0, len(words), WORDS)]

    def family(self, node: int) -> tuple[int, list[Child]]:
        """The index of a node's first child, and its children."""
        about = self.nodes(node, 1)[0][ABOUT]
        found = self.nodes(about >> 32, about >> 16 & 0xFFFF)
        return about >> 32, [Child(i64(w[ACTION]), w[BONUS] & LOW, to_real(w[MEAN]), w[ABOUT] & 0xFF == PROVEN) for w in found]

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is."""
        return self.nodes(0, 1)[0][ABOUT] & 0xFF == PROVEN


class Child(NamedTuple):
    """What the tree knows of an action."""

    action: int
    visits: int
    mean: float
    proven: bool


def together(families: list[list[Child]]) -> list[Child]:
    """The children of one node as several trees know them: visits are added, and what one has proven holds for all."""
    if len(families) == 1:
        return families[0]
    found = []
    for action in [c.action for c in families[0]]:
        same = [c for family in families for c in family if c.action == action]
        visits, known = sum(c.visits for c in same), [c.mean for c in same if c.proven]
        found.append(Child(action, visits, known[0] if known else sum(c.mean * c.visits for c in same) / max(visits, 1), bool(known)))
    return found


def preferred(found: list[Child], win: float) -> Child:
    """The child to play: a proven win, else the most visits, but no proven loss while there is another."""
    if all(c.proven for c in found):
        return max(found, key=lambda c: (c.mean, c.visits))
    return max(found, key=lambda c: (c.proven and c.mean >= win, not c.proven or c.mean > -win, c.visits, c.mean))


# ---- lowered ---------------------------------------------------------------------------------


def put(node: int, by: int, a: int, work: Any) -> int:
    """A new node, which player `by` reaches by action a."""
    at = WORDS * node
    store(work.pool, at + MEAN, to_word(work.urgency))
    store(work.pool, at + BONUS, to_word(work.first))
    store(work.pool, at + ABOUT, u64(by) << 8)
    store(work.pool, at + ACTION, u64(a))
    return node


def bonus_of(visits: u64) -> u64:
    """1 / sqrt(visits) and the visits in one word: as a float it is the former, to one part in a million."""
    return to_word(1.0 / math.sqrt(float(visits))) & ~LOW | visits

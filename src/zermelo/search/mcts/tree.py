"""The nodes of a tree that grows by simulations: 32 bytes each, children side by side, in memory that never grows.

No states are stored: they are computed again on the way down. A leaf has no first child; the root is node 0, its children are
those from 1 on. Chance counts as one player more. What only some searches know of a node lies behind all nodes.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from ...bits import i64, u64
from ...game import CHANCE, Game, State
from ...lower.memory import load, store, to_real, to_word
from ..searcher import Clock, Result, line_of

MOST = (1 << 32) - 2  # visits that a node can count
WORDS = 4  # of a node: two nodes are one line of the processor's cache
MEAN = 0  # the mean utility of the player who chose the node (0 where chance did), as a float
BONUS = 1  # upper half: 1 / sqrt(visits), or prior / (1 + visits), as the upper half of a float; lower half: the visits
ABOUT = 2  # from the top: the first child (32 bits), how many children (16), the player who chose the node (8), what is known (8)
ACTION = 3  # what leads here from the parent
OPEN, TERMINAL, PROVEN, WAITING = 0, 1, 2, 4  # what is known; a node that waits is a leaf whose value is being asked for
LOW = (1 << 32) - 1
UNVISITED = 2.0**500  # the bonus of a node that must be tried before all others
ROOTS = np.array([1.0 / math.sqrt(max(n, 1)) for n in range(1024)])  # 1 / sqrt(n): most nodes have few visits, and the two take long
UNPROVEN = 0x7FF8000000000000  # in place of a proven value: no number


class Pool:
    """Memory for nodes: at most so many bytes, and no more than `simulations` with `width` actions each can fill.

    `more` says how many words more a node has of each kind (priors, amaf, proofs), and `slots` how many words there are for what
    playouts have learned, before a last one by which threads tell each other to end.
    """

    def __init__(self, size: int, more: dict[str, int], slots: int, interpreted: bool):
        self._more, self.slots, self._interpreted = more, slots, interpreted
        self._each = WORDS + sum(more.values())
        self.most = max(0, size // 8 - slots - 1) // self._each
        self.kept = 0  # nodes that are there before a search begins
        self.holds = True  # whether proofs do, as far as is known

    def clear(self, simulations: int, width: int, kept: int = 0) -> None:
        """An empty pool, with room for `kept` nodes beside the new ones. Interpreted, only the words in use take memory."""
        self.room = min(self.most, 1 + kept + (simulations + 1) * width)
        self._words: Any = {}
        self.table: Any = self._words
        if not self._interpreted:
            self._words = np.empty(self.room * self._each + self.slots + 1, np.uint64)  # memory that nobody touches is not taken
            self.table = self._words.ctypes.data

    def places(self) -> dict[str, int]:
        """Where in the table each kind of further words begins; 0 for those that are not there."""
        found, at = dict.fromkeys(("priors", "amaf", "proofs", "learned"), 0), WORDS * self.room
        for kind, words in self._more.items():
            found[kind] = at if words else 0
            at += words * self.room
        return found | {"learned": at if self.slots else 0, "signal": at + self.slots}

    def word(self, i: int) -> int:
        return int(self._words[i])

    def nodes(self, first: int, count: int) -> list[Node]:
        """The words of some nodes."""
        span = range(WORDS * first, WORDS * (first + count))
        if self._interpreted:
            words = struct.pack(f"={len(span)}Q", *(self._words[i] for i in span))
        else:
            words = self._words[span.start : span.stop].tobytes()
        return [Node(*node) for node in struct.iter_unpack("=dQQq", words)]

    def family(self, node: int) -> tuple[int, list[Child]]:
        """The index of a node's first child, and its children."""
        about = self.nodes(node, 1)[0].about
        first, found = about >> 32, self.nodes(about >> 32, about >> 16 & 0xFFFF)
        known = [Child(node.action, node.bonus & LOW, node.mean, node.about & 0xFF == PROVEN) for node in found]
        if self._more["proofs"]:
            at = self.places()["proofs"]
            proofs = [self.word(at + first + i) for i in range(len(found))]
            plain = [c._replace(proven=False) for c in known]
            known = [c if w == UNPROVEN else c._replace(proven=True, mean=to_real(w)) for c, w in zip(plain, proofs, strict=True)]
        return first, known

    @property
    def visits(self) -> int:
        """How often the root was visited: once more than its children together."""
        return self.nodes(0, 1)[0].bonus & LOW

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is."""
        return self.nodes(0, 1)[0].about & 0xFF == PROVEN


class Node(NamedTuple):
    """The words of a node, in their order: the mean is a float, the action a number with a sign."""

    mean: float
    bonus: int
    about: int
    action: int


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


class Grown(NamedTuple):
    """A tree, the record of its search, and the visits that the actions of its root had before."""

    pool: Pool
    work: Any
    before: dict[int, int]


def side_by_side(growing: list[Iterator[Grown]]) -> Iterator[list[Grown]]:
    """The trees as they grow, each in a thread of its own, until all have grown or one is proven."""
    if len(growing) == 1:
        yield from ([tree] for tree in growing[0])
        return
    trees: list[Grown | None] = [None] * len(growing)
    with ThreadPoolExecutor(len(growing)) as workers:
        while any(news := list(workers.map(lambda tree: next(tree, None), growing))):
            trees = [new or old for new, old in zip(news, trees, strict=True)]
            grown = [tree for tree in trees if tree is not None]
            yield grown
            if any(tree.pool.is_proven for tree in grown):
                return


def result_of(game: Game, s: State, trees: list[Grown], clock: Clock, win: float) -> Result:
    """What the trees say about their root."""
    me, families = game.to_move(s), [tree.pool.family(0) for tree in trees]
    roots = together([found for _, found in families])
    best = preferred(roots, win)
    places = [[c.action for c in found].index(best.action) for _, found in families]
    values = [-best.mean] * game.players
    visits = best.visits - sum(tree.before.get(best.action, 0) for tree in trees)
    if not best.proven and (visits or game.players > 2):
        sums = [[float(x) for x in tree.work.sums[i]] for tree, i in zip(trees, places, strict=True)]
        values = [sum(row[p] for row in sums) / max(visits, 1) for p in range(game.players)]
    values[me] = best.mean if best.visits else 0.0
    means = {c.action: c.mean + 0.0 for c in roots if c.visits}

    most = max(range(len(trees)), key=lambda k: (families[k][1][places[k]].proven, families[k][1][places[k]].visits))
    pool, (first, found), i = trees[most].pool, families[most], places[most]
    line: list[int] = []
    t = s
    while True:
        line.extend(line_of(game, t, [1, found[i].action]))
        t = game.result(t, line[-1])
        first, found = pool.family(first + i)
        if not found or game.to_move(t) == CHANCE or not (chosen := preferred(found, win)).visits:
            break
        i = found.index(chosen)
    return Result(
        action=line[0],
        value=values[me] + 0.0,
        values=tuple(v + 0.0 for v in values),  # a zero has no sign
        line=tuple(line),
        depth=max(int(tree.work.deepest) for tree in trees),
        nodes=sum(int(tree.work.simulations) for tree in trees),
        evaluations=sum(int(tree.work.playouts) for tree in trees),
        seconds=clock.seconds,
        scores={a: means[signed] for a in game.actions(s) if (signed := i64(a)) in means},
        exact=any(tree.pool.is_proven for tree in trees),
    )


# ---- lowered ---------------------------------------------------------------------------------


def put(node: int, by: int, a: int, work: Any) -> int:
    """A new node, which player `by` reaches by action a."""
    at = WORDS * node
    store(work.pool, at + MEAN, to_word(work.urgency))
    store(work.pool, at + BONUS, to_word(work.first))
    store(work.pool, at + ABOUT, u64(by) << 8)
    store(work.pool, at + ACTION, u64(a))
    return node


def clear_more(first: int, count: int, work: Any) -> int:
    """What the searches that need it know of new nodes: nothing."""
    if len(work.trail) > 1 and work.amaf > 0:
        for i in range(2 * first, 2 * (first + count)):
            store(work.pool, work.amaf + i, u64(0))
    if len(work.proofs) > 1:
        for i in range(first, first + count):
            store(work.pool, work.proofs[0] + i, UNPROVEN)
    return count


def bonus_of(node: int, visits: u64, work: Any) -> u64:
    """1 / sqrt(visits), or prior / (1 + visits), and the visits in one word: as a float it is the former, to one part in a million."""
    bonus = 0.0
    if work.priors > 0:
        bonus = to_real(load(work.pool, work.priors + node)) / (1.0 + float(visits))
    elif visits < u64(len(ROOTS)):
        bonus = ROOTS[i64(visits)]
    else:
        bonus = 1.0 / math.sqrt(float(visits))
    return to_word(bonus) & ~LOW | visits

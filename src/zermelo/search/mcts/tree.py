"""The nodes of a tree that grows by simulations: 32 bytes each, children side by side, in memory that never grows.

No states are stored: they are computed again on the way down. A leaf has no first child; the root is node 0, its children are
those from 1 on. Chance counts as one player more. What only some searches know of a node lies behind all nodes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ...bits import i64
from ...game import CHANCE, Game, State
from ...lower.memory import Words, to_real
from ..searcher import AT_MOST, Result, Stopwatch, line_of
from .node import NODE_WORDS, PROVEN, UNPROVEN, VISITS, child_count, first_child, status
from .record import TreeRecord


class Pool:
    """Memory for nodes: at most so many bytes, and no more than `simulations` with `width` actions each can fill.

    `more` says how many words more a node has of each kind (priors, amaf, proofs), and `slots` how many words there are for what
    playouts have learned.
    """

    def __init__(self, size: int, more: dict[str, int], slots: int, interpreted: bool):
        self._more, self.slots, self._interpreted = more, slots, interpreted
        self._each = NODE_WORDS + sum(more.values())
        self.most = max(0, size // 8 - slots) // self._each
        self.kept = 0  # nodes that are there before a search begins
        self.holds = True  # whether proofs do, as far as is known

    def clear(self, simulations: int, width: int, kept: int = 0) -> None:
        """An empty pool, with room for `kept` nodes beside the new ones. Interpreted, only the words in use take memory."""
        self.room = min(self.most, 1 + kept + (simulations + 1) * width)
        self._words = Words(self.room * self._each + self.slots, self._interpreted, is_cleared=False)
        self.table = self._words.table

    def places(self) -> dict[str, int]:
        """Where in the table each kind of further words begins; 0 for those that are not there."""
        found, at = dict.fromkeys(("priors", "amaf", "proofs", "learned"), 0), NODE_WORDS * self.room
        for kind, words in self._more.items():
            found[kind] = at if words else 0
            at += words * self.room
        return found | {"learned": at if self.slots else 0}

    def nodes(self, first: int, count: int) -> list[Node]:
        """The words of some nodes."""
        words = self._words.read(NODE_WORDS * first, NODE_WORDS * (first + count)).tobytes()
        return [Node(*node) for node in struct.iter_unpack("=dQQq", words)]

    def family(self, node: int) -> tuple[int, list[Child]]:
        """The index of a node's first child, and its children."""
        packed = self.nodes(node, 1)[0].packed
        first, found = first_child(packed), self.nodes(first_child(packed), child_count(packed))
        known = [Child(node.action, node.bonus & VISITS, node.mean, status(node.packed) == PROVEN) for node in found]
        if self._more["proofs"]:
            at = self.places()["proofs"]
            proofs = [self._words.word(at + first + i) for i in range(len(found))]
            plain = [c._replace(proven=False) for c in known]
            known = [c if w == UNPROVEN else c._replace(proven=True, mean=to_real(w)) for c, w in zip(plain, proofs, strict=True)]
        return first, known

    @property
    def visits(self) -> int:
        """How often the root was visited: once more than its children together."""
        return self.nodes(0, 1)[0].bonus & VISITS

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is."""
        return status(self.nodes(0, 1)[0].packed) == PROVEN


class Node(NamedTuple):
    """The words of a node, in their order: the mean is a float, the action a number with a sign."""

    mean: float
    bonus: int
    packed: int
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
    work: TreeRecord
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


def result_of(game: Game, s: State, trees: list[Grown], watch: Stopwatch, win: float) -> Result:
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
    is_exact = any(tree.pool.is_proven for tree in trees)
    unproven = {c.action for c in roots if is_exact and not c.proven}  # all that is certain: they are no better than the best
    means = {c.action: (best.mean if c.action in unproven else c.mean) + 0.0 for c in roots if c.visits}
    scores = {a: means[signed] for a in game.actions(s) if (signed := i64(a)) in means}
    most = max(range(len(trees)), key=lambda k: (families[k][1][places[k]].proven, families[k][1][places[k]].visits))
    line = best_line(game, s, trees[most].pool, places[most], win)
    return Result(
        action=line[0],
        value=values[me] + 0.0,
        values=tuple(v + 0.0 for v in values),  # a zero has no sign
        line=tuple(line),
        depth=max(int(tree.work.deepest) for tree in trees),
        nodes=sum(int(tree.work.simulations) for tree in trees),
        evaluations=sum(int(tree.work.playouts) for tree in trees),
        seconds=watch.seconds,
        scores=scores,
        exact=is_exact,
        bounds={a: AT_MOST for a in scores if i64(a) in unproven},
    )


def best_line(game: Game, s: State, pool: Pool, i: int, win: float) -> list[int]:
    """The actions that the tree prefers from the root on, as far as play was looked at: the first is that of child i."""
    line: list[int] = []
    first, found = pool.family(0)
    while True:
        line.extend(line_of(game, s, [1, found[i].action]))
        s = game.result(s, line[-1])
        first, found = pool.family(first + i)
        if not found or game.to_move(s) == CHANCE or not (chosen := preferred(found, win)).visits:
            return line
        i = found.index(chosen)

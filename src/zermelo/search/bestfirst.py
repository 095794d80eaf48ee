"""Best first: expand the leaf from which the choice at the root has most to gain (in the manner of MGSS*, Russell and Wefald).

Only one leaf decides what an action of the root is worth: the one at the end of its best line. To expand it may move that value.
Let v1 be the best value of an action of the root, and v2 the second best. A move of the value helps only if it changes the choice:

    of the best action, if its value falls below v2:         GAP = v1 - v2
    of another action, whose value is v, if it rises over v1: GAP = v1 - v

A value is taken to move by anything up to REACH, both ways alike (uniformly), so that what an expansion is worth is

    UTILITY = (REACH - GAP)^2 / (4 REACH) if GAP < REACH, else 0

and REACH is what would explain the moves seen so far: twice their mean length, where the first REACH is given. The action of the
greatest utility has its leaf expanded, the new leaves are evaluated, and values are backed up as in minimax. This model looks
one step ahead: it misses what only several expansions together could change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..lower.memory import load, store, to_real, to_word
from . import forbidden
from .forbidden import lawful
from .minimax import INFINITE, width_of
from .montecarlo import MANY, more_room
from .records import Fields, Stop, prepare
from .searcher import Clock, Result, Searcher, two_players
from .signed_actions import Signed

WORDS = 3  # of a node: its value to the player at the root, what is known of it, the action that leads to it
ABOUT, ACTION = 1, 2  # the first child in the upper half, then how many (16 bits), and the bits below
MINE, DONE = 2, 1  # whether the player at the root moves there, and whether nothing below it is left to look at
DEEPEST = 1024  # plies of the tree
RECENT = 64  # moves of a value that count
FIRST = 1024  # nodes before the first Result


@dataclass(frozen=True, kw_only=True)
class BestFirst(Searcher):
    """Best-first search by the utility of expanding, for two players without chance, with the whole tree in memory.

    It ends when the limits are reached, nothing is left to expand or the memory is full. In the Result a node is a leaf that was
    made, and those that are not terminal are evaluated.

    cost: what an expansion must be worth at least, as a utility; below it the search ends. None: it goes on, and where no expansion
        has any utility it expands the line that it would play (best-first minimax, Korf and Chickering).
    reach: by how much a value is taken to move before any was seen to.
    memory: MiB for nodes of 24 bytes.
    """

    cost: float | None = None
    reach: float = 1.0
    memory: int = 256

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cost is not None and not 0 <= self.cost < math.inf:
            raise ZermeloError(f"BestFirst: expected a cost of at least 0, or None to go on at any, not {self.cost!r}")
        if not 0 < self.reach < math.inf:
            raise ZermeloError(f"BestFirst: expected a reach above 0, not {self.reach!r}")
        if type(self.memory) is not int or not 1 <= self.memory <= 1 << 17:
            raise ZermeloError(f"BestFirst: expected a memory of 1 to 131,072 MiB, not {self.memory!r}")

    def deepen(self, game: Game, state: State | History | None = None, stop: Stop | None = None) -> Iterator[Result]:
        """Yield a Result each time the nodes have doubled."""
        two_players("BestFirst", game)
        s, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        tree = Tree(game, s, Nodes(self.memory, self.interpreted), forbidden.barred(game, state))
        if tree.nodes.room <= tree.many:
            raise ZermeloError(f"BestFirst: expected more memory than {self.memory} MiB for a state of {tree.many:,} actions")
        stop, width = stop or Stop(), width_of(game, tree.many)
        self._run(game, width)  # compiling is not searching
        tree.clock = Clock()
        limit = FIRST
        with stop.after(self.seconds):
            while True:
                tree.limit = limit if self.nodes is None else min(limit, self.nodes)
                work = self._grow(tree, stop, width)
                if work.widest > 0:
                    width = more_room(int(work.widest))
                    continue
                yield tree.result()
                if work.ended or stop.is_set or (self.nodes is not None and tree.kept["nodes"] >= self.nodes):
                    return
                limit = 2 * max(limit, int(work.nodes))

    def _grow(self, tree: Tree, stop: Stop, width: int) -> Any:
        """Go on until the limit; what is kept of the record is in the tree."""
        given = {k: [*v[:width], *[0.0] * (width - len(v))] if isinstance(v, list) else v for k, v in tree.kept.items()}
        work = self._run(tree.game, width)(
            stop,
            start=tree.game.layout.pack(tree.s),
            limit=tree.limit,
            depth=DEEPEST - 1 if self.depth is None else min(self.depth, DEEPEST - 1),
            cost=-1.0 if self.cost is None else self.cost,
            reach=self.reach,
            pool=tree.nodes.table,
            room=tree.nodes.room,
            **forbidden.given(tree.barred, width),
            **given,
        )
        tree.kept = {name: _plain(getattr(work, name)) for name in KEPT}
        return work

    def _run(self, game: Game, width: int) -> Callable[..., Any]:
        seen: Any = Signed(game) if self.interpreted else game
        return prepare(seen, search, fields(game, width), self.interpreted)


class Nodes:
    """Memory for nodes: so many MiB and no more. Interpreted, only the words in use take any."""

    def __init__(self, mebibytes: int, interpreted: bool):
        self.room = min((mebibytes << 20) // (8 * WORDS), (1 << 32) - 1)  # a parent tells its first child in 32 bits
        self._words: Any = {}
        self.table: Any = self._words
        if not interpreted:
            self._words = np.empty(self.room * WORDS, np.uint64)  # memory that nobody touches is not taken
            self.table = self._words.ctypes.data

    def word(self, node: int, which: int) -> int:
        return int(self._words[WORDS * node + which])

    def value(self, node: int) -> float:
        return to_real(self.word(node, 0))

    def children(self, node: int) -> range:
        about = self.word(node, ABOUT)
        return range(about >> 32, (about >> 32) + (about >> 16 & 0xFFFF))


@dataclass
class Tree:
    """A search on its way."""

    game: Game
    s: State
    nodes: Nodes
    barred: list[int]
    clock: Clock = field(default_factory=Clock)
    limit: int = 0
    kept: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = list(self.game.actions(self.s))
        self.many = len(every)
        self.moves = [a for a in every if a not in self.barred]

    def result(self) -> Result:
        """What the tree says about its root; the best action is the first of those of the best value."""
        nodes, me = self.nodes, self.game.to_move(self.s)
        scores = {a: nodes.value(child) + 0.0 for a, child in zip(self.moves, nodes.children(0), strict=True)}
        line, node, s = [], 0, self.s
        while found := nodes.children(node):
            sign = 1 if self.game.to_move(s) == me else -1
            best = max(found, key=lambda child: (sign * nodes.value(child), -child))
            a = next(a for a in self.game.actions(s) if i64(a) == i64(nodes.word(best, ACTION)))
            line.append(a)
            s, node = self.game.result(s, a), best
        value = scores[line[0]]
        return Result(
            action=line[0],
            value=value,
            values=tuple((value if p == me else -value) + 0.0 for p in range(2)),
            line=tuple(line),
            depth=int(self.kept["deepest"]),
            nodes=int(self.kept["nodes"]),
            evaluations=int(self.kept["evaluations"]),
            seconds=self.clock.seconds,
            scores=scores,
            exact=bool(nodes.word(0, ABOUT) & DONE and not self.kept["cutoffs"]),
        )


KEPT = ("used", "nodes", "evaluations", "deepest", "cutoffs", "reaches", "tries")


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, list) else value


def fields(game: Game, width: int) -> Fields:
    """The record of the search."""
    return [
        ("start", "u8", (game.layout.words,)),
        ("limit", "i8", ()),
        ("depth", "i8", ()),
        ("cost", "f8", ()),  # below 0 for none
        ("reach", "f8", ()),
        ("stop", "i8", ()),
        ("ended", "i8", ()),  # whether there is no more to be had: of leaves, of utility or of memory
        ("nodes", "i8", ()),
        ("evaluations", "i8", ()),
        ("deepest", "i8", ()),
        ("cutoffs", "i8", ()),  # leaves that the depth forbids to expand
        ("widest", "i8", ()),
        ("pool", "i8", ()),
        ("room", "i8", ()),
        ("used", "i8", ()),
        ("reaches", "f8", (width,)),  # of each action's value
        ("tries", "f8", (width,)),
        ("moves", "i8", (width,)),
        *forbidden.fields(width),
        ("path", "i8", (DEEPEST + 1,)),
    ]


# ---- the algorithm -----------------------------------------------------------------------------


def search(game: Game, work: Any) -> int:
    """Expansions, until there are so many nodes, nothing is left or somebody asks to stop."""
    start = game.unpack(work.start)
    me = game.to_move(start)
    if work.used == 0:
        store(work.pool, ABOUT, u64(0))
        work.used = 1
        work.nodes = 1
        if expand(game, start, me, 0, 0, work) == 0:
            work.used = 0  # it begins again
            return 0
        back_up(0, work)
        for i in range(len(work.reaches)):
            work.reaches[i] = work.reach
    while work.ended == 0 and work.widest == 0 and work.stop == 0 and work.nodes < work.limit:
        i = choose(work)
        if i < 0:
            work.ended = 1
        else:
            improve(game, start, me, i, work)
    return 0


def choose(work: Any) -> int:
    """The action of the root whose leaf to expand; -1 if there is none."""
    about = load(work.pool, ABOUT)
    n = i64(about >> 16 & 0xFFFF)
    best, second, first = -INFINITE, -INFINITE, 0
    for i in range(n):
        v = to_real(load(work.pool, WORDS * (1 + i)))
        if v > best:
            best, second, first = v, best, i
        elif v > second:
            second = v
    chosen, most = -1, max(work.cost, 0.0)
    other, promise = -1, -INFINITE
    for i in range(n):
        if load(work.pool, WORDS * (1 + i) + ABOUT) & DONE == 0:
            v = to_real(load(work.pool, WORDS * (1 + i)))
            if v > promise or other < 0:
                other, promise = i, v
            reach = work.reaches[i]
            gap = best - (second if i == first else v)
            if gap < reach and (reach - gap) * (reach - gap) / (4.0 * reach) > most:
                chosen, most = i, (reach - gap) * (reach - gap) / (4.0 * reach)
    return chosen if chosen >= 0 or work.cost >= 0.0 else other


def improve(game: Game, start: State, me: int, i: int, work: Any) -> int:
    """Expand the leaf at the end of the best line of action i; back up, and note how far its value moved."""
    node, depth = 1 + i, 1
    before = to_real(load(work.pool, WORDS * node))
    s = game.result(start, i64(load(work.pool, WORDS * node + ACTION)))
    work.path[1] = node
    while load(work.pool, WORDS * node + ABOUT) >> 32 != 0:
        node = open_child(node, work)
        depth += 1
        work.path[depth] = node
        s = game.result(s, i64(load(work.pool, WORDS * node + ACTION)))
    if expand(game, s, me, node, depth, work) == 0:
        return 0
    for k in range(depth + 1):
        back_up(work.path[depth - k], work)
    moved = to_real(load(work.pool, WORDS * (1 + i))) - before
    work.tries[i] = min(work.tries[i] + 1.0, float(RECENT))
    work.reaches[i] += (2.0 * abs(moved) - work.reaches[i]) / (work.tries[i] + 1.0)
    return depth


def open_child(node: int, work: Any) -> int:
    """The best child, to the player who moves there, of those below which something is left to look at."""
    about = load(work.pool, WORDS * node + ABOUT)
    chosen, best = -1, 0.0
    for k in range(i64(about >> 32), i64(about >> 32) + i64(about >> 16 & 0xFFFF)):
        if load(work.pool, WORDS * k + ABOUT) & DONE == 0:
            v = to_real(load(work.pool, WORDS * k))
            if about & MINE == 0:
                v = -v
            if chosen < 0 or v > best:
                chosen, best = k, v
    return chosen


def expand(game: Game, s: State, me: int, node: int, depth: int, work: Any) -> int:
    """Give a leaf its children, each with its value; how many, 0 if there was no room."""
    n = game.fill(s, work.moves)
    if n > min(len(work.moves), MANY):
        work.widest = n
        return 0
    if work.used + n > work.room:
        work.ended = 1
        return 0
    if node == 0:
        n = lawful(work.moves, n, work)
    for i in range(n):
        t = game.result(s, work.moves[i])
        v, about = 0.0, u64(0)
        if game.is_terminal(t):
            v = game.utility(t, me)
            about = u64(DONE)
        else:
            v = game.evaluate(t, me)
            work.evaluations += 1
            if depth + 1 >= work.depth:
                about = u64(DONE)
                work.cutoffs += 1
        at = WORDS * (work.used + i)
        store(work.pool, at, to_word(v))
        store(work.pool, at + ABOUT, about)
        store(work.pool, at + ACTION, u64(work.moves[i]))
    mine = u64(MINE) if game.to_move(s) == me else u64(0)
    store(work.pool, WORDS * node + ABOUT, u64(work.used) << 32 | u64(n) << 16 | mine)
    work.used += n
    work.nodes += n
    work.deepest = max(work.deepest, depth + 1)
    return n


def back_up(node: int, work: Any) -> int:
    """The value of a node from those of its children, and whether anything is left to look at below it."""
    about = load(work.pool, WORDS * node + ABOUT)
    first = i64(about >> 32)
    best, done = 0.0, u64(DONE)
    for k in range(i64(about >> 16 & 0xFFFF)):
        v = to_real(load(work.pool, WORDS * (first + k)))
        if k == 0 or (v > best if about & MINE != 0 else v < best):
            best = v
        done = done & load(work.pool, WORDS * (first + k) + ABOUT)
    store(work.pool, WORDS * node, to_word(best))
    store(work.pool, WORDS * node + ABOUT, about | done & DONE)
    return node

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

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..lower.memory import Words, load, store, to_real, to_word
from ..settings import Range
from . import forbidden
from .depth_first import INFINITE
from .endgames.probe import Probing
from .evaluation import estimate, is_proven
from .forbidden import Forbidding, forbidden_by_history, without_forbidden
from .model.record import Judging
from .montecarlo import MAX_CHILDREN, more_room
from .prepare import prepare, width_of
from .records import WIDTH, WORDS, Grows, room
from .searcher import Result, Searcher, Stopwatch, two_players
from .signed_actions import Signed
from .stop import Stop
from .zero_sum import Opposing, opposed_value, refuse_ends

NODE_WORDS = 3  # its value to the player at the root, what is known of it, the action that leads to it
PACKED, ACTION = 1, 2  # the first child in the upper half, then how many (16 bits), and the bits below
MINE, DONE = 2, 1  # whether the player at the root moves there, and whether nothing below it is left to look at
MAX_DEPTH = 1024  # plies of the tree
RECENT_MOVES = 64  # moves of a value that count
FIRST_NODES = 1024  # before the first Result


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

    cost: Annotated[float | None, Range(0, words="a cost of at least 0, or None to go on at any")] = None
    reach: Annotated[float, Range(0, above=True, words="a reach above 0")] = 1.0
    memory: Annotated[int, Range(1, 1 << 17, words="a memory of 1 to 131,072 MiB")] = 256
    opposes: ClassVar[bool] = True

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result each time the nodes have doubled."""
        two_players("BestFirst", game)
        s, _, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        tree = Tree(game, s, Nodes(self.memory, self.interpreted), forbidden_by_history(game, state))
        if tree.nodes.room <= tree.many:
            raise ZermeloError(f"BestFirst: expected more memory than {self.memory} MiB for a state of {tree.many:,} actions")
        stop, width = stop or Stop(), width_of(game, tree.many)
        self._run(game, width)  # compiling is not searching
        tree.watch = Stopwatch()
        limit = FIRST_NODES
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

    def _grow(self, tree: Tree, stop: Stop, width: int) -> Growing:
        """Go on until the limit; what is kept of the record is in the tree."""
        given = {k: [*v[:width], *[0.0] * (width - len(v))] if isinstance(v, list) else v for k, v in tree.kept.items()}
        work = self._run(tree.game, width)(
            stop,
            start=tree.game.layout.pack(tree.s),
            limit=tree.limit,
            depth=MAX_DEPTH - 1 if self.depth is None else min(self.depth, MAX_DEPTH - 1),
            cost=-1.0 if self.cost is None else self.cost,
            reach=self.reach,
            pool=tree.nodes.table,
            node_room=tree.nodes.room,
            **forbidden.given(tree.barred, width),
            **given,
        )
        refuse_ends("BestFirst", tree.game, work)
        tree.kept = {name: _plain(getattr(work, name)) for name in KEPT_FIELDS}
        return work

    def _run(self, game: Game, width: int) -> Callable[..., Growing]:
        seen: Any = Signed(game) if self.interpreted else game
        return prepare(seen, search, Growing, self.interpreted, width=width)


class Nodes:
    """Memory for nodes: so many MiB and no more. Interpreted, only the words in use take any."""

    def __init__(self, mebibytes: int, interpreted: bool):
        self.room = min((mebibytes << 20) // (8 * NODE_WORDS), (1 << 32) - 1)  # a parent tells its first child in 32 bits
        self._words = Words(self.room * NODE_WORDS, interpreted, is_cleared=False)
        self.table = self._words.table

    def word(self, node: int, which: int) -> int:
        return self._words.word(NODE_WORDS * node + which)

    def value(self, node: int) -> float:
        return to_real(self.word(node, 0))

    def children(self, node: int) -> range:
        packed = self.word(node, PACKED)
        return range(first_child(packed), first_child(packed) + child_count(packed))


@dataclass
class Tree:
    """A search on its way."""

    game: Game
    s: State
    nodes: Nodes
    barred: list[int]
    watch: Stopwatch = field(default_factory=Stopwatch)
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
            seconds=self.watch.seconds,
            scores=scores,
            exact=bool(nodes.word(0, PACKED) & DONE and not self.kept["cutoffs"]),
        )


KEPT_FIELDS = ("used", "nodes", "evaluations", "deepest", "cutoffs", "reaches", "tries")


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, list) else value


class Growing(Grows, Forbidding, Judging, Probing, Opposing):
    """The record of the search."""

    start: list[u64] = room(WORDS)
    limit: int
    depth: int
    cost: float  # below 0 for none
    reach: float
    stop: int
    ended: int  # whether there is no more to be had: of leaves, of utility or of memory
    nodes: int
    evaluations: int
    cutoffs: int  # leaves that the depth forbids to expand
    pool: int
    node_room: int
    used: int
    reaches: list[float] = room(WIDTH)  # of each action's value
    tries: list[float] = room(WIDTH)
    moves: list[int] = room(WIDTH)
    path: list[int] = room(MAX_DEPTH + 1)


# ---- the algorithm -----------------------------------------------------------------------------


def search(game: Game, work: Growing) -> int:
    """Expansions, until there are so many nodes, nothing is left or somebody asks to stop."""
    start = game.unpack(work.start)
    me = game.to_move(start)
    if work.used == 0:
        store(work.pool, PACKED, u64(0))
        work.used = 1
        work.nodes = 1
        if expand(game, start, me, 0, 0, work) == 0:
            work.used = 0  # it begins again
            return 0
        back_up(0, work)
        for i in range(len(work.reaches)):
            work.reaches[i] = work.reach
    while work.ended == 0 and work.stopped == 0 and work.widest == 0 and work.stop == 0 and work.nodes < work.limit:
        i = choose(work)
        if i < 0:
            work.ended = 1
        else:
            improve(game, start, me, i, work)
    return 0


def choose(work: Growing) -> int:
    """The action of the root whose leaf to expand; -1 if there is none."""
    packed = packed_of(0, work)
    n = child_count(packed)
    best, second, first = -INFINITE, -INFINITE, 0
    for i in range(n):
        v = value_of(1 + i, work)
        if v > best:
            best, second, first = v, best, i
        elif v > second:
            second = v
    chosen, most = -1, max(work.cost, 0.0)
    other, promise = -1, -INFINITE
    for i in range(n):
        if packed_of(1 + i, work) & DONE == 0:
            v = value_of(1 + i, work)
            if v > promise or other < 0:
                other, promise = i, v
            reach = work.reaches[i]
            gap = best - (second if i == first else v)
            if gap < reach and (reach - gap) * (reach - gap) / (4.0 * reach) > most:
                chosen, most = i, (reach - gap) * (reach - gap) / (4.0 * reach)
    return chosen if chosen >= 0 or work.cost >= 0.0 else other


def improve(game: Game, start: State, me: int, i: int, work: Growing) -> int:
    """Expand the leaf at the end of the best line of action i; back up, and note how far its value moved."""
    node, depth = 1 + i, 1
    before = value_of(node, work)
    s = game.result(start, action_of(node, work))
    work.path[1] = node
    while first_child(packed_of(node, work)) != 0:
        node = open_child(node, work)
        depth += 1
        work.path[depth] = node
        s = game.result(s, action_of(node, work))
    if expand(game, s, me, node, depth, work) == 0:
        return 0
    for k in range(depth + 1):
        back_up(work.path[depth - k], work)
    moved = value_of(1 + i, work) - before
    work.tries[i] = min(work.tries[i] + 1.0, float(RECENT_MOVES))
    work.reaches[i] += (2.0 * abs(moved) - work.reaches[i]) / (work.tries[i] + 1.0)
    return depth


def open_child(node: int, work: Growing) -> int:
    """The best child, to the player who moves there, of those below which something is left to look at."""
    packed = packed_of(node, work)
    chosen, best = -1, 0.0
    for k in range(first_child(packed), first_child(packed) + child_count(packed)):
        if packed_of(k, work) & DONE == 0:
            v = value_of(k, work)
            if packed & MINE == 0:
                v = -v
            if chosen < 0 or v > best:
                chosen, best = k, v
    return chosen


def expand(game: Game, s: State, me: int, node: int, depth: int, work: Growing) -> int:
    """Give a leaf its children, each with its value; how many, 0 if there was no room."""
    n = game.fill(s, work.moves)
    if n > min(len(work.moves), MAX_CHILDREN):
        work.widest = n
        return 0
    if work.used + n > work.node_room:
        work.ended = 1
        return 0
    if node == 0:
        n = without_forbidden(work.moves, n, work)
    for i in range(n):
        t = game.result(s, work.moves[i])
        v, packed = 0.0, u64(0)
        if is_proven(game, t, work):
            v = opposed_value(game, t, me, work)
            packed = u64(DONE)
        else:
            v = estimate(game, t, me, work)
            work.evaluations += 1
            if depth + 1 >= work.depth:
                packed = u64(DONE)
                work.cutoffs += 1
        at = NODE_WORDS * (work.used + i)
        store(work.pool, at, to_word(v))
        store(work.pool, at + PACKED, packed)
        store(work.pool, at + ACTION, u64(work.moves[i]))
    mine = u64(MINE) if game.to_move(s) == me else u64(0)
    store(work.pool, NODE_WORDS * node + PACKED, u64(work.used) << 32 | u64(n) << 16 | mine)
    work.used += n
    work.nodes += n
    work.deepest = max(work.deepest, depth + 1)
    return n


def back_up(node: int, work: Growing) -> int:
    """The value of a node from those of its children, and whether anything is left to look at below it."""
    packed = packed_of(node, work)
    first = first_child(packed)
    best, done = 0.0, u64(DONE)
    for k in range(child_count(packed)):
        v = value_of(first + k, work)
        if k == 0 or (v > best if packed & MINE != 0 else v < best):
            best = v
        done = done & packed_of(first + k, work)
    store(work.pool, NODE_WORDS * node, to_word(best))
    store(work.pool, NODE_WORDS * node + PACKED, packed | done & DONE)
    return node


# ---- a node of the pool ------------------------------------------------------------------------


def value_of(node: int, work: Growing) -> float:
    """What it is worth to the player at the root."""
    return to_real(load(work.pool, NODE_WORDS * node))


def packed_of(node: int, work: Growing) -> u64:
    """What else is known of it, in one word."""
    return load(work.pool, NODE_WORDS * node + PACKED)


def action_of(node: int, work: Growing) -> int:
    """The action that leads to it."""
    return i64(load(work.pool, NODE_WORDS * node + ACTION))


def first_child(packed: u64) -> int:
    return i64(packed >> 32)


def child_count(packed: u64) -> int:
    return i64(packed >> 16 & 0xFFFF)

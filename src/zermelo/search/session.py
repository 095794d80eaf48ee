"""A tree or a table that is kept from move to move: what a search found out about the position that then came up is not searched again.

    thinking = Thinking(MCTS(simulations=10_000), game)         or Thinking(AlphaBeta(seconds=1), game)
    thinking.search(state)                 as the searcher does
    thinking.search(a later state)         goes on with what is known of it; a `History` is followed quickly

Of a tree the part below the new state is copied, breadth first, into the other half of the memory, and the rest is given up. A table
is used on as it is: what it knows of a state is true wherever the state is met, but for draws by repetition, so it is given up when the
next state comes with another past (a new game). Entries of earlier searches are replaced first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..lower.memory import load, store
from .alphabeta.searcher import AlphaBeta
from .forbidden import barred
from .mcts.searcher import MCTS
from .mcts.tree import ABOUT, WORDS, Pool
from .records import Fields, Stop, prepare
from .searcher import Result
from .table import Memory

Keeping = MCTS | AlphaBeta

LOOKED_AT = 2048  # nodes among which the new state is looked for, those near the old root first
OFTEN = 1024  # nodes copied between two looks at whether to stop


class Thinking:
    """A search of one game that keeps its table, or its tree in half of the searcher's memory. Not for several threads at once.

    `kept`: the visits of the new root that the last search of a tree began with.
    """

    def __init__(self, searcher: Keeping, game: Game):
        if not searcher.is_kept:
            raise ZermeloError(
                f"Thinking: expected a searcher that keeps a tree or a table, MCTS or AlphaBeta, not {type(searcher).__name__}"
            )
        self.searcher, self.game, self.kept = searcher, game, 0
        self._memory: Memory | None = None
        self._past: tuple[int, ...] = ()
        self._pools: list[Pool] = []
        self._root: State | None = None
        if isinstance(searcher, MCTS):  # compiling is not searching
            prepare(game, copy, FIELDS, searcher.interpreted)

    def search(self, state: State | History | None = None, stop: Stop | None = None) -> Result:
        """The last and best answer of `deepen`."""
        *_, last = self.deepen(state, stop)
        return last

    def deepen(self, state: State | History | None = None, stop: Stop | None = None) -> Iterator[Result]:
        """Yield what the searcher's `deepen` does; its limits are for what is new."""
        return self.searcher.deepen(self.game, state, stop, self)

    def table(self, make: Callable[[], Memory], past: tuple[int, ...]) -> Memory:
        """The table of the searches before, one older; a new one at first, and after another past. The searcher calls this."""
        if self._memory is None or past[: len(self._past)] != self._past:
            self._memory = make()
        self._memory.age += 1
        self._past = past
        return self._memory

    def carry(self, state: State | History, pools: list[Pool], simulations: int, width: int, stop: Stop) -> None:
        """Copy into the new pools what the old ones know of the state; they are the old ones of the next search.

        The searcher calls this. Where the history of the game forbids some of its actions, nothing is copied: the old tree has them.
        """
        s = state.state if isinstance(state, History) else state
        self.kept = 0
        for old, new in zip(self._pools, pools, strict=False):
            if barred(self.game, state):
                node = None
            elif isinstance(state, History) and self._root in state.states:
                node = _follow(self._root, state, old)
            else:
                node = _find(self.game, self._root, s, old, stop)
            if node is not None:
                new.clear(simulations, width, old.room)
                self._copy(old, new, node, stop)
                new.holds = old.holds
                self.kept += new.visits
        self._pools, self._root = pools, s

    def _copy(self, old: Pool, new: Pool, node: int, stop: Stop) -> None:
        places = {f"old_{kind}": at for kind, at in old.places().items()} | {f"new_{kind}": at for kind, at in new.places().items()}
        given = {name: at for name, at in places.items() if not name.endswith("signal")}
        run = prepare(self.game, copy, FIELDS, self.searcher.interpreted)
        work = run(stop, old=old.table, new=new.table, node=node, room=new.room, slots=new.slots, **given)
        new.kept = int(work.used)


def _follow(root: State, history: History, pool: Pool) -> int | None:
    """The node of the state now, to which the history of the game leads from the root; None if it is not there."""
    node = 0
    for a in history.taken[history.states.index(root) :]:
        first, found = pool.family(node)
        places = [first + i for i, c in enumerate(found) if c.action == i64(a) and c.visits]
        if not places:
            return None
        node = places[0]
    return node


def _find(game: Game, root: State | None, s: State, pool: Pool, stop: Stop) -> int | None:
    """The node of s near the root, None if it is not there."""
    todo = [(root, 0)]
    for at, node in todo:  # which grows
        if at == s:
            return node
        if len(todo) < LOOKED_AT and not stop.is_set:
            first, found = pool.family(node)
            names = {i64(a): a for a in game.actions(at)} if found else {}
            todo += [(game.result(at, names[c.action]), first + i) for i, c in enumerate(found) if c.visits]
    return None


# ---- lowered ---------------------------------------------------------------------------------

KINDS = ("priors", "amaf", "proofs", "learned")
FIELDS: Fields = [
    *((name, "i8", ()) for name in ("stop", "stopped", "old", "new", "node", "room", "used", "slots")),
    *((f"{pool}_{kind}", "i8", ()) for kind in KINDS for pool in ("old", "new")),
]


def copy(game: Game, work: Any) -> int:
    """Copy the node and all below it, level by level, as far as there is room; a copy has its old children until those are copied.

    When somebody asks to stop, what is not copied yet is left out.
    """
    for i in range(work.slots):
        store(work.new, work.new_learned + i, load(work.old, work.old_learned + i))
    copy_one(work.node, work)
    node = 0
    while node < work.used:
        at = WORDS * node + ABOUT
        about = load(work.new, at)
        first, count = i64(about >> 32), i64(about >> 16 & 0xFFFF)
        if node % OFTEN == OFTEN - 1 and work.stop != 0:
            work.stopped = 1
        if work.stopped != 0 or work.used + count > work.room:
            store(work.new, at, about & 0xFFFF)  # a leaf again
        elif count > 0:
            store(work.new, at, u64(work.used) << 32 | about & 0xFFFFFFFF)
            for child in range(first, first + count):
                copy_one(child, work)
        node += 1
    return work.used


def copy_one(node: int, work: Any) -> int:
    """The next node of the new pool is this one of the old."""
    for i in range(WORDS):
        store(work.new, WORDS * work.used + i, load(work.old, WORDS * node + i))
    if work.new_priors > 0:
        store(work.new, work.new_priors + work.used, load(work.old, work.old_priors + node))
    if work.new_amaf > 0:
        store(work.new, work.new_amaf + 2 * work.used, load(work.old, work.old_amaf + 2 * node))
        store(work.new, work.new_amaf + 2 * work.used + 1, load(work.old, work.old_amaf + 2 * node + 1))
    if work.new_proofs > 0:
        store(work.new, work.new_proofs + work.used, load(work.old, work.old_proofs + node))
    work.used += 1
    return node

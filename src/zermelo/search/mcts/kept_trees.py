"""Trees that are kept from move to move: what a search found out about the position that then came up is not searched again.

The part of a tree below the new state is copied, breadth first, into the other half of the memory, and the rest is given up.
"""

from __future__ import annotations

from ...bits import i64, u64
from ...game import Game, State
from ...history import History
from ...lower.memory import load, store
from ..forbidden import forbidden_by_history
from ..prepare import prepare
from ..records import Record
from ..stop import Stop
from .node import NODE_WORDS, PACKED, child_count, first_child
from .tree import Pool

LOOKED_AT = 2048  # nodes among which the new state is looked for, those near the old root first
OFTEN = 1024  # nodes copied between two looks at whether to stop


class KeptTrees:
    """The trees of the last search of a game; `visits` are those of the root that the search before this one left."""

    def __init__(self, game: Game, interpreted: bool):
        self.visits = 0
        self._game, self._interpreted = game, interpreted
        self._pools: list[Pool] = []
        self._root: State | None = None
        prepare(game, copy, Copying, interpreted)  # compiling is not searching

    def carry(self, state: State | History, pools: list[Pool], simulations: int, width: int, stop: Stop) -> None:
        """Copy into the new pools what the old ones know of the state; they are the old ones of the next search.

        Where the history of the game forbids some of its actions, nothing is copied: the old tree has them.
        """
        s = state.state if isinstance(state, History) else state
        self.visits = 0
        for old, new in zip(self._pools, pools, strict=False):
            if forbidden_by_history(self._game, state):
                node = None
            elif isinstance(state, History) and self._root in state.states:
                node = _follow(self._root, state, old)
            else:
                node = _find(self._game, self._root, s, old, stop)
            if node is not None:
                new.clear(simulations, width, old.room)
                self._copy(old, new, node, stop)
                new.holds = old.holds
                self.visits += new.visits
        self._pools, self._root = pools, s

    def _copy(self, old: Pool, new: Pool, node: int, stop: Stop) -> None:
        places = {f"old_{kind}": at for kind, at in old.places().items()} | {f"new_{kind}": at for kind, at in new.places().items()}
        run = prepare(self._game, copy, Copying, self._interpreted)
        work = run(stop, old=old.table, new=new.table, node=node, node_room=new.room, slots=new.slots, **places)
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


class Copying(Record):
    """The record of a copy."""

    stop: int
    stopped: int
    old: int
    new: int
    node: int
    node_room: int
    used: int
    slots: int
    old_priors: int
    new_priors: int
    old_amaf: int
    new_amaf: int
    old_proofs: int
    new_proofs: int
    old_learned: int
    new_learned: int


def copy(game: Game, work: Copying) -> int:
    """Copy the node and all below it, level by level, as far as there is room; a copy has its old children until those are copied.

    When somebody asks to stop, what is not copied yet is left out.
    """
    for i in range(work.slots):
        store(work.new, work.new_learned + i, load(work.old, work.old_learned + i))
    copy_one(work.node, work)
    node = 0
    while node < work.used:
        at = NODE_WORDS * node + PACKED
        packed = load(work.new, at)
        first, count = first_child(packed), child_count(packed)
        if node % OFTEN == OFTEN - 1 and work.stop != 0:
            work.stopped = 1
        if work.stopped != 0 or work.used + count > work.node_room:
            store(work.new, at, packed & 0xFFFF)  # a leaf again
        elif count > 0:
            store(work.new, at, u64(work.used) << 32 | packed & 0xFFFFFFFF)
            for child in range(first, first + count):
                copy_one(child, work)
        node += 1
    return work.used


def copy_one(node: int, work: Copying) -> int:
    """The next node of the new pool is this one of the old."""
    for i in range(NODE_WORDS):
        store(work.new, NODE_WORDS * work.used + i, load(work.old, NODE_WORDS * node + i))
    if work.new_priors > 0:
        store(work.new, work.new_priors + work.used, load(work.old, work.old_priors + node))
    if work.new_amaf > 0:
        store(work.new, work.new_amaf + 2 * work.used, load(work.old, work.old_amaf + 2 * node))
        store(work.new, work.new_amaf + 2 * work.used + 1, load(work.old, work.old_amaf + 2 * node + 1))
    if work.new_proofs > 0:
        store(work.new, work.new_proofs + work.used, load(work.old, work.old_proofs + node))
    work.used += 1
    return node

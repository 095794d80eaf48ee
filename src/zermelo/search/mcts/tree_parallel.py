"""Tree parallel: threads that grow one tree.

Every thread has a record and a part of the pool of its own, in which it opens nodes; the nodes are read and written by all. Two threads
that write to the same line of the cache wait for each other, and near the root all would write to the same few. So a thread makes its
simulations in batches from an anchor:

    the anchor is the last node on the way down by UCB1 that has at least OFTEN visits
    each simulation of a batch counts as a lost visit of the anchor and of all nodes above it (virtual loss): other threads go elsewhere
    the simulations of the batch begin at the anchor, and write what is below it
    what they gave takes the place of the losses

At the anchor and above it no visit is lost (`add_visits`). Below it, nodes are written without a lock. No word is ever torn, but two
threads may write to the same one: then a visit or what it gave is lost, or a leaf is opened twice and one of its families forgotten. What
holds all the same: a path leads only through nodes that are complete, since a family is hung into the tree (`publish`) after it was
written; no thread writes beyond its part; proven values are right (`solver.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from ...bits import i64, u64
from ...game import Game, State
from ...lower.memory import Words, load, store, take
from ..evaluation import is_proven
from ..montecarlo import first_word
from ..records import PLAYERS, room
from ..stop import Stop
from .node import OPEN, PROVEN, action_of, add_visits, chooser, first_child, move_mean, packed_of, status, visits_of
from .record import TreeRecord
from .rollout_policies import learn
from .simulation import begin, descend, play_on, select, weigh
from .solver import conclude, forget_proofs, recall
from .virtual_loss import lose, settle, take_back

BATCH = 32  # simulations that a thread makes from an anchor
OFTEN = 32 * BATCH  # visits of an anchor, of which a batch is a small part
END, TAKEN, COMMON = 0, 16, 32  # words that threads have in common, each far from the other: that all are to end, batches taken


class SharedRecord(TreeRecord):
    """The record of a thread that shares a tree."""

    common: int  # the words that threads have in common
    batch: int  # simulations of the batch
    before: int  # those that were made before it
    anchor: int  # the depth of the anchor on the path, -1 if there is none
    loss: float  # what a visit of the anchor counts as until the batch is made
    gained: list[float] = room(PLAYERS + 1)  # what the simulations of the batch gave each player


def search_shared(game: Game, work: SharedRecord) -> int:
    """Like `search`, until the threads have made `limit` simulations together or one ends before. With a limit of 0 it only prepares the
    tree for the threads."""
    start = game.unpack(work.start)
    if work.limit == 0:
        return begin(game, start, work) if work.doubt == 0 else forget_proofs(work)
    while is_going_on(work):
        work.batch = min(work.limit - BATCH * i64(take(work.common, TAKEN)), BATCH)
        if work.batch <= 0:
            break
        work.before = work.simulations
        s = drop_anchor(game, start, work)
        while work.simulations - work.before < work.batch and is_going_on(work):
            simulate_shared(game, s, work)
        weigh_anchor(work)
    if work.stopped != 0:
        store(work.common, END, u64(1))
    return 0


def is_going_on(work: SharedRecord) -> bool:
    """Whether nobody has asked to stop, after one simulation at least, and no thread has ended."""
    return work.stopped == 0 and (work.stop == 0 or work.simulations == 0) and load(work.common, END) == 0


def drop_anchor(game: Game, start: State, work: SharedRecord) -> State:
    """Choose the anchor, at which the batch counts as lost: its state."""
    s, node, depth = start, 0, -1
    while visits_of(node, work) >= OFTEN:
        depth += 1
        work.path[depth] = node
        if depth > 0:
            s = game.result(s, action_of(node, work))
        packed = packed_of(node, work)
        if first_child(packed) == 0 or status(packed) >= PROVEN or depth == work.max_depth:
            break
        node = select(game, s, node, packed, work)
    work.anchor, work.loss = depth, work.reach
    for p in range(game.players + 1):
        work.gained[p] = 0.0
    for d in range(depth + 1):
        add_visits(work.path[d], work.batch, -work.loss * work.batch, work)
    return s


def weigh_anchor(work: SharedRecord) -> int:
    """The batch is made: what it gave takes the place of the losses, and what was not made after all does not count."""
    made = work.simulations - work.before
    for d in range(work.anchor + 1):
        node = work.path[d]
        if made < work.batch:
            add_visits(node, made - work.batch, work.loss * (work.batch - made), work)
        packed = packed_of(node, work)
        if status(packed) != PROVEN:
            move_mean(node, work.gained[chooser(packed)] + work.loss * made, 0, visits_of(node, work), work)
    return made


def simulate_shared(game: Game, start: State, work: SharedRecord) -> int:
    """One simulation from the state of the anchor. Its path below counts as lost while it is played."""
    s = descend(game, start, max(work.anchor, 0), work)
    node, top = work.path[work.depth], work.anchor + 1
    packed = packed_of(node, work)
    ended = status(packed) == OPEN and is_proven(game, s, work)
    loss = work.reach
    lose(loss, top, work)
    if status(packed) == PROVEN:
        recall(node, packed, work)
    else:
        plies = play_on(game, s, packed, work)
        if plies < 0 or work.stopped != 0:
            return take_back(loss, top, work)
        weigh(game, ended or plies < work.plies, work)
    settle(game, loss, top, work)
    for p in range(game.players):
        work.gained[p] += work.utility[p]
    if len(work.trail) > 1:
        learn(game, work)
    if ended and work.stopped == 0:
        conclude(node, work.depth, work)
    return 1


class Together:
    """Calls of `search_shared` in several threads that look like one call of `search`: it takes the same and gives the sum."""

    def __init__(self, run: Callable[..., SharedRecord], threads: int, seed: int, interpreted: bool):
        self._run, self._threads, self._seed, self._interpreted = run, threads, seed, interpreted
        self._works: list[SharedRecord] = []
        self._pool = ThreadPoolExecutor(threads)

    def __call__(self, stop: Stop, limit: int, **given: Any) -> SharedRecord:
        if not self._works:
            work = self._run(limit=0, **given)
            if work.stopped:
                return work
            self._works = self._divide(given, work)
        while True:
            left = limit - sum(int(work.simulations) for work in self._works)
            common = Words(COMMON, self._interpreted)
            again = {"limit": left, "common": common.table, "stopped": 0, "doubt": 0}
            list(self._pool.map(partial(self._run, stop, **again), self._works))
            done = _sum_of(self._works)
            if not done.doubt:
                return done
            for work in self._works:  # nobody runs now: a good time to forget
                self._run(None, work, limit=0, doubt=1)
            if stop.is_set:
                return done

    def _divide(self, given: dict[str, Any], work: SharedRecord) -> list[SharedRecord]:
        """A record for each thread, with a part of what is left of the pool and random words of its own."""
        used, each = int(work.used), (int(work.node_room) - int(work.used)) // self._threads
        works = []
        for number in range(self._threads):
            base = used + number * each
            place = {"base": base if number else 0, "used": base, "node_room": base + each, "random": first_word(self._seed, number)}
            works.append(self._run(None, None, **given | place))
        return works


def _sum_of(works: list[SharedRecord]) -> SharedRecord:
    """The records of all threads as that of one search."""
    total = copy(works[0])
    for name in ("simulations", "playouts"):
        setattr(total, name, sum(int(getattr(work, name)) for work in works))
    for name in ("deepest", "widest", "stopped", "doubt"):
        setattr(total, name, max(int(getattr(work, name)) for work in works))
    total.solver = min(int(work.solver) for work in works)
    total.sums = np.sum([np.asarray(work.sums) for work in works], axis=0).tolist()
    return total

"""Tree parallel: threads that grow one tree.

Every thread has a record and a part of the pool of its own, in which it opens nodes; the nodes are read and written by all. No
word is ever torn, but two threads may write to the same one: then a visit or what it gave is lost, or a leaf is opened twice and
one of its families forgotten. What holds all the same: a path leads only through nodes that are complete, since a family is hung
into the tree (`publish`) after it was written; no thread writes beyond its part; proven values are right (`solver.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import numpy as np

from ...bits import u64
from ...game import Game, State
from ...lower.memory import load, store
from ..evaluation import is_proven
from ..montecarlo import first_word
from ..stop import Stop
from .node import OPEN, PROVEN, packed_of, status
from .record import KEPT, TreeRecord
from .rollout_policies import learn
from .simulation import begin, descend, play_on, weigh
from .solver import conclude, forget_proofs, recall
from .virtual_loss import lose, settle, take_back

GOING_ON = ("simulations", "random", *KEPT)


class SharedRecord(TreeRecord):
    """The record of a thread that shares a tree."""

    signal: int  # where in the pool the word is that ends all


def search_shared(game: Game, work: SharedRecord) -> int:
    """Like `search`, until any of the threads ends before its limit. With a limit of 0 it only prepares the tree for the threads."""
    start = game.unpack(work.start)
    if work.limit == 0:
        store(work.pool, work.signal, u64(0))
        return begin(game, start, work) if work.doubt == 0 else forget_proofs(work)
    while (
        work.simulations < work.limit
        and work.stopped == 0
        and (work.stop == 0 or work.simulations == 0)
        and load(work.pool, work.signal) == 0
    ):
        simulate_shared(game, start, work)
    if work.stopped != 0:
        store(work.pool, work.signal, u64(1))
    return 0


def simulate_shared(game: Game, start: State, work: SharedRecord) -> int:
    """One simulation, whose path counts as lost while it is played."""
    s = descend(game, start, work)
    node = work.path[work.depth]
    packed = packed_of(node, work)
    ended = status(packed) == OPEN and is_proven(game, s, work)
    loss = work.reach
    lose(loss, work)
    if status(packed) == PROVEN:
        recall(node, packed, work)
    else:
        plies = play_on(game, s, packed, work)
        if plies < 0 or work.stopped != 0:
            return take_back(loss, work)
        weigh(game, ended or plies < work.plies, work)
    settle(game, loss, work)
    if len(work.trail) > 1:
        learn(game, work)
    if ended and work.stopped == 0:
        conclude(node, work.depth, work)
    return 1


class Together:
    """Calls of `search_shared` in several threads that look like one call of `search`: it takes the same and gives the sum."""

    def __init__(self, run: Callable[..., SharedRecord], threads: int, seed: int):
        self._run, self._threads, self._seed = run, threads, seed
        self._own: list[dict[str, Any]] = []  # what each thread's record goes on with

    def __call__(self, stop: Stop, limit: int, **given: Any) -> SharedRecord:
        if not self._own:
            work = self._run(limit=0, **given)
            if work.stopped:
                return work
            self._divide(work)
        while True:
            with ThreadPoolExecutor(self._threads) as workers:
                done = list(workers.map(lambda own: self._run(stop, **given | own), self._shares(limit)))
            self._own = [own | {name: getattr(work, name) for name in GOING_ON} for own, work in zip(self._own, done, strict=True)]
            if not any(work.doubt for work in done):
                return _sum_of(done)
            for own in self._own:  # nobody runs now: a good time to forget
                self._run(**given | own | {"limit": 0, "doubt": 1})
                own["solver"] = 0
            if stop.is_set:
                return _sum_of(done)

    def _divide(self, work: TreeRecord) -> None:
        """A part of what is left of the pool for each thread, and random words of its own."""
        used, each = int(work.used), (int(work.node_room) - int(work.used)) // self._threads
        zeros = {"simulations": 0, "playouts": 0, "deepest": 0, "sums": [[0.0] * len(row) for row in work.sums]}
        for number in range(self._threads):
            base = used + number * each
            place = {"base": base if number else 0, "used": base, "node_room": base + each}
            self._own.append(zeros | place | {"random": first_word(self._seed, number), "reach": work.reach, "solver": work.solver})

    def _shares(self, limit: int) -> list[dict[str, Any]]:
        """What each thread goes on with, up to a limit of its own."""
        left = limit - sum(int(own["simulations"]) for own in self._own)
        parts = [(left + self._threads - 1 - number) // self._threads for number in range(self._threads)]
        return [own | {"limit": int(own["simulations"]) + part} for own, part in zip(self._own, parts, strict=True)]


def _sum_of(done: list[SharedRecord]) -> SharedRecord:
    """The records of all threads as that of one search."""
    total = copy(done[0])
    for name in ("simulations", "playouts"):
        setattr(total, name, sum(int(getattr(work, name)) for work in done))
    for name in ("deepest", "widest", "stopped"):
        setattr(total, name, max(int(getattr(work, name)) for work in done))
    total.solver = min(int(work.solver) for work in done)
    total.sums = np.sum([np.asarray(work.sums) for work in done], axis=0).tolist()
    return total

"""Leaves judged from outside, many at a time: by an evaluator (`evaluator.py`), or by many playouts of each (`leaf_playouts.py`).

The tree grows natively until a batch of leaves waits, each under a virtual loss; they are judged in Python; the next call begins
by backing up what was said. A simulation that comes to a leaf that waits already ends the batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ...bits import i64, u64
from ...game import Game, State
from ...lower.memory import load, store, to_real, to_word
from ..evaluation import is_proven, proven_value
from ..montecarlo import MAX_CHILDREN
from ..records import WORDS, room
from ..stop import Stop
from .node import OPEN, PROVEN, WAITING, action_of, child_count, first_child, packed_of, set_packed, set_prior, status
from .record import KEPT_FIELDS, TreeRecord
from .simulation import back_up, begin, descend, expand, weigh
from .solver import conclude, recall
from .virtual_loss import lose, settle

Array = np.ndarray[Any, Any]
DEPTH, COUNT, LOSS, VALUES = 0, 1, 2, 3  # a row of the queue; after the values the state, the path, and its actions or their priors


class Judge(Protocol):
    """Who says what leaves are worth."""

    asks: bool  # whether it wants to know their actions, and gives priors for them

    def __call__(
        self, states: np.ndarray[Any, Any], actions: list[list[int]]
    ) -> tuple[list[np.ndarray[Any, Any]] | None, np.ndarray[Any, Any]]:
        """The priors of each leaf's actions, and the values of each leaf for each player."""
        ...


class LeafRecord(TreeRecord):
    """The record of a search whose leaves are judged from outside."""

    queue: int
    row: int  # words of a row
    batch: int
    end: int  # simulations in all
    waiting: int
    asking: int  # whether priors come with the values
    state: list[u64] = room(WORDS)


# ---- the algorithm -----------------------------------------------------------------------------


def search_leaves(game: Game, work: LeafRecord) -> int:
    """Back up what was said packed the leaves that wait, and collect the next."""
    start = game.unpack(work.start)
    fresh = work.used == 0 or first_child(packed_of(0, work)) == 0
    begin(game, start, work)
    answer(game, work)
    if fresh and work.asking != 0 and work.stopped == 0:
        work.depth = 0
        queue(game, start, 0, 0.0, work)  # only its priors are needed
        return 1
    while work.simulations + work.waiting < work.end and work.waiting < work.batch and work.stopped == 0:
        if work.waiting == 0 and work.simulations >= work.limit:  # a batch is whole, wherever the limit of this call is
            return 0
        if work.stop != 0 and work.simulations + work.waiting > 0:
            return work.waiting
        if not collect(game, start, work):
            return work.waiting
    return work.waiting


def collect(game: Game, start: State, work: LeafRecord) -> bool:
    """Selection and expansion; a leaf that is not terminal then waits. Whether to go on."""
    s = descend(game, start, 0, work)
    node = work.path[work.depth]
    packed = packed_of(node, work)
    if work.stopped != 0 or status(packed) & WAITING != 0:
        return False
    if status(packed) == PROVEN:
        recall(node, packed, work)
    elif is_proven(game, s, work):
        for p in range(game.players):
            work.utility[p] = proven_value(game, s, p, work)
        weigh(game, True, work)
    else:
        if work.asking != 0 and work.depth < work.max_depth:
            expand(game, s, node, work)
        return queue(game, s, node, work.reach, work)
    work.simulations += 1
    back_up(game, work.depth, work)
    if status(packed) == OPEN:
        conclude(node, work.depth, work)
    return True


def queue(game: Game, s: State, node: int, loss: float, work: LeafRecord) -> bool:
    """Let the leaf at the end of the path wait; whether there was room for its actions."""
    count = 0
    at = work.waiting * work.row
    actions = at + VALUES + game.players + len(work.state) + work.max_depth + 1
    packed = packed_of(node, work)
    if work.asking != 0:
        count = game.fill(s, work.moves)
        if count > min(len(work.moves), MAX_CHILDREN):
            work.widest = count
            work.stopped = 1
            return False
        for i in range(count):
            store(work.queue, actions + i, u64(work.moves[i]))
        if first_child(packed) != 0:  # its children have an order of their own, and some of the root's may be barred
            count = child_count(packed)
        for i in range(child_count(packed)):
            store(work.queue, actions + i, u64(action_of(first_child(packed) + i, work)))
    store(work.queue, at + DEPTH, u64(work.depth))
    store(work.queue, at + COUNT, u64(count))
    store(work.queue, at + LOSS, to_word(loss))
    at += VALUES + game.players
    game.pack(s, work.state)
    for i in range(len(work.state)):
        store(work.queue, at + i, work.state[i])
    for d in range(work.depth + 1):
        store(work.queue, at + len(work.state) + d, u64(work.path[d]))
    set_packed(node, packed | WAITING, work)
    if work.depth > 0:
        lose(loss, 0, work)
    work.waiting += 1
    return True


def answer(game: Game, work: LeafRecord) -> int:
    """Back-propagation of what the queue says now."""
    for k in range(work.waiting):
        at = k * work.row
        path = at + VALUES + game.players + len(work.state)
        work.depth = i64(load(work.queue, at + DEPTH))
        for d in range(work.depth + 1):
            work.path[d] = i64(load(work.queue, path + d))
        node = work.path[work.depth]
        packed = packed_of(node, work) ^ WAITING
        set_packed(node, packed, work)
        if work.asking != 0:
            first = first_child(packed)
            for i in range(child_count(packed)):
                set_prior(first + i, to_real(load(work.queue, path + work.max_depth + 1 + i)), work)
        for p in range(game.players):
            work.utility[p] = to_real(load(work.queue, at + VALUES + p))
        weigh(game, False, work)
        if work.depth > 0:
            settle(game, to_real(load(work.queue, at + LOSS)), 0, work)
    work.waiting = 0
    return 0


# ---- in Python ---------------------------------------------------------------------------------


class Asking:
    """Calls of `search_leaves`, with a judge between them, that look like one call of `search`."""

    def __init__(self, run: Callable[..., Any], game: Game, judge: Judge, batch: int, deep: int, width: int, end: int):
        self._run, self._judge, self._width, self._words = run, judge, width, game.layout.words
        self._state = VALUES + game.players
        self._actions = self._state + self._words + deep + 1
        row = self._actions + (width if judge.asks else 0)
        self._rows = np.zeros((batch, row), np.uint64)  # lazily taken: paths are short
        self._given = {"row": row, "batch": batch, "asking": int(judge.asks), "end": end}

    def __call__(self, stop: Stop, **given: Any) -> Any:
        """Simulations up to the limit; what waits when somebody asks to stop is still judged."""
        given |= self._given | {"queue": self._rows.reshape(-1) if isinstance(given["pool"], dict) else self._rows.ctypes.data}
        while True:
            work = self._run(stop, **given)
            if not work.waiting or work.widest > 0:
                return work
            self._ask(self._rows[: int(work.waiting)])
            given |= {name: getattr(work, name) for name in ("simulations", "random", "waiting", *KEPT_FIELDS)}

    def _ask(self, rows: Array) -> None:
        counts = rows[:, COUNT].astype(int)
        ends = self._actions + counts
        actions = [row[self._actions : end].view(np.int64).tolist() for row, end in zip(rows, ends, strict=True)]
        priors, values = self._judge(rows[:, self._state : self._state + self._words].copy(), actions)
        rows[:, VALUES : self._state] = np.ascontiguousarray(values, np.float64).view(np.uint64)
        for row, end, given in zip(rows, ends, priors or [], strict=priors is not None):
            row[self._actions : end] = np.ascontiguousarray(given, np.float64).view(np.uint64)

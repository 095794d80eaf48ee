"""Threads that deepen one search side by side (Lazy SMP): they share the transposition table, and nothing else while they run.

Each thread deepens by itself until the move is found, with a record and ordering heuristics of its own. Two of three helpers search a ply
or two ahead, so that not all do the same. The first thread that finishes a depth has its Result. Threads that are not deeper by then give
up their depth, and begin the next one with what the table has of it. If the search is stopped within a depth, the threads vote.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace

from ...lower.memory import Words
from ..deepening import Progress
from ..searcher import Result
from ..stop import Stop
from ..table import ENDLESS
from .sharing import CLAIMS

MAIN = 0  # the number of the thread that gives the Results
VOTE_MARGIN = 0.001  # is added to the weight of each vote, or the worst value would have none; in chess a tenth of a pawn


@dataclass(frozen=True)
class Answer:
    """What a thread found at a depth."""

    depth: int
    result: Result


class Team:
    """The threads of one search. `search` searches one depth, `reorder` orders the root's actions for the next one."""

    def __init__(self, search: Callable[[Progress], Result], reorder: Callable[[Progress, Result], None], deepest: int | None):
        self._search, self._reorder, self._deepest = search, reorder, ENDLESS if deepest is None else deepest
        self._lock = threading.Lock()
        self._words = Words(CLAIMS, interpreted=False)
        self.claims = self._words.table
        self._tasks: dict[int, tuple[int, Stop]] = {}  # by thread: the depth that it searches, and the request to give it up
        self._answers: dict[int, Answer] = {}  # by thread: the last one
        self._finished: Answer | None = None  # the deepest that is finished
        self._nodes = self._evaluations = 0  # of helpers, since the last Result
        self._is_over = False

    @contextmanager
    def helping(self, at: Progress, threads: int) -> Iterator[None]:
        """Helpers search from this depth on, while this lasts."""
        with at.stop.telling(self._end), ThreadPoolExecutor(threads - 1) as pool:
            try:
                helpers = [pool.submit(self._help, i, _beside(at, i)) for i in range(1, threads)]
                yield
            finally:
                self._end()
        for helper in helpers:
            helper.result()  # or what went wrong in it

    def one_depth(self, at: Progress) -> Result:
        """The Result of this depth by the first thread that has it, or of a deeper one: then `at.depth` says so."""
        outer, left = at.stop, at.left
        if self._finished is None or self._finished.depth < at.depth:
            at.stop = self._begin(MAIN, at.depth)
            result = self._search(at)
            self._tell(MAIN, at, result, is_finished=not at.stop.is_set and not 0 < left <= result.nodes)
            at.stop = outer
            nodes, evaluations = result.nodes, result.evaluations
        else:
            nodes = evaluations = 0
        best = self._finished
        if best is not None and best.depth >= at.depth:
            at.depth, result = best.depth, best.result
            if result.exact or at.depth >= self._deepest:
                at.helpers.close()
        else:
            at.helpers.close()
            at.ended = True
            result = self._voted(result)
        return self._counted(result, nodes, evaluations)

    def _voted(self, result: Result) -> Result:
        """Of a depth that nobody has finished, the Result for whose action the threads vote.

        Each votes by what it has found beyond the last depth that was finished, else by the Result of that depth. A vote weighs the depth,
        times what the value exceeds the worst by.
        """
        last = self._finished
        answers = [a if last is None or a.depth > last.depth else last for a in self._answers.values()]
        if not answers:
            return result
        votes, worst = defaultdict[int | None, float](float), min(a.result.value for a in answers)
        for a in answers:
            votes[a.result.action] += a.depth * (a.result.value - worst + VOTE_MARGIN)
        return max(answers, key=lambda a: (a.result.exact, votes[a.result.action], a.depth, a.result.value)).result

    def _counted(self, result: Result, nodes: int, evaluations: int) -> Result:
        """The Result with the nodes of the main thread and of helpers."""
        with self._lock:
            nodes, evaluations = nodes + self._nodes, evaluations + self._evaluations
            self._nodes = self._evaluations = 0
        return replace(result, nodes=nodes, evaluations=evaluations)

    def _help(self, i: int, at: Progress) -> None:
        """Deepen as helper i until the search is over, or its nodes are."""
        first, share, nodes = at.depth, at.left, 0
        while True:
            best = self._finished
            if best is not None:
                first, at.last = best.depth + 1, best.result.value
                self._reorder(at, best.result)
            if first > self._deepest or self._is_over:
                return
            at.depth = min(first + ahead(i), self._deepest)
            at.stop = self._begin(i, at.depth)
            at.left = max(0, share - nodes)
            result = self._search(at)
            nodes += result.nodes
            is_spent = 0 < share <= nodes
            at.memory.history = at.cuts
            self._tell(i, at, result, is_finished=not at.stop.is_set and not is_spent)
            with self._lock:
                self._nodes, self._evaluations = self._nodes + result.nodes, self._evaluations + result.evaluations
            if result.exact or is_spent:
                return

    def _begin(self, i: int, depth: int) -> Stop:
        """Thread i begins this depth; the request to give it up."""
        stop = Stop()
        with self._lock:
            self._tasks[i] = depth, stop
            if self._is_over or (self._finished is not None and self._finished.depth >= depth):
                stop.set()
        return stop

    def _tell(self, i: int, at: Progress, result: Result, *, is_finished: bool) -> None:
        """Thread i found this. If it is the first to finish the depth, those that are not deeper give theirs up."""
        with self._lock:
            del self._tasks[i]
            if result.scores:
                self._answers[i] = Answer(at.depth, result)
            if is_finished and (self._finished is None or self._finished.depth < at.depth):
                self._finished = Answer(at.depth, result)
                for depth, stop in self._tasks.values():
                    if depth <= at.depth:
                        stop.set()

    def _end(self) -> None:
        """Ask all threads to stop."""
        with self._lock:
            self._is_over = True
            for _, stop in self._tasks.values():
                stop.set()


def ahead(i: int) -> int:
    """Plies that helper i searches deeper than the next depth."""
    return i % 3


def _beside(at: Progress, i: int) -> Progress:
    """The search as helper i goes on with it."""
    other = copy(at)
    other.memory, other.record, other.moves = at.memory.beside(i), None, list(at.moves)
    other.cuts = at.cuts if other.memory.history is None else other.memory.history
    return other

"""Iterative deepening as all searches by depth share it: depth 1, 2, ... until the end of the game is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from ..bits import i64
from ..game import CHANCE, Game, State
from ..history import History
from .bounds import bounds_of
from .depth_first import ENDLESS_GAME, FIRST_PLIES, DepthFirst
from .evaluation import estimates
from .prepare import width_of, with_room
from .searcher import Result, Searcher, Stopwatch, line_of
from .stop import Stop
from .table import ENDLESS, KeptTable, Memory

R = TypeVar("R", bound=DepthFirst)


@dataclass
class Progress:
    """A search on its way: what its depths have in common, and what the next one is to do."""

    game: Game
    s: State
    stop: Stop
    memory: Memory
    watch: Stopwatch = field(default_factory=Stopwatch)
    depth: int = 0
    left: int = 0  # nodes that may be spent, 0 for no limit
    spent: int = 0  # nodes of the depths before
    whole: int = 0  # nodes that searches to the end of the game took without an answer
    last: float | None = None  # the value that the depth before found
    ended: bool = False  # whether the last depth met nothing but ends of the game
    went_on: bool = False  # whether the last depth went on beyond itself everywhere, as far as the next one would
    history: History | None = None  # of the game that led to s, if it is known
    cuts: Any = None  # the history heuristic of the depth before, or of an earlier search with this table
    record: Any = None  # the work record of the depth before, if the next one goes on with it
    is_sampled: bool = False  # whether any depth looked at some outcomes of chance only: the table may hold what it found
    team: Any = None  # what the threads of this search have in common, if there are others
    helpers: ExitStack = field(default_factory=ExitStack)  # those threads, which end with it

    def __post_init__(self) -> None:
        self.order = list(self.game.actions(self.s) if self.history is None else self.history.actions())
        self.past = [] if self.history is None else list(self.history.past)
        self.cuts = self.memory.history
        self.moves = self.order  # the root's actions as they are to be tried
        mover = self.game.to_move(self.s)
        self.me = 0 if mover == CHANCE else mover  # whose value is told: chance has none of its own
        self.is_chance = mover == CHANCE

    def prefer(self, action: int) -> None:
        """Try this action of the root first, so that a depth that is stopped early still has it as its answer."""
        self.moves = [action, *(a for a in self.order if a != action)]

    def first(self, width: int, interpreted: bool) -> list[int]:
        """The root's actions as a row for the work record, where native code has them signed."""
        moves = self.moves if interpreted else list(map(i64, self.moves))
        return moves[:width] + [0] * (width - len(moves))


@dataclass(frozen=True, kw_only=True)
class Deepening(Searcher, Generic[R]):
    """A search by depth 1, 2, ...; chance counts as a ply. What a depth is, a subclass tells in `_iterate`.

    Where chance is to move in the state to search, there is nothing to choose: `action` is None, `scores` are
    those of the outcomes that were searched, and `value` is player 0's.
    """

    needs_an_end = True

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: KeptTable | None) -> Iterator[Result]:
        """Yield the Result of each depth; a depth that was not finished counts as far as it came. `kept` has a table to go on with."""
        self._accept(game)
        s, n, over = self._opening(game, state, stop)
        if over is not None:
            yield over
            return
        stop = stop or Stop()
        self._prepare(game, FIRST_PLIES, width_of(game, n))  # compiling is not searching
        history = state if isinstance(state, History) else None
        memory = self._memory() if kept is None else kept.memory(self._memory, () if history is None else history.past)
        at, best = Progress(game, s, stop, memory, history=history), None
        nodes = evaluations = 0
        with stop.after(self.seconds), at.helpers:
            for depth in self._depths():
                if at.went_on and depth != self.depth:
                    at.went_on = False
                    continue
                if depth is not None and depth <= at.depth:  # another thread was quicker
                    continue
                at.depth = ENDLESS if depth is None else min(depth, ENDLESS)
                at.left, at.spent = 0 if self.nodes is None else max(1, self.nodes - nodes), nodes
                result = self._one_depth(at)
                memory.history = at.cuts
                nodes, evaluations = nodes + result.nodes, evaluations + result.evaluations
                if result.scores or best is None:
                    best = _summed(result, best, None if depth is None else max(depth, at.depth), nodes, evaluations)
                    at.last = best.value
                    yield best
                if at.ended or not result.scores or stop.is_set or (self.nodes is not None and nodes >= self.nodes):
                    return
                self._reorder(at, result)

    def _depths(self) -> Iterator[int | None]:
        """The depths to search, None for the end of the game."""
        yield from range(1, self.depth or 4096)
        yield self.depth

    def _one_depth(self, at: Progress) -> Result:
        """Search one depth, with as much room as it needs."""
        width = width_of(at.game, len(at.moves))
        return self._result(at, with_room(lambda *room: self._iterate(at, *room), FIRST_PLIES, width, ENDLESS_GAME))

    def _reorder(self, at: Progress, result: Result) -> None:
        """Let the next depth try the root's actions in the order that this one suggests."""
        if result.action is not None:
            at.prefer(result.action)

    def _accept(self, game: Game) -> None:
        """Refuse games that this search cannot play."""

    def _memory(self) -> Memory:
        """The table that the depths share; the smallest for a search that has none."""
        return Memory(0, self.interpreted)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., R]:
        """The algorithm, ready to run with this room."""
        raise NotImplementedError

    def _iterate(self, at: Progress, plies: int, width: int) -> R:
        """Search one depth; the work record."""
        raise NotImplementedError

    def _result(self, at: Progress, work: R) -> Result:
        """What the record of a depth says."""
        raise NotImplementedError


def _summed(result: Result, best: Result | None, depth: int | None, nodes: int, evaluations: int) -> Result:
    """The Result of this depth with the nodes of all; a depth that was not begun leaves the answer of the one before."""
    if best is not None and not result.scores:
        result = replace(best, seconds=result.seconds)
    return replace(result, depth=result.depth if depth is None or result.exact else depth, nodes=nodes, evaluations=evaluations)


def answer(at: Progress, work: DepthFirst, values: tuple[float, ...], is_pruned: bool = False) -> Result:
    """The record of a depth as a Result, where `values` is what the best action or chance is worth to each player.

    A chance node of which some outcomes are missing is worth nothing known, nor is a state none of whose actions
    was searched: they have no scores, and `evaluate` for their values. Where a search prunes, scores after the best are bounds.
    """
    searched = int(work.searched)
    if searched < len(at.moves) and at.is_chance:
        searched = 0
    if not searched:
        values = estimates(at.game, at.s)
    values = tuple(v + 0.0 for v in values)  # a zero has no sign
    at.ended = not work.stopped and not work.cutoffs
    at.went_on = at.game.unseen_kinds != 0 and not work.stopped and not work.in_time
    action = None if at.is_chance else at.moves[int(work.best)]
    line = line_of(at.game, at.s, work.lines[0]) if searched else ()
    scores = {a: float(v) + 0.0 for a, v in zip(at.moves[:searched], work.scores) if math.isfinite(v)}
    return Result(
        action=action,
        value=values[at.me],
        values=values,
        line=line or (() if action is None else (action,)),
        depth=int(work.deepest),
        nodes=int(work.nodes),
        evaluations=int(work.evaluations),
        seconds=at.watch.seconds,
        scores=scores,
        exact=at.ended and not at.is_sampled,
        bounds=bounds_of(scores) if is_pruned and not at.is_chance else {},
    )

"""What depth-first searches share: their record, how they visit a state and value a leaf, the best line, the Result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..bits import u64
from ..game import Game, State
from ..history import History
from . import forbidden
from .bounds import bounds_of
from .endgames.probe import Probing
from .evaluation import enter_ply, estimate_at
from .forbidden import Forbidding, forbidden_by_history
from .model.record import Judging
from .notes import END, STATIC, Watched, enter, note
from .prepare import width_of, with_room
from .records import PLIES, WIDTH, WORDS, Grows, Record, listed, room
from .searcher import Result, Searcher, Stopwatch, line_of, two_players
from .signed_actions import own_actions
from .stop import Stop
from .zero_sum import Opposing, opposed_value, refuse_ends

INFINITE = math.inf
FIRST_PLIES = 128  # room for lines at first
ENDLESS_GAME = "the game may have no end: expected a depth to stop at"


class Limited(Record):
    """The record of a search that may be stopped, and counts what it looks at."""

    limit: int  # nodes, 0 for no limit
    stop: int
    stopped: int
    nodes: int
    evaluations: int


class Lists(Grows):
    """The record of a search that lists the actions of each state on its path."""

    stopped: int
    moves: list[list[int]] = room(PLIES, WIDTH)


class DepthFirst(Limited, Lists, Forbidding, Watched, Judging, Probing, Opposing):
    """The record of a depth-first search."""

    start: list[u64] = room(WORDS)
    depth: int
    cutoffs: int  # states that were evaluated because the depth was spent
    in_time: int  # of these, where a model knows some kinds of states alone, those at which the search did not go on beyond the depth
    scores: list[float] = room(WIDTH)
    searched: int  # actions of the root that have a score
    best: int
    lines: list[list[int]] = room(PLIES + 1, PLIES + 2)  # at each ply the best line from there: its length, its actions


class Rooted(DepthFirst):
    """The record of a search whose root tries its actions in a given order."""

    root_count: int
    root_moves: list[int] = room(WIDTH)


# ---- lowered -----------------------------------------------------------------------------------


def visit(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: DepthFirst) -> bool:
    """Begin a visit of s: count it and clear its line. False if the search must stop here."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return False
    work.lines[ply][0] = 0
    enter_ply(game, ply, work)
    enter(game, s, me, depth, alpha, beta, ply, work)
    return True


def must_stop(work: Limited) -> bool:
    """Whether the nodes are spent or somebody asked to stop (looked up now and then: it costs a read)."""
    if work.limit > 0 and work.nodes > work.limit:
        return True
    return work.stopped != 0 or (work.nodes & 255 == 0 and work.stop != 0)


def proven_leaf(game: Game, s: State, me: int, ply: int, work: DepthFirst) -> float:
    """The value of a state that is proven, to `me`."""
    work.evaluations += 1
    v = opposed_value(game, s, me, work)
    note(END, ply, me, 0, v, 0.0, work)
    return v


def estimated_leaf(game: Game, s: State, me: int, ply: int, work: DepthFirst) -> float:
    """The value of a state where the depth is spent, to `me`."""
    work.evaluations += 1
    work.cutoffs += 1
    if game.unseen_kinds != 0:
        work.in_time += 1 if ply == work.depth else 0
    v = estimate_at(game, s, me, ply, work)
    note(STATIC, ply, me, 0, v, 0.0, work)
    return v


def actions(game: Game, s: State, ply: int, work: Lists) -> int:
    """Write the actions of s into the row of this ply; how many there are. If they do not fit, the search ends: `widest` says so."""
    return fitting(game.fill(s, work.moves[ply]), ply, work)


def fitting(n: int, ply: int, work: Lists) -> int:
    """How many of n actions are in the row of this ply. Nothing that was found with some of them missing may get into a table."""
    work.widest = max(work.widest, n)
    if n > len(work.moves[ply]):
        work.stopped = 1
    return min(n, len(work.moves[ply]))


def keep_line(ply: int, a: int, work: DepthFirst) -> int:
    """The best line from this ply is now a and the best line from the next; its length."""
    n = work.lines[ply + 1][0]
    work.lines[ply][0] = n + 1
    work.lines[ply][1] = a
    for k in range(1, n + 1):
        work.lines[ply][k + 1] = work.lines[ply + 1][k]
    return n + 1


def score_root_action(i: int, v: float, best: float, work: DepthFirst) -> float:
    """The root's action at place i is worth v: keep its score, and its line if it is better than `best`; the better of the two."""
    work.scores[i] = v
    work.searched = i + 1
    if v > best:
        work.best = i
        keep_line(0, work.moves[0][i], work)
    return max(v, best)


# ---- around it ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Whole(Searcher):
    """A search that goes to its depth at once, without deepening."""

    needs_an_end, opposes = True, True
    #: whether scores of the root's actions may be bounds
    prunes: ClassVar[bool] = False

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield one Result: nothing is known before the end (if it is stopped, what it saw by then)."""
        two_players(type(self).__name__, game)
        s, n, over = self._opening(game, state, stop)
        if over is not None:
            yield over
            return
        stop, width, bars = stop or Stop(), width_of(game, n), forbidden_by_history(game, state)
        first = self._prepare(game, FIRST_PLIES, width)  # compiling is not searching
        watch = Stopwatch()
        given = self._settings() | {
            "start": game.layout.pack(s),
            "limit": self.nodes or 0,
            "depth": -1 if self.depth is None else self.depth,
        }

        def attempt(plies: int, wide: int) -> DepthFirst:
            run = first if (plies, wide) == (FIRST_PLIES, width) else self._prepare(game, plies, wide)
            return run(stop, **given, **forbidden.given(bars, wide))

        with stop.after(self.seconds):
            work = with_room(attempt, FIRST_PLIES, width, ENDLESS_GAME)
        refuse_ends(type(self).__name__, game, work)
        yield result_of(game, s, work, watch, own_actions(game, s, work.moves[0][: max(1, int(work.searched))]), self.prunes)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., DepthFirst]:
        """The algorithm, ready to run with this room."""
        raise NotImplementedError

    def _settings(self) -> dict[str, int]:
        """What the algorithm needs beside the limits."""
        return {}


def result_of(game: Game, s: State, work: DepthFirst, watch: Stopwatch, moves: Sequence[int], prunes: bool) -> Result:
    """The record of a depth-first search as a Result; `moves` are the root's actions in the order in which they were searched.

    Of a search that prunes with the best score as alpha, the scores that are no better are bounds.
    """
    searched = int(work.searched)
    scores = {a: float(v) + 0.0 for a, v in zip(moves[:searched], listed(work.scores[:searched]))}  # a zero has no sign
    me, action = game.to_move(s), moves[int(work.best)]
    value = scores.get(action, 0.0)
    return Result(
        action=action,
        value=value,
        values=(value, -value) if me == 0 else (-value, value),
        line=line_of(game, s, work.lines[0]) or (action,),
        depth=int(work.deepest),
        nodes=int(work.nodes),
        evaluations=int(work.evaluations),
        seconds=watch.seconds,
        scores=scores,
        exact=not work.stopped and not work.cutoffs,
        bounds=bounds_of(scores) if prunes else {},
    )

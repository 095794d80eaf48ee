"""Minimax: the value of a state if both players play as well as can be.

    MINIMAX(s) = UTILITY(s, MAX)                          if IS-TERMINAL(s)
                 max over a of MINIMAX(RESULT(s, a))      if TO-MOVE(s) = MAX
                 min over a of MINIMAX(RESULT(s, a))      if TO-MOVE(s) = MIN

Cut off at a depth, EVAL takes the place of UTILITY (H-minimax). Depth first: time O(b^m), space O(bm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from . import forbidden
from .forbidden import lawful
from .notes import CHILD, END, STATIC, TRY, UNWATCHED, begin_again, enter, note
from .records import Fields, Stop, prepare, room_for
from .searcher import Clock, Result, Searcher, line_of, two_players

INFINITE = math.inf
PLIES = 128  # room for lines at first


@dataclass(frozen=True, kw_only=True)
class Whole(Searcher):
    """A search that goes to its depth at once, without deepening."""

    needs_an_end = True

    def deepen(self, game: Game, state: State | History | None = None, stop: Stop | None = None) -> Iterator[Result]:
        """Yield one Result: nothing is known before the end (if it is stopped, what it saw by then)."""
        two_players(type(self).__name__, game)
        s, over = self._opening(game, state, stop)
        if over is not None:
            yield over
            return
        stop = stop or Stop()
        width = width_of(game, game.count(s))
        self._prepare(game, PLIES, width)  # compiling is not searching
        clock = Clock()
        with stop.after(self.seconds):
            yield deep_enough(self._search, game, s, forbidden.barred(game, state), stop, clock, width=width)

    def _search(self, game: Game, s: State, barred: list[int], stop: Stop, clock: Clock, plies: int, width: int) -> tuple[Result, Any]:
        given = self._settings() | forbidden.given(barred, width) | {"depth": -1 if self.depth is None else self.depth}
        run = self._prepare(game, plies, width)
        work = run(stop, start=game.layout.pack(s), limit=self.nodes or 0, **given)
        return result_of(game, s, work, clock, [a for a in game.actions(s) if a not in barred]), work

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        """The algorithm, ready to run with this room."""
        raise NotImplementedError

    def _settings(self) -> dict[str, int]:
        """What the algorithm needs beside the limits."""
        return {}


@dataclass(frozen=True, kw_only=True)
class Minimax(Whole):
    """The pseudocode, and nothing else. A depth is counted in plies, or with rounds=True in moves of both sides:
    then it goes down only where player 1's turn ends.
    """

    rounds: bool = False

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return prepare(game, root, fields(game, plies, width), self.interpreted)

    def _settings(self) -> dict[str, int]:
        return {"rounds": int(self.rounds)}


def fields(game: Game, plies: int, width: int) -> Fields:
    """The record of a depth-first search: room for lines of `plies` and for `width` actions of a state."""
    return [
        ("start", "u8", (game.layout.words,)),
        ("depth", "i8", ()),
        ("rounds", "i8", ()),
        ("limit", "i8", ()),  # nodes, 0 for no limit
        ("stop", "i8", ()),
        ("stopped", "i8", ()),
        ("nodes", "i8", ()),
        ("evaluations", "i8", ()),
        ("cutoffs", "i8", ()),  # states that were evaluated because the depth was spent
        ("deepest", "i8", ()),
        ("widest", "i8", ()),
        ("scores", "f8", (width,)),
        ("searched", "i8", ()),  # actions of the root that have a score
        ("best", "i8", ()),
        ("moves", "i8", (plies, width)),
        *forbidden.fields(width),
        ("lines", "i8", (plies + 1, plies + 2)),  # at each ply the best line from there: its length, its actions
        UNWATCHED,
    ]


def root(game: Game, work: Any) -> int:
    """Every action of the start gets its score; the first of the best is the answer."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    if len(work.watch) > 1:
        enter(game, s, me, work.depth, -INFINITE, INFINITE, 0, work)
    n = lawful(work.moves[0], actions(game, s, 0, work), work)
    best = -INFINITE
    for i in range(n):
        if len(work.watch) > 1:
            note(TRY, 0, me, work.moves[0][i], 0.0, 0.0, work)
        v = minimax(game, game.result(s, work.moves[0][i]), after(game, s, work.depth, work), me, 1, work)
        if work.stopped != 0:
            return 0
        if len(work.watch) > 1:
            note(CHILD, 0, me, work.moves[0][i], v, best, work)
        work.scores[i] = v
        work.searched = i + 1
        if v > best:
            best = v
            work.best = i
            keep_line(0, work.moves[0][i], work)
    return 0


def minimax(game: Game, s: State, depth: int, me: int, ply: int, work: Any) -> float:
    """What s is worth to the player `me`."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    work.lines[ply][0] = 0
    if len(work.watch) > 1:
        enter(game, s, me, depth, -INFINITE, INFINITE, ply, work)
    if game.is_terminal(s):
        work.evaluations += 1
        if len(work.watch) > 1:
            note(END, ply, me, 0, game.utility(s, me), 0.0, work)
        return game.utility(s, me)
    if depth == 0:
        work.evaluations += 1
        work.cutoffs += 1
        if len(work.watch) > 1:
            note(STATIC, ply, me, 0, game.evaluate(s, me), 0.0, work)
        return game.evaluate(s, me)
    mine = game.to_move(s) == me
    best = -INFINITE if mine else INFINITE
    n = actions(game, s, ply, work)
    for i in range(n):
        a = work.moves[ply][i]
        if len(work.watch) > 1:
            note(TRY, ply, me, a, 0.0, 0.0, work)
        v = minimax(game, game.result(s, a), after(game, s, depth, work), me, ply + 1, work)
        if len(work.watch) > 1:
            note(CHILD, ply, me, a, v, best, work)
        if (mine and v > best) or (not mine and v < best):
            best = v
            keep_line(ply, a, work)
    return best


def after(game: Game, s: State, depth: int, work: Any) -> int:
    """The depth that is left after a move in s."""
    if work.rounds != 0 and game.to_move(s) != game.players - 1:
        return depth
    return depth - 1


# ---- shared by every depth-first search --------------------------------------------------------


def must_stop(work: Any) -> bool:
    """Whether the nodes are spent or somebody asked to stop (looked up now and then: it costs a read)."""
    if work.limit > 0 and work.nodes > work.limit:
        return True
    return work.stopped != 0 or (work.nodes & 255 == 0 and work.stop != 0)


def actions(game: Game, s: State, ply: int, work: Any) -> int:
    """Write the actions of s into the row of this ply; how many there are. If they do not fit, the search ends: `widest` tells."""
    return fitting(game.fill(s, work.moves[ply]), ply, work)


def fitting(n: int, ply: int, work: Any) -> int:
    """How many of n actions are in the row of this ply. Nothing that was found with some of them missing may get into a table."""
    work.widest = max(work.widest, n)
    if n > len(work.moves[ply]):
        work.stopped = 1
    return min(n, len(work.moves[ply]))


def keep_line(ply: int, a: int, work: Any) -> int:
    """The best line from this ply is now a and the best line from the next; its length."""
    n = work.lines[ply + 1][0]
    work.lines[ply][0] = n + 1
    work.lines[ply][1] = a
    for k in range(1, n + 1):
        work.lines[ply][k + 1] = work.lines[ply + 1][k]
    return n + 1


def width_of(game: Game, actions: int = 0) -> int:
    """The length of a row that holds so many actions, and those of any state as far as the game knows."""
    return room_for(max(game.max_actions, actions))


def deep_enough(search: Any, *given: Any, width: int) -> Result:
    """The Result of `search(..., plies, width)`, called again with more room where the first was not enough."""
    plies = PLIES
    while True:
        result, work = search(*given, plies, width)
        if work.deepest < plies and work.widest <= width:
            return result  # type: ignore[no-any-return]
        if work.deepest >= 4096:
            raise ZermeloError("the game may have no end: expected a depth to stop at")
        begin_again()
        plies, width = (plies * 2 if work.deepest >= plies else plies), max(width, room_for(int(work.widest)))


def result_of(game: Game, s: State, work: Any, clock: Clock, order: list[int] | None = None) -> Result:
    """The record of a depth-first search as a Result; `order` is that of the root's actions, if not the game's own."""
    moves = order or list(game.actions(s))
    scores = {a: float(v) + 0.0 for a, v in zip(moves[: int(work.searched)], work.scores)}  # a zero has no sign
    me = game.to_move(s)
    action = moves[int(work.best)]
    value = scores.get(action, 0.0)
    line = line_of(game, s, work.lines[0])
    values = tuple(value if p == me else -value for p in range(game.players))
    return Result(
        action=action,
        value=value,
        values=values,
        line=line or (action,),
        depth=int(work.deepest),
        nodes=int(work.nodes),
        evaluations=int(work.evaluations),
        seconds=clock.seconds,
        scores=scores,
        exact=not work.stopped and not work.cutoffs,
    )

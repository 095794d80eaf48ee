"""From the notes of a search (`search/notes.py`) to events: numbered visits, values for player 0, the ancestor behind each cutoff.

The ancestor is found by following each bound: a node inherits both from its parent, and owns a bound from the moment it
improves it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..game import CHANCE, Game
from ..search import notes as w
from ..search.alphabeta import engine
from ..search.mcts import simulation
from ..search.minimax import root as minimax_root
from ..search.puct.mixed import advance_mixed
from ..search.puct.puct import advance
from ..search.table import ENDLESS, EXACT, LOWER
from .events import (
    Average,
    BackUp,
    Child,
    Cut,
    Ended,
    Enter,
    Evaluate,
    Event,
    Expand,
    Futile,
    Iteration,
    Pass,
    Probe,
    Quiet,
    Reduced,
    Repeated,
    Research,
    Return,
    Select,
    Simulate,
    TableHit,
    Vector,
)

INFINITE = math.inf


def decode(game: Game, log: w.Log) -> list[Event]:
    """The events of everything noted."""
    events: list[Event] = []
    if log.runs and log.runs[0].function in (simulation.search, advance, advance_mixed):
        events.append(Iteration(0, None, -INFINITE, INFINITE))
        events += _simulations(game, _rows(log, log.runs[0].begin, log.runs[-1].end))
    else:
        node = 0
        for number, run in enumerate(log.runs):
            events.append(_iteration(number, run))
            decoder = _Visits(game, run, node)
            events += decoder.events(_rows(log, run.begin, run.end), complete=not log.is_full and not run.stopped)
            node = decoder.node
    stopped = bool(log.runs) and log.runs[-1].stopped
    return [*events, Ended("limit" if log.is_full else "stopped" if stopped else "done")]


def _iteration(number: int, run: w.Run) -> Iteration:
    depth = int(run.given.get("depth", -1))
    low, high = -INFINITE, INFINITE
    if run.function is engine.root:
        low, high = float(run.given["low"]), float(run.given["high"])
    return Iteration(number, None if depth < 0 or depth >= ENDLESS else depth, low, high)


def _rows(log: w.Log, begin: int, end: int) -> Iterator[tuple[int, int, int, int, float, float]]:
    """The notes as kind, ply, player, integer and two floats."""
    words = np.ascontiguousarray(log.notes(begin, end).T)
    head = words[0].astype(np.int64)
    columns = (head & 0xFF, head >> 8 & 0xFFFF, (head >> 24) - 1, words[1].view(np.int64), words[2].view(float), words[3].view(float))
    return zip(*(column.tolist() for column in columns), strict=True)


class _Frame:
    """An unfinished visit: its bounds, their owners, and the child in progress."""

    __slots__ = ("action", "again", "alpha", "alpha_by", "best", "beta", "beta_by", "child", "mover", "node", "of", "total")

    def __init__(self, node: int, mover: int, alpha: float, beta: float, alpha_by: int | None, beta_by: int | None):
        self.node, self.mover = node, mover
        self.alpha, self.beta, self.alpha_by, self.beta_by = alpha, beta, alpha_by, beta_by
        self.action: int | None = None  # being tried
        self.child = -1  # the visit it led to
        self.again = ""  # why the next visit searches the same action again
        self.best: float | None = None
        self.total = self.of = 0.0  # over the outcomes of chance


class _Visits:
    """The events of one run of a depth-first search; its visits are numbered from `node`."""

    def __init__(self, game: Game, run: w.Run, node: int):
        self.node = node
        self._players = game.players
        self._is_bounded = run.function is not minimax_root
        given = run.given.get("ours")
        #: for each player, whether high values are good: values are player 0's of two, else those of the searching side
        self._is_high = [p == 0 for p in range(2)] if game.players == 2 else [bool(o) for o in given or [1] * game.players]
        self._frames: list[_Frame] = []
        self._values: list[float] = []  # of the players, noted before the event they belong to
        self._out: list[Event] = []

    def _told(self, x: float, who: int) -> float:
        """The value x of player `who`, as events have it."""
        return x + 0.0 if who <= 0 or self._players != 2 else 0.0 - x

    def events(self, rows: Iterator[tuple[int, int, int, int, float, float]], complete: bool) -> list[Event]:
        """The events of the whole run."""
        out = self._out
        for kind, ply, who, a, x, y in rows:
            if kind == w.ENTER:
                self._enter(ply, who, a, x, y)
                continue
            frame = self._frames[ply]
            if kind in (w.TRY, w.PASS):
                frame.action, frame.again = (a if kind == w.TRY else None), ""
            elif kind == w.CHILD:
                self._child(frame, who, x, y)
            elif kind in (w.END, w.STATIC):
                values = tuple(self._values)
                self._values.clear()
                value = values[0] if values else self._told(x, who)
                out.append(Evaluate(frame.node, value, values if self._players != 2 else (), kind == w.END))
            elif kind == w.CUT:
                out.append(self._cut(frame, who, a, x, y))
            elif kind == w.VALUE:
                self._values.append(x)
            else:
                self._rest(kind, frame, who, a, x, y)
        if complete and self._frames and self._frames[0].best is not None:
            out.append(Return(self._frames[0].node, self._frames[0].best))
        return out

    def _enter(self, ply: int, who: int, depth: int, x: float, y: float) -> None:
        me, mover = who // 256 - 1, who % 256 - 1
        alpha, beta = (x + 0.0, y + 0.0) if me <= 0 or self._players != 2 else (0.0 - y, 0.0 - x)
        del self._frames[ply:]
        above = self._frames[-1] if ply else None
        alpha_by = beta_by = None
        if above is not None:
            # a bound that differs from the parent's derives from the other bound (a null window) or, at chance nodes, from the same one
            alpha_by = above.beta_by if alpha != above.alpha and beta == above.beta else above.alpha_by
            beta_by = above.alpha_by if beta != above.beta and alpha == above.alpha else above.beta_by
            above.child = self.node
            if above.again:
                self._out.append(Research(above.node, self.node, alpha, beta, above.again))
        self._frames.append(_Frame(self.node, mover, alpha, beta, alpha_by, beta_by))
        left = None if depth < 0 or depth > ENDLESS // 2 else depth
        parent, action = (None, None) if above is None else (above.node, above.action)
        self._out.append(Enter(self.node, parent, action, ply, left, alpha, beta, mover))
        self.node += 1

    def _child(self, frame: _Frame, who: int, x: float, y: float) -> None:
        value, high = self._told(x, who), self._is_high[frame.mover]
        before = self._told(y, who)
        taken = value > before if high else value < before
        if taken:
            frame.best = value
            if self._is_bounded and high and value > frame.alpha:
                frame.alpha, frame.alpha_by = value, frame.node
            elif self._is_bounded and not high and value < frame.beta:
                frame.beta, frame.beta_by = value, frame.node
        self._out.append(Return(frame.child, value))
        self._out.append(Child(frame.node, frame.child, value, taken, frame.alpha, frame.beta))

    def _cut(self, frame: _Frame, who: int, unseen: int, x: float, y: float) -> Cut:
        value, bound = self._told(x, who), self._told(y, who)
        from_below = value > bound if frame.mover == CHANCE else self._is_high[frame.mover]
        return Cut(frame.node, frame.beta_by if from_below else frame.alpha_by, bound, value, unseen)

    def _rest(self, kind: int, frame: _Frame, who: int, a: int, x: float, y: float) -> None:
        """The notes that only some searches make."""
        out, value = self._out, self._told(x, who)
        if kind == w.AGAIN:
            frame.again = "reduced" if a else "window"
            out.append(Return(frame.child, value))
        elif kind == w.STORED:
            bound, deep = a & 3, a >> 2
            is_lower = (bound == LOWER) == (who <= 0 or self._players != 2)
            name = "exact" if bound == EXACT else "lower" if is_lower else "upper"
            out.append(TableHit(self._frames[-1].node, value, name, None if deep >= ENDLESS else deep))
        elif kind == w.PASSED:
            out.append(Return(frame.child, value))
            out.append(Pass(frame.node, frame.child, value, x >= y))
        elif kind == w.FUTILE:
            out.append(Futile(frame.node, None if a == -1 else a, value))
        elif kind == w.SHALLOW:
            assert frame.action is not None
            out.append(Reduced(frame.node, frame.action, a))
        elif kind == w.REPEATED:
            out.append(Repeated(frame.node))
        elif kind == w.QUIET:
            out.append(Quiet(frame.node, None if math.isinf(x) else value))
        elif kind == w.PROBE:
            out.append(Return(frame.child, value))
            out.append(Probe(frame.node, frame.child, value))
        elif kind == w.AVERAGE:
            if not (out and isinstance(out[-1], Vector)):
                out.append(Return(frame.child, value))
            frame.total, frame.of = frame.total + y * value, frame.of + y
            frame.best = frame.total
            out.append(Average(frame.node, frame.child, y, value, frame.total, frame.of))
        elif kind == w.VECTOR:
            values = tuple(self._values)
            self._values.clear()
            seen = values[0 if self._players == 2 or frame.mover == CHANCE else frame.mover]
            out.append(Return(frame.child, seen))
            out.append(Vector(frame.node, frame.child, values, False))
        elif kind == w.TAKEN:
            last = out[-1]
            assert isinstance(last, Vector)
            out[-1] = replace(last, taken=True)
            frame.best = last.values[0 if self._players == 2 else frame.mover]


def _simulations(game: Game, rows: Iterator[tuple[int, int, int, int, float, float]]) -> Iterator[Event]:
    """The events of MCTS; nodes have the numbers of its tree."""
    visits: dict[int, int] = {0: 1}
    means: dict[int, float] = {}
    at, picked, values = 0, None, list[float]()
    began, given, simulations = False, 0.0, 0  # in all, to player 0
    for kind, ply, who, a, x, y in rows:
        if kind == w.VALUE:
            values.append(x)
        elif kind == w.BACKUP:
            visits[who], means[who], at = a, given / simulations if who == 0 and y < 0 else x, 0
            yield BackUp(who, a, means[who])
        elif kind == w.PICK:
            picked = x, y
        elif kind == w.GO:
            mean, bonus = picked or (means.get(who, 0.0), INFINITE if who not in visits else math.nan)
            yield Select(at, who, mean, bonus, visits.get(who, 0), visits[at], x)
            if who not in visits:
                visits[who] = 0
                yield Enter(who, at, a, ply, None, -INFINITE, INFINITE, int(y))
            at, picked = who, None
        elif kind == w.EXPAND:
            if not began:
                began = True
                yield Enter(0, None, None, 0, None, -INFINITE, INFINITE, int(x))
            yield Expand(who, a)
        elif kind == w.SIMULATE:
            yield Simulate(who, tuple(values), a)
            given, simulations = given + values[0], simulations + 1
            values.clear()

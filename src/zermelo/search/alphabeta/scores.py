"""Exact scores of states, by the search of `exact.py`: for `AlphaBeta.solve`, and for a search that can reach the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ..depth_first import ENDLESS_GAME, FIRST_PLIES, INFINITE, result_of
from ..mate_distance import next_float
from ..prepare import prepare, width_of, with_room
from ..searcher import Result, Stopwatch
from ..stop import Stop
from ..table import AGES, Memory
from ..zero_sum import refuse_ends
from . import exact
from .exact import Ending
from .solve import Solved, rows_of


class Valuing(Protocol):
    """What finds exact values, state after state: `Scores`, and `Superko` where no position may come back."""

    game: Game
    nodes: int
    watch: Stopwatch

    def value(self, s: State) -> float | None: ...


@dataclass
class Scores:
    """Solves states of one game, with a table that is kept from one call to the next."""

    game: Game
    memory: Memory
    limit: int | None
    seconds: float | None
    interpreted: bool
    stop: Stop
    nodes: int = 0

    def __post_init__(self) -> None:
        if self.game.repetition:
            raise ZermeloError(f"solve: expected a game in which states tell all, and in {self.game.name} it counts what comes back")
        exact_run(self.game, self.interpreted, FIRST_PLIES, width_of(self.game))  # compiling is not searching
        self.watch = Stopwatch()

    def search(self, s: State, moves: Sequence[int] = (), low: float = -INFINITE, high: float = INFINITE) -> Result | None:
        """What s is worth to its mover, by these actions or by all; None if it was stopped. Outside the bounds given it is a bound."""
        order = list(moves) or sorted(self.game.actions(s), key=lambda a: -self.game.order(s, a))
        given = {
            "start": self.game.layout.pack(s),
            "limit": 0 if self.limit is None else max(1, self.limit - self.nodes),
            "root_count": len(order),
            "low": low,
            "high": high,
            "table": self.memory.table,
            "mask": self.memory.mask,
            "age": self.memory.age % AGES,
        } | dict.fromkeys(("has_table", "has_killers", "has_history", "by_order"), 1)

        def attempt(plies: int, width: int) -> Ending:
            row = order[:width] + [0] * (width - len(order))
            run = exact_run(self.game, self.interpreted, plies, width)
            return run(self.stop, root_moves=row, **given)

        with self.stop.after(None if self.seconds is None else max(0.0, self.seconds - self.watch.seconds)):
            work = with_room(attempt, FIRST_PLIES, width_of(self.game, len(order)), ENDLESS_GAME)
        self.nodes += int(work.nodes)
        refuse_ends("solve", self.game, work)
        return None if work.stopped else result_of(self.game, s, work, self.watch, order, prunes=True)

    def value(self, s: State, low: float = -INFINITE, high: float = INFINITE) -> float | None:
        """What s is worth to its mover, terminal or not."""
        if self.game.is_terminal(s):
            return float(self.game.utility(s, self.game.to_move(s)))
        found = self.search(s, (), low, high)
        return None if found is None else found.value


def exact_run(game: Game, interpreted: bool, plies: int, width: int) -> Callable[..., Ending]:
    """The search, ready to run with this room."""
    return prepare(game, exact.root, Ending, interpreted, plies=plies, width=width)


def solve_scores(scores: Valuing, states: Sequence[State] | np.ndarray) -> Solved:
    """Solve states one after another, as many as there is time for."""
    values: list[float] = []
    for row in rows_of(scores.game, states):
        v = scores.value(scores.game.layout.unpack(row.tolist()))
        if v is None:
            break
        values.append(v)
    return Solved(np.array(values), np.zeros(len(values), np.int64), scores.nodes, scores.watch.seconds)


def with_rest_of_line(scores: Scores, s: State, result: Result) -> Result:
    """The result with a line to the end of the game: that of the search ends where the table or the tail knew the value."""
    game, line, v = scores.game, list(result.line), result.value
    me = game.to_move(s)
    for a in line:
        s = game.result(s, a)
    while not game.is_terminal(s):
        value = v if game.to_move(s) == me else -v
        found = scores.search(s, (), -next_float(-value), next_float(value))
        if found is None or found.action is None:
            break
        line.append(found.action)
        s = game.result(s, found.action)
    return replace(result, line=tuple(line))

"""A game looked at again: what each move was worth, what would have been better, and how well each side played.

    for judged in Analysis(game, history, nodes=100_000).moves():
        print(judged.text, judged.mark, judged.best)

The position before a move is searched for the best one. If another was made, the positions after both are searched, with the same
limit: so like is compared with like, and a search that sees less than the players did at most finds fewer faults. What the end
of the game says is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ZermeloError
from ...game import CHANCE, Game
from ...history import History, line_of
from ...search import by_name
from ...search.searcher import Result, Searcher
from ...search.stop import Stop
from ..players.search_player import default_for
from .accuracy import MARKS, accuracy, mark_of, scale_of

LINE = 6  # moves of a better line that are kept
THIRD = 1 / 3  # of the seconds of a move: it may need three searches


@dataclass(frozen=True)
class Judged:
    """A move and what it was worth. Values and scores are the mover's; `after` are the scores of all players once it was made."""

    ply: int
    seat: int
    text: str
    best: str  # in the position before it
    value: float  # after it
    best_value: float  # after the best move
    expected: float  # score after it
    best_expected: float
    exact: bool  # whether the values are proved
    is_forced: bool  # whether there was nothing to choose
    line: tuple[str, ...]  # what was better, or what was to be expected
    after: tuple[float, ...]
    depth: int
    nodes: int

    @property
    def loss(self) -> float:
        """The expected score that the move gave away."""
        return max(0.0, self.best_expected - self.expected)

    @property
    def mark(self) -> str:
        return mark_of(self.loss)


@dataclass(frozen=True)
class Side:
    """How a player played: the accuracy in per cent, the moves with a choice, and how many deserved each mark."""

    seat: int
    moves: int
    accuracy: float | None
    marks: dict[str, int]


@dataclass(frozen=True)
class _Worth:
    """What a state is worth to each player, as value and as expected score."""

    values: tuple[float, ...]
    scores: tuple[float, ...]
    exact: bool
    depth: int
    nodes: int
    line: tuple[int, ...]


class Analysis:
    """Looks at the moves of a game, one after another. `stop` ends it after the position that is being searched."""

    def __init__(self, history: History, name: str | None = None, seconds: float | None = None, nodes: int | None = None):
        self.game, self.history = history.game, history
        usual, settings = default_for(self.game)
        self.searcher_name = name or usual
        told: dict[str, Any] = dict(settings) if self.searcher_name == usual else {}
        if (seconds is None) == (nodes is None):
            raise ZermeloError("expected seconds or nodes, and not both")
        told |= {"nodes": nodes} if nodes is not None else {"seconds": None if seconds is None else seconds * THIRD}
        self.searcher: Searcher = by_name.searcher(self.searcher_name, **told)
        self.scale = scale_of(self.game, self.searcher_name)
        self.stop = Stop()

    def get_ready(self) -> None:
        """Compile what is to be run, where no time is counted."""
        searcher = replace(self.searcher, nodes=1, seconds=None)
        for s in self.history.states:
            if not self.game.is_terminal(s):
                searcher.search(self.game, s)
                return

    def start(self) -> tuple[float, ...]:
        """The score that each player may expect before the first move."""
        return self._worth(History(self.game, self.history.states[0])).scores

    def moves(self) -> Iterator[Judged]:
        """The moves of players, each judged. What chance did is left out."""
        past = History(self.game, self.history.states[0])
        for ply, a in enumerate(self.history.taken):
            if self.stop.is_set:
                return
            if self.game.to_move(past.state) == CHANCE:
                past.do(a)
                continue
            judged = self._judged(past, ply, a)
            if judged is None:
                return
            yield judged
            past.do(a)

    def _judged(self, past: History, ply: int, a: int) -> Judged | None:
        """What the action was worth; None if the search was stopped before it is known."""
        game, s, seat = self.game, past.state, self.game.to_move(past.state)
        legal = list(past.actions())
        before = self._search(past) if len(legal) > 1 else None
        best = before.action if before is not None and before.action in legal else a
        assert best is not None
        made = self._after(past, a)
        better = made if best == a else self._after(past, best)
        if self.stop.is_set:
            return None
        if better.scores[seat] <= made.scores[seat]:  # it looks so only from before: nothing was better
            best, better = a, made
        line = (best, *better.line) if best != a or before is None or before.action != a else before.line
        nodes = (before.nodes if before else 0) + made.nodes + (better.nodes if best != a else 0)
        return Judged(
            ply,
            seat,
            game.write_action(s, a),
            game.write_action(s, best),
            made.values[seat],
            better.values[seat],
            made.scores[seat],
            better.scores[seat],
            made.exact and better.exact,
            len(legal) == 1,
            tuple(line_of(game, s, line[:LINE])),
            made.scores,
            max(made.depth, better.depth),
            nodes,
        )

    def _after(self, past: History, a: int) -> _Worth:
        past.do(a)
        try:
            return self._worth(past)
        finally:
            past.undo()

    def _worth(self, at: History) -> _Worth:
        result = self._search(at)
        exact = at.is_over or (result.exact and not self.game.has_chance)
        return _Worth(result.values, self._scores(result.values, exact), exact, result.depth, result.nodes, result.line)

    def _search(self, at: History) -> Result:
        stop = Stop()  # a search that reaches its limit of seconds sets it
        with self.stop.telling(stop.set):
            return self.searcher.search(self.game, at, stop)

    def _scores(self, values: tuple[float, ...], exact: bool) -> tuple[float, ...]:
        """What each player may expect: of two by the value, of more by how far it is above the mean of the others."""
        if len(values) == 1:
            return (self.scale.expected(values[0], exact),)
        total, others = sum(values), len(values) - 1
        return tuple(self.scale.expected(v - (total - v) / others if others > 1 else v, exact) for v in values)


def sides(game: Game, judged: list[Judged]) -> list[Side]:
    """How each player played."""
    found = []
    for seat in range(game.players):
        own = [j for j in judged if j.seat == seat and not j.is_forced]
        marks = {mark: sum(j.mark == mark for j in own) for mark, _, _ in MARKS}
        found.append(Side(seat, len(own), accuracy([j.loss for j in own]), marks))
    return found

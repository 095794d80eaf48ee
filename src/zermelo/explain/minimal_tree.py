"""What a search is measured against: the static evaluations of minimax, and those that the best possible order needs.

To know the value v of a root one must prove that it is at least v and at most v. At least: one good child of each max node, and
all children of min nodes; at most: the other way round. The two proofs share one path. Minimising over the choices gives the
least number of leaves that any order can do with; in a uniform tree that is b^ceil(d/2) + b^floor(d/2) - 1.
"""

from __future__ import annotations

import math
from typing import Any

from ..game import CHANCE, Game, State
from ..search.alphabeta.plain import PlainAlphaBeta
from ..search.minimax import Minimax
from ..search.searcher import Searcher
from .search_tree import Story

BUDGET = 20_000  # states that are looked at for it; beyond them nobody would wait


class TooLarge(Exception):
    """More states than the budget."""


class Ideal:
    """Counts for the tree below a state, to a depth (None: to the end). Equal states are counted each time but looked at once."""

    def __init__(self, game: Game, depth: int | None, budget: int = BUDGET):
        self.game, self._depth, self._budget = game, depth, budget
        self._known: dict[Any, Any] = {}
        self._spent = 0

    def minimax(self, s: State) -> int | None:
        """Static evaluations that minimax makes."""
        return self._or_none(lambda: self._leaves(s, self._depth))

    def best(self, s: State) -> int | None:
        """Static evaluations with the best order; None also where chance moves or there are other than two players."""
        if self.game.has_chance or self.game.players != 2:
            return None
        return self._or_none(lambda: self._exact(s, self._depth))

    def _or_none(self, count: Any) -> int | None:
        try:
            return int(count())
        except (TooLarge, RecursionError):
            return None

    def _below(self, s: State, depth: int | None) -> tuple[list[State], int | None]:
        """The children of s and the depth that is left there; none where the search ends."""
        key = "below", s, depth == 0
        if key not in self._known:
            ended = depth == 0 or self.game.is_terminal(s)
            self._known[key] = [] if ended else [self.game.result(s, a) for a in self.game.actions(s)]
            self._spent += 1 + len(self._known[key])
            if self._spent > self._budget:
                raise TooLarge
        return self._known[key], None if depth is None else depth - 1

    def _leaves(self, s: State, depth: int | None) -> int:
        key = "leaves", s, depth
        if key not in self._known:
            children, left = self._below(s, depth)
            self._known[key] = sum(self._leaves(child, left) for child in children) or 1
        return self._known[key]

    def value(self, s: State, depth: int | None) -> float:
        """The minimax value for player 0."""
        key = "value", s, depth
        if key not in self._known:
            children, left = self._below(s, depth)
            if not children:
                self._known[key] = float(self.game.utility(s, 0) if self.game.is_terminal(s) else self.game.evaluate(s, 0))
            else:
                values = [self.value(child, left) for child in children]
                self._known[key] = max(values) if self.game.to_move(s) == 0 else min(values)
        return self._known[key]

    def _exact(self, s: State, depth: int | None) -> float:
        """Leaves that prove the value of s."""
        key = "exact", s, depth
        if key not in self._known:
            children, left = self._below(s, depth)
            if not children:
                return 1
            assert self.game.to_move(s) != CHANCE
            v, upper = self.value(s, depth), self.game.to_move(s) == 0
            others = [self._bound(child, left, v, upper) for child in children]  # that they are no better
            good = [self._exact(c, left) - o for c, o in zip(children, others, strict=True) if self.value(c, left) == v]
            self._known[key] = sum(others) + min(good)
        return self._known[key]

    def _bound(self, s: State, depth: int | None, v: float, upper: bool) -> float:
        """Leaves that prove that s is worth at most v (upper) or at least v."""
        key = "bound", s, depth, v, upper
        if key not in self._known:
            worth = self.value(s, depth)
            children, left = self._below(s, depth)
            if worth > v if upper else worth < v:
                return math.inf
            if not children:
                return 1
            counts = [self._bound(child, left, v, upper) for child in children]
            self._known[key] = sum(counts) if (self.game.to_move(s) == 0) == upper else min(counts)
        return self._known[key]


def compared(game: Game, searcher: Searcher, s: State, story: Story) -> dict[str, int | None]:
    """The counts of a story against minimax and the ideal; None where they are not known, nothing where they mean nothing."""
    if story.algorithm not in ("minimax", "alphabeta", "expectiminimax"):
        return {}
    if not isinstance(searcher, (Minimax, PlainAlphaBeta)) and (game.has_tactical or game.has_forcing):
        return {}  # it looks further than its depth: that is not minimax's tree
    if isinstance(searcher, Minimax) and searcher.rounds:
        return {}
    ideal = Ideal(game, story.depth)
    minimax = ideal.minimax(s)
    saved = None if minimax is None else minimax - len(story.evaluated)
    return {"minimax": minimax, "saved": saved, "ideal": None if minimax is None else ideal.best(s)}

"""The minimal tree (Knuth and Moore): the static evaluations of minimax, and those that the best possible order needs.

To establish the value v of a root one must prove that it is at least v and at most v. At least: one good child of each max node, and
all children of min nodes; at most: the reverse. The two proofs share one path. Minimising over the choices gives the
least number of leaves that any order needs; in a uniform tree that is b^ceil(d/2) + b^floor(d/2) - 1.
"""

from __future__ import annotations

import math
from typing import Any

from ..game import CHANCE, Game, State
from ..search.alphabeta.plain import PlainAlphaBeta
from ..search.minimax import Minimax
from ..search.searcher import Searcher
from .search_tree import Story

BUDGET = 20_000  # states to look at; more would take too long


class TooLarge(Exception):
    """The tree has more states than the budget."""


class Ideal:
    """Counts leaves of the tree below a state, to a depth (None: to the end). Equal states count each time but are expanded once."""

    def __init__(self, game: Game, depth: int | None, budget: int = BUDGET):
        self.game, self._depth, self._budget = game, depth, budget
        self._known: dict[Any, Any] = {}
        self._spent = 0

    def minimax(self, s: State) -> int | None:
        """The number of static evaluations of minimax; None if the tree is too large."""
        return self._or_none(lambda: self._leaves(s, self._depth))

    def best(self, s: State) -> int | None:
        """The number of static evaluations with the best order; None with chance, or unless there are two players."""
        if self.game.has_chance or self.game.players != 2:
            return None
        return self._or_none(lambda: self._exact(s, self._depth))

    def _or_none(self, count: Any) -> int | None:
        try:
            return int(count())
        except (TooLarge, RecursionError):
            return None

    def _below(self, s: State, depth: int | None) -> tuple[list[State], int | None]:
        """The children of s (none at a leaf) and their remaining depth."""
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
        """The number of leaves that prove the value of s."""
        key = "exact", s, depth
        if key not in self._known:
            children, left = self._below(s, depth)
            if not children:
                return 1
            assert self.game.to_move(s) != CHANCE
            v, upper = self.value(s, depth), self.game.to_move(s) == 0
            others = [self._bound(child, left, v, upper) for child in children]  # leaves that prove they are no better
            good = [self._exact(c, left) - o for c, o in zip(children, others, strict=True) if self.value(c, left) == v]
            self._known[key] = sum(others) + min(good)
        return self._known[key]

    def _bound(self, s: State, depth: int | None, v: float, upper: bool) -> float:
        """The number of leaves that prove that s is worth at most v (upper) or at least v."""
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
    """The counts of minimax and of the ideal order; None if they are unknown, no entries if the comparison is meaningless."""
    if story.algorithm not in ("minimax", "alphabeta", "expectiminimax"):
        return {}
    if not isinstance(searcher, (Minimax, PlainAlphaBeta)) and (game.has_tactical or game.has_forcing):
        return {}  # it looks beyond its depth, so the tree is not minimax's
    if isinstance(searcher, Minimax) and searcher.rounds:
        return {}
    ideal = Ideal(game, story.depth)
    minimax = ideal.minimax(s)
    saved = None if minimax is None else minimax - len(story.evaluated)
    return {"minimax": minimax, "saved": saved, "ideal": None if minimax is None else ideal.best(s)}

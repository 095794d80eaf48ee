"""An evaluator takes the place of playouts: a function from leaves to priors of their actions and to values, such as a network.

    def evaluator(leaves: Leaves) -> tuple[priors, values]:
        priors   for each leaf a number of at least 0 for each of its actions, in the order of `leaves.actions`; they need
                 not add up to 1. None: all are alike
        values   for each leaf what the player to move (player 0 where chance is) gets; the other gets the opposite. Or for each
                 leaf a number for each player, as games of more than two need it

    MCTS(evaluator=evaluator, batch=64).search(game)

It is called with at most `batch` leaves, never with a terminal one, first with the root alone. What it says must depend on
nothing but the leaves: then the same seed gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...bits import i64
from ...errors import ZermeloError
from ...game import Game, State

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Leaves:
    """States of a game that wait to be judged, in the forms in which a model may want them."""

    game: Game
    words: Array  # a row of unsigned 64-bit words for each state (`game.layout`)
    signed: list[list[int]]  # the actions of each as signed numbers

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def states(self) -> list[State]:
        """The states themselves."""
        return [self.game.layout.unpack(row) for row in self.words.tolist()]

    @cached_property
    def actions(self) -> list[list[int]]:
        """The actions of each state, in the order in which the priors are expected."""
        if all(a >= 0 for row in self.signed for a in row):
            return self.signed
        named = [{i64(a): a for a in self.game.actions(s)} for s in self.states]  # an action that is a word has no sign
        return [[names[a] for a in row] for names, row in zip(named, self.signed, strict=True)]

    @cached_property
    def to_move(self) -> list[int]:
        """Who is to move in each."""
        return [self.game.to_move(s) for s in self.states]

    def features(self) -> Array:
        """The game's `features` of each state for the player to move (player 0 where chance is), a row for each."""
        return np.array([list(self.game.features(s, max(p, 0))) for s, p in zip(self.states, self.to_move, strict=True)], np.float64)


Evaluator = Callable[[Leaves], tuple[Sequence[Any] | None, Any]]


class Evaluated:
    """The judge that asks an evaluator."""

    asks = True

    def __init__(self, game: Game, evaluator: Evaluator):
        self._game, self._evaluator = game, evaluator

    def __call__(self, states: Array, actions: list[list[int]]) -> tuple[list[Array], Array]:
        leaves = Leaves(self._game, states, actions)
        told = self._evaluator(leaves)
        if not isinstance(told, tuple) or len(told) != 2:
            raise ZermeloError(f"the evaluator: expected a pair of priors and values, not {type(told).__name__}")
        return self._priors(told[0], actions), self._values(told[1], leaves)

    def _priors(self, told: Sequence[Any] | None, actions: list[list[int]]) -> list[Array]:
        if told is None:
            return [np.full(len(row), 1 / len(row)) for row in actions]
        given = [np.asarray(row, np.float64) for row in told]
        if [row.shape for row in given] != [(len(row),) for row in actions]:
            raise ZermeloError("the evaluator: expected for each leaf as many priors as it has actions")
        if not all(np.isfinite(row).all() and (row >= 0).all() for row in given):
            raise ZermeloError("the evaluator: expected priors of at least 0")
        return [row / row.sum() if row.sum() > 0 else np.full(len(row), 1 / len(row)) for row in given]

    def _values(self, told: Any, leaves: Leaves) -> Array:
        players, given = self._game.players, np.asarray(told, np.float64)
        if given.shape == (len(leaves),) and players == 2:
            mine = np.where(np.array(leaves.to_move) == 1, -given, given)
            given = np.stack([mine, -mine], axis=1)
        if given.shape != (len(leaves), players) or not np.isfinite(given).all():
            one = "a value for the player to move, or " if players == 2 else ""
            raise ZermeloError(f"the evaluator: expected for each leaf {one}a value for each of {players} players")
        return given

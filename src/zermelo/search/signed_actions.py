"""A game as algorithms see it natively: every action is a signed number, also one that is a word of 64 bits to the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bits import i64
from ..game import Game, State
from .records import listed


def own_actions(game: Game, s: State, row: Sequence[int]) -> list[int]:
    """The actions of s that are these numbers."""
    signed = [int(a) for a in listed(row)]
    if min(signed, default=0) >= 0:
        return signed
    own = {i64(a): a for a in game.actions(s)}
    return [own[a] for a in signed]


class Signed:
    """The game for the interpreter, where actions go through memory that does not tell words from numbers."""

    def __init__(self, game: Game):
        self._game = game

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._game, name)
        setattr(self, name, found)  # asked for once
        return found

    def fill(self, s: State, out: Any) -> int:
        n = 0
        for a in () if self._game.has_ended(s) else self._game.actions(s):
            if n < len(out):
                out[n] = i64(a)
            n += 1
        return n

    def sample(self, s: State, random: int) -> int:
        return i64(self._game.sample(s, random))

    def playout_action(self, s: State, random: int) -> int:
        return i64(self._game.playout_action(s, random))

    def result(self, s: State, a: int) -> State:
        return self._game.result(s, self._own(s, a))

    def probability(self, s: State, a: int) -> float:
        return self._game.probability(s, self._own(s, a))

    def order(self, s: State, a: int) -> int:
        return self._game.order(s, self._own(s, a))

    def immediate(self, s: State, a: int) -> int:
        return self._game.immediate(s, self._own(s, a))

    def prior_value(self, s: State, a: int) -> float:
        return self._game.prior_value(s, self._own(s, a))

    def _own(self, s: State, a: int) -> int:
        """The action of the game that is this number."""
        return a if a >= 0 else next(b for b in self._game.actions(s) if i64(b) == a)

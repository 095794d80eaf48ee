"""What a player is: anything that chooses an action when asked."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...notation.sheet import RESIGNED
from ..clock import Clock

#: what may be wrong with a player; to resign ends its game as well, but is not counted among its faults
KINDS = ("hang", "death", "illegal move", "garbage", "flood", "time", "start", RESIGNED)


@dataclass(frozen=True)
class Thought:
    """What a player thought of its last choice: the value for the player to move, if it gives one."""

    value: float | None = None
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()
    note: str = ""  # in its own words


class Fault(ZermeloError):
    """A player that cannot go on: `kind` is one of KINDS, the text says in one sentence what happened."""

    def __init__(self, kind: str, sentence: str):
        super().__init__(sentence)
        self.kind = kind


class Player:
    """A player of games. `begin` is called before each game, `choose` when it is its turn, `close` at the end of all.

    It may remember earlier moves, but `choose` must work without: games are resumed in the middle.
    """

    text: str  # how it is written down; `player(text)` makes the same again
    thought: Thought | None = None  # about the last choice

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """A new game, in which it is player `seat`. All that takes long is done here, where no clock runs."""

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        """The action to take. Fault if there will be none."""
        raise NotImplementedError

    @property
    def value(self) -> float | None:
        """What the player says that its last choice is worth to it, None if it does not say."""
        return None if self.thought is None else self.thought.value

    def close(self) -> None:
        """There will be no more games."""

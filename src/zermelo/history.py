"""A game as it is played: its states one after another, and the rules that need to know what was before.

A state does not know how it came about, and a table of states must not either. What some rules forbid or end because
it was there before (`Game.repetition`) is therefore kept here, beside the state: whoever plays, plays on a `History`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .errors import ZermeloError
from .game import MOST_ACTIONS, Game, State, mover_fault, players_fault

TIMES = 3  # a position that is there so often ends the game, where the rule is a draw


class History:
    """The states of a game from its start; `do` goes on, `undo` back."""

    def __init__(self, game: Game, start: State | None = None):
        self.game = game
        self.states: list[State] = [start_of(game, start)]
        self.taken: list[int] = []
        self._positions = [self._position(self.state)]

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def past(self) -> tuple[int, ...]:
        """The positions before this one, the latest last: what a search must know to see that one comes back."""
        return tuple(self._positions[:-1]) if self.game.repetition else ()

    @property
    def is_repeated(self) -> bool:
        """Whether the game has just ended in a draw because a position came back."""
        return self.game.repetition == "draw" and self._positions.count(self._positions[-1]) >= TIMES

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_repeated or self.game.is_terminal(self.state)

    def utility(self, p: int) -> float:
        """What player p gets from the game, which is over."""
        return float(self.game.utility(self.state, p)) if self.game.is_terminal(self.state) else 0.0

    def actions(self) -> Iterator[int]:
        """Yield the actions that are legal now, with all that was before."""
        if not self.is_repeated:
            yield from (a for a in self.game.actions(self.state) if self.is_new(a))

    def is_new(self, a: int) -> bool:
        """Whether the rule of repetition allows action a. To let a position stand is no repetition."""
        if self.game.repetition != "forbidden":
            return True
        position = self._position(self.game.result(self.state, a))
        return position == self._positions[-1] or position not in self._positions

    def do(self, a: int) -> State:
        """Take an action; the state it leads to."""
        if self.is_repeated or a not in self.game.actions(self.state) or not self.is_new(a):
            raise ZermeloError(f"{a} is no legal action of {self.game.name} here")
        self.states.append(self.game.result(self.state, a))
        self.taken.append(a)
        self._positions.append(self._position(self.state))
        return self.state

    def undo(self) -> State:
        """Take the last action back; the state before it."""
        if not self.taken:
            raise ZermeloError("there is no action to take back")
        self.states.pop()
        self._positions.pop()
        self.taken.pop()
        return self.state

    def _position(self, s: State) -> int:
        return self.game.repetition_key(s) if self.game.repetition else 0


def start_of(game: Game, state: State | None = None, packed_by: str | None = None) -> State:
    """The state to begin in, this one or the game's initial one; ZermeloError if nobody can begin there.

    `packed_by` names who needs it as machine words; who only interprets may have states of any kind.
    """
    if wrong := players_fault(game.players):
        raise ZermeloError(f"{game.name}: {wrong}")
    s = game.initial() if state is None else state
    if packed_by and (wrong := game.layout.fault(s)):
        raise ZermeloError(f"{packed_by}: expected a state of {game.name}: {wrong}")
    if wrong := mover_fault(game, game.to_move(s)):
        raise ZermeloError(f"{game.name}: {wrong}, in the state {s!r}")
    if any(True for _ in islice(game.actions(s), MOST_ACTIONS, None)):
        raise ZermeloError(f"{game.name}: actions yields more than {MOST_ACTIONS:,} values, expected fewer, in the state {s!r}")
    return s

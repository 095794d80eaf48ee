"""What players see: observations and the states dealt again behind them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..bits import FULL
from ..game import Game, State
from ..rng import draw
from .ask import ANY, Ask, Failed, attempt, same, shown
from .report import Notes
from .rules import Position

DEALS = 3  # states resampled for each state and player


class Hidden:
    """Checks observe and resample state by state; `all_states` are all there are, where they are known."""

    def __init__(self, ask: Ask, notes: Notes, seed: int, all_states: Collection[State] | None):
        self.ask, self.notes, self.seed, self.all_states = ask, notes, seed, all_states
        game = ask.game
        self.applies = game.has_hidden or type(game).resample is not Game.resample
        self.width: int | None = None  # how many numbers an observation has
        self._sets: dict[tuple[int, Any], tuple[State, frozenset[int] | None]] = {}
        self._dealt = self._other = 0

    def check(self, at: Position) -> None:
        """Check what every player sees in this position, and what could lie behind it."""
        if not self.applies:
            return
        for p in range(self.ask.game.players):
            seen = self.ask(ANY, "observe", at.s, p)
            if isinstance(seen, Failed) or not self._numbers(at, p, seen):
                return
            self._set(at, p, seen)
            if not at.over:
                for k in range(DEALS):
                    if not self._deal(at, p, seen, draw(self.seed, k)):
                        break
        self.notes.count("observe gives numbers")
        self.notes.count("observe tells the actions")
        self.notes.count("resample keeps what is seen")

    def end(self) -> None:
        """Tell how often another state was dealt."""
        if self._dealt:
            message = "never another state than the true one, so what is hidden is not hidden from a search"
            if self._other:
                message = f"another state in {self._other:,} of {self._dealt:,} deals"
            self.notes.remark("resample keeps what is seen", message)

    def _numbers(self, at: Position, p: int, seen: Any) -> bool:
        numbers = seen if isinstance(seen, tuple) else (seen,)
        message = ""
        if type(seen) is self.ask.game.layout.state:
            wrong = attempt(self.ask.game.layout.fault, seen)
            message = wrong.why if isinstance(wrong, Failed) else wrong or ""
        elif not all(isinstance(x, int) and -(1 << 63) <= x <= FULL for x in numbers):
            message = "expected a whole number of at most 64 bits, or a tuple of them"
        elif self.width is not None and len(numbers) != self.width:
            message = f"{len(numbers)} numbers, but {self.width} in the first state"
        else:
            self.width = len(numbers)
        if message:
            self.notes.fail("observe gives numbers", f"observe gives player {p} {shown(seen)}: {message}", at.s)
        return not message

    def _set(self, at: Position, p: int, seen: Any) -> None:
        """States that look equal to a player are one information set: the player may do the same in all of them."""
        may = frozenset(at.actions) if at.mover == p and not at.over else None
        other, might = self._sets.setdefault((p, seen), (at.s, may))
        if might != may:
            message = (
                f"observe gives player {p} the same here and in {shown(other)}, where the player may do {_list(might)}, not {_list(may)}"
            )
            self.notes.fail("observe tells the actions", message, at.s)

    def _deal(self, at: Position, p: int, seen: Any, word: int) -> bool:
        """Resample once; whether the state dealt is as it should be."""
        t = self.ask(ANY, "resample", at.s, p, word)
        if isinstance(t, Failed):
            return False
        wrong = self._unlike(at, p, seen, t)
        if wrong:
            self.notes.fail("resample keeps what is seen", f"resample for player {p} gives {shown(t)}: {wrong}", at.s)
        self._dealt += 1
        self._other += not same(t, at.s)
        return not wrong

    def _unlike(self, at: Position, p: int, seen: Any, t: Any) -> str | None:
        """How player p could recognise the dealt state t."""
        if (fault := attempt(self.ask.game.layout.fault, t)) is not None:
            return fault.why if isinstance(fault, Failed) else str(fault)
        for method, args, here in (("observe", (p,), seen), ("to_move", (), at.mover), ("is_terminal", (), at.over)):
            there = self.ask.quietly(method, t, *args)
            if isinstance(there, Failed) or not same(there, here):
                return f"{method} {there.why if isinstance(there, Failed) else f'gives {shown(there)}'} there, and {shown(here)} here"
        if at.mover == p:
            actions = self.ask.quietly("actions", t)
            if isinstance(actions, Failed) or not same(sorted(actions), sorted(at.actions)):
                message = actions.why if isinstance(actions, Failed) else f"yields {_list(actions)}"
                return f"actions {message} there, and {_list(at.actions)} here"
        if self.all_states is not None and t not in self.all_states:
            return "play never reaches it"
        return None


def _list(actions: Collection[int] | None) -> str:
    return "nothing" if actions is None else ", ".join(map(str, sorted(actions)[:8])) + (", ..." if len(actions) > 8 else "")

"""The hints about the end of a game: moves_left, upper_bound, final_value, urgent_first and relevant_actions. What they claim of a state
follows from what they claim of the states one action later, so that is what is checked.
"""

from __future__ import annotations

import math

from ..game import CHANCE
from .ask import REAL, WHOLE_NUMBER, Ask, Failed, shown
from .report import Notes
from .rules import Position

MOVES, BOUND, URGENT = "moves_left counts down", "upper_bound is one", "urgent_first lists the actions"
FINAL = "final_value is that of the best action"
RELEVANT = "relevant_actions are enough"


class Endings:
    """Checks these hints state by state."""

    def __init__(self, ask: Ask, notes: Notes):
        self.ask, self.notes, self.game = ask, notes, ask.game

    def check(self, at: Position) -> None:
        """Check the hints in this position."""
        if self.game.has_moves_left:
            self._moves_left(at)
        if self.game.has_upper_bound:
            for p in range(self.game.players):
                self._upper_bound(at, p)
        if self.game.has_final_value and self.game.players == 2 and at.mover != CHANCE and self.ask.quietly("moves_left", at.s) in (0, 1):
            for p in range(self.game.players):
                self._final_value(at, p)
        if self.game.has_urgent_first and at.mover != CHANCE:
            self._urgent_first(at)
        if self.game.has_relevant_actions:
            self._relevant_actions(at)

    def _moves_left(self, at: Position) -> None:
        left = self.ask(WHOLE_NUMBER, "moves_left", at.s)
        if isinstance(left, Failed):
            return
        self.notes.count(MOVES)
        if left < 0 or (left == 0 and not at.over):
            self.notes.fail(MOVES, f"moves_left gives {left} where the game is {'over' if at.over else 'not over'}", at.s)
        most = left - (1 if len(at.actions) > 1 else 0)
        for a in at.actions:
            after = self.ask.quietly("moves_left", self.ask.quietly("result", at.s, a))
            if isinstance(after, int) and after > most:
                self.notes.fail(MOVES, f"moves_left gives {left}, and {after} after action {a}: expected at most {most}", at.s)
                return

    def _upper_bound(self, at: Position, p: int) -> None:
        most = self.ask(REAL, "upper_bound", at.s, p)
        if isinstance(most, Failed):
            return
        self.notes.count(BOUND)
        gets = self.ask.quietly("utility", at.s, p) if at.over else -math.inf
        if math.isnan(most) or (isinstance(gets, (int, float)) and gets > most):
            self.notes.fail(BOUND, f"upper_bound gives player {p} {most:g}, whose utility is {gets:g}", at.s)
        for a in at.actions:
            after = self.ask.quietly("upper_bound", self.ask.quietly("result", at.s, a), p)
            if isinstance(after, (int, float)) and after > most:
                self.notes.fail(BOUND, f"upper_bound gives player {p} {most:g}, and more, {after:g}, after action {a}", at.s)
                return

    def _final_value(self, at: Position, p: int) -> None:
        value = self.ask(REAL, "final_value", at.s, p)
        if isinstance(value, Failed):
            return
        self.notes.count(FINAL)
        if at.over:
            best = self.ask.quietly("utility", at.s, p)
        else:
            after = [self.ask.quietly("final_value", self.ask.quietly("result", at.s, a), p) for a in at.actions]
            if any(isinstance(v, Failed) for v in after):
                return
            best = max(after) if at.mover == p else min(after)
        if value != best:
            self.notes.fail(FINAL, f"final_value gives player {p} {value:g}, expected {best:g}", at.s)

    def _urgent_first(self, at: Position) -> None:
        listed = self.ask.many(WHOLE_NUMBER, "urgent_first", at.s)
        if isinstance(listed, Failed):
            return
        self.notes.count(URGENT)
        if sorted(listed) != sorted(at.actions):
            self.notes.fail(URGENT, f"urgent_first yields {listed}, expected the actions, each once", at.s)

    def _relevant_actions(self, at: Position) -> None:
        listed = self.ask.many(WHOLE_NUMBER, "relevant_actions", at.s)
        if isinstance(listed, Failed):
            return
        self.notes.count(RELEVANT)
        if len(set(listed)) < len(listed) or not set(listed) <= set(at.actions):
            self.notes.fail(RELEVANT, f"relevant_actions yields {listed}, expected actions of this state, each once", at.s)
        gets = self.ask.quietly("utility", at.s, 0) if at.over else 1
        if gets not in (1, -1):
            self.notes.fail(RELEVANT, f"utility gives player 0 {shown(gets)}, expected 1 or -1 in a game with relevant_actions", at.s)
        wins = next((a for a in at.actions if not listed and self._wins(at, a)), None)
        if wins is not None:
            self.notes.fail(RELEVANT, f"relevant_actions yields nothing, as if all were lost, but action {wins} wins", at.s)

    def _wins(self, at: Position, a: int) -> bool:
        """Whether the game ends well for the mover after this action, or the hint says that the other one has lost."""
        t = self.ask.quietly("result", at.s, a)
        if self.ask.quietly("is_terminal", t) is True:
            return bool(self.ask.quietly("utility", t, at.mover) == 1)
        return self.ask.quietly("to_move", t) != at.mover and self.ask.quietly("relevant_actions", t) == []

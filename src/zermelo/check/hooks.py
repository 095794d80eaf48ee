"""The hints that searches act on: what `immediate` claims, order, material_gain, loses_material, action_kind, prior_value, is_forcing,
allows_null_move, null_move, playout_action and repetition_key.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..bits import FULL
from ..game import CHANCE, Game, State
from .ask import ANY, REAL, TRUTH, WHOLE_NUMBER, Ask, Failed, attempt, shown
from .report import Notes
from .rules import WORDS, Position

CLAIMS = 20_000  # of `immediate` that are looked at
TRUE_CLAIMS = "immediate is true"
MOST_ORDER = 1 << 20
RULES = ("", "draw", "forbidden")


@dataclass(frozen=True)
class Claim:
    """What `immediate` claims of an action in s: that player `who` then gets `gets`, the best there is, by `what`."""

    s: State
    what: str
    who: int
    gets: float


class Hooks:
    """Checks these hints state by state; what must be the best of all utilities is compared at the end."""

    def __init__(self, ask: Ask, notes: Notes):
        self.ask, self.notes, self.game = ask, notes, ask.game
        self._best = [-math.inf] * ask.game.players  # that each player got in any state met
        self._claims: list[Claim] = []
        self._looked_at = 0

    def check(self, at: Position) -> None:
        """Check the hints in this position."""
        if at.over:
            self._ended(at.s)
        for a in at.actions:
            self._immediate(at, a)
            if type(self.game).order is not Game.order:
                self._order(at.s, a)
            if type(self.game).material_gain is not Game.material_gain:
                self._finite("material_gain", at.s, a)
            if type(self.game).loses_material is not Game.loses_material:
                self.ask(TRUTH, "loses_material", at.s, a, 0.0)
            if type(self.game).action_kind is not Game.action_kind:
                self.ask(WHOLE_NUMBER, "action_kind", at.s, a)
            if self.game.has_prior_value and at.mover != CHANCE:
                self._finite("prior_value", at.s, a)
        if not at.over:
            self.ask(TRUTH, "is_forcing", at.s)
            self._skip(at)
            if self.game.has_playout_action and at.actions and at.mover != CHANCE:
                self._playout(at)
        self._position(at.s)

    def end(self) -> None:
        """Compare what the claims promise with the best that was met; look at the rule of repetition."""
        for claim in self._claims:
            best = self._best[claim.who]
            if claim.gets < best:
                message = f"{claim.what}, which gives player {claim.who} {claim.gets:g}, and {best:g} can be had"
                self.notes.fail(TRUE_CLAIMS, message, claim.s)
        self.notes.count("repetition is a known rule")
        rule = attempt(lambda: self.game.repetition)
        if rule not in RULES:
            self.notes.fail("repetition is a known rule", f"repetition is {shown(rule)}, expected '', 'draw' or 'forbidden'")

    # ---- one hint each -----------------------------------------------------------------------

    def _ended(self, s: State) -> None:
        """Remember what a terminal state gives."""
        for p in range(self.game.players):
            gets = self.ask.quietly("utility", s, p)
            if isinstance(gets, (int, float)) and math.isfinite(gets):
                self._best[p] = max(self._best[p], gets)

    def _immediate(self, at: Position, a: int) -> None:
        """A claim must come true, at once or by a reply, and every win at once must be claimed."""
        if not self.game.has_immediate or at.mover is None or at.mover == CHANCE or self._looked_at >= CLAIMS:
            return
        claim = self.ask(WHOLE_NUMBER, "immediate", at.s, a)
        if isinstance(claim, Failed):
            return
        self._looked_at += 1
        self.notes.count(TRUE_CLAIMS)
        t = self.ask.quietly("result", at.s, a)
        message = f"immediate gives {claim} for action {a}"
        over = self.ask.quietly("is_terminal", t)
        if claim not in (-1, 0, 1):
            self.notes.fail(TRUE_CLAIMS, f"{message}, expected 1, 0 or -1", at.s)
            return
        if claim == 0:
            gets = self.ask.quietly("utility", t, at.mover) if over else 0
            if isinstance(gets, (int, float)) and gets > 0:
                self.notes.fail(TRUE_CLAIMS, f"{message}, which wins at once", at.s)
            return
        if claim > 0:
            if over is not True and not (isinstance(over, int) and over):
                self.notes.fail(TRUE_CLAIMS, f"{message}, but it does not end the game", at.s)
            else:
                self._promise(at.s, message, at.mover, [t])
            return
        who = self.ask.quietly("to_move", t)
        if over or who == at.mover or not isinstance(who, int) or who == CHANCE:
            self.notes.fail(TRUE_CLAIMS, f"{message}, but no opponent is to move after it", at.s)
            return
        replies = self.ask.quietly("actions", t)
        after = [] if isinstance(replies, Failed) else [self.ask.quietly("result", t, r) for r in replies]
        ends = [u for u in after if not isinstance(u, Failed) and self.ask.quietly("is_terminal", u) == 1]
        if ends:
            self._promise(at.s, f"{message} because of a reply", who, ends)
        else:
            self.notes.fail(TRUE_CLAIMS, f"{message}, but no reply ends the game", at.s)

    def _promise(self, s: State, what: str, who: int, ends: list[State]) -> None:
        """One of these ends must give this player the best there is."""
        gets = [u for u in (self.ask.quietly("utility", t, who) for t in ends) if isinstance(u, (int, float)) and math.isfinite(u)]
        if gets:
            self._best[who] = max(self._best[who], *gets)
            self._claims.append(Claim(s, what, who, max(gets)))

    def _order(self, s: State, a: int) -> None:
        """What order says of an action leaves room for what the search itself knows of it."""
        order = self.ask(WHOLE_NUMBER, "order", s, a)
        if isinstance(order, Failed):
            return
        self.notes.count("order is small enough")
        if abs(order) > MOST_ORDER:
            self.notes.fail("order is small enough", f"order gives {order} for action {a}, expected at most 2**20 in size", s)

    def _finite(self, hook: str, s: State, a: int) -> None:
        """What the hook says of an action is a finite number."""
        message = self.ask(REAL, hook, s, a)
        if isinstance(message, Failed):
            return
        self.notes.count(f"{hook} is finite")
        if not math.isfinite(message):
            self.notes.fail(f"{hook} is finite", f"{hook} gives {message} for action {a}, expected a finite number", s)

    def _skip(self, at: Position) -> None:
        """A turn without an action leaves a state, in which somebody else is to move."""
        may = self.ask(TRUTH, "allows_null_move", at.s)
        if isinstance(may, Failed) or not may:
            return
        self.notes.count("null_move passes the turn")
        if not self.game.has_null_move:
            self.notes.fail("null_move passes the turn", "allows_null_move is true, but the game does not write null_move(self, s)", at.s)
            return
        t = self.ask(ANY, "null_move", at.s)
        if isinstance(t, Failed):
            return
        if (wrong := attempt(self.game.layout.fault, t)) is not None:
            why = wrong.why if isinstance(wrong, Failed) else wrong
            self.notes.fail("null_move passes the turn", f"null_move gives {shown(t)}, which is not a state: {why}", at.s)
            return
        mover = self.ask.quietly("to_move", t)
        if isinstance(mover, Failed) or mover == at.mover:
            message = mover.why if isinstance(mover, Failed) else f"gives {mover}"
            self.notes.fail("null_move passes the turn", f"after null_move to_move {message}, expected another player", at.s)

    def _playout(self, at: Position) -> None:
        chosen = [self.ask(WHOLE_NUMBER, "playout_action", at.s, word) for word in WORDS]
        if any(isinstance(a, Failed) for a in chosen):
            return
        self.notes.count("playout_action is legal")
        for a in chosen:
            if a not in at.actions:
                self.notes.fail("playout_action is legal", f"playout_action gives {a}, which is not an action of this state", at.s)
                return

    def _position(self, s: State) -> None:
        if type(self.game).repetition_key is Game.repetition_key:
            return
        position = self.ask(WHOLE_NUMBER, "repetition_key", s)
        if isinstance(position, Failed):
            return
        self.notes.count("repetition_key is 64 bits")
        if not 0 <= position <= FULL:
            message = f"repetition_key gives {position}, expected 0 to 2**64 - 1: mask it with u64(...)"
            self.notes.fail("repetition_key is 64 bits", message, s)

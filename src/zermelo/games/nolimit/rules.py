"""The rules of heads-up no-limit hold'em with an abstraction of the betting: cards, deals and text are those of limit hold'em."""

from __future__ import annotations

from ...bits import u64
from ...errors import ZermeloError
from ..holdem.rules import CALL, FOLD, Holdem, State

HALF, POT, ALL_IN = 2, 3, 4


class NoLimit(Holdem):
    """Heads-up no-limit hold'em: blinds of 1 and 2, both with a stack of so many big blinds; raises of half the pot, the pot, or all-in.

    Player 0 has the button and the small blind, and acts first before the flop, last after it. A raise first calls, and is measured by the
    pot after that. A player who has paid the whole stack does nothing more: the other calls or folds, then the rest of the board is dealt.
    An action of chance is the card that it deals, 13 * suit + rank; of a player, FOLD, CALL (or check), HALF, POT or ALL_IN.
    """

    letters = "fchpa"
    words = ("fold", "call", "half", "pot", "all-in")
    raise_sizes = 3
    betting_digit = 3

    def __init__(self, stack: int = 20, ranks: int = 13):
        super().__init__(ranks)
        if not 2 <= stack <= 60:
            raise ZermeloError(f"{self.name}: expected a stack of 2 to 60 big blinds, not {stack}")
        self.stack = 2 * stack  # chips
        self.value_range = (-2.0 * stack, 2.0 * stack)

    def raised(self, s: State, a: int) -> int:
        """What the player to move has paid after raising by a: both have paid the same before it, so half the pot is what one has paid."""
        now = max(s.paid[0], s.paid[1])
        return self.stack if a == ALL_IN else 2 * now if a == HALF else 3 * now

    def may_raise(self, s: State, a: int) -> bool:
        """All-in is a raise that the other can still answer by paying; a smaller raise is less than the stack."""
        return s.paid[1 - s.turn] < self.stack and (a == ALL_IN or self.raised(s, a) < self.stack)

    def result(self, s: State, a: int) -> State:
        if self.is_deal(s):
            return self.dealt(s, u64(1) << a)
        betting = s.betting << 3 | u64(1 + a)
        if a == FOLD:
            return s._replace(folded=s.turn + 1, betting=betting)
        if a != CALL:
            now = self.raised(s, a)
            paid = (now, s.paid[1]) if s.turn == 0 else (s.paid[0], now)
            return s._replace(paid=paid, raises=s.raises + 1, calls=0, turn=1 - s.turn, betting=betting)
        now = max(s.paid[0], s.paid[1])
        t = s._replace(paid=(now, now), calls=s.calls + 1, turn=1 - s.turn, betting=betting)
        if not self.is_round_over(t) or t.street == 3:
            return t
        if now == self.stack:
            return t._replace(street=3)  # all that is left is the board
        return t._replace(street=t.street + 1, turn=1, raises=0, calls=0, betting=t.betting << 3)

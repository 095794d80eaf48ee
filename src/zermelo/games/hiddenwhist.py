"""Whist with hidden hands, for two to four players: tricks to be won."""

from __future__ import annotations

from ._tricks import State, Tricks

__all__ = ["HiddenWhist", "State"]


class HiddenWhist(Tricks):
    """Whist in which players see their own cards and what is played; four are partners two by two, 0 and 2 against 1 and 3.

    The deck has `suits` suits (S, H, D, C) of the `ranks` highest ranks; each player gets `hand` cards of it (0: as many as there are for
    all), and nobody sees the others. `trump` is the index of a suit, -1 for none. A side gets the tricks it won less the mean of what the
    other sides won.
    """

    def __init__(self, players: int = 4, suits: int = 4, ranks: int = 13, hand: int = 0, trump: int = 0):
        self.prepare(players, suits, ranks, hand, trump)
        self.sides = 2 if players == 4 else players
        self.value_range = (-float(self.hand), float(self.hand))

    def worth(self, s: State, a: int) -> int:
        """Each trick counts one."""
        return 1

    def utility(self, s: State, p: int) -> float:
        own, others = 0, 0
        for q, won in enumerate(s.scores):
            if q % self.sides == p % self.sides:
                own += won
            else:
                others += won
        return own - others / (self.sides - 1)

    def evaluate(self, s: State, p: int) -> float:
        """The tricks so far."""
        return self.utility(s, p)

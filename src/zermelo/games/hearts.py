"""Hearts: four players with hidden hands, points to be avoided."""

from __future__ import annotations

from ..bits import FULL, u64
from ._tricks import State, Tricks

__all__ = ["Hearts", "State"]

HEARTS, ONLY_HEARTS = 1, 0b1101  # the suit, and all others as a set
QUEEN = 10  # of spades, the first suit
QUEEN_POINTS, ALL = 13, 26


class Hearts(Tricks):
    """Hearts for four: each heart taken is a point, the queen of spades 13; who takes all 26 gives 26 to each of the others instead.

    There is no trump and no passing of cards, and player 0 leads to the first trick. Hearts may be led when one was played, or by a player
    who holds nothing else. A player gets the mean of the others' points less its own.
    """

    value_range = (-26.0, 26.0)

    def __init__(self) -> None:
        self.prepare(4, 4, 13, 0, -1)
        self.hearts = self.suit[HEARTS]

    def worth(self, s: State, a: int) -> int:
        """The points in the trick that card a completes."""
        points = self.points(a)
        for card in s.trick:
            points += self.points(card)
        return points

    def points(self, card: int) -> int:
        """What a card counts."""
        return 1 if card // self.ranks == HEARTS else QUEEN_POINTS if card == QUEEN else 0

    def led(self, s: State, cards: u64) -> u64:
        """Anything but hearts, unless one was played or there is nothing else."""
        others = cards & (FULL ^ self.hearts)
        return others if others != 0 and not self.is_broken(s) else cards

    def is_broken(self, s: State) -> bool:
        """Whether a heart was played."""
        return self.cards_of(s) & self.hearts != self.hearts

    def shown_lacks(self, s: State, a: int) -> int:
        """The suit led if the card is of another; all but hearts if these are led too early."""
        suit = a // self.ranks
        if s.trick[0] < 0:
            return ONLY_HEARTS if suit == HEARTS and not self.is_broken(s) else 0
        return 0 if suit == s.trick[0] // self.ranks else 1 << s.trick[0] // self.ranks

    def penalty(self, s: State, p: int) -> int:
        """The points of a player, those for taking all among them."""
        for q, points in enumerate(s.scores):
            if points == ALL:
                return 0 if q == p else ALL
        return s.scores[p]

    def utility(self, s: State, p: int) -> float:
        total = 0
        for q in range(self.players):
            total += self.penalty(s, q)
        return (total - self.penalty(s, p)) / 3 - self.penalty(s, p)

    def evaluate(self, s: State, p: int) -> float:
        """The points so far."""
        return self.utility(s, p)

    def headline(self, s: State) -> str:
        """The points so far."""
        return f"points {' '.join(map(str, s.scores))}"

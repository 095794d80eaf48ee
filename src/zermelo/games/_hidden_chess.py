"""What kinds of chess share in which players do not see the whole board.

Their states begin with the eight fields of a state of chess.
"""

from __future__ import annotations

from typing import Any

from ..bits import i64, u64
from ..game import Game
from ..rng import mix
from .chess import board, evaluation
from .chess import state as chess

DREW, LOST, WON = 1, 2, 3  # how a game ended, as a player sees it
EVEN = 500  # hundredths of a pawn that are worth half a win


class HiddenChess(Game):
    """A kind of chess in which players do not see the whole board."""

    value_range = (-1.0, 1.0)
    player_names = ("White", "Black")
    symbols = ("KQRBNP", "kqrbnp")
    max_actions = 256
    repetition = "draw"
    default_searcher = "beliefs"

    def to_move(self, s: Any) -> int:
        return i64(s.t & 1)

    def ending(self, s: Any, p: int) -> int:
        """How the game ended for player p; 0 if it goes on."""
        if not self.is_terminal(s):
            return 0
        u = self.utility(s, p)
        return WON if u > 0 else LOST if u < 0 else DREW

    def evaluate(self, s: Any, p: int) -> float:
        """A chance to win, from -1 to 1, by the evaluation of chess: many positions are averaged, and a stalemate must cost a win."""
        score = evaluation.value(s)
        v = score / (abs(score) + EVEN)
        return v if p == self.to_move(s) else -v

    def position_key(self, s: Any) -> u64:
        """A hash of the position and of who is to move."""
        h = s.t & 1
        for word in (s.p, s.n, s.d, s.o, s.k, s.me, s.x):
            h = mix(h ^ word)
        return h

    def svg(self, s: Any) -> str:
        """The whole board as a picture."""
        return board.svg(position(s), self.name)


def position(s: Any) -> chess.State:
    """The position of a state as a state of chess."""
    return chess.State(*s[:8])

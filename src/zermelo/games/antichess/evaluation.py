"""What a position of antichess is worth, by hand: pieces, room to move, and whether a capture is forced."""

from __future__ import annotations

from ...bits import FULL, popcount, u64
from ..chess.moves import occupied
from ..chess.sliders import bishops, kings, knights, pawns_up, rooks
from ..chess.state import State, turned
from . import moves


def reach(s: State, men: u64) -> u64:
    """Where the pieces of the side to move could go if nothing were forced."""
    attacked = knights(s.n & s.me) | kings(s.k & s.me) | rooks(s.o & s.me, men) | bishops(s.d & s.me, men)
    return attacked & (FULL ^ s.me) | pawns_up(s.p & s.me) & (men ^ s.me) | (s.p & s.me) << 8 & (FULL ^ men)


def more(men: u64, me: u64) -> int:
    """How many of these pieces the side to move has more than the other."""
    return 2 * popcount(men & me) - popcount(men)


#: what a piece more of a kind is worth, a square more to go to, and to be forced or not to capture, in logits of winning
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = -0.22, -0.29, -0.17, -0.45, -0.37, -0.12
ROOM, TURN, FORCED, FORCING = 0.018, 0.28, -0.75, 0.28


def evaluate(s: State) -> float:
    """For the side to move, between -1 and 1."""
    men = occupied(s)
    other = turned(s)
    queens = s.d & s.o
    x = PAWN * more(s.p, s.me) + KNIGHT * more(s.n, s.me) + KING * more(s.k, s.me) + QUEEN * more(queens, s.me)
    x += BISHOP * more(s.d ^ queens, s.me) + ROOK * more(s.o ^ queens, s.me)
    x += ROOM * (popcount(reach(s, men)) - popcount(reach(other, occupied(other)))) + TURN
    if moves.must_take(s, men):
        x += FORCED
    if moves.must_take(other, occupied(other)):
        x += FORCING
    return x / (1 + abs(x))

"""What a capture is worth: the piece taken, and whether the exchange that it begins on its square pays (static exchange)."""

from __future__ import annotations

from ...bits import FULL, bit, i64, lowest
from .moves import occupied
from .sliders import KING, KNIGHT, bishop, pawns_down, pawns_up, rook
from .state import CASTLING, EN_PASSANT, TO_QUEEN, Board

PAWN_WORTH, KNIGHT_WORTH, BISHOP_WORTH, ROOK_WORTH, QUEEN_WORTH, KING_WORTH = 100, 300, 310, 500, 900, 10000
PROMOTED = (0, KNIGHT_WORTH - PAWN_WORTH, BISHOP_WORTH - PAWN_WORTH, ROOK_WORTH - PAWN_WORTH, QUEEN_WORTH - PAWN_WORTH, 0, 0)
QUEEN_MORE = QUEEN_WORTH - BISHOP_WORTH - ROOK_WORTH  # a queen is in the words of both


def worth(s: Board, i: int) -> int:
    """What the piece on square i is worth; 0 where there is none. Sums, not branches: what stands there cannot be predicted."""
    diagonal, straight = i64(s.d >> i & 1), i64(s.o >> i & 1)
    lines = BISHOP_WORTH * diagonal + ROOK_WORTH * straight + QUEEN_MORE * (diagonal & straight)
    return lines + PAWN_WORTH * i64(s.p >> i & 1) + KNIGHT_WORTH * i64(s.n >> i & 1) + KING_WORTH * i64(s.k >> i & 1)


def taken(s: Board, a: int) -> int:
    """What the piece that action a takes is worth, 0 if it takes none."""
    kind = a >> 12
    if kind >= EN_PASSANT:
        return PAWN_WORTH if kind == EN_PASSANT else 0
    return worth(s, a >> 6 & 63)


def is_capture_or_promotion(s: Board, a: int) -> bool:
    """Whether action a takes a piece or promotes a pawn to a queen; underpromotion counts as neither."""
    kind = a >> 12
    return kind in (TO_QUEEN, EN_PASSANT) or (kind == 0 and occupied(s) >> (a >> 6 & 63) & 1 == 1)


def pays(s: Board, a: int, price: int) -> bool:
    """Whether the side to move loses no more than this by action a, if both go on to take on its square with their least pieces.

    Pins are not looked at. `owed` is what the side that has just taken stands to lose: if taking back does not cover it,
    the other side does not take back.
    """
    i, j, kind = a & 63, a >> 6 & 63, a >> 12
    owed = worth(s, i) - taken(s, a) - price  # a pawn that promotes has won what it may lose more
    if owed <= 0 or kind == CASTLING:
        return True
    men = occupied(s) ^ bit(i)
    if kind == EN_PASSANT:
        men ^= bit(j - 8)
    attackers = KNIGHT[j] & s.n | KING[j] & s.k | pawns_down(bit(j)) & s.p & s.me | pawns_up(bit(j)) & s.p & (FULL ^ s.me)
    attackers |= rook(j, men) & s.o | bishop(j, men) & s.d
    own = FULL ^ s.me  # the side that takes next
    good = True
    while True:
        attackers &= men
        takers = attackers & own
        if takers == 0:
            return good
        good = not good
        if takers & s.p:
            taker, risk = takers & s.p, PAWN_WORTH
        elif takers & s.n:
            taker, risk = takers & s.n, KNIGHT_WORTH
        elif takers & s.d & (FULL ^ s.o):
            taker, risk = takers & s.d & (FULL ^ s.o), BISHOP_WORTH
        elif takers & s.o & (FULL ^ s.d):
            taker, risk = takers & s.o & (FULL ^ s.d), ROOK_WORTH
        elif takers & s.d:
            taker, risk = takers & s.d, QUEEN_WORTH
        else:  # the king takes last, if nobody takes him
            return good if attackers & (FULL ^ own) == 0 else not good
        owed = risk - owed
        if owed < (1 if good else 0):
            return good
        men ^= lowest(taker)
        attackers |= rook(j, men) & s.o | bishop(j, men) & s.d
        own = FULL ^ own

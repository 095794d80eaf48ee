"""A move made: the words of the state after it. Games whose states hold more than a board of chess make moves with it, too."""

from __future__ import annotations

from ...bits import FULL, bit, byteswap, ctz, lowest, rest, u64
from .moves import occupied
from .sliders import NOT_A, NOT_H, bishop, rook
from .state import CASTLING, CLOCK, EN_PASSANT, PLY, RANK_1, RANK_8, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK, Board


def made(s: Board, a: int) -> tuple[u64, u64, u64, u64, u64, u64, u64, u64]:
    """The fields of the state that the legal action a of s leads to, in their order."""
    # no branch for the common moves: a mispredicted one costs more than all of the arithmetic
    i, j, kind = a & 63, a >> 6 & 63, a >> 12
    here, there = bit(i), bit(j)
    men, keep = occupied(s), FULL ^ (here | there)
    pawn, king = s.p >> i & 1, s.k >> i & 1
    p = s.p & keep | pawn << j
    n = s.n & keep | (s.n >> i & 1) << j
    d = s.d & keep | (s.d >> i & 1) << j
    o = s.o & keep | (s.o >> i & 1) << j
    k = s.k & keep | king << j
    them = (men ^ s.me) & keep
    x = s.x & (RANK_1 | RANK_8) & keep & (FULL ^ RANK_1 * king)
    quiet = (pawn | men >> j & 1) ^ 1
    if kind == 0:
        if pawn and j - i == 16:
            beside = (there << 1 & NOT_A | there >> 1 & NOT_H) & p & them
            if beside:
                x |= en_passant(s, beside, there, men ^ here | there)
    elif kind == CASTLING:
        k ^= there ^ bit(6 if j > i else 2)
        o |= bit(5 if j > i else 3)
        quiet = u64(1)
    elif kind == EN_PASSANT:
        p ^= there >> 8
        them ^= there >> 8
    else:
        p ^= there
        if kind == TO_KNIGHT:
            n |= there
        if kind in (TO_BISHOP, TO_QUEEN):
            d |= there
        if kind >= TO_ROOK:
            o |= there
    t = (s.t & PLY) + 1 + quiet * ((s.t | PLY) - PLY + CLOCK)
    return byteswap(p), byteswap(n), byteswap(d), byteswap(o), byteswap(k), byteswap(them), byteswap(x), t


def en_passant(s: Board, takers: u64, pawn: u64, men: u64) -> u64:
    """The square behind the pawn that has just gone two steps, if one of these pawns can legally take it there, else none.

    Nothing else may say that it went there: equal positions shall be equal states.
    """
    behind = pawn >> 8
    k = ctz(s.k & (FULL ^ s.me))
    while takers:
        after = men ^ lowest(takers) ^ pawn | behind
        if (rook(k, after) & s.o | bishop(k, after) & s.d) & s.me == 0:
            return behind
        takers = rest(takers)
    return u64(0)

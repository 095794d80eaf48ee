"""Where pieces can go if nobody minds a check, and so what a player sees."""

from __future__ import annotations

from ...bits import FULL, bit, byteswap, ctz, lowest, popcount, rest, u64
from ..chess import moves
from ..chess.sliders import bishop, king, knight, pawns_up, rook
from ..chess.state import RANK_1, RANK_6
from .state import State


def facing(s: State, mine: bool) -> State:
    """The state with the board as the player to move sees it, or as the other does."""
    if mine:
        return s
    them = moves.occupied(s) ^ s.me
    return s._replace(
        p=byteswap(s.p),
        n=byteswap(s.n),
        d=byteswap(s.d),
        o=byteswap(s.o),
        k=byteswap(s.k),
        me=byteswap(them),
        x=byteswap(s.x) & RANK_1,
    )


def goals(s: State, i: int) -> u64:
    """Where the piece on square i of the side to move can go; castling goes to the rook."""
    man, men, free = bit(i), moves.occupied(s), FULL ^ s.me
    to = u64(0)
    if s.p & man:
        one, two = moves.pushes(man, men, FULL)
        to = one | two | pawns_up(man) & (men & free | s.x & RANK_6)
    if s.n & man:
        to = knight(i) & free
    if s.d & man:
        to = bishop(i, men) & free
    if s.o & man:
        to |= rook(i, men) & free
    if s.k & man:
        to = king(i) & free | castles(s, i, men)
    return to


def castles(s: State, k: int, men: u64) -> u64:
    """The rooks that the king on square k can castle with: neither has moved, and nothing is in the way."""
    rooks, found = s.x & RANK_1, u64(0)
    while rooks:
        r = ctz(rooks)
        king_to, rook_to = (6, 5) if r > k else (2, 3)
        if (moves.span(k, king_to) | moves.span(k, r) | moves.span(r, rook_to)) & (men ^ bit(k) ^ lowest(rooks)) == 0:
            found |= lowest(rooks)
        rooks = rest(rooks)
    return found


def count(s: State) -> int:
    """How many moves there are; a promotion counts four times."""
    n, movers = 0, s.me
    while movers:
        to = goals(s, ctz(movers))
        n += popcount(to)
        if s.p & lowest(movers):
            n += 3 * popcount(to >> 56)
        movers = rest(movers)
    return n


def visible(s: State) -> u64:
    """The squares that the side to move sees: its own pieces, where they can go, and a pawn that can be taken en passant."""
    see, movers = s.me, s.me
    while movers:
        see |= goals(s, ctz(movers))
        movers = rest(movers)
    if s.x & RANK_6 & pawns_up(s.p & s.me):
        see |= (s.x & RANK_6) >> 8
    return see

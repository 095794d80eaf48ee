"""Another position that a player cannot tell from the one that there is, by what it sees now.

    DEAL(s, p): keep what p sees; put the pieces of the opponent that p has neither taken nor sees on squares that it does not see:
        where a pawn of p is blocked, or p has just lost a piece, there must be one; where a pawn of p could capture, there is none
        the others stand at home, if that is free, three times in four, or anywhere

Nothing but p's observation is looked at, and the pieces that p has taken. If some piece never finds a square, the deal with the fewest
missing is taken: never the truth.
"""

from __future__ import annotations

from ...bits import FULL, bit, i64, lowest, nth, popcount, u64
from ...rng import below, draw, step
from ..chess import moves
from ..chess.sliders import pawns_up
from ..chess.state import PLY, RANK_1, RANK_3, RANK_6, RANK_7, RANK_8
from . import sight
from .state import State

RETRIES = 256  # of a deal in which a pawn would have to stand where none can
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
ARMY = (8, 2, 2, 2, 1, 1)
HOMES = (RANK_7, 0x42 << 56, 0x24 << 56, 0x81 << 56, 0x08 << 56, 0x10 << 56)  # of the opponent, as the player sees the board


def again(s: State, p: int, seed: u64) -> State:
    """A random state that player p cannot tell from s by what it sees now."""
    mine = p == i64(s.t & 1)
    v = sight.facing(s, mine)
    see = sight.visible(v)
    left = missing(v, see, s.gone[1 - p])
    taken = bit(s.taken ^ 56 * p) if s.taken >= 0 and mine else u64(0)
    other = draw(seed, u64(RETRIES))
    heard = (s.heard[0], other) if p == 0 else (other, s.heard[1])
    best, most = v, -1
    for r in range(RETRIES):
        t = sight.facing(dealt(v, see, left, taken, draw(seed, u64(r))), mine)
        t = t._replace(x=s.x & own_rights(s, mine), t=s.t & PLY, heard=heard)
        count = popcount(moves.occupied(t)) if popcount(t.k) == popcount(s.k) and (mine or sight.count(t) > 0) else 0
        if count == popcount(moves.occupied(v)):
            return t
        if count > most:
            best, most = t, count
    return best


def own_rights(s: State, mine: bool) -> u64:
    """The part of the field x that the player knows: its own rooks, and a pawn that it can take en passant."""
    return u64(RANK_1 | RANK_6) if mine else u64(RANK_8)


def missing(v: State, see: u64, gone: u64) -> u64:
    """How many pieces of each kind, four bits each, the opponent has that are not seen: those of the start, if none was promoted.

    A piece more than there were at the start was a pawn.
    """
    them, both, left, promoted = see & (FULL ^ v.me), v.d & v.o, u64(0), 0
    kinds = (v.p & them, v.n & them, v.d & them & (FULL ^ both), v.o & them & (FULL ^ both), both & them, v.k & them)
    for kind, seen in enumerate(kinds):
        n = ARMY[kind] - i64(gone >> 4 * kind & 15) - popcount(seen)
        promoted += max(0, -n) if kind > PAWN else 0
        left |= u64(max(0, n)) << 4 * kind
    return left - u64(min(promoted, i64(left & 15)))


def dealt(v: State, see: u64, left: u64, taken: u64, seed: u64) -> State:
    """What is seen, and as many hidden pieces; fewer if some found no square."""
    p, n, d, o, k, random = v.p & see, v.n & see, v.d & see, v.o & see, v.k & see, seed | 1
    pawns = v.p & v.me
    must = pawns << 8 & (FULL ^ see) | (pawns << 8 & see & (FULL ^ moves.occupied(v)) & RANK_3) << 8 & (FULL ^ see) | taken & (FULL ^ see)
    spots = FULL ^ see ^ (pawns_up(pawns) & (FULL ^ see))
    total = 0
    for kind in range(KING + 1):
        total += i64(left >> 4 * kind & 15)
    while total > 0:
        random = step(random)
        kind = nth_kind(left, below(random, total))
        left, total = left - (u64(1) << 4 * kind), total - 1
        may = spots if kind != PAWN else spots & (FULL ^ (RANK_1 | RANK_8))
        near = may & HOMES[kind]
        if must:
            may &= lowest(must)
        elif near and random >> 40 & 3 != 0:
            may = near
        if may:
            random = step(random)
            man = bit(nth(may, below(random, popcount(may))))
            spots, must = spots ^ man, must & (FULL ^ man)
            p |= man if kind == PAWN else u64(0)
            n |= man if kind == KNIGHT else u64(0)
            d |= man if kind in (BISHOP, QUEEN) else u64(0)
            o |= man if kind in (ROOK, QUEEN) else u64(0)
            k |= man if kind == KING else u64(0)
    return v._replace(p=p, n=n, d=d, o=o, k=k)


def nth_kind(left: u64, i: int) -> int:
    """The kind of the i-th of these pieces."""
    for kind in range(KING):
        i -= i64(left >> 4 * kind & 15)
        if i < 0:
            return kind
    return KING

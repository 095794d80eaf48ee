"""Sets of squares as numbers, in the combinatorial number system: for the index of endgame tables."""

from __future__ import annotations

from math import comb

from ..bits import bit, lowest, nth, popcount, rest, u64

SQUARES, MAX_SET_SIZE = 32, 9  # of a board, and in a set
CHOOSE = tuple(tuple(comb(n, k) for k in range(MAX_SET_SIZE + 1)) for n in range(SQUARES + 1))
#: how many sets of k squares have none but the first n, at 32 k + n: native code need not check an index & 511 of one row
WAYS = tuple(comb(i % SQUARES, i // SQUARES) for i in range(512))


def rank(some: u64, free: u64) -> int:
    """The number of a set of free squares among all of its size."""
    i, row = 0, SQUARES
    while some:
        i += WAYS[(row + popcount((lowest(some) - 1) & free)) & 511]
        row += SQUARES
        some = rest(some)
    return i


def unrank(i: int, k: int, n: int, free: u64) -> u64:
    """The set of k squares with this number, of n that are free."""
    some, row = u64(0), SQUARES * k
    while row > SQUARES:
        n -= 1
        while WAYS[(row + n) & 511] > i:
            n -= 1
        i -= WAYS[(row + n) & 511]
        some |= bit(nth(free, n))
        row -= SQUARES
    return some | bit(nth(free, i)) if row != 0 else some

"""Sets of squares as numbers, in the combinatorial number system: for the index of endgame tables."""

from __future__ import annotations

from math import comb

from ..bits import ctz, lowest, popcount, rest, u64

SQUARES, MOST = 32, 9  # of a board, and in a set
ALL = (1 << SQUARES) - 1
CHOOSE = tuple(tuple(comb(n, k) for k in range(MOST + 1)) for n in range(SQUARES + 1))


def rank(some: u64, taken: u64) -> int:
    """The number of a set of squares among all of its size that have none of the squares taken."""
    i, k = 0, 1
    while some:
        i += CHOOSE[ctz(some) - popcount(taken & (lowest(some) - 1))][k]
        k += 1
        some = rest(some)
    return i


def unrank(i: int, k: int, n: int, taken: u64) -> u64:
    """The set of k squares with this number, of the n that are not taken."""
    some = u64(0)
    while k > 0:
        while CHOOSE[n - 1][k] > i:
            n -= 1
        i -= CHOOSE[n - 1][k]
        n -= 1
        k -= 1
        free = ALL & (ALL ^ taken)
        for _ in range(n):
            free = rest(free)
        some |= lowest(free)
    return some

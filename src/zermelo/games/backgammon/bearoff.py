"""The numbers of positions in which both sides bear off, by which endgame tables go.

With u_k men on its k highest points, from 6 down, a side at home has the rank

    RANK = sum over k = 1 ... 6 of C(u_k + k - 1, k)

Sides with fewer men come first, and each move of a man lowers the rank. A position has the number of the pair of its ranks, the mover's
first (`bits.paired`): all pairs of ranks below n have the numbers below n^2, and a turn leads from (a, b) to a smaller number, of (b, a')
with a' < a.
"""

from __future__ import annotations

import math

from ...bits import paired, u64
from ...errors import ZermeloError
from .men import FULL_SIDE, any_men, men_on

HOME = 6  # points
MOST_MEN = 10  # of a side in a table of both sides: 64 million positions
SIDES = math.comb(FULL_SIDE + HOME, HOME)  # how many ranks there are
ROW = FULL_SIDE + 1
#: what a number of men adds to the rank, on the highest point, on the two highest, ...
STEPS = tuple(math.comb(u + k - 1, k) for k in range(1, HOME + 1) for u in range(ROW))


def rank(low: u64, high: u64) -> int:
    """The rank of a side whose men are all at home or off."""
    men = total = 0
    for k in range(HOME):
        men += men_on(low, high, HOME - k)
        total += STEPS[ROW * k + men]
    return total


def side_at(r: int) -> tuple[u64, u64]:
    """The side of this rank."""
    low, high, above = u64(0), u64(0), 0
    for k in range(HOME - 1, -2, -1):  # how many men stand on the k + 1 highest points; after that on none
        men = FULL_SIDE
        while k >= 0 and STEPS[ROW * k + men] > r:
            men -= 1
        if k < 0:
            men = 0
        else:
            r -= STEPS[ROW * k + men]
        if k < HOME - 1:
            n, point = u64(above - men), HOME - 1 - k
            low |= (n & 1) << point | (n >> 1 & 1) << point + 32
            high |= (n >> 2 & 1) << point | (n >> 3 & 1) << point + 32
        above = men
    return low, high


def number(low: u64, high: u64, low2: u64, high2: u64) -> int:
    """The number of the position of these sides, the mover's first; -1 if a man of either is not at home."""
    if (any_men(low, high) | any_men(low2, high2)) >> HOME + 1 != 0:
        return -1
    return paired(rank(low, high), rank(low2, high2))


def ranges(wanted: str, game: str) -> tuple[tuple[str, int, int], ...]:
    """The numbers of the positions in which each side has at most this many men."""
    if not wanted.isdecimal() or not 1 <= int(wanted) <= MOST_MEN:
        raise ZermeloError(
            f"'{wanted}' is not an ending of {game}: expected the most men of a side, from 1 to {MOST_MEN}, or one-sided, or 6,one-sided"
        )
    return ((f"{int(wanted)} men", 0, math.comb(int(wanted) + HOME, HOME) ** 2),)

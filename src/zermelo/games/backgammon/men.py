"""The men of one side, and where they may go, as sets of points.

Each side counts the points from its own end: 1 to 24, and 25 is the bar; men that are borne off are nowhere. A set of points
is a word with bit i for point i. How many men stand on each point is held in binary digits, a set of points for each digit:
`low` holds the ones in its lower half and the twos in its upper half, `high` the fours and the eights. To put a man
on every point of a set is then a carry from set to set, and the sets that moves depend on (a man or more, two or more) are a few
instructions away.
"""

from __future__ import annotations

from ...bits import bit, bitreverse, clz, i64, popcount, u64

POINTS = (1 << 26) - 2  # 1 to 24 and the bar
BOARD = (1 << 25) - 2  # 1 to 24
BAR = 25
FULL_SIDE = 15  # men of a side


def any_men(low: u64, high: u64) -> u64:
    """The points with a man or more."""
    return (low | low >> 32 | high | high >> 32) & POINTS


def two_men(low: u64, high: u64) -> u64:
    """The points with two men or more."""
    return (low >> 32 | high | high >> 32) & POINTS


def three_men(low: u64, high: u64) -> u64:
    """The points with three men or more."""
    return ((low & low >> 32) | high | high >> 32) & POINTS


def four_men(low: u64, high: u64) -> u64:
    """The points with four men or more."""
    return (high | high >> 32) & POINTS


def seen_by_other(points: u64) -> u64:
    """The same points as the other side counts them: point i is its point 25 - i."""
    return bitreverse(points) >> 38


def added(low: u64, high: u64, one: u64, two: u64) -> tuple[u64, u64]:
    """The men with one more on each point of `one` and two more on each of `two`, which have no point in common."""
    carry = (low & one) | two
    again = low >> 32 & carry
    return low ^ one ^ carry << 32, high ^ again ^ (high & again) << 32


def taken(low: u64, high: u64, one: u64, two: u64) -> tuple[u64, u64]:
    """The men with one less on each point of `one` and two less on each of `two`, which have no point in common."""
    borrow = (one & ~low) | two
    again = borrow & ~(low >> 32)
    return low ^ one ^ borrow << 32, high ^ again ^ (again & ~high) << 32


def landed(source: u64, die: int) -> u64:
    """Where the men from these points come to stand: nowhere when they are borne off."""
    return source >> die & POINTS


def moved(men: u64, two: u64, source: u64, die: int) -> u64:
    """The points with men after one from `source` has moved; `two` are those with two or more before."""
    return (men & ~(source & ~two)) | landed(source, die)


def movable(men: u64, free: u64, die: int) -> u64:
    """The points from which a man may move by this die; `men` are the points with men, `free` those where they may land.

    With men on the bar only they may. With all men at home those on the die's own point are borne off, or, if
    nobody stands there or behind, those that stand farthest back.
    """
    there = free << die
    if men >> BAR != 0:
        return there & (1 << BAR)
    can = men & there
    if men >> 7 == 0:
        if men >> die != 0:
            can |= men & bit(die)
        elif men != 0:
            can |= bit(63 - clz(men))
    return can


def men_on(low: u64, high: u64, point: int) -> int:
    """How many men stand on a point."""
    return i64((low >> point & 1) + 2 * (low >> point + 32 & 1) + 4 * (high >> point & 1) + 8 * (high >> point + 32 & 1))


def men_in(low: u64, high: u64, points: u64) -> int:
    """How many men a side has on these points."""
    return popcount(low & points) + 2 * popcount(low >> 32 & points) + 4 * popcount(high & points) + 8 * popcount(high >> 32 & points)

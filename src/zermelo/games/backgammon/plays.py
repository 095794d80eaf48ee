"""The ways to play a roll, one for each position that they lead to.

A play is one number: five bits for the point that each man moves from, first the larger die's, then the smaller one's; of a
double up to four, from the highest point down; 0 for a die that is not played. Why no two plays lead to the same position:

A double. Whatever is moved can be moved from the highest point down, and the points that men left can be told from the
result, so plays from the highest point down are all there are, and all different. A man that may move still may after any
other has moved; so if fewer than four moves can be made, every play makes the same ones, and there is one play.

Two dice. A play is the point `a` that a man leaves by the larger die and the point `b` that one leaves by the smaller, in whatever
order. Two such pairs lead to the same position in two cases only. One man may make both moves, over either of two points: the
same, unless a blot is hit on one of them. Then the way over the point of the larger die's move is left out. Or two men are borne off and
either die could be used for either: then the larger die is used for the one that stands farther back, which
is to say that a man borne off by the smaller die is never needed as a first move.
"""

from __future__ import annotations

from ...bits import bit, clz, ctz, lowest, nth, popcount, rest, u64
from .men import landed, movable, moved

MORE_THAN_ALL_PLAYS = 1 << 30  # more than there are plays


def deeper(men: u64, two: u64, three: u64, four: u64, source: u64, die: int) -> tuple[u64, u64, u64]:
    """The points with one, two and three men or more after a man from `source` has moved, as long as it takes to move four."""
    to = landed(source, die)
    return (
        (men & ~(source & ~two)) | to,
        (two & ~(source & ~three)) | (to & men),
        (three & ~(source & ~four)) | (to & two),
    )


def forced(men: u64, two: u64, three: u64, four: u64, free: u64, die: int) -> int:
    """The play of a double that always moves the man who stands farthest back."""
    play = 0
    for k in range(4):
        can = movable(men, free, die)
        if can == 0:
            return play
        a = 63 - clz(can)
        men, two, three = deeper(men, two, three, four, bit(a), die)
        play |= a << 5 * k
    return play


def pick_double(men: u64, two: u64, three: u64, four: u64, free: u64, die: int, k: int) -> tuple[int, int]:
    """The number k of the plays of a double: how many come before it, and itself; how many there are, if k is beyond."""
    only = forced(men, two, three, four, free, die)
    if only >> 15 == 0:
        return 1, only
    n = 0
    first = movable(men, free, die)
    while first:
        a = lowest(first)
        men2, two2, three2 = deeper(men, two, three, four, a, die)
        second = movable(men2, free, die) & ((a << 1) - 1)
        while second:
            b = lowest(second)
            men3, two3, _ = deeper(men2, two2, three2, three2, b, die)
            third = movable(men3, free, die) & ((b << 1) - 1)
            while third:
                c = lowest(third)
                fourth = movable(moved(men3, two3, c, die), free, die) & ((c << 1) - 1)
                here = popcount(fourth)
                if k - n < here:
                    return n, ctz(a) | ctz(b) << 5 | ctz(c) << 10 | nth(fourth, k - n) << 15
                n += here
                third = rest(third)
            second = rest(second)
        first = rest(first)
    return n, 0


def first_moves(men: u64, free: u64, blots: u64, x: int, y: int) -> tuple[u64, u64, u64]:
    """What the plays of two dice are made of: where men may move from by x, where by y, and who has two equal ways to move by both."""
    by_x, by_y = movable(men, free, x), movable(men, free, y)
    return by_x, by_y, by_x & by_y & ~(blots << x | blots << y)


def then_y(men: u64, two: u64, free: u64, a: u64, twice: u64, x: int, y: int) -> u64:
    """Where men may move from by y after the one from a has moved by x, without the way that is left out."""
    return movable(moved(men, two, a, x), free, y) & ~landed(a & twice, x)


def then_x(men: u64, two: u64, free: u64, b: u64, by_x: u64, x: int, y: int) -> u64:
    """Where men may move from by x only after the one from b has moved by y."""
    return movable(moved(men, two, b, y), free, x) & ~by_x


def pick_pair(men: u64, two: u64, free: u64, blots: u64, x: int, y: int, k: int) -> tuple[int, int]:
    """The number k of the plays of two dice, x the larger: how many come before it, and itself; how many there are, if k is beyond."""
    by_x, by_y, twice = first_moves(men, free, blots, x, y)
    n = 0
    first = by_x
    while first:
        second = then_y(men, two, free, lowest(first), twice, x, y)
        here = popcount(second)
        if k - n < here:
            return n, ctz(first) | nth(second, k - n) << 5
        n += here
        first = rest(first)
    first = by_y >> y + 1 << y + 1
    while first:
        second = then_x(men, two, free, lowest(first), by_x, x, y)
        here = popcount(second)
        if k - n < here:
            return n, nth(second, k - n) | ctz(first) << 5
        n += here
        first = rest(first)
    if n > 0:
        return n, 0
    if by_x:
        here = popcount(by_x)
        return here, nth(by_x, k) if k < here else 0
    if by_y:
        here = popcount(by_y)
        return here, nth(by_y, k) << 5 if k < here else 0
    return 1, 0


def count_pairs(men: u64, two: u64, free: u64, blots: u64, x: int, y: int) -> int:
    """How many plays of two dice there are: in the middle of a game a few sums of bits.

    There nobody is on the bar, and two men or more are outside, so that none can be borne off.
    """
    back = men >> 7
    if back < 1 << 18 and (rest(back) | two >> 7) != 0:
        by_x, by_y, twice = first_moves(men, free, blots, x, y)
        far = men & free << x + y
        n = popcount(by_x) * popcount(by_y) - popcount(by_x & by_y & ~two)
        n += popcount(far & by_x & ~(men << x)) + popcount(far & by_y & ~(men << y)) - popcount(far & twice)
        if n > 0:
            return n
    n, _ = pick_pair(men, two, free, blots, x, y, MORE_THAN_ALL_PLAYS)
    return n

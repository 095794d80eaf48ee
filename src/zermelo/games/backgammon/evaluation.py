"""What a position is worth: a guess at the points that the side on roll wins, without the cube.

While men can still meet, it is a sum of what each side has of `terms`, with the weights below: what is good for one side is as bad
for the other. They were fitted to the results of games that this evaluation played against itself, until they stayed the same.
When the sides have passed each other, only the race is left: how likely each is to bear off first, and to do so before the
other bears off one man. That is computed from the pips that are left, with what is wasted at the end, as if sums of
rolls were normally distributed.
"""

from __future__ import annotations

import math

from ...bits import clz, ctz, lowest, popcount, rest, u64
from .men import BAR, BOARD, FULL_SIDE, POINTS, any_men, four_men, men_in, men_on, seen_by_other, two_men

#: by how many direct shots (points within six of a blot from which it can be hit) how likely one hits
HIT = (0.0, 0.36, 0.56, 0.67, 0.75, 0.83, 0.89)
INDIRECT = 0.08  # how likely a man seven to twelve points away hits
BIT = tuple(sum(1 << i for i in range(26) if i >> k & 1) for k in range(5))  # the points whose number has bit k
HOME = (1 << 7) - 2
FIVE_AND_FOUR, EIGHT_AND_SEVEN = 0x30, 0x180
FRONT = 0x1FFE  # the points 1 to 12, and where the other side's are
FOES_FRONT = 0x1FFE000
THERE = 0x1F80000  # the other side's home: 19 to 24
ADVANCED = 0x700000  # the points 20 to 22
DEEP_POINTS = 0x6  # the points 1 and 2

#: what each of `terms` is worth in points
WEIGHTS = (-0.0115, -0.14, 0.104, -0.2, 0.064, 0.075, 0.038, 0.028, -0.027, -0.0125, -0.01, 0.1, -0.066, -0.0102, -0.026, 0.285)
TURN = 0.0945  # and to be on roll


def sum_of(points: u64) -> int:
    """The sum of the numbers of these points."""
    return sum(popcount(points & mask) << k for k, mask in enumerate(BIT))


def pips(low: u64, high: u64) -> int:
    """How far a side's men have to go in all."""
    return sum_of(low & POINTS) + 2 * sum_of(low >> 32) + 4 * sum_of(high & POINTS) + 8 * sum_of(high >> 32)


def exposure(blots: u64, enemies: u64) -> float:
    """What blots stand to lose: how likely each is hit times the part of the board that it has come."""
    lost = 0.0
    while blots:
        p = ctz(blots)
        ahead = enemies & (lowest(blots) - 1)
        near = popcount(ahead >> max(p - 6, 0))
        far = popcount(ahead >> max(p - 12, 0)) - near
        lost += min(HIT[near] + INDIRECT * far, 1.0) * (25 - p) / 25
        blots = rest(blots)
    return lost


def in_a_row(made: u64) -> u64:
    """The points that begin three in a row."""
    return made & made >> 1 & made >> 2


def terms(low: u64, high: u64, low2: u64, high2: u64) -> tuple[float, ...]:
    """What the side of the first two words has, in the order of WEIGHTS."""
    men, made = any_men(low, high), two_men(low, high)
    blots = men & ~made & BOARD
    back, closed = men_in(low, high, u64(THERE)), popcount(made & HOME)
    wall = in_a_row(seen_by_other(two_men(low2, high2)) & FOES_FRONT)  # the other side's, before the men who are back
    walls = popcount(wall) + popcount(wall & wall >> 1) + popcount(wall & wall >> 1 & wall >> 2)
    return (
        float(pips(low, high)),
        float(men_on(low, high, BAR)),
        float(FULL_SIDE - men_in(low, high, u64(POINTS))),
        exposure(blots, seen_by_other(any_men(low2, high2))),
        float(closed),
        float(popcount(made & FIVE_AND_FOUR)),
        float(popcount(made & EIGHT_AND_SEVEN)),
        float(popcount(in_a_row(made & FRONT))),
        float(men_in(low, high, u64(DEEP_POINTS))),
        float(popcount(four_men(low, high))),
        float(popcount(blots)),
        float(popcount(made & ADVANCED)),
        float(back),
        float(back * walls),
        float(popcount(blots & HOME)),
        float(min(men_on(low2, high2, BAR), 2) * closed * closed) / 36.0,
    )


def below_normal(z: float) -> float:
    """How likely a normal variable is below z: the error function by Abramowitz and Stegun's 7.1.27."""
    x = abs(z) * 0.7071067811865476
    d = 1.0 + x * (0.278393 + x * (0.230389 + x * (0.000972 + x * 0.078108)))
    tail = 0.5 / (d * d * d * d)
    return tail if z < 0.0 else 1.0 - tail


def first(mine: float, theirs: float) -> float:
    """How likely a side on roll makes so many pips before the other makes so many: each roll is 8.17 of them, with variance 18.6."""
    return below_normal((theirs - mine + 4.0) / math.sqrt(2.28 * (mine + theirs) + 4.0))


def effective(low: u64, high: u64) -> float:
    """The pips of a side that bears off, with what it will waste, by Keith's count: men on low points, and gaps on high ones."""
    men = any_men(low, high)
    wasted = 2 * max(men_on(low, high, 1) - 1, 0) + max(men_on(low, high, 2) - 1, 0) + max(men_on(low, high, 3) - 3, 0)
    wasted += 3 - popcount(men & 0x70) if men >> 4 != 0 else 0
    return float(pips(low, high) + wasted)


def saving(low: u64, high: u64) -> float:
    """The pips that a side needs to bear off one man, and so save the gammon; none if it has."""
    outside = u64(POINTS & ~HOME)
    if men_in(low, high, u64(POINTS)) < FULL_SIDE:
        return 0.0
    far = sum_of(low & outside) + 2 * sum_of(low >> 32 & outside) + 4 * sum_of(high & outside) + 8 * sum_of(high >> 32 & outside)
    return float(far - 6 * men_in(low, high, outside) + 7)


def race(low: u64, high: u64, low2: u64, high2: u64, gammons: bool) -> float:
    """What a race is worth to the side on roll, whose words come first."""
    mine, theirs = effective(low, high), effective(low2, high2)
    value = 2.0 * first(mine, theirs) - 1.0
    if gammons:
        mine_saved, theirs_saved = saving(low, high), saving(low2, high2)
        if theirs_saved > 0.0:
            value += first(mine, theirs_saved)
        if mine_saved > 0.0:
            value -= 1.0 - first(mine_saved, theirs)
    return value


def contact(low: u64, high: u64, low2: u64, high2: u64, gammons: bool) -> float:
    """What a position where men can meet is worth to the side on roll, bent so that it stays below 3 points, or 1 without gammons."""
    value = TURN
    for weight, mine, theirs in zip(WEIGHTS, terms(low, high, low2, high2), terms(low2, high2, low, high)):
        value += weight * (mine - theirs)
    if not gammons:
        return value / math.sqrt(1.0 + value * value)
    over = abs(value) - 2.0
    if over <= 0.0:
        return value
    most = 2.0 + over / (1.0 + over)
    return most if value > 0.0 else -most


def guess(low: u64, high: u64, low2: u64, high2: u64, gammons: bool) -> float:
    """The points that the side on roll, whose words come first, should win; less than 3, or 1 without gammons, either way."""
    if 63 - clz(any_men(low, high)) + 63 - clz(any_men(low2, high2)) <= BAR:  # the sides have passed each other
        return race(low, high, low2, high2, gammons)
    return contact(low, high, low2, high2, gammons)

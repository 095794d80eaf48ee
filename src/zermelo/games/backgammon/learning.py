"""What a learned evaluation sees of the men: the inputs of TD-Gammon (Tesauro 1992), as planes.

Of each side, for each point: whether there is a man or more, two or more, three or more, and half the number of those above three;
half the number of men on the bar; a fifteenth of the number borne off. The number above three comes in binary digits, a plane for
each, that share the inputs of their points and are worth 1/2, 1, 2 and 4.
"""

from __future__ import annotations

from ...bits import u64
from .men import BAR, BOARD, FULL_SIDE, POINTS, four_men, men_in, men_on

INPUTS = 4 * 25 + 2  # of a side: four for each point from 0 on, the bar, men borne off


def _side(first: int) -> tuple[tuple[int, int, float], ...]:
    men = tuple((first + 25 * k, 1, 1.0) for k in range(3))
    above_three = tuple((first + 75, 1, 0.5 * 2**k) for k in range(4))
    return (*men, *above_three, (first + 100, 0, 0.5), (first + 101, 0, 1 / FULL_SIDE))


PLANE_INPUTS = _side(0) + _side(INPUTS)


def above_three(low: u64, high: u64) -> tuple[u64, u64, u64, u64]:
    """The number of men above three on each point of the board, in sets of points for its ones, twos, fours and eights."""
    ones, twos, fours, eights = low, low >> 32, high, high >> 32
    borrow = ~ones  # three less: from the ones, from the twos, then what is borrowed
    borrow2 = ~twos | borrow
    borrow4 = ~fours & borrow2
    points = four_men(low, high) & BOARD
    return ~ones & points, ~(twos ^ borrow) & points, (fours ^ borrow2) & points, (eights ^ borrow4) & points


def on_bar(low: u64, high: u64) -> u64:
    """A bit for each man on the bar."""
    return (u64(1) << u64(men_on(low, high, BAR))) - 1


def borne_off(low: u64, high: u64) -> u64:
    """A bit for each man borne off."""
    return (u64(1) << u64(FULL_SIDE - men_in(low, high, u64(POINTS)))) - 1

"""What a learned evaluation sees of the men, as planes.

`tesauro`: the inputs of TD-Gammon (Tesauro 1992). Of each side, for each point: whether there is a man or more, two or more, three or
more, and half the number of those above three; half the number of men on the bar; a fifteenth of the number borne off.

`expert`: the same, with inputs of its own for each number of men on the bar and borne off, and what players look for besides:

    hits        of the 36 rolls, how many hit a blot of the other side, for each point, and how many hit any
    blocks      for each point with men, and for the other side's home and the bar with or without, how many rolls do not let one man
                make both moves
    primes      where three to six points in a row are made
    back        the point of the last man, and the last point that is made
    contact     how many men have men of the other side before them
    closed      how many points of the home are made, and the same again while the other side has men on the bar

A count is given in binary, with a plane for each digit (worth 1, 2, 4 ...) and the same inputs for all, or in unary, as a row of set bits.
"""

from __future__ import annotations

from ...bits import bit, clz, popcount, u64
from .men import BAR, BOARD, FULL_SIDE, POINTS, any_men, four_men, men_in, men_on, seen_by_other, two_men

TESAURO, EXPERT = "tesauro", "expert"
HOME = (1 << 7) - 2
BEHIND = 0x3F80000  # the other side's home, 19 to 24, and the bar
#: the pairs of unequal dice, three of them at a time
UNEQUAL = ((2, 1, 3, 1, 3, 2), (4, 1, 4, 2, 4, 3), (5, 1, 5, 2, 5, 3), (5, 4, 6, 1, 6, 2), (6, 3, 6, 4, 6, 5))
NOTHING = (0, 0, 0, 0)

Plane = tuple[int, int, float]  # as in `Game.plane_inputs`


# ---- which inputs the bits of planes are ------------------------------------------------------


def _digits(first: int, unit: float, count: int) -> tuple[Plane, ...]:
    """Planes of the binary digits of a number that counts in this unit."""
    return tuple((first, 1, unit * 2**k) for k in range(count))


def _tesauro(first: int) -> tuple[Plane, ...]:
    men = tuple((first + 25 * k, 1, 1.0) for k in range(3))
    return (*men, *_digits(first + 75, 0.5, 4), (first + 100, 0, 0.5), (first + 101, 0, 1 / FULL_SIDE))


def _expert(first: int) -> tuple[Plane, ...]:
    whole = tuple((first + 64 * k, 1, scale) for k, scale in enumerate((1.0, 1.0, 0.25, 1.0, 1.0, 0.5)))  # an input for each bit
    above, hits, blocks = (first + 64 * k for k in (6, 7, 8))
    return (*whole, *_digits(above, 0.5, 4), *_digits(hits, 2 / 36, 5), *_digits(blocks, 2 / 36, 5))


PLANE_INPUTS = {TESAURO: _tesauro(0) + _tesauro(102), EXPERT: _expert(0) + _expert(64 * 9)}


# ---- men ----------------------------------------------------------------------------------------


def above_three(low: u64, high: u64) -> tuple[u64, u64, u64, u64]:
    """The number of men above three on each point of the board, in sets of points for its ones, twos, fours and eights."""
    ones, twos, fours, eights = low, low >> 32, high, high >> 32
    borrow = ~ones  # three less: from the ones, from the twos, then what is borrowed
    borrow2 = ~twos | borrow
    borrow4 = ~fours & borrow2
    points = four_men(low, high) & BOARD
    return ~ones & points, ~(twos ^ borrow) & points, (fours ^ borrow2) & points, (eights ^ borrow4) & points


def so_many(n: int) -> u64:
    """A bit for each of n."""
    return (u64(1) << u64(n)) - 1


def on_bar(low: u64, high: u64) -> u64:
    """A bit for each man on the bar."""
    return so_many(men_on(low, high, BAR))


def borne_off(low: u64, high: u64) -> u64:
    """A bit for each man borne off."""
    return so_many(FULL_SIDE - men_in(low, high, u64(POINTS)))


def highest(points: u64) -> u64:
    """The highest of these points alone; nothing if there are none."""
    return (u64(1) << u64(63 - clz(points))) & points if points != 0 else u64(0)


def numbers(low: u64, high: u64, low2: u64, high2: u64) -> u64:
    """Men on the bar, men borne off, points made at home, the same while the other side is on the bar, men in contact: 64 bits."""
    made = so_many(popcount(two_men(low, high) & HOME))
    kept = made if men_on(low2, high2, BAR) > 0 else u64(0)
    last = seen_by_other(highest(any_men(low2, high2)))  # the other's last man, on 0 if it is on the bar
    in_contact = so_many(men_in(low, high, u64(POINTS) & ~((last << 1) - 1))) if last != 0 else u64(0)
    return on_bar(low, high) | borne_off(low, high) << 16 | made << 32 | kept << 40 | in_contact << 48


def rows_of_points(made: u64) -> tuple[u64, u64]:
    """Where three and four points in a row begin, and where five and six do."""
    three = made & made >> 1 & made >> 2
    four = three & made >> 3
    five = four & made >> 4
    return three | four << 32, five | (five & made >> 5) << 32


# ---- rolls --------------------------------------------------------------------------------------

Digits = tuple[u64, u64, u64, u64]  # sets of points for the ones, twos, fours and eights of a number for each point


def counted(n: Digits, a: u64, b: u64, c: u64) -> Digits:
    """The numbers with one more on the points of each of three sets."""
    ones, twos = a ^ b ^ c, (a & b) | (c & (a ^ b))
    carry = n[0] & ones
    again = (twos & carry) | (n[1] & (twos ^ carry))
    return n[0] ^ ones, n[1] ^ twos ^ carry, n[2] ^ again, n[3] ^ (n[2] & again)


def in_halves(pairs: Digits, doubles: Digits) -> tuple[u64, u64, u64, u64, u64]:
    """Half the number of rolls, rounded down, in five digits: pairs of unequal dice are two rolls each, doubles one."""
    ones, twos = doubles[1], doubles[2]
    carry = pairs[0] & ones
    again = (twos & carry) | (pairs[1] & (twos ^ carry))
    last = pairs[2] & again
    return pairs[0] ^ ones, pairs[1] ^ twos ^ carry, pairs[2] ^ again, pairs[3] ^ last, pairs[3] & last


def hits(low: u64, high: u64, low2: u64, high2: u64) -> tuple[u64, u64, u64, u64, u64, u64]:
    """On each point half the number of rolls by which a side hits a blot there, in digits; and a bit for each six rolls that hit any."""
    men, free = any_men(low, high), ~seen_by_other(two_men(low2, high2)) & BOARD
    blots = seen_by_other(any_men(low2, high2)) & free
    if men <= blots & (0 - blots) or blots == 0:  # nobody is behind any of them
        return u64(0), u64(0), u64(0), u64(0), u64(0), u64(0)
    pairs, doubles, rolls = NOTHING, NOTHING, 0
    bar = men_on(low, high, BAR)
    for x, y, x2, y2, x3, y3 in UNEQUAL:
        one = blots & reached(men, free, bar, x, y)
        two = blots & reached(men, free, bar, x2, y2)
        three = blots & reached(men, free, bar, x3, y3)
        pairs = counted(pairs, one, two, three)
        rolls += 2 * ((1 if one != 0 else 0) + (1 if two != 0 else 0) + (1 if three != 0 else 0))
    for x in (1, 4):
        one = blots & reached_by_double(men, free, bar, x)
        two = blots & reached_by_double(men, free, bar, x + 1)
        three = blots & reached_by_double(men, free, bar, x + 2)
        doubles = counted(doubles, one, two, three)
        rolls += (1 if one != 0 else 0) + (1 if two != 0 else 0) + (1 if three != 0 else 0)
    a, b, c, d, e = in_halves(pairs, doubles)
    return a, b, c, d, e, so_many((rolls + 5) // 6)


def reached(men: u64, free: u64, bar: int, x: int, y: int) -> u64:
    """Where men come by one of two dice, or by both. A man on the bar enters first; the other die is for any if it was the only one."""
    if bar == 0:
        by_x, by_y = men >> x & free, men >> y & free
        return by_x | by_y | ((by_x >> y | by_y >> x) & free)
    by_x, by_y = bit(BAR - x) & free, bit(BAR - y) & free
    if bar > 1:
        return by_x | by_y
    then_y = (men & BOARD | by_x) >> y & free if by_x != 0 else u64(0)
    then_x = (men & BOARD | by_y) >> x & free if by_y != 0 else u64(0)
    return by_x | by_y | then_y | then_x


def reached_by_double(men: u64, free: u64, bar: int, x: int) -> u64:
    """Where men come by up to four moves of x, of which those on the bar take the first."""
    found = u64(0)
    if bar > 0:
        found = bit(BAR - x) & free
        if found == 0 or bar > 3:
            return found
        men = men & BOARD | found
    for _ in range(4 - bar):
        men = men >> x & free
        found |= men
    return found


def blocks(low: u64, high: u64, low2: u64, high2: u64) -> tuple[u64, u64, u64, u64, u64]:
    """From each point half the number of rolls that do not let a man make both moves (of a double two), in digits.

    For points with men, and 32 bits higher for those of BEHIND.
    """
    made, men = seen_by_other(two_men(low2, high2)) & BOARD, any_men(low, high)
    pairs, doubles = NOTHING, NOTHING
    for x, y, x2, y2, x3, y3 in UNEQUAL:
        pairs = counted(pairs, blocked(made, x, y), blocked(made, x2, y2), blocked(made, x3, y3))
    for x in (1, 4):
        doubles = counted(doubles, blocked(made, x, x), blocked(made, x + 1, x + 1), blocked(made, x + 2, x + 2))
    a, b, c, d, e = in_halves(pairs, doubles)
    return seen_from(a, men), seen_from(b, men), seen_from(c, men), seen_from(d, men), seen_from(e, men)


def blocked(made: u64, x: int, y: int) -> u64:
    """The points from which a man cannot move by x and y, as the other side has made these points."""
    return made << x + y | (made << x & made << y)


def seen_from(digit: u64, men: u64) -> u64:
    """A digit of `blocks` on the points with men, and 32 bits higher on those of BEHIND."""
    return (digit & men) | (digit & BEHIND) << 32

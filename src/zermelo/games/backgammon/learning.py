"""What a learned evaluation sees of the men, as planes.

`tesauro`: the inputs of TD-Gammon (Tesauro 1992). Of each side, for each point: whether there is a man or more, two or more, three or
more, and half the number of those above three; half the number of men on the bar; a fifteenth of the number borne off.

`expert`: the same, with inputs of its own for each number of men on the bar and borne off, and what players look for besides:

    hits        of the 36 rolls, how many hit a blot of the other side, for each point, and how many hit any
    escapes     for each point with men, and for the other side's home and the bar with or without, how many rolls let one man make
                both moves
    primes      where three to six points in a row are made
    back        the point of the last man, and the last point that is made
    contact     how many men have men of the other side before them
    closed      how many points of the home are made, and the same again while the other side has men on the bar

A number comes in binary digits, a plane for each, that share their inputs and are worth 1, 2, 4 ..., or as so many bits in a row.
"""

from __future__ import annotations

from ...bits import clz, popcount, u64
from .men import BAR, BOARD, FULL_SIDE, POINTS, any_men, four_men, men_in, men_on, seen_by_other, three_men, two_men

TESAURO, EXPERT = "tesauro", "expert"
HOME = (1 << 7) - 2
BEHIND = 0x3F80000  # the other side's home, 19 to 24, and the bar
PAST_END = 13  # places below point 0 on which a man lands that moves on from the board: always free
UNEQUAL = tuple((x, y) for x in range(2, 7) for y in range(1, x))
HITS_STEP = 3  # rolls for each bit of the number that hit

Plane = tuple[int, int, float]  # as in `Game.plane_inputs`


# ---- which inputs the bits of planes are ------------------------------------------------------


def _digits(first: int, unit: float, count: int) -> tuple[Plane, ...]:
    """Planes of the binary digits of a number that counts in this unit."""
    return tuple((first, 1, unit * 2**k) for k in range(count))


def _tesauro(first: int) -> tuple[Plane, ...]:
    men = tuple((first + 25 * k, 1, 1.0) for k in range(3))
    return (*men, *_digits(first + 75, 0.5, 4), (first + 100, 0, 0.5), (first + 101, 0, 1 / FULL_SIDE))


def _expert(first: int) -> tuple[Plane, ...]:
    whole = tuple((first + 64 * k, 1, 1.0) for k in range(6))  # an input for each bit
    above, hits, escapes = (first + 64 * k for k in (6, 7, 8))
    rolls = tuple((*_digits(at, 2 / 36, 4), *_digits(at, 1 / 36, 3)) for at in (hits, escapes))
    return (*whole, *_digits(above, 0.5, 4), *rolls[0], *rolls[1])


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


def counted(ones: u64, twos: u64, fours: u64, eights: u64, points: u64) -> tuple[u64, u64, u64, u64]:
    """The numbers, in sets of points for their binary digits, with one more on these points."""
    two = ones & points
    four = twos & two
    return ones ^ points, twos ^ two, fours ^ four, eights ^ (fours & four)


def hits(low: u64, high: u64, low2: u64, high2: u64) -> tuple[u64, u64, u64, u64, u64, u64, u64, u64]:
    """On which points how many rolls of a side hit a blot of the other, and how many rolls hit any.

    First the binary digits of the number of pairs of unequal dice, then those of doubles, then a bit for each three rolls of 36.
    """
    ones, twos, fours, eights = u64(0), u64(0), u64(0), u64(0)
    one, two, four, none = u64(0), u64(0), u64(0), u64(0)
    men, made = any_men(low, high), seen_by_other(two_men(low2, high2))
    free = ~made & BOARD
    blots = seen_by_other(any_men(low2, high2)) & free
    rolls = 0
    if blots != 0 and men > blots & (0 - blots):  # nobody is behind any of them
        bar = men_on(low, high, BAR)
        for x, y in UNEQUAL:
            hit = blots & (reached(men & BOARD, free, x, y) if bar == 0 else reached_from_bar(men & BOARD, free, bar, x, y))
            ones, twos, fours, eights = counted(ones, twos, fours, eights, hit)
            rolls += 2 if hit != 0 else 0
        for x in range(1, 7):
            hit = blots & reached_by_double(men, free, bar, x)
            one, two, four, none = counted(one, two, four, none, hit)
            rolls += 1 if hit != 0 else 0
    return ones, twos, fours, eights, one, two, four, so_many((rolls + HITS_STEP - 1) // HITS_STEP)


def reached(men: u64, free: u64, x: int, y: int) -> u64:
    """Where men come by one of two dice, or by both."""
    by_x, by_y = men >> x & free, men >> y & free
    return by_x | by_y | ((by_x >> y | by_y >> x) & free)


def reached_from_bar(men: u64, free: u64, bar: int, x: int, y: int) -> u64:
    """The same for a side with men on the bar: one of them enters first, and the other die is for any man if it was the only one."""
    by_x, by_y = u64(1) << u64(BAR - x) & free, u64(1) << u64(BAR - y) & free
    if bar > 1:
        return by_x | by_y
    then_y = (men | by_x) >> y & free if by_x != 0 else u64(0)
    then_x = (men | by_y) >> x & free if by_y != 0 else u64(0)
    return by_x | by_y | then_y | then_x


def reached_by_double(men: u64, free: u64, bar: int, x: int) -> u64:
    """Where men come by up to four moves of x, of which those on the bar take the first."""
    if bar > 0:
        entered = u64(1) << u64(BAR - x) & free
        if entered == 0 or bar > 3:
            return entered
        men = (men & BOARD) | entered
        found = entered
    else:
        found = u64(0)
    for _ in range(4 - bar):
        men = men >> x & free
        found |= men
    return found


def escapes(low: u64, high: u64, low2: u64, high2: u64) -> tuple[u64, u64, u64, u64, u64, u64, u64]:
    """From which points how many rolls let one man make both moves, or two of a double: the binary digits of the number of pairs of
    unequal dice, then of doubles; for points with men, and 32 bits higher for those of BEHIND.
    """
    ones, twos, fours, eights = u64(0), u64(0), u64(0), u64(0)
    one, two, four, none = u64(0), u64(0), u64(0), u64(0)
    free = (~seen_by_other(two_men(low2, high2)) & BOARD) << PAST_END | ((u64(1) << u64(PAST_END + 1)) - 1)
    for x, y in UNEQUAL:
        ones, twos, fours, eights = counted(ones, twos, fours, eights, free << x + y & (free << x | free << y))
    for x in range(1, 7):
        one, two, four, none = counted(one, two, four, none, free << 2 * x & free << x)
    men = any_men(low, high)
    return (
        seen_from(ones, men),
        seen_from(twos, men),
        seen_from(fours, men),
        seen_from(eights, men),
        seen_from(one, men),
        seen_from(two, men),
        seen_from(four, men),
    )


def seen_from(digit: u64, men: u64) -> u64:
    """A digit of `escapes` on the points with men, and 32 bits higher on those of BEHIND."""
    return (digit >> PAST_END & men) | (digit >> PAST_END & BEHIND) << 32

"""The patterns of a learned evaluation: lines and corners of the board of 8 x 8, in the manner of Buro's Logistello.

A pattern is a few squares, each empty, one's own or the other's: as a number, a digit of base 3 for each. It is cut from the board at one
place and from its rotations and reflections at the same place, so that what is equal by symmetry shares its weights. Each phase of the
game, of five discs, has weights of its own.

    edge        a side, and the squares diagonally beside its corners (10 squares)
    corner      the 3 x 3 squares of a corner
    block       the 2 x 5 squares of a corner along a side
    row         the second, third and fourth line from a side
    diagonal    of 8, 7, 6, 5 and 4 squares
    mobility    to how many squares either side can play
"""

from __future__ import annotations

from itertools import accumulate

from ...bits import FULL, bitreverse, byteswap, u64

PHASES = 12
LENGTHS = (10, 9, 10, 8, 8, 8, 8, 7, 6, 5, 4)  # of edge, corner, block, three rows, five diagonals
_firsts = (0, *accumulate(3**n for n in LENGTHS))
EDGE, CORNER, BLOCK = _firsts[:3]  # where the weights of each begin
ROW = (0, *_firsts[3:6])
DIAGONAL = _firsts[6:11]
MOBILITY = _firsts[11]
WEIGHTS = MOBILITY + 32 * 32  # of a phase

#: bits as digits of base 3
TERNARY = tuple(int(f"{n:b}", 3) for n in range(1 << 10))

EIGHT_BYTES = 0x0101010101010101
#: from the upper side to the right one, beginning k squares from the upper left corner
DIAGONALS = tuple(sum(1 << 9 * i + k for i in range(8 - k)) for k in range(5))


def phase(discs: int) -> int:
    """The phase of the game, by the number of discs on the board."""
    return min(PHASES - 1, max(0, discs - 4) // 5)


def transposed(x: u64) -> u64:
    """The board reflected in the diagonal from a1."""
    t = 0x00AA00AA00AA00AA & (x ^ (x >> 7))
    x ^= t ^ (t << 7)
    t = 0x0000CCCC0000CCCC & (x ^ (x >> 14))
    x ^= t ^ (t << 14)
    t = 0x00000000F0F0F0F0 & (x ^ (x >> 28))
    return x ^ t ^ (t << 28)


def rotations(x: u64) -> tuple[u64, u64, u64, u64]:
    """The board turned four ways."""
    y = byteswap(transposed(x))
    return x, y, bitreverse(x), bitreverse(y)


def edge(x: u64) -> u64:
    """The upper side, b2 and g2."""
    return (x & 0xFF) | (x >> 1 & 0x100) | (x >> 5 & 0x200)


def corner(x: u64) -> u64:
    """The squares from a1 to c3."""
    return (x & 7) | (x >> 5 & 0x38) | (x >> 10 & 0x1C0)


def block(x: u64) -> u64:
    """The squares from a1 to e2."""
    return (x & 0x1F) | (x >> 3 & 0x3E0)


def diagonal(x: u64, k: int) -> u64:
    """The diagonal that begins k squares from a1; the product collects its bits, each of another column, in the highest byte."""
    return ((x & DIAGONALS[k]) * EIGHT_BYTES & FULL) >> 56 >> k

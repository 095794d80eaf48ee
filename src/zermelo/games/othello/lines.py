"""The last empty square of the board of 8 x 8: how many discs are turned there, line by line.

All other squares have discs, so one's own discs tell a line of eight squares: the others are the other's. The product with a
constant gathers the bits of a column or a diagonal, each of another row or column, in the highest byte.
"""

from __future__ import annotations

EIGHT_BYTES = 0x0101010101010101  # the left column; as a factor, for diagonals
OF_COLUMN = 0x0102040810204080  # the factor for the left column


def _turned(own: int, i: int) -> int:
    """How many discs a new one at place i of a line turns: on both sides those up to the next own disc, if there is one."""
    sides = ([own >> k & 1 for k in range(i - 1, -1, -1)], [own >> k & 1 for k in range(i + 1, 8)])
    return sum(side.index(1) for side in sides if 1 in side)


def _diagonal(i: int, step: int) -> int:
    """The squares of a diagonal through square i, of which one is `step` columns to the right in the next row."""
    return sum(1 << 8 * y + x for y in range(8) if 0 <= (x := i % 8 + step * (y - i // 8)) < 8)


#: by the own discs of a line: byte i is how many are turned by a disc at place i
TURNED = tuple(sum(_turned(own, i) << 8 * i for i in range(8)) for own in range(256))
RISING = tuple(_diagonal(i, 1) for i in range(64))
FALLING = tuple(_diagonal(i, -1) for i in range(64))

"""The patterns of a learned evaluation: windows of the board, and tables of Samuel's terms, in the manner of his signature tables (1967).

A window is a few squares, as a number with a digit for each. Large ones tell men alone (base 3: no man, one's own, the other's), small
ones men and kings (base 5). Each phase of the game, by the pieces that are left, has weights of its own.

    rows        two rows, 8 squares
    columns     four rows of two squares, 8 squares
    squares     two rows of two squares, with kings
    material    men and kings of both sides
    mobility    steps of both sides
    signature   runaway men and trapped kings of both sides, and who has the move
    terms       each term of the evaluation by itself
"""

from __future__ import annotations

from ...bits import u64
from .moves import State, turned

PHASES = 5
EIGHT = 3**8  # what 8 squares of men may look like
FOUR = 5**4  # and 4 squares of men and kings
ROWS, COLUMNS, SQUARES = 7, 9, 21  # windows of each kind
AT_COLUMNS = ROWS * EIGHT
AT_SQUARES = AT_COLUMNS + COLUMNS * EIGHT
AT_MOBILITY = AT_SQUARES + SQUARES * FOUR
AT_SIGNATURE = AT_MOBILITY + 16 * 16
AT_TERMS = AT_SIGNATURE + 3 * 256
WEIGHTS = AT_TERMS + 8 * 64  # of a phase
AT_MATERIAL = PHASES * WEIGHTS
ALL_WEIGHTS = AT_MATERIAL + 13**4

#: bits as digits of base 3 and 5
BASE_3 = tuple(int(f"{n:b}", 3) for n in range(1 << 8))
BASE_5 = tuple(int(f"{n:b}", 5) for n in range(1 << 4))


def phase(pieces: int) -> int:
    """The phase of the game, by the number of pieces that are left."""
    return min(PHASES - 1, max(0, 23 - pieces) // 4)


def compact(x: u64) -> u64:
    """The squares without the holes between them: row y is the four bits from 4 * y on."""
    return (x & 0xFF) | (x >> 1 & 0xFF00) | (x >> 2 & 0xFF0000) | (x >> 3 & 0xFF000000)


def four_rows(x: u64) -> u64:
    """The first two squares of four rows."""
    return (x & 3) | (x >> 2 & 0xC) | (x >> 4 & 0x30) | (x >> 6 & 0xC0)


def two_rows(x: u64) -> u64:
    """The first two squares of two rows."""
    return (x & 3) | (x >> 2 & 0xC)


def seen(s: State, p: int) -> tuple[u64, u64, u64]:
    """The pieces of p, those of the other, and the kings, on the board as p sees it."""
    return (s.mine, s.theirs, s.kings) if p == s.turn else (turned(s.theirs), turned(s.mine), turned(s.kings))


def signature(a: tuple[int, ...], b: tuple[int, ...], move: int) -> int:
    """The place in the table of signatures of the two sides' terms."""
    return 3 * ((min(3, a[7]) * 4 + min(3, b[7])) * 16 + min(3, a[6]) * 4 + min(3, b[6])) + move


def place_of_term(k: int, difference: int) -> int:
    """The place in the tables of terms of what the k-th is for one side less what it is for the other."""
    return 64 * k + min(63, max(0, 32 + difference))

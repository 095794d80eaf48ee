"""The numbers of checkers positions with few pieces, for endgame tables.

A class is how many men and kings each side has, the mover first. A number is the first of its class, and within it the mixed number of four
sets of squares: the mover's men, the other's men, the mover's kings, the other's kings. A set of k squares is numbered in the
combinatorial number system, kings among the squares that sets before have left free. Men of both sides are numbered independently, so some
numbers are of no position. A position without pieces of one side has a number, too: published counts include them.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb

from ...bits import popcount, u64
from ...errors import ZermeloError
from .._subsets import SQUARES, rank, unrank
from .moves import BOARD, CROWN, State, turned

MOST_PIECES = 6
MAN_SQUARES = 28
MEN, OTHER_MEN = BOARD & ~CROWN, BOARD & ~turned(CROWN)  # a man is crowned on the last row
Class = tuple[int, int, int, int]  # the mover's men, the other's men, the mover's kings, the other's kings


def _size(kind: Class) -> int:
    """How many numbers a class has."""
    a, b, c, d = kind
    return comb(MAN_SQUARES, a) * comb(MAN_SQUARES, b) * comb(SQUARES - a - b, c) * comb(SQUARES - a - b - c, d)


def _stages() -> list[tuple[Class, ...]]:
    """All classes, each with the same pieces the other way round: those with fewer pieces and fewer men first, as play leads there."""
    kinds = [
        (a, men - a, c, pieces - men - c)
        for pieces in range(1, MOST_PIECES + 1)
        for men in range(pieces + 1)
        for a in range(men + 1)
        for c in range(pieces - men + 1)
    ]
    return [(k, (k[1], k[0], k[3], k[2])) if k != (k[1], k[0], k[3], k[2]) else (k,) for k in kinds if k >= (k[1], k[0], k[3], k[2])]


STAGES = _stages()
CLASSES = tuple(kind for stage in STAGES for kind in stage)
CLASS_COUNT = len(CLASSES)
FIRSTS = (0, *accumulate(map(_size, CLASSES)))  # the first number of each class, and the number after the last


# Rows of a length that is a power of two: native code need not check an index & (length - 1), which every state asks for several times.
def _code(kind: Class) -> int:
    """The counts of a class as one number."""
    a, b, c, d = kind
    return a << 9 | b << 6 | c << 3 | d


_PLACES = {_code(kind): i for i, kind in enumerate(CLASSES)}
PLACES = tuple(_PLACES.get(code, 0) for code in range(4096))  # which class a code is
COUNTS = tuple(n for kind in CLASSES for n in kind) + (0,) * (1024 - 4 * CLASS_COUNT)  # four of each class
#: the first number of each class, and how many sets of the other's men, the mover's kings and the other's kings there are
WAYS = tuple(
    n
    for first, (a, b, c, d) in zip(FIRSTS, CLASSES, strict=False)
    for n in (first, comb(MAN_SQUARES, b), comb(SQUARES - a - b, c), comb(SQUARES - a - b - c, d))
) + (0,) * (1024 - 4 * CLASS_COUNT)


def ranges(wanted: str) -> tuple[tuple[str, int, int], ...]:
    """The classes with at most this many pieces; those with the same pieces form one range, with a name like 1M2K-1K."""
    if wanted not in {str(n) for n in range(2, MOST_PIECES + 1)}:
        raise ZermeloError(f"'{wanted}' is not an ending of checkers: expected 2 to {MOST_PIECES}, the most pieces on the board")
    found, at = [], 0
    for stage in STAGES:
        if sum(stage[0]) <= int(wanted):
            a, b, c, d = stage[0]
            found.append((f"{_side(a, c)}-{_side(b, d)}", FIRSTS[at], FIRSTS[at + len(stage)]))
        at += len(stage)
    return tuple(found)


def _side(men: int, kings: int) -> str:
    return (f"{men}M" if men else "") + (f"{kings}K" if kings else "") or "0"


# ---- lowered -----------------------------------------------------------------------------------


def number(s: State) -> int:
    """The number of s; -1 if it has too many pieces."""
    if popcount(s.mine | s.theirs) > MOST_PIECES:
        return -1
    men, other, crowned, others = s.mine & ~s.kings, s.theirs & ~s.kings, s.mine & s.kings, s.theirs & s.kings
    kind = 4 * PLACES[(popcount(men) << 9 | popcount(other) << 6 | popcount(crowned) << 3 | popcount(others)) & 4095]
    free = BOARD & ~(men | other)
    i = rank(men, MEN) * WAYS[(kind + 1) & 1023] + rank(other, OTHER_MEN)
    i = i * WAYS[(kind + 2) & 1023] + rank(crowned, free)
    i = i * WAYS[(kind + 3) & 1023] + rank(others, free & ~crowned)
    return WAYS[kind & 1023] + i


def state(i: int) -> State:
    """The position with Black to move that has this number, or the empty board if the number is of none."""
    low, high = 0, CLASS_COUNT
    while high - low > 1:
        middle = (low + high) // 2
        if WAYS[4 * middle & 1023] <= i:
            low = middle
        else:
            high = middle
    kind = 4 * low
    i -= WAYS[kind & 1023]
    a, b, c, d = COUNTS[kind & 1023], COUNTS[(kind + 1) & 1023], COUNTS[(kind + 2) & 1023], COUNTS[(kind + 3) & 1023]
    n, m = WAYS[(kind + 3) & 1023], WAYS[(kind + 2) & 1023]
    j, i = i % n, i // n
    k, i = i % m, i // m
    n = WAYS[(kind + 1) & 1023]
    men, other = unrank(i // n, a, MAN_SQUARES, MEN), unrank(i % n, b, MAN_SQUARES, OTHER_MEN)
    if men & other != 0:
        return State(u64(0), u64(0), u64(0), 0, 0)
    free = BOARD & ~(men | other)
    crowned = unrank(k, c, SQUARES - a - b, free)
    others = unrank(j, d, SQUARES - a - b - c, free & ~crowned)
    return State(men | crowned, other | others, crowned | others, 0, 0)

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
from .._subsets import ALL, CHOOSE, SQUARES, rank, unrank
from .moves import State

MOST_PIECES = 6
MAN_SQUARES = 28  # a man is crowned on the last row
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
FIRSTS = (0, *accumulate(map(_size, CLASSES)))  # the first number of each class, and the number after the last
SIDE = MOST_PIECES + 1
CODES = tuple(((a * SIDE + b) * SIDE + c) * SIDE + d for a, b, c, d in CLASSES)  # the counts of each class as one number
_PLACES = {code: i for i, code in enumerate(CODES)}
PLACES = tuple(_PLACES.get(code, 0) for code in range(SIDE**4))  # which class a code is
MANY = len(CLASSES)


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


def packed(board: u64) -> u64:
    """The 35 bits of a board without the three holes."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF0000 | board >> 3 & 0xFF000000


def spread(squares: u64) -> u64:
    """32 squares with the holes between them."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF0000) << 2 | (squares & 0xFF000000) << 3


def number(s: State) -> int:
    """The number of s; -1 if it has too many pieces."""
    if popcount(s.mine | s.theirs) > MOST_PIECES:
        return -1
    mine, theirs, kings = packed(s.mine), packed(s.theirs), packed(s.kings)
    men, other = mine & (ALL ^ kings), theirs & (ALL ^ kings)
    crowned, others = mine & kings, theirs & kings
    a, b, c, d = popcount(men), popcount(other), popcount(crowned), popcount(others)
    i = rank(men, u64(0)) * CHOOSE[MAN_SQUARES][b] + rank(other >> 4, u64(0))
    i = i * CHOOSE[SQUARES - a - b][c] + rank(crowned, men | other)
    i = i * CHOOSE[SQUARES - a - b - c][d] + rank(others, men | other | crowned)
    return FIRSTS[PLACES[((a * SIDE + b) * SIDE + c) * SIDE + d]] + i


def state(i: int) -> State:
    """The position with Black to move that has this number, or the empty board if the number is of none."""
    low, high = 0, MANY
    while high - low > 1:
        middle = (low + high) // 2
        if FIRSTS[middle] <= i:
            low = middle
        else:
            high = middle
    i -= FIRSTS[low]
    a, b, c, d = CODES[low] // SIDE**3, CODES[low] // SIDE**2 % SIDE, CODES[low] // SIDE % SIDE, CODES[low] % SIDE
    n, m = CHOOSE[SQUARES - a - b - c][d], CHOOSE[SQUARES - a - b][c]
    j, i = i % n, i // n
    k, i = i % m, i // m
    n = CHOOSE[MAN_SQUARES][b]
    men, other = unrank(i // n, a, MAN_SQUARES, u64(0)), unrank(i % n, b, MAN_SQUARES, u64(0)) << 4
    if men & other != 0:
        return State(u64(0), u64(0), u64(0), 0, 0)
    crowned = unrank(k, c, SQUARES - a - b, men | other)
    others = unrank(j, d, SQUARES - a - b - c, men | other | crowned)
    return State(spread(men | crowned), spread(other | others), spread(crowned | others), 0, 0)

"""The numbers of positions in Syzygy tables.

The pieces of a table are grouped: first the leading pawns, or three pieces of which there is one each, or the two kings; then pieces of
the same kind. The board is mirrored so that the first piece stands in the triangle a1, d1, d4 (with pawns: on the files a to d). A group
of k pieces is a set of squares without those of the groups before, numbered in the combinatorial number system; groups are digits of a
mixed number, whose order the file gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

TRIANGLE = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27]  # b1, c1, d1, c2, d2, d3, then the diagonal
IN_TRIANGLE = {square: i for i, square in enumerate(TRIANGLE)}
BELOW = {square: i for i, square in enumerate(sq for sq in range(64) if sq & 7 > sq >> 3)}  # the diagonal
OF_THREE, OF_KINGS = 31332, 462  # numbers of the first group
PAWN_SQUARES = 48
NO_ORDER = 15


def above_diagonal(square: int) -> int:
    """Above 0 above the diagonal a1-h8, 0 on it."""
    return (square >> 3) - (square & 7)


def _king_pairs() -> dict[tuple[int, int], int]:
    """Pairs of kings that are not side by side, the first in the triangle; if it is on the diagonal, the second not above it."""
    plain, both = list[tuple[int, int]](), list[tuple[int, int]]()
    for k in TRIANGLE:
        for other in range(64):
            if max(abs((k & 7) - (other & 7)), abs((k >> 3) - (other >> 3))) <= 1:
                continue
            if above_diagonal(k) == 0 and above_diagonal(other) > 0:
                continue
            (both if above_diagonal(k) == above_diagonal(other) == 0 else plain).append((k, other))
    return {pair: i for i, pair in enumerate(plain + both)}


KING_PAIRS = _king_pairs()


def twist(square: int) -> int:
    """The rank of a pawn's square among those on which another pawn may be beside the leading one, from d7 outwards and down."""
    folded = min(square & 7, 7 - (square & 7))
    return PAWN_SQUARES - 1 - 12 * folded - 2 * ((square >> 3) - 1) - (square & 7 > 3)


def leading(square: int) -> int:
    """The rank of a pawn's square as the leading one: the least leads."""
    return 6 * min(square & 7, 7 - (square & 7)) + (square >> 3) - 1


def _pawn_numbers(pawns: int) -> tuple[dict[int, int], list[int]]:
    """The first number of each square of the leading pawn on the files a to d, and how many numbers each of these files has."""
    firsts, sizes = {}, []
    for file in range(4):
        total = 0
        for rank in range(1, 7):
            square = 8 * rank + file
            firsts[square] = total
            total += comb(twist(square), pawns - 1)
        sizes.append(total)
    return firsts, sizes


PAWN_NUMBERS = [_pawn_numbers(pawns) for pawns in range(1, 6)]


@dataclass
class Layout:
    """How the pieces of a table make a number: the sizes of the groups and what each counts."""

    pieces: tuple[int, ...]  # 1 to 6 a white pawn to king, 9 to 14 black
    groups: tuple[int, ...]
    factors: tuple[int, ...]
    pawns: tuple[int, int]  # in the first group, and the other side's in the second
    size: int  # how many numbers there are


def layout(pieces: tuple[int, ...], order: int, order_2: int, pawns: tuple[int, int], file: int) -> Layout:
    """The layout of these pieces. The first group is the digit in place `order`, the second one of pawns in place `order_2`."""
    groups = _groups(pieces, pawns)
    fixed = 2 if pawns[1] else 1  # groups whose places are given
    factors, size, free = [0] * len(groups), 1, 64 - sum(groups[:fixed])
    rest, place = fixed, 0
    while rest < len(groups) or place in (order, order_2):
        if place == order:
            factors[0] = size
            size *= PAWN_NUMBERS[pawns[0] - 1][1][file] if pawns[0] else OF_THREE if groups[0] == 3 else OF_KINGS
        elif place == order_2:
            factors[1] = size
            size *= comb(PAWN_SQUARES - groups[0], groups[1])
        else:
            factors[rest] = size
            size *= comb(free, groups[rest])
            free -= groups[rest]
            rest += 1
        place += 1
    return Layout(pieces, groups, tuple(factors), pawns, size)


def _groups(pieces: tuple[int, ...], pawns: tuple[int, int]) -> tuple[int, ...]:
    """The sizes of the groups of these pieces, in their order."""
    if pawns[0]:
        groups = [n for n in pawns if n]
    else:
        groups = [3 if sum(pieces.count(x) == 1 for x in set(pieces)) >= 3 else 2]
    at = sum(groups)
    while at < len(pieces):
        same = 1
        while at + same < len(pieces) and pieces[at + same] == pieces[at]:
            same += 1
        groups.append(same)
        at += same
    return tuple(groups)


def number(told: Layout, squares: list[int]) -> int:
    """The number of the position in which the pieces of a layout stand on these squares."""
    if told.pawns[0]:
        squares = _mirrored_by_pawn(squares)
        found = _leading_pawns(told.groups[0], squares)
    else:
        squares = _mirrored(squares, told.groups[0])
        found = _three(*squares[:3]) if told.groups[0] == 3 else KING_PAIRS[squares[0], squares[1]]
    found *= told.factors[0]
    at = told.groups[0]
    for i, (size, factor) in enumerate(zip(told.groups[1:], told.factors[1:], strict=True), 1):
        first = 8 if i == 1 and told.pawns[1] else 0  # no pawn stands on the first rank
        before, some = squares[:at], sorted(squares[at : at + size])
        ranks = (square - sum(x < square for x in before) - first for square in some)
        found += factor * sum(comb(rank, k) for k, rank in enumerate(ranks, 1))
        at += size
    return found


def _mirrored_by_pawn(squares: list[int]) -> list[int]:
    return [square ^ 7 for square in squares] if squares[0] & 4 else squares


def _leading_pawns(pawns: int, squares: list[int]) -> int:
    """The number of the leading pawns: the first of them, then the others as a set."""
    others = sorted(twist(square) for square in squares[1:pawns])
    return PAWN_NUMBERS[pawns - 1][0][squares[0]] + sum(comb(rank, k) for k, rank in enumerate(others, 1))


def _mirrored(squares: list[int], first: int) -> list[int]:
    """The board mirrored so that the first piece stands in the triangle, and the first one off the diagonal below it."""
    flip = (7 if squares[0] & 4 else 0) | (56 if squares[0] & 32 else 0)
    squares = [square ^ flip for square in squares]
    sides = [above_diagonal(square) for square in squares[:first] if above_diagonal(square)]
    return [(square & 7) << 3 | square >> 3 for square in squares] if sides and sides[0] > 0 else squares


def _three(a: int, b: int, c: int) -> int:
    """The number of three pieces of which there is one each."""
    after_b, after_c = b > a, (c > a) + (c > b)
    if above_diagonal(a):
        return (IN_TRIANGLE[a] * 63 + b - after_b) * 62 + c - after_c
    if above_diagonal(b):
        return 6 * 63 * 62 + ((a >> 3) * 28 + BELOW[b]) * 62 + c - after_c
    if above_diagonal(c):
        return 6 * 63 * 62 + 4 * 28 * 62 + ((a >> 3) * 7 + (b >> 3) - after_b) * 28 + BELOW[c]
    return 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + ((a >> 3) * 7 + (b >> 3) - after_b) * 6 + (c >> 3) - after_c

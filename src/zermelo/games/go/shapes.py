"""Shapes of three by three points in whose middle a stone is often well played: hane, cuts, and what is like them at the edge.

They are those of MoGo (Gelly, Wang, Munos, Teytaud 2006). X and O are stones of two colours, either of them to move; x is
anything but X, o anything but O, '.' an empty point, '?' anything and '-' beyond the edge. Every shape stands for all its
turns and mirrors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

SHAPES = (
    ("XOX", "...", "???"),  # hane that encloses
    ("XO.", "...", "?.?"),  # hane
    ("XO?", "X..", "x.?"),  # magari
    (".O.", "X..", "..."),  # a stone at the corner of another
    ("XO?", "O.o", "?o?"),  # a cut that nothing protects
    ("XO?", "O.X", "???"),  # a cut that was peeped at
    ("?X?", "O.O", "ooo"),  # a push between
    ("OX?", "o.O", "???"),  # a cut of the knight's move
    ("X.?", "O.?", "---"),  # at the edge: a chase
    ("OX?", "X.O", "---"),  # a cut is blocked
    ("?X?", "x.O", "---"),  # a connection is blocked
    ("?XO", "x.x", "---"),  # a step down
    ("?OX", "X.O", "---"),  # a cut
)

#: the two bits of what a point may be: an own stone, one of the other; both are beyond the edge
EMPTY, MINE, THEIRS, OUTSIDE = 0, 1, 2, 3
MEANING = {
    ".": (EMPTY,),
    "X": (MINE,),
    "O": (THEIRS,),
    "x": (EMPTY, THEIRS, OUTSIDE),
    "o": (EMPTY, MINE, OUTSIDE),
    "?": (EMPTY, MINE, THEIRS, OUTSIDE),
    "-": (OUTSIDE,),
}


@cache
def table() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """A bit for each number of a surrounding: whether it is one of the shapes."""
    bits = np.zeros(1 << 16, np.uint8)
    for shape in SHAPES:
        for way in set(ways(shape)):
            found = {"XO": np.zeros(1, np.int64), "OX": np.zeros(1, np.int64)}  # who X and O are
            for place, cell in enumerate(way):
                for sides, numbers in found.items():
                    may_be = [number(x if sides == "XO" else (x & 1) << 1 | x >> 1, place) for x in MEANING[cell]]
                    found[sides] = np.add.outer(numbers, may_be).ravel()
            for numbers in found.values():
                bits[numbers] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def number(x: int, place: int) -> int:
    """What x at this place, told from the lower left row by row, adds to a surrounding's number: own stones are its lower 8 bits."""
    return (x & 1) << place | (x >> 1) << place + 8


def ways(shape: tuple[str, ...]) -> Iterator[str]:
    """The surrounding in each turn and mirror, row by row without its middle."""
    rows = tuple(shape)
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
        for seen in (rows, rows[::-1]):
            whole = "".join(seen)
            yield whole[:4] + whole[5:]

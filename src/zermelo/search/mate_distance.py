"""The numbers of a search by windows: the least step between two values, and how far off the end of the game is."""

from __future__ import annotations

from ..bits import u64
from ..lower.memory import to_real, to_word
from .depth_first import INFINITE
from .records import Record

PLY_VALUE = 2.0**-24  # what a ply is worth where the distance counts: exact in floats, and little even for 10,000 plies


class Distant(Record):
    """The record of a search that prefers the quicker win and the slower loss."""

    distance: float  # what a ply is worth, or 0


def next_float(x: float) -> float:
    """The next value after x that a null window ends at: no value lies between."""
    if x == -INFINITE:
        return -INFINITE
    word = to_word(x + 0.0)
    if x == 0.0:
        return to_real(u64(1))
    return to_real(word + 1) if x > 0.0 else to_real(word - 1)


def from_root(v: float, ply: int, work: Distant) -> float:
    """A value that is counted from this ply as it is seen from the root: a little nearer to 0 the longer it takes."""
    return v - work.distance * ply if v > 0.0 else v + work.distance * ply if v < 0.0 else v


def from_ply(v: float, ply: int, work: Distant) -> float:
    """A value seen from the root as it is counted from this ply, where the table is entered."""
    return v + work.distance * ply if v > 0.0 else v - work.distance * ply if v < 0.0 else v

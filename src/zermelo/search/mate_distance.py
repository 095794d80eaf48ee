"""The numbers of a search by windows: the least step between two values, and how far off the end of the game was."""

from __future__ import annotations

from typing import Any

from ..bits import u64
from ..lower.memory import to_real, to_word
from .minimax import INFINITE

STEP = 2.0**-24  # what a ply is worth where the distance counts: exact in floats, and little even for 10,000 plies


def above(x: float) -> float:
    """The next value after x that a null window ends at: no value lies between."""
    if x == -INFINITE:
        return -INFINITE
    word = to_word(x + 0.0)
    if x == 0.0:
        return to_real(u64(1))
    return to_real(word + 1) if x > 0.0 else to_real(word - 1)


def distant(v: float, ply: int, work: Any) -> float:
    """A value at the end of the game, a little nearer to 0 the longer it took."""
    return v - work.distance * ply if v > 0.0 else v + work.distance * ply if v < 0.0 else v


def farther(v: float, ply: int, work: Any) -> float:
    """A value seen from the root as it is seen from this ply, where the table is entered."""
    return v + work.distance * ply if v > 0.0 else v - work.distance * ply if v < 0.0 else v


def nearer(v: float, ply: int, work: Any) -> float:
    """A value of the table as it is seen from the root."""
    return v - work.distance * ply if v > 0.0 else v + work.distance * ply if v < 0.0 else v

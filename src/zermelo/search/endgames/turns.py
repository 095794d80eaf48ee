"""Tables of one side: how many turns a side of a race needs, and what two sides make of each other.

    CHANCE(a, b) = sum over n = 1, 2, ... of  P[a](n) * P[b](at least n)          that a, on roll, is done first
    VALUE(a, b)  = sum over n of  P[a](n) * (P[b](at least n) + MORE[b](n - 1))
                 - sum over n of  P[b](n) * (P[a](more than n) + MORE[a](n))

P[a](n): how likely side a is done after n turns. MORE[a](n): what side a, after n turns, loses on average beyond 1 point if the other is
done then, as by a gammon. A row is P for n = 1 ... TURNS, then MORE for n = 0 ... TURNS - 1, 16 bits each. The values are close and not
exact: each side plays as if it were alone, once as quickly as it can, and once to lose no more than 1 point.
"""

from __future__ import annotations

from ...bits import pair_at
from ..records import Record
from .values import get16

TURNS = 32  # that a row has room for
ROW = 2 * TURNS
CERTAIN = 0xFFFF  # what stands for 1


class Rows(Record):
    """The record of an algorithm that looks sides up."""

    endgames: int  # values of 16 bits
    endgames_size: int  # how many there are before the rows of sides
    endgames_sides: int  # how many sides have rows, 0 if none has


def is_race(i: int, work: Rows) -> bool:
    """Whether both sides of the state with this number have rows."""
    return 0 <= i < work.endgames_sides * work.endgames_sides


def race_value(i: int, work: Rows) -> float:
    """What the state with this number is worth to the side on roll."""
    a, b = pair_at(i)
    mine, theirs = work.endgames_size + a * ROW, work.endgames_size + b * ROW
    value, my_rest, their_rest = 0.0, 1.0, 1.0  # how likely each is not done
    for n in range(TURNS):
        done = get16(work.endgames, mine + n) / CERTAIN
        value += done * (their_rest + get16(work.endgames, theirs + TURNS + n) / CERTAIN)
        my_rest -= done
        done = get16(work.endgames, theirs + n) / CERTAIN
        their_rest -= done
        if n + 1 < TURNS:
            value -= done * (my_rest + get16(work.endgames, mine + TURNS + n + 1) / CERTAIN)
    return value

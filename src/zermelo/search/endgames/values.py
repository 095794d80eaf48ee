"""The values of an endgame table, 16 bits each, to the player to move: no state, drawn, or lost or won in a number of plies.

0        no state has this number
1        drawn: neither side can force a win
2 + 2n   lost in n plies
3 + 2n   won in n plies

In a table of a game with chance they are expected utilities to the player of the state's `perspective`, in parts of the greatest:

0            no state has this number
EVEN + n     n / HALF of the greatest value
"""

from __future__ import annotations

from ...bits import i64, u64
from ...lower.memory import load, store

NO_STATE, DRAWN = 0, 1
LOST, WON = 2, 3  # at once
MAX_PLIES = 30_000  # of a win; 16 bits can hold a few more
EVEN, HALF = 1 << 15, (1 << 15) - 1


def is_decided(v: int) -> bool:
    """Whether a value is a win or a loss."""
    return v >= LOST


def is_won(v: int) -> bool:
    """Whether a value is a win of the player to move."""
    return v >= LOST and v & 1 == 1


def plies_of(v: int) -> int:
    """The plies to the end of a win or a loss."""
    return (v - LOST) >> 1


def sign_of(v: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return 0 if v < LOST else 1 if v & 1 == 1 else -1


def expected_value(v: int, greatest: float) -> float:
    """The expected utility that a value of a table of these means."""
    return (v - EVEN) / HALF * greatest


def seen_before(v: int, is_same_mover: bool) -> int:
    """The value, to the player to move one ply earlier, of an action that leads to a state of value v."""
    if v < LOST:
        return v
    return v + 2 if is_same_mover else (v ^ 1) + 2


def preference(v: int) -> int:
    """A number that is greater for the values that the player to move prefers: quick wins, slow wins, draws, slow losses, quick ones."""
    if v < LOST:
        return 0
    return 0x10000 - v if v & 1 == 1 else v - 0x10000


# ---- small numbers in tables of words -----------------------------------------------------------


def get16(table: int, i: int) -> int:
    """The i-th number of 16 bits."""
    return i64(load(table, i >> 2) >> 16 * (i & 3) & 0xFFFF)


def get32(table: int, i: int) -> int:
    """The i-th number of 32 bits."""
    return i64(load(table, i >> 1) >> 32 * (i & 1) & 0xFFFFFFFF)


def put32(table: int, i: int, x: int) -> int:
    """Make the i-th number of 32 bits x; x."""
    shift = 32 * (i & 1)
    store(table, i >> 1, load(table, i >> 1) & (u64(0xFFFFFFFF00000000) >> shift) | u64(x) << shift)
    return x

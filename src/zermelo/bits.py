"""Machine words and the bit helpers, as they mean in the interpreter.

Rules are written with these names. Interpreted, they are plain Python on plain ints, below. Lowered,
each becomes one or two machine instructions (`lower/intrinsics.py`) with the same meaning, on the
CPU and on CUDA.

The type names annotate the fields of a state and convert: `u64(x)` keeps the low 64 bits, `i64(x)`
reads them as a signed number. A `u64` is a *word* (a set of bits), everything smaller or signed
is a *number*: the two meet only through a conversion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

FULL = (1 << 64) - 1


class Machine(int):
    """A machine integer type: an annotation for a field, and a conversion that yields a plain int."""

    bits: int = 64
    signed: bool = False

    def __new__(cls, x: Any = 0) -> int:  # type: ignore[misc]
        low = int(x) & ((1 << cls.bits) - 1)
        return low - (1 << cls.bits) if cls.signed and low >> (cls.bits - 1) else low

    @classmethod
    def least(cls) -> int:
        return -(1 << (cls.bits - 1)) if cls.signed else 0

    @classmethod
    def most(cls) -> int:
        return (1 << (cls.bits - cls.signed)) - 1


if TYPE_CHECKING:  # a value of these types is an int, and so is what the conversion gives
    u64 = int
    u32 = int
    u16 = int
    u8 = int
    i64 = int
    i32 = int
    i16 = int
    i8 = int
else:

    def _machine(name: str) -> type[Machine]:
        return type(name, (Machine,), {"bits": int(name[1:]), "signed": name[0] == "i"})

    u64, u32, u16, u8 = _machine("u64"), _machine("u32"), _machine("u16"), _machine("u8")
    i64, i32, i16, i8 = _machine("i64"), _machine("i32"), _machine("i16"), _machine("i8")


def popcount(x: int) -> int:
    """How many bits of x are set (a number)."""
    return (x & FULL).bit_count()


def ctz(x: int) -> int:
    """Index of the lowest set bit; 64 for 0."""
    return (x & -x).bit_length() - 1 if x else 64


def clz(x: int) -> int:
    """How many zeros stand above the highest set bit; 64 for 0."""
    return 64 - (x & FULL).bit_length()


def lowest(x: int) -> int:
    """The lowest set bit alone; 0 for 0."""
    return x & -x


def rest(x: int) -> int:
    """All but the lowest set bit; 0 for 0."""
    return x & (x - 1) if x else 0


def bit(i: int) -> int:
    """The word in which only bit i (0..63) is set."""
    return 1 << i


def byteswap(x: int) -> int:
    """The word with its eight bytes in the opposite order."""
    return int.from_bytes((x & FULL).to_bytes(8, "little"), "big")


def bitreverse(x: int) -> int:
    """The word with its 64 bits in the opposite order."""
    return int(f"{x & FULL:064b}"[::-1], 2)


def nth(x: int, k: int) -> int:
    """Index of the k-th set bit of x, counting from 0; k must be below popcount(x)."""
    for _ in range(k):
        x &= x - 1
    return ctz(x)


def load(table: Any, i: int) -> int:
    """Word i of a table that lies in memory: `lower/memory.py`."""
    return int(table[i])


# ---- two numbers as one ------------------------------------------------------------------------


def paired(a: int, b: int) -> int:
    """A number for the pair of a and b: all pairs of numbers below n have the numbers below n * n."""
    return a * a + b if a >= b else b * b + b + 1 + a


def pair_at(i: int) -> tuple[int, int]:
    """The pair that has this number."""
    m = int(math.sqrt(i))
    while m * m > i:
        m -= 1
    while (m + 1) * (m + 1) <= i:
        m += 1
    k = i - m * m
    return (m, k) if k <= m else (k - m - 1, m)

"""Rows of 16-bit integers outside the work record: the weights of an integer network and the sums made with them.

An algorithm holds the integers in a field of its record and names a row by its place. Lengths are multiples of SHORT_LANES. Natively
the field is an address and a row is worked on in vectors of the processor; interpreted it is an array of numpy's. Sums wrap around
at 16 bits in both, and everything else is exact, so they give the same bits in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SHORT_LANES = 32  # integers side by side: a line of the processor's cache, two registers of AVX2, four of NEON


class Shorts:
    """Memory of n integers of 16 bits; `table` is what an algorithm holds of it in a field of its record."""

    def __init__(self, n: int, interpreted: bool):
        space = np.zeros(n + SHORT_LANES, np.int16)
        skipped = -space.ctypes.data % (2 * SHORT_LANES) // 2  # a row begins with a line of the processor's cache
        self.array = space[skipped : skipped + n]
        self.table: Any = self.array if interpreted else self.array.ctypes.data

    @classmethod
    def of(cls, shorts: Shorts, interpreted: bool) -> Shorts:
        """The same memory, which both share."""
        same = cls.__new__(cls)
        same.array = shorts.array
        same.table = same.array if interpreted else same.array.ctypes.data
        return same


def short(t: Any, i: int) -> int:
    """Integer i of t."""
    return int(t[i])


def short_copy(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Make t[i + k] be u[j + k] for k < n; n."""
    t[i : i + n] = u[j : j + n]
    return n


def short_add(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Add u[j + k] to t[i + k] for k < n; n."""
    t[i : i + n] += u[j : j + n]
    return n


def short_subtract(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Subtract u[j + k] from t[i + k] for k < n; n."""
    t[i : i + n] -= u[j : j + n]
    return n


def short_replace(n: int, u: Any, j: int, w: Any, a: int, b: int, t: Any, i: int) -> int:
    """Make t[i + k] be u[j + k] + w[a + k] - w[b + k] for k < n; n."""
    t[i : i + n] = u[j : j + n] + w[a : a + n] - w[b : b + n]
    return n


def short_replace_two(n: int, u: Any, j: int, w: Any, a: int, b: int, c: int, t: Any, i: int) -> int:
    """Make t[i + k] be u[j + k] + w[a + k] - w[b + k] - w[c + k] for k < n; n."""
    t[i : i + n] = u[j : j + n] + w[a : a + n] - w[b : b + n] - w[c : c + n]
    return n


def clipped_squares(n: int, top: int, t: Any, i: int, u: Any, j: int) -> int:
    """The sum of c(k) * c(k) * u[j + k] for k < n, where c(k) is t[i + k], but at least 0 and at most `top`.

    No product top * u[j + k] may need more than 16 bits, and n is at most 16,384 for a top of 255: then nothing wraps around.
    """
    clipped = np.clip(t[i : i + n].astype(np.int64), 0, top)
    return int((clipped * clipped * u[j : j + n]).sum())


#: by the names that they have here; `row_` stands before them in a generated module
OPERATIONS = (short, short_copy, short_add, short_subtract, short_replace, short_replace_two, clipped_squares)

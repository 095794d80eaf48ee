"""Rows of 16-bit integers outside the work record: the weights of an integer network and the sums made with them.

An algorithm holds the integers in a field of its record and names a row by its place. Lengths are multiples of SHORT_LANES. Natively
the field is an address and a row is worked on in vectors of the processor; interpreted it is an array of numpy's. Sums wrap around
at 16 bits in both, and everything else is exact, so they give the same bits in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SHORT_LANES = 32  # integers side by side: a line of the processor's cache, a register of AVX-512, two of AVX2, four of NEON


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


def short_change(
    n: int, u: Any, j: int, w: Any, rows: int, view: int, c: Any, a: int, added: int, r: int, removed: int, t: Any, i: int
) -> int:
    """Make t[i + k] be u[j + k] for k < n, with rows of w added and others subtracted; n.

    The words of c from place a on, `added` of them, say which rows are added, those from r on which are subtracted: row x ^ view for x,
    and row 0 if w has not so many.
    """
    made = u[j : j + n].copy()
    for at, count, sign in ((a, added, 1), (r, removed, -1)):
        for k in range(at, at + count):
            seen = int(c[k]) ^ view
            begin = (seen if 0 <= seen < rows else 0) * n
            made += sign * w[begin : begin + n]
    t[i : i + n] = made
    return n


def clipped_squares(n: int, top: int, t: Any, i: int, h: int, u: Any, j: int) -> int:
    """The sum of c(x) * c(x) * weight over the n integers x of t from i on and the n from h on; their weights are 2 n of u, from j on.

    c(x) is x, but at least 0 and at most `top`. No product of top and a weight may need more than 16 bits, and n is at most 4,096 for a top
    of 255: then nothing wraps around.
    """
    clipped = np.clip(np.concatenate([t[i : i + n], t[h : h + n]]).astype(np.int64), 0, top)
    return int((clipped * clipped * u[j : j + 2 * n]).sum())


#: by the names that they have here; `row_` stands before them in a generated module
OPERATIONS = (short, short_change, clipped_squares)

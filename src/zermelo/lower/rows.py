"""Rows of 32-bit floats outside the work record: the weights of a learned model and the sums made with them.

An algorithm holds the floats in a field of its record and names a row by its place; the operations are those of BLAS. Lengths are
multiples of LANES. Natively the field is an address and a row is worked on in vectors of the processor; interpreted it is an array of
numpy's. Both round every product and every sum to 32 bits in the same order, so they give the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import short_rows

Array = np.ndarray[Any, np.dtype[np.float32]]
LANES = 16  # floats side by side: one register of AVX-512, two of AVX, four of NEON
_F32 = np.float32
#: 2**f for f in -1/2..1/2 by a polynomial, the highest power first
POWERS_OF_2 = (0.0013267, 0.00967546, 0.05550743, 0.24022122, 0.69314695, 1.00000007)
LOG2_E = 1.44269504
#: added to a number below 2**22 it leaves the nearest whole number, plus 127, in the lowest bits: the exponent of that power of 2
ROUNDER = 1.5 * 2**23 + 127
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8  # of Adam
STEEPEST = 40.0  # beyond it a sigmoid is 0 or 1 to all 24 bits


class Floats:
    """Memory of n floats, 0 at first; `table` is what an algorithm holds of it in a field of its record."""

    def __init__(self, n: int, interpreted: bool):
        space = np.zeros(n + LANES, _F32)
        skipped = -space.ctypes.data % (4 * LANES) // 4  # a row within one line of the processor's cache
        self.array = space[skipped : skipped + n]
        self.table = _table(self.array, interpreted)

    @classmethod
    def of(cls, array: Array, interpreted: bool) -> Floats:
        """The floats of an array, which both share."""
        floats = cls.__new__(cls)
        floats.array, floats.table = array, _table(array, interpreted)
        return floats


def _table(array: Array, interpreted: bool) -> Any:
    return array if interpreted else array.ctypes.data


def get(t: Any, i: int) -> float:
    """Float i of t."""
    return float(t[i])


def put(t: Any, i: int, x: float) -> float:
    """Make float i of t be x, rounded to 32 bits; x."""
    t[i] = x
    return x


def dot(n: int, t: Any, i: int, u: Any, j: int) -> float:
    """The sum of t[i + k] * u[j + k] for k < n: one sum for each of the LANES, then their halves added until one is left."""
    sums = np.zeros(LANES, _F32)
    for k in range(0, n, LANES):
        sums = sums + t[i + k : i + k + LANES] * u[j + k : j + k + LANES]
    while len(sums) > 1:
        sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
    return float(sums[0])


def axpy(n: int, x: float, u: Any, j: int, t: Any, i: int) -> int:
    """Add x * u[j + k] to t[i + k] for k < n; n."""
    t[i : i + n] += _F32(x) * u[j : j + n]
    return n


def copy(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Make t[i + k] be u[j + k] for k < n; n."""
    t[i : i + n] = u[j : j + n]
    return n


def clear(n: int, t: Any, i: int) -> int:
    """Make t[i + k] be 0 for k < n; n."""
    t[i : i + n] = 0
    return n


def sigmoids(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Make t[i + k] be 1 / (1 + e ** -u[j + k]) for k < n; n."""
    y = np.clip(u[j : j + n], _F32(-STEEPEST), _F32(STEEPEST)) * _F32(-LOG2_E)
    rounded = y + _F32(ROUNDER)
    f = y - (rounded - _F32(ROUNDER))
    power = np.full(n, POWERS_OF_2[0], _F32)
    for c in POWERS_OF_2[1:]:
        power = power * f + _F32(c)
    power = power * (rounded.view(np.int32) << 23).view(_F32)
    t[i : i + n] = _F32(1) / (_F32(1) + power)
    return n


def slopes(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Multiply t[i + k] by u[j + k] * (1 - u[j + k]), the slope of a sigmoid whose value is u[j + k], for k < n; n."""
    a = u[j : j + n]
    t[i : i + n] *= a * (_F32(1) - a)
    return n


def squares(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Make t[i + k] be the square of u[j + k], but of at least 0 and at most 1, for k < n; n."""
    clipped = np.clip(u[j : j + n], _F32(0), _F32(1))
    t[i : i + n] = clipped * clipped
    return n


def square_slopes(n: int, u: Any, j: int, t: Any, i: int) -> int:
    """Multiply t[i + k] by the slope of that square: 2 * u[j + k] between 0 and 1, elsewhere 0, for k < n; n."""
    x = u[j : j + n]
    t[i : i + n] *= np.where((x > 0) & (x < 1), x + x, _F32(0))
    return n


def adam(n: int, t: Any, i: int, apart: int, rate: float, limit: float) -> int:
    """A step of Adam for n floats of t from i on, whose gradient, mean of gradients and mean of their squares stand `apart`, twice and
    three times as far behind them; the gradient is 0 then, and no float larger than the limit; n."""
    w, g, m, v = (t[i + k * apart : i + k * apart + n] for k in range(4))
    m[:] = _F32(BETA_1) * m + _F32(1 - BETA_1) * g
    v[:] = _F32(BETA_2) * v + _F32(1 - BETA_2) * (g * g)
    w[:] = np.clip(w - _F32(rate) * m / (np.sqrt(v) + _F32(EPSILON)), _F32(-limit), _F32(limit))
    g[:] = 0
    return n


#: by the names that they have here; `row_` stands before them in a generated module
OPERATIONS = (get, put, dot, axpy, copy, clear, sigmoids, slopes, squares, square_slopes, adam, *short_rows.OPERATIONS)

"""e ** x for x <= 0, made of products and sums alone: the same bits interpreted, natively and on a GPU, whose libraries differ."""

from __future__ import annotations

import math

LOG2_E = 1.0 / math.log(2)
MIN_EXPONENT = -40  # the exponent below which a power of 2 is taken to be 2**-40
HALVES = tuple(2.0**-n for n in range(-MIN_EXPONENT + 1))
#: 2**f for f in -1..0 as a power series of f, the highest power first
SERIES = tuple(math.log(2) ** k / math.factorial(k) for k in range(11, -1, -1))


def exponential(x: float) -> float:
    """e ** x for x <= 0, to 10 digits or more."""
    y = max(x * LOG2_E, float(MIN_EXPONENT))
    n = int(-y)  # 2**y = 2**-n * 2**f with f in -1..0
    f = y + n
    power = 0.0
    for c in SERIES:
        power = power * f + c
    return power * HALVES[n]

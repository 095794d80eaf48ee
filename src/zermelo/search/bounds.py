"""Which scores of a search that prunes are only bounds."""

from __future__ import annotations

import math
from bisect import insort

from .searcher import AT_LEAST, AT_MOST


def bounds_of(scores: dict[int, float], low: float = -math.inf, high: float = math.inf, lines: int = 1) -> dict[int, str]:
    """Which scores are bounds, where actions were searched in this order with the N-th best as alpha, within this window."""
    found, tops = dict[int, str](), [low] * lines  # the least first
    for a, v in scores.items():
        if v <= tops[0]:
            found[a] = AT_MOST
            continue
        if v >= high:
            found[a] = AT_LEAST
        insort(tops, v)
        del tops[0]
    return found

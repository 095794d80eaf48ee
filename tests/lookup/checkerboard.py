"""CheckerBoard's databases of checkers endings, read with numpy: all positions of a file, and who wins them.

Black's men go up, from bit 0; bits 0 to 3 are the first row from left to right. A slice is how many men and kings each side has, how far
the most advanced man of each has come, and who is to move. Its values stand in runs: a byte up to 80 is four values in base 3, a larger one
a value and a length. Where the side to move can capture, or the other could if it were to move, a value means nothing.
"""

from __future__ import annotations

import re
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np

LENGTHS = [*range(5, 33), 36, 40, 44, 48, 52, 56, 60, 70, 80, 90, 100, 150, 200, 250, 300, 400, 500, 650, 800, 1000, 1200, 1400, 1600]
LENGTHS += [2000, 2400, 3200, 4000, 5000, 7500, 10000]
SIGNS = np.array([1, -1, 0], np.int8)  # win, loss, draw
LINE = re.compile(r"BASE(\d+),(\d+),(\d+),(\d+),(\d+),(\d+),([bw]):(?:(\d+)/(\d+)|([+=-]))")
MOST = 1 << 20  # positions at a time


def slices(folder: Path, pieces: int):
    """Yield the counts and ranks of each slice, who is to move, and the sign of each of its values to that side."""
    data = np.frombuffer((folder / f"db{pieces}.cpr").read_bytes(), np.uint8)
    found = LINE.findall((folder / f"db{pieces}.idx").read_text())
    starts = [1024 * int(one[7]) + int(one[8]) for one in found if one[7]] + [len(data)]
    for one in found:
        counts = tuple(map(int, one[:6]))
        if one[9]:
            signs = np.full(size(counts), {"+": 1, "-": -1, "=": 0}[one[9]], np.int8)
        else:
            start = starts.pop(0)
            signs = unpacked(data[start : starts[0]])
        yield counts, one[6], signs[: size(counts)]


def unpacked(some: np.ndarray) -> np.ndarray:
    """The values of these bytes."""
    rows = []
    for byte in some.tolist():
        if byte <= 80:
            rows.append(np.array([byte % 3, byte // 3 % 3, byte // 9 % 3, byte // 27], np.int8))
        else:
            rows.append(np.full(LENGTHS[(byte - 81) % 58], (byte - 81) // 58, np.int8))
    return SIGNS[np.concatenate(rows)]


def men_sets(men: int, rank: int) -> np.ndarray:
    """The sets of so many men of which the most advanced has come to this row, in the order of their numbers."""
    sets = [sum(1 << x for x in some) for some in combinations(range(4 * rank + 4), men)] if men else [0]
    return np.array(sorted(x for x in sets if not men or x >> 4 * rank), np.uint64)


def king_sets(kings: int, free: int) -> np.ndarray:
    return np.array(sorted(sum(1 << x for x in some) for some in combinations(range(free), kings)), np.uint64)


def size(counts: tuple[int, ...]) -> int:
    bm, bk, wm, wk, b_rank, w_rank = counts
    return len(men_sets(bm, b_rank)) * len(men_sets(wm, w_rank)) * comb(32 - bm - wm, bk) * comb(32 - bm - wm - bk, wk)


def spread_over(some: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """The sets with their members counted among the squares that are not taken."""
    found, seen = np.zeros_like(some), np.zeros(len(some), np.uint64)
    for square in range(32):
        free = (taken >> np.uint64(square)) & np.uint64(1) == 0
        found |= np.where(free, (some >> seen & np.uint64(1)) << np.uint64(square), np.uint64(0))
        seen += free.astype(np.uint64)
    return found


def reverse(some: np.ndarray) -> np.ndarray:
    """The 32 bits the other way round."""
    found = np.zeros_like(some)
    for square in range(32):
        found |= (some >> np.uint64(square) & np.uint64(1)) << np.uint64(31 - square)
    return found


def positions(counts: tuple[int, ...]):
    """Yield first numbers and positions of a slice, some at a time: Black's men, kings, White's men, kings; men may share squares."""
    bm, bk, wm, wk, b_rank, w_rank = counts
    black, white = men_sets(bm, b_rank), reverse(men_sets(wm, w_rank))
    kings, others = king_sets(bk, 32 - bm - wm), king_sets(wk, 32 - bm - wm - bk)
    for first in range(0, size(counts), MOST):
        i = np.arange(first, min(first + MOST, size(counts)))
        i, b = np.divmod(i, len(black))
        i, w = np.divmod(i, len(white))
        i, k = np.divmod(i, len(kings))
        men = black[b] | white[w]
        crowned = spread_over(kings[k], men)
        yield first, black[b], crowned, white[w], spread_over(others[i], men | crowned)

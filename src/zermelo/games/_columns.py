"""Numbers of the positions in which few stones stand in columns, as tables of an opening need them.

Positions are numbered by how many stones there are, those with the most first; then by the heights of the columns, in lexicographic
order; then by which of the stones, from the lowest of the first column on, are the mover's: the rank of a combination. Of a position
and its mirror image the smaller number counts.
"""

from __future__ import annotations

from math import comb
from typing import Any

from ..bits import bit, popcount, u64

MOST_STONES = 13  # whose positions have numbers


class ColumnNumbers:
    """What a board of stones in columns knows of numbers; a game that inherits it says how wide and high it is."""

    def number_columns(self: Any, width: int, height: int) -> None:
        """Prepare the tables: fillings by the columns that are left and the stones for them, combinations, first numbers."""
        ways = [[1] + [0] * MOST_STONES]
        for _ in range(width):
            ways.append([sum(ways[-1][n - h] for h in range(min(height, n) + 1)) for n in range(MOST_STONES + 1)])
        self.fillings = tuple(n for row in ways for n in row)
        self.combinations = tuple(comb(n, k) for n in range(MOST_STONES + 1) for k in range(MOST_STONES + 1))
        firsts = [0]
        for n in range(MOST_STONES, -1, -1):
            firsts.append(firsts[-1] + ways[width][n] * comb(n, n // 2))
        self.first_numbers = tuple(firsts)  # of 13 stones, of 12, ..., and the number after the last

    def number_of(self: Any, mine: u64, both: u64) -> int:
        """The number of a position, mirrored or not."""
        stones = popcount(both)
        left, heights, ones, colours, after = stones, 0, stones // 2, 0, stones
        for c in range(self.width):
            height = popcount(both >> self.column * c & (bit(self.height) - 1))
            for h in range(height):
                heights += self.fillings[(self.width - 1 - c) * (MOST_STONES + 1) + left - h]
                after -= 1
                if mine >> (self.column * c + h) & 1 != 0:
                    colours += self.combinations[after * (MOST_STONES + 1) + ones]
                    ones -= 1
            left -= height
        return self.first_numbers[MOST_STONES - stones] + heights * self.combinations[stones * (MOST_STONES + 1) + stones // 2] + colours

    def mine_at(self: Any, i: int) -> u64:
        """The mover's stones in the position of number i."""
        stones = self.stones_at(i)
        both = self.both_at(i)
        rank = (i - self.first_numbers[MOST_STONES - stones]) % self.combinations[stones * (MOST_STONES + 1) + stones // 2]
        mine, ones, after = u64(0), stones // 2, stones
        for c in range(self.width):
            for h in range(popcount(both >> self.column * c & (bit(self.height) - 1))):
                after -= 1
                others = self.combinations[after * (MOST_STONES + 1) + ones]
                if ones > 0 and rank >= others:
                    rank -= others
                    ones -= 1
                    mine |= bit(self.column * c + h)
        return mine

    def both_at(self: Any, i: int) -> u64:
        """All stones in the position of number i."""
        left = self.stones_at(i)
        rank = (i - self.first_numbers[MOST_STONES - left]) // self.combinations[left * (MOST_STONES + 1) + left // 2]
        both = u64(0)
        for c in range(self.width):
            h = 0
            fewer = self.fillings[(self.width - 1 - c) * (MOST_STONES + 1) + left]
            while rank >= fewer:
                rank -= fewer
                both |= bit(self.column * c + h)
                h += 1
                fewer = self.fillings[(self.width - 1 - c) * (MOST_STONES + 1) + left - h]
            left -= h
        return both

    def stones_at(self: Any, i: int) -> int:
        """How many stones there are in the position of number i."""
        stones = MOST_STONES
        while i >= self.first_numbers[MOST_STONES - stones + 1]:
            stones -= 1
        return stones

"""Sets of points of a square board as bits, on boards of any size up to 19.

A row takes one bit more than the board has columns: the bit that stays empty stops stones from touching across
the edge. As many whole rows as fit go into a word; 9 x 9 takes two words, 19 x 19 seven. Everything
below works on all points of a set at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...bits import bit, ctz, nth, popcount, u64
from ...game import Game

#: a set of points: as many words as the board takes
Points = tuple[u64, ...]


class Board(Game):
    """The points of a board, each known by its index row * (size + 1) + column, row 0 at the bottom and column 0 at the left."""

    def __init__(self, size: int):
        self.size = size
        self.row = size + 1  # bits of a row
        self.rows = min(64 // self.row, size)  # rows of a word
        self.words = -(-size // self.rows)
        self.span = self.rows * self.row  # bits of a word that are used, so the index of a word's first point
        self.carry = self.span - self.row  # from the last row of a word to the first of the next
        self.points = tuple(y * self.row + x for y in range(size) for x in range(size))
        self.board = self.set_of(self.points)
        self.nothing = self.set_of(())
        self.edge = self.set_of(p for p in self.points if {p // self.row, p % self.row} & {0, size - 1})

    def set_of(self, points: Iterable[int]) -> Points:
        """The set of these points."""
        words = [0] * self.words
        for p in points:
            words[p // self.span] |= 1 << p % self.span
        return tuple(words)

    def list_of(self, points: Points) -> list[int]:
        """The points of a set, the lowest first."""
        return [p for p in self.points if points[p // self.span] >> p % self.span & 1]

    # ---- what rules use, so lowered ----------------------------------------------------------

    def point(self, p: int) -> Points:
        """The set of this point alone."""
        return tuple(bit((p - self.span * i) & 63) if self.span * i <= p < self.span * (i + 1) else 0 for i in range(self.words))

    def has(self, points: Points, p: int) -> bool:
        """Whether point p is in the set."""
        return points[p // self.span] >> (p % self.span) & 1 != 0

    def size_of(self, points: Points) -> int:
        """How many points the set has."""
        return sum(popcount(x) for x in points)

    def first(self, points: Points) -> int:
        """The lowest point of a set that is not empty."""
        i = 0
        while points[i] == 0:
            i += 1
        return self.span * i + ctz(points[i])

    def pick(self, points: Points, k: int) -> int:
        """The k-th point of a set that has more than k."""
        i = 0
        n = popcount(points[0])
        while k >= n:
            k -= n
            i += 1
            n = popcount(points[i])
        return self.span * i + nth(points[i], k)

    def above(self, points: Points) -> Points:
        """The set moved up by a row."""
        return tuple((x << self.row | (points[i - 1] >> self.carry if i > 0 else 0)) & self.board[i] for i, x in enumerate(points))

    def under(self, points: Points) -> Points:
        """The set moved down by a row."""
        return tuple(
            (x >> self.row | (points[i + 1] << self.carry if i < self.words - 1 else 0)) & self.board[i] for i, x in enumerate(points)
        )

    def near(self, points: Points) -> Points:
        """The points that touch a point of the set."""
        return tuple(
            (
                (x << 1 | x >> 1 | x << self.row | x >> self.row)
                | (points[i - 1] >> self.carry if i > 0 else 0)
                | (points[i + 1] << self.carry if i < self.words - 1 else 0)
            )
            & self.board[i]
            for i, x in enumerate(points)
        )

    def twice(self, points: Points) -> Points:
        """The points that touch at least two points of the set."""
        above, under = self.above(points), self.under(points)
        return tuple((x << 1 & x >> 1 | u & d | (x << 1 | x >> 1) & (u | d)) & b for x, u, d, b in zip(points, above, under, self.board))

    def flood(self, points: Points, among: Points) -> Points:
        """The set and all points of `among` that are joined to it through points of `among`."""
        while True:
            touched = self.near(points)
            more = tuple(x & y & ~z for x, y, z in zip(touched, among, points))
            if not any(more):
                return points
            points = tuple(x | y for x, y in zip(points, more))

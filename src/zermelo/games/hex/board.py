"""The board of Hex: sets of cells as words of 64 bits, and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable

from ...bits import FULL, bit, ctz, u64
from ...game import Game

Cells = tuple[u64, ...]  # a set of cells, 64 a word: cell (x, y) is bit y * size + x, row 0 on top
Sides = tuple[Cells, Cells, Cells, Cells, Cells, Cells]  # one set for each of the six directions, in a circle


class Board(Game):
    """size x size cells; Black's edges are the top and the bottom, White's the left and the right."""

    def __init__(self, size: int):
        self.size, self.cells = size, size * size
        self.words = (self.cells + 63) // 64
        every = range(self.cells)
        self.board, self.none = self.packed(every), self.packed(())
        self.off_left = self.packed(i for i in every if i % size > 0)
        self.off_right = self.packed(i for i in every if i % size < size - 1)
        self.top, self.left = self.packed(range(size)), self.packed(range(0, self.cells, size))
        self.bottom, self.right = self.packed(range(self.cells - size, self.cells)), self.packed(range(size - 1, self.cells, size))
        self.edges = (self.top, self.bottom, self.left, self.right)

    def packed(self, cells: Iterable[int]) -> Cells:
        """The set of these cells."""
        whole = sum(1 << i for i in cells)
        return tuple(whole >> 64 * i & (1 << 64) - 1 for i in range(self.words))

    def cell(self, a: int) -> Cells:
        """The set of this cell alone."""
        return tuple(bit(a & 63) if a >> 6 == i else 0 for i in range(self.words))

    def outside(self, own: Cells, other: Cells) -> Cells:
        """The cells of neither set."""
        return tuple(b ^ (x | y) for b, x, y in zip(self.board, own, other))

    def either(self, some: Cells, more: Cells) -> Cells:
        """The cells of one set or the other."""
        return tuple(x | y for x, y in zip(some, more))

    def common(self, some: Cells, others: Cells) -> Cells:
        """The cells of both sets."""
        return tuple(x & y for x, y in zip(some, others))

    def without(self, some: Cells, less: Cells) -> Cells:
        """The cells of the first set that are not in the second."""
        return tuple(x & ~y for x, y in zip(some, less))

    def first(self, cells: Cells) -> Cells:
        """The first cell of the set alone."""
        found = self.none
        for i in range(self.words):
            if cells[i] != 0 and all(x == 0 for x in found):
                found = self.cell(64 * i + ctz(cells[i]))
        return found

    def first_two(self, cells: Cells) -> Cells:
        """The first two cells of the set, or none if it has no two."""
        one = self.first(cells)
        two = self.first(self.without(cells, one))
        return self.either(one, two) if any(x != 0 for x in two) else self.none

    def flooded(self, group: Cells, stones: Cells) -> Cells:
        """The group with all of these stones that hang on it."""
        while True:
            around = self.near(group)
            grown = tuple(g | n & x for g, n, x in zip(group, around, stones))
            if all(x == y for x, y in zip(grown, group)):
                return group
            group = grown

    def reach(self, group: Cells, edge: Cells, free: Cells) -> tuple[Cells, Cells]:
        """The free cells beside the group or on the edge, and all cells that are linked to either.

        Linked is what is beside, and what has two of those free cells beside it: if the other takes one, take the other.
        """
        around = self.near(group)
        hands = tuple((n | e) & x for n, e, x in zip(around, edge, free))
        twice = self.near_two(hands)
        return hands, tuple(n | e | t for n, e, t in zip(around, edge, twice))

    def near(self, cells: Cells) -> Cells:
        """The cells beside these."""
        a, b, c, d, e, f = self.sides(cells)
        return tuple((a[i] | b[i] | c[i] | d[i] | e[i] | f[i]) & self.board[i] for i in range(self.words))

    def near_two(self, cells: Cells) -> Cells:
        """The cells beside two of these at least."""
        a, b, c, d, e, f = self.sides(cells)
        two = tuple(a[i] & b[i] | c[i] & d[i] | e[i] & f[i] for i in range(self.words))
        ab, cd, ef = (tuple(x | y for x, y in zip(a, b)), tuple(x | y for x, y in zip(c, d)), tuple(x | y for x, y in zip(e, f)))
        return tuple((two[i] | ab[i] & cd[i] | ab[i] & ef[i] | cd[i] & ef[i]) & self.board[i] for i in range(self.words))

    def sides(self, cells: Cells) -> Sides:
        """The neighbours in each direction: right, below, below to the left, left, above, above to the right."""
        to_right = tuple(x & m for x, m in zip(cells, self.off_right))
        to_left = tuple(x & m for x, m in zip(cells, self.off_left))
        n = self.size
        return (
            self.up(to_right, 1),
            self.up(cells, n),
            self.up(to_left, n - 1),
            self.down(to_left, 1),
            self.down(cells, n),
            self.down(to_right, n - 1),
        )

    def around(self, stones: Cells, turn: int) -> Sides:
        """The cells that have one of these stones of a player, or an edge of the player, beside them: to the left, and on in a circle."""
        a, b, c, d, e, f = self.sides(stones)
        top = self.top if turn == 0 else self.none
        bottom = self.bottom if turn == 0 else self.none
        left = self.left if turn == 1 else self.none
        right = self.right if turn == 1 else self.none
        return (
            tuple(x | y for x, y in zip(a, left)),
            tuple(x | y for x, y in zip(b, top)),
            tuple(x | y | z for x, y, z in zip(c, top, right)),
            tuple(x | y for x, y in zip(d, right)),
            tuple(x | y for x, y in zip(e, bottom)),
            tuple(x | y | z for x, y, z in zip(f, bottom, left)),
        )

    def up(self, cells: Cells, k: int) -> Cells:
        """The set with k added to each cell."""
        return tuple(cells[i] << k & FULL | (cells[i - 1] >> (64 - k) if i > 0 else 0) for i in range(self.words))

    def down(self, cells: Cells, k: int) -> Cells:
        """The set with k taken from each cell."""
        return tuple(cells[i] >> k | (cells[i + 1] << (64 - k) & FULL if i + 1 < self.words else 0) for i in range(self.words))

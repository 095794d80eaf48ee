"""Dark Hex: connect two sides of a board on which players see only their own stones."""

from __future__ import annotations

from ..bits import FULL, u64
from ..errors import ZermeloError
from ._phantom import Phantom, State

__all__ = ["DarkHex", "State"]


class DarkHex(Phantom):
    """Hex in the dark: a player who chooses a cell that the other holds learns that, and chooses again.

    X connects the top with the bottom, O the left with the right, on a rhombus of `size` by `size` cells. An action is a cell, row by row.
    """

    example = "b2 b2! a1"

    def __init__(self, size: int = 3):
        if type(size) is not int or not 2 <= size <= 4:
            raise ZermeloError(f"darkhex: expected a size from 2 to 4, not {size}")
        self.size, self.cells, self.board = size, size * size, (1 << size * size) - 1
        self.top = (1 << size) - 1
        self.left = sum(1 << size * y for y in range(size))
        self.bottom, self.right = self.top << size * (size - 1), self.left << size - 1

    def has_won(self, marks: u64, p: int) -> bool:
        """Whether the stones of player p join its two sides."""
        goal = self.bottom if p == 0 else self.right
        reached = marks & (self.top if p == 0 else self.left)
        while reached & goal == 0:
            more = self.spread(reached) & marks
            if more == reached:
                return False
            reached = more
        return True

    def spread(self, stones: u64) -> u64:
        """These cells and those next to them."""
        n, west, east = self.size, stones & (FULL ^ self.left), stones & (FULL ^ self.right)
        return (stones | east << 1 | west >> 1 | stones << n | stones >> n | west << n - 1 | east >> n - 1) & self.board

    def cell_name(self, a: int) -> str:
        """The column as a letter, and the row: b1."""
        return f"{'abcd'[a % self.size]}{a // self.size + 1}"

    def drawn(self, x: int, o: int) -> str:
        """Each row half a cell to the right of the one above."""
        letters = ["X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(self.cells)]
        rows = [" ".join(letters[self.size * y : self.size * (y + 1)]) for y in range(self.size)]
        return "\n".join(["  " + " ".join("abcd"[: self.size]), *(f"{' ' * y}{y + 1} {row}" for y, row in enumerate(rows))])

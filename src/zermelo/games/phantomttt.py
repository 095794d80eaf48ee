"""Phantom tic-tac-toe: three in a row on a board where players see only their own marks."""

from __future__ import annotations

from ..bits import u64
from ._phantom import Phantom, State

__all__ = ["PhantomTicTacToe", "State"]

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class PhantomTicTacToe(Phantom):
    """Tic-tac-toe in the dark: a player who chooses a cell that the other holds learns that, and chooses again.

    Players see their own marks and the cells that they found occupied, and know whose turn it is. An action is a cell, 0 to 8.
    """

    def has_won(self, marks: u64, p: int) -> bool:
        """Whether three of these are in a row."""
        for line in LINES:
            if marks & line == line:
                return True
        return False

    def drawn(self, x: int, o: int) -> str:
        letters = ["X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(9)]
        return "\n".join(" ".join(letters[3 * y : 3 * y + 3]) for y in range(3))

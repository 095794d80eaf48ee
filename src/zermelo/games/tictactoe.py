"""Tic-tac-toe: three in a line on three by three cells."""

from __future__ import annotations

from .mnk import MNK


class TicTacToe(MNK):
    """The 3,3,3-game: actions are the cells 0 to 8, written a1 to c3."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)

"""Tic-tac-toe as a user would write it: one file, and only public names of Zermelo."""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game, bit, i8, u64

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


class State(NamedTuple):
    mine: u64  # stones of the player to move
    theirs: u64
    turn: i8


class MyTicTacToe(Game):
    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_won(s.theirs):
            for cell in range(9):
                if not (s.mine | s.theirs) & bit(cell):
                    yield cell

    def result(self, s: State, a: int) -> State:
        return State(s.theirs, s.mine | bit(a), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return self.is_won(s.theirs) or s.mine | s.theirs == 0b111111111

    def utility(self, s: State, p: int) -> float:
        if not self.is_won(s.theirs):
            return 0
        return -1 if p == s.turn else 1

    def is_won(self, stones: u64) -> bool:
        for line in LINES:
            if stones & line == line:
                return True
        return False

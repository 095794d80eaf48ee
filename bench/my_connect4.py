"""Connect Four as a user would write it: one file, and only public names of Zermelo."""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game, below, bit, draw, popcount, u64

FULL = sum(0b111111 << 7 * c for c in range(7))


class State(NamedTuple):
    mine: u64  # stones of the player to move; a column is 7 bits, the highest always empty
    all: u64


class MyConnectFour(Game):
    def initial(self) -> State:
        return State(0, 0)

    def to_move(self, s: State) -> int:
        return popcount(s.all) & 1

    def actions(self, s: State) -> Iterator[int]:
        if self.is_won(s.mine ^ s.all):
            return
        for column in range(7):
            if not s.all & bit(7 * column + 5):
                yield column

    def result(self, s: State, a: int) -> State:
        return State(s.mine ^ s.all, s.all | (s.all + bit(7 * a)))

    def is_terminal(self, s: State) -> bool:
        return self.is_won(s.mine ^ s.all) or s.all == FULL

    def utility(self, s: State, p: int) -> float:
        if not self.is_won(s.mine ^ s.all):
            return 0
        return -1 if p == self.to_move(s) else 1

    def sample(self, s: State, random: u64) -> int:
        column = below(random, 7)
        while s.all & bit(7 * column + 5):
            random = draw(random, 1)
            column = below(random, 7)
        return column

    def is_won(self, stones: u64) -> bool:
        found = u64(0)
        for step in (1, 6, 7, 8):
            pairs = stones & stones >> step
            found |= pairs & pairs >> 2 * step
        return found != 0

"""Two methods that call each other."""

from typing import NamedTuple

from zermelo import Game, bit, i8, u64


class State(NamedTuple):
    taken: u64
    turn: i8


class Cells(Game):
    """Players take one free cell each by turns; who takes the last wins."""

    def __init__(self, size=4):
        self.size = size

    def initial(self):
        return State(0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for i in range(self.size):
            if s.taken >> i & 1 == 0:
                yield i

    def result(self, s, a):
        return State(s.taken | bit(a), 1 - s.turn)

    def is_terminal(self, s):
        return self.even(s.taken, self.size - 1)

    def even(self, x, n):
        return x == 0 if n == 0 else self.odd(x & (x - 1), n - 1)

    def odd(self, x, n):
        return x != 0 if n == 0 else self.even(x & (x - 1), n - 1)

    def utility(self, s, p):
        return -1 if p == s.turn else 1

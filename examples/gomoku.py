"""Gomoku: five or more of one's own stones in a row win."""

from typing import NamedTuple

from zermelo import Game, bit, ctz, i8, i16, popcount, rest, u64

LINE = 5
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


class State(NamedTuple):
    stones: tuple[u64, ...]  # the rows of player 0's stones, then those of player 1's
    last: i16  # the cell that was taken last: cell (x, y) is y * size + x
    turn: i8


class Gomoku(Game):
    """Gomoku on a square board of at most 19 x 19; an action is the cell that is taken."""

    def __init__(self, size: int = 9):
        self.size, self.row, self.max_actions = size, (1 << size) - 1, size * size

    def initial(self):
        return State((0,) * (2 * self.size), -1, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for y in range(0 if self.has_line(s) else self.size):
            free = self.row & ~(s.stones[y] | s.stones[self.size + y])
            while free:
                yield y * self.size + ctz(free)
                free = rest(free)

    def result(self, s, a):
        at = self.size * s.turn + a // self.size
        return State(tuple(x | bit(a % self.size) if k == at else x for k, x in enumerate(s.stones)), a, 1 - s.turn)

    def run(self, s, dx, dy):
        """How many stones of the player who moved last follow each other from the last one on."""
        n, x, y, first = 0, s.last % self.size, s.last // self.size, self.size * (1 - s.turn)
        while 0 <= x < self.size and 0 <= y < self.size and s.stones[first + y] & bit(x):
            n, x, y = n + 1, x + dx, y + dy
        return n

    def has_line(self, s):
        """Whether the last stone completes a line."""
        return s.last >= 0 and any(self.run(s, dx, dy) + self.run(s, -dx, -dy) > LINE for dx, dy in WAYS)

    def is_terminal(self, s):
        return self.has_line(s) or sum(popcount(x) for x in s.stones) == self.size * self.size

    def utility(self, s, p):
        if not self.has_line(s):
            return 0
        return -1 if p == s.turn else 1

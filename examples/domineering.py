"""Domineering: lay dominoes on a board, one player upright, the other across; a player who cannot move loses."""

from typing import NamedTuple

from zermelo import Game, bit, ctz, i8, rest, u64


class State(NamedTuple):
    taken: u64  # cells under a domino: cell (x, y) is bit y * size + x
    turn: i8  # 0 lays upright, 1 across


class Domineering(Game):
    """Dominoes on a square board; an action is the lower or left cell of the domino."""

    def __init__(self, size: int = 5):
        self.size, self.board = size, (1 << size * size) - 1
        self.across = sum(1 << y * size + x for y in range(size) for x in range(size - 1))

    def initial(self):
        return State(0, 0)

    def to_move(self, s):
        return s.turn

    def places(self, s):
        free = self.board & ~s.taken
        return free & free >> self.size if s.turn == 0 else free & free >> 1 & self.across

    def actions(self, s):
        places = self.places(s)
        while places:
            yield ctz(places)
            places = rest(places)

    def result(self, s, a):
        return State(s.taken | bit(a) | bit(a + (self.size if s.turn == 0 else 1)), 1 - s.turn)

    def is_terminal(self, s):
        return self.places(s) == 0

    def utility(self, s, p):
        return -1 if p == s.turn else 1

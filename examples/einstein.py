"""EinStein würfelt nicht!: a die says which of six stones steps towards the other corner."""

from typing import NamedTuple

from zermelo import CHANCE, Game, bit, i8

SIZE, GONE, TO_ROLL = 5, -1, 0
START = (0, 1, 2, 5, 6, 10)  # the cells of the stones 1 to 6 of player 0: cell (x, y) is y * SIZE + x


class State(NamedTuple):
    stones: tuple[i8, ...]  # the cells of player 0's stones, then those of player 1's; GONE for one that was taken
    turn: i8
    roll: i8  # 1 to 6, or TO_ROLL


class EinStein(Game):
    """An action is 3 * stone + 0 for a step along the row, 1 along the column, 2 along the diagonal."""

    def initial(self):
        return State((*START, *(SIZE * SIZE - 1 - cell for cell in START)), 0, TO_ROLL)

    def to_move(self, s):
        return CHANCE if s.roll == TO_ROLL else s.turn

    def next_stone(self, s, step):
        """The stone of the number rolled, or the nearest one above or below; -1 for none."""
        i = s.roll - 1
        while 0 <= i < 6 and s.stones[6 * s.turn + i] == GONE:
            i += step
        return i if 0 <= i < 6 else -1

    def target(self, s, a):
        """The cell that action a leads to, GONE beyond the board."""
        cell, way = s.stones[6 * s.turn + a // 3], 1 if s.turn == 0 else -1
        x = cell % SIZE + (way if a % 3 != 1 else 0)
        y = cell // SIZE + (way if a % 3 != 0 else 0)
        return y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else GONE

    def actions(self, s):
        if s.roll == TO_ROLL:
            for face in range(0 if self.is_terminal(s) else 6):
                yield face + 1
        else:
            above, below = self.next_stone(s, 1), self.next_stone(s, -1)
            for stone in range(6):
                if stone in (above, below):
                    for way in range(3):
                        if self.target(s, 3 * stone + way) != GONE:
                            yield 3 * stone + way

    def result(self, s, a):
        if s.roll == TO_ROLL:
            return State(s.stones, s.turn, a)
        to, mine = self.target(s, a), 6 * s.turn + a // 3
        stones = tuple(to if k == mine else GONE if cell == to else cell for k, cell in enumerate(s.stones))
        return State(stones, 1 - s.turn, TO_ROLL)

    def has_won(self, s, p):
        goal = SIZE * SIZE - 1 if p == 0 else 0
        is_there = any(s.stones[6 * p + i] == goal for i in range(6))
        return is_there or all(s.stones[6 - 6 * p + i] == GONE for i in range(6))

    def is_terminal(self, s):
        return self.has_won(s, 0) or self.has_won(s, 1)

    def utility(self, s, p):
        return 1 if self.has_won(s, p) else -1

    def probability(self, s, a):
        return 1 / 6

    def planes(self, s, p):
        yield bit(s.roll) | bit(7 + (s.turn + p) % 2)
        for k in range(12):
            cell = s.stones[k if p == 0 else (k + 6) % 12]
            yield 0 if cell == GONE else bit(cell if p == 0 else SIZE * SIZE - 1 - cell)

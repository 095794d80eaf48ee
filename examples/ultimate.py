"""Ultimate tic-tac-toe: nine boards in a board; the cell of a move says on which board the other plays."""

from typing import NamedTuple

from zermelo import Game, i8, u16

FULL = 0b111111111
LINES = (0b000000111, 0b000111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100)
ANY = 9


class State(NamedTuple):
    marks: tuple[u16, ...]  # of player 0 on each board, then of player 1
    won: tuple[u16, ...]  # boards that each player has won
    board: i8  # where the next mark is made, or ANY
    turn: i8


class Ultimate(Game):
    """An action is 9 * board + cell. Who has neither won nor lost when no board is open draws."""

    max_actions = 81

    def initial(self):
        return State((0,) * 18, (0, 0), ANY, 0)

    def to_move(self, s):
        return s.turn

    def has_line(self, marks):
        return any(marks & line == line for line in LINES)

    def free(self, s, board):
        """The cells of a board that can be marked: none of a board that is won."""
        return 0 if (s.won[0] | s.won[1]) & (1 << board) else FULL & ~(s.marks[board] | s.marks[9 + board])

    def actions(self, s):
        for board in range(0 if self.is_terminal(s) else 9):
            if s.board in (ANY, board):
                free = self.free(s, board)
                for cell in range(9):
                    if free >> cell & 1:
                        yield 9 * board + cell

    def result(self, s, a):
        board, cell = a // 9, a % 9
        marks = tuple(x | 1 << cell if k == 9 * s.turn + board else x for k, x in enumerate(s.marks))
        wins = self.has_line(marks[9 * s.turn + board])
        won = tuple(x | 1 << board if wins and p == s.turn else x for p, x in enumerate(s.won))
        t = State(marks, won, cell, 1 - s.turn)
        return t if self.free(t, cell) else t._replace(board=ANY)

    def is_terminal(self, s):
        return self.has_line(s.won[0]) or self.has_line(s.won[1]) or all(self.free(s, board) == 0 for board in range(9))

    def utility(self, s, p):
        if self.has_line(s.won[0]):
            return 1 if p == 0 else -1
        if self.has_line(s.won[1]):
            return 1 if p == 1 else -1
        return 0

"""The m,n,k-games: take cells of a grid in turn; k of one's own in a line win (tic-tac-toe is 3,3,3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, ctz, nth, popcount, rest, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below
from ._grid import Board, has_line
from ._symmetries import Symmetries, of_cells, turns

SYMBOLS = "XO."


class State(NamedTuple):
    """Cell (x, y) is bit y * width + x, row 0 at the bottom."""

    mine: u64  # stones of the player to move
    theirs: u64  # stones of the other


class MNK(Game):
    """An m,n,k-game on at most 64 cells; an action is the index of the cell that is taken."""

    ends_without_actions, is_zero_sum = True, True
    player_names = ("X", "O")

    def __init__(self, width: int = 3, height: int = 3, line: int = 3):
        whole = all(type(x) is int for x in (width, height, line))
        if not whole or width < 1 or height < 1 or width * height > 64 or not 2 <= line <= max(width, height):
            raise ZermeloError(f"mnk: expected at most 64 cells and line from 2 to the longer side, not {width} x {height}, line {line}")
        self.grid = Board(width, height)
        self.board = self.grid.all
        self.shifts, self.starts = self.grid.lines(line)
        self.board_height, self.board_width, self.policy_size = height, width, width * height
        self.board_bits = tuple(range(width * height))

    def initial(self) -> State:
        return State(0, 0)

    def to_move(self, s: State) -> int:
        return popcount(s.mine | s.theirs) & 1

    def actions(self, s: State) -> Iterator[int]:
        free = self.free(s)
        while free:
            yield ctz(free)
            free = rest(free)

    def result(self, s: State, a: int) -> State:
        return State(s.theirs, s.mine | bit(a))

    def is_terminal(self, s: State) -> bool:
        return self.free(s) == 0

    def utility(self, s: State, p: int) -> float:
        if not self.is_won(s.theirs):
            return 0
        return -1 if p == self.to_move(s) else 1

    def count(self, s: State) -> int:
        return popcount(self.free(s))

    def sample(self, s: State, random: u64) -> int:
        free = self.free(s)
        return nth(free, below(random, popcount(free)))

    def free(self, s: State) -> u64:
        """The cells that may be taken: none once there is a line."""
        return u64(0) if self.is_won(s.theirs) else self.board ^ (s.mine | s.theirs)

    def is_won(self, stones: u64) -> bool:
        """Whether these stones hold a line."""
        return has_line(stones, self.shifts, self.starts)

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned and reflected in every way that keeps its shape."""
        for mine, theirs in self.grid.images(s):
            yield State(mine, theirs)

    def planes(self, s: State, p: int) -> Iterator[u64]:
        """The stones of p, and those of the other."""
        yield s.mine if p == self.to_move(s) else s.theirs
        yield s.theirs if p == self.to_move(s) else s.mine

    def board_symmetries(self) -> Symmetries:
        """All turns and reflections of the board."""
        return of_cells(turns(self.board_height, self.board_width), self.board_bits, self.policy_size)

    def write_action(self, s: State, a: int) -> str:
        """The cell, a1 at the lower left."""
        return self.grid.name(a)

    def write_state(self, s: State) -> str:
        """The rows, top row first, with an X (who began) or O for each stone: `.../.X./O..`."""
        return self.grid.write(self.stones(s), SYMBOLS)

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so; exactly the positions that play can reach are read."""

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        first, second = self.grid.read(text, SYMBOLS, self.name)
        if first.bit_count() - second.bit_count() not in (0, 1):
            raise refuse("as many X as O, or one more")
        s = State(first, second) if first.bit_count() == second.bit_count() else State(second, first)
        if self.is_won(s.mine):
            raise refuse("a line only of the side that moved last")
        lasts = [bit(cell) for cell in range(64) if s.theirs >> cell & 1]
        if self.is_won(s.theirs) and all(self.is_won(s.theirs ^ last) for last in lasts):
            raise refuse("lines that share the stone played last")
        return s

    def show(self, s: State) -> str:
        return self.grid.draw(self.stones(s), SYMBOLS)

    def stones(self, s: State) -> tuple[int, int]:
        """The stones of X and O."""
        return (s.mine, s.theirs) if self.to_move(s) == 0 else (s.theirs, s.mine)

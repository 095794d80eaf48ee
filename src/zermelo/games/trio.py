"""Trio: noughts and crosses for three players, each for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, ctz, nth, popcount, rest, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below
from ._grid import Board, has_line

SYMBOLS = "XOZ."


class State(NamedTuple):
    """The stones of each player, beginning with the one to move."""

    mine: u64
    next: u64
    last: u64  # of the player who has just moved


class Trio(Game):
    """X, O and Z set stones in turn; the first with `line` in a row gets 1, the others lose half each.

    A full board without a line is worth 0 to all. An action is the cell that is taken.
    """

    ends_without_actions = True
    player_names = ("X", "O", "Z")
    symbols = ("X", "O", "Z")

    players = 3

    def __init__(self, width: int = 4, height: int = 4, line: int = 3):
        whole = all(type(x) is int for x in (width, height, line))
        if not whole or width < 1 or height < 1 or width * height > 64 or not 2 <= line <= max(width, height):
            raise ZermeloError(
                f"trio: expected a board of at most 64 cells and a line of 2 to the longer side, not {width} x {height}, line {line}"
            )
        self.grid = Board(width, height)
        self.board = self.grid.all
        self.shifts, self.starts = self.grid.lines(line)

    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, s: State) -> int:
        return popcount(s.mine | s.next | s.last) % 3

    def actions(self, s: State) -> Iterator[int]:
        free = self.free(s)
        while free:
            yield ctz(free)
            free = rest(free)

    def result(self, s: State, a: int) -> State:
        return State(s.next, s.last, s.mine | bit(a))

    def is_terminal(self, s: State) -> bool:
        return self.free(s) == 0

    def utility(self, s: State, p: int) -> float:
        if not self.is_won(s.last):
            return 0.0
        return 1.0 if p == (self.to_move(s) + 2) % 3 else -0.5

    def count(self, s: State) -> int:
        return popcount(self.free(s))

    def sample(self, s: State, random: u64) -> int:
        free = self.free(s)
        return nth(free, below(random, popcount(free)))

    def free(self, s: State) -> u64:
        """The cells that may be taken: none when the game is over."""
        return u64(0) if self.is_won(s.last) else self.board & ~(s.mine | s.next | s.last)

    def is_won(self, stones: u64) -> bool:
        """Whether these stones hold a line."""
        return has_line(stones, self.shifts, self.starts)

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned and reflected in every way that keeps its shape."""
        for mine, after, last in self.grid.images(s):
            yield State(mine, after, last)

    def write_action(self, s: State, a: int) -> str:
        """The cell, a1 at the lower left."""
        return self.grid.name(a)

    def write_state(self, s: State) -> str:
        """The rows, top row first, with an X, O or Z for each stone: `..../.X../..O./....`."""
        return self.grid.write(self.stones(s), SYMBOLS)

    def read_state(self, text: str) -> State:
        stones = self.grid.read(text, SYMBOLS, self.name)
        x, o, z = (popcount(w) for w in stones)
        if not x >= o >= z >= x - 1:
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected as many X, O and Z as after some turns, X first")
        turn = (x + o + z) % 3
        s = State(stones[turn], stones[(turn + 1) % 3], stones[(turn + 2) % 3])
        at_once = not self.is_won(s.last) or any(not self.is_won(s.last ^ bit(c)) for c in range(64) if s.last >> c & 1)
        if self.is_won(s.mine) or self.is_won(s.next) or not at_once:
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected no line but one that the last stone made")
        return s

    def show(self, s: State) -> str:
        return self.grid.draw(self.stones(s), SYMBOLS)

    def stones(self, s: State) -> tuple[int, ...]:
        """The stones of X, O and Z."""
        turn = self.to_move(s)
        return tuple(s[(p - turn) % 3] for p in range(3))

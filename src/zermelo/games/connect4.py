"""Connect Four: drop stones into columns; four of one's own in a line win."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..bits import bit, popcount, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below, draw, mix
from ._columns import MOST_STONES, ColumnNumbers
from ._grid import line_shifts
from ._symmetries import Symmetries, mirror


class State(NamedTuple):
    """A column is height + 1 bits, lowest cell first; its top bit stays empty, so no line wraps."""

    mine: u64  # stones of the player to move
    all: u64  # stones of both


class ConnectFour(ColumnNumbers, Game):
    """Connect Four on any board of at most 64 bits; an action is a column, counted from 0."""

    ends_without_actions, is_zero_sum = True, True
    player_names = ("X", "O")
    value_scale = 0.19
    has_index = property(lambda game: game.numbers_opening)

    def __init__(self, width: int = 7, height: int = 6, line: int = 4):
        whole = all(type(x) is int for x in (width, height, line))
        if not whole or width < 1 or height < 1 or not 2 <= line <= 64 or width * (height + 1) > 64:
            raise ZermeloError(
                f"connect4: expected width * (height + 1) of at most 64 and line from 2 to 64, not {width} x {height}, line {line}"
            )
        self.width, self.height = width, height
        if (width, height, line) == (7, 6, 4):
            self.network = Path(__file__).with_name("networks") / "connect4.safetensors"
            self.book = Path(__file__).with_name("openings") / "connect4.table"
            self.numbers_opening = True
            self.number_columns(width, height)
        self.column, self.top = height + 1, height - 1  # bits of a column, and the place of its highest cell
        self.bottom = sum(1 << self.column * c for c in range(width))
        self.board = self.bottom * ((1 << height) - 1)
        self.middle = ((1 << height) - 1) << self.column * (width // 2)
        # up, down-right, right and up-right; a direction is left out if a line would reach beyond the 64 bits: none fits
        self.line = line
        self.steps = tuple(step for step in (1, height, height + 1, height + 2) if step * (line - 1) < 64) or (1,)
        self.has_fours = line == 4 and len(self.steps) == 4
        self.shifts = tuple(line_shifts(step, line) for step in self.steps)
        self.rows = tuple(tuple(c * (height + 1) + y for c in range(width)) for y in reversed(range(height)))  # from the top
        self.board_height, self.board_width, self.policy_size = height, width, width
        self.board_bits = tuple(i for row in self.rows for i in row)

    def initial(self) -> State:
        return State(0, 0)

    def to_move(self, s: State) -> int:
        return popcount(s.all) & 1

    def actions(self, s: State) -> Iterator[int]:
        if self.is_won(s.mine ^ s.all):
            return
        for c in range(self.width):
            if self.is_open(s, c):
                yield c

    def result(self, s: State, a: int) -> State:
        return State(s.mine ^ s.all, s.all | (s.all + bit(self.column * a)))

    def is_terminal(self, s: State) -> bool:
        return self.is_won(s.mine ^ s.all) or s.all == self.board

    def utility(self, s: State, p: int) -> float:
        if not self.is_won(s.mine ^ s.all):
            return 0
        return -1 if p == self.to_move(s) else 1

    def sample(self, s: State, random: u64) -> int:
        """Columns at random until one is open: as most are, that is quicker than to list them."""
        c = below(random, self.width)
        while not self.is_open(s, c):
            random = draw(random, 1)
            c = below(random, self.width)
        return c

    def key(self, s: State) -> u64:
        """The stones of the mover on top of the filled columns: different for every state, then mixed, which is one to one."""
        return mix(s.mine + s.all)

    def immediate(self, s: State, a: int) -> int:
        """A line is completed, or can be by the reply: another place is left open, or the one above it is opened."""
        places = s.all + self.bottom & self.board
        cell = s.all + bit(self.column * a) & places
        if cell & self.spots(s.mine) != 0:
            return 1
        feared = self.spots(s.mine ^ s.all)
        return -1 if feared & places & ~cell != 0 or cell << 1 & feared != 0 else 0

    def order(self, s: State, a: int) -> int:
        """First the moves after which the most places would complete a line, the middle first."""
        cell = s.all + bit(self.column * a) & s.all + self.bottom & self.board
        threats = self.spots(s.mine | cell) & ~s.all
        return popcount(threats) * 2 * self.width - abs(2 * a - self.width + 1)

    def evaluate(self, s: State, p: int) -> float:
        """0.1 for each empty place that would complete a line, 0.01 for each stone in the middle column."""
        theirs = s.mine ^ s.all
        empty = self.board & ~s.all
        places = popcount(self.spots(s.mine) & empty) - popcount(self.spots(theirs) & empty)
        middle = popcount(s.mine & self.middle) - popcount(theirs & self.middle)
        v = max(-0.9, min(0.9, 0.1 * places + 0.01 * middle))
        return v if p == self.to_move(s) else -v

    def planes(self, s: State, p: int) -> Iterator[u64]:
        """The stones of p, and those of the other."""
        theirs = s.mine ^ s.all
        yield s.mine if p == self.to_move(s) else theirs
        yield theirs if p == self.to_move(s) else s.mine

    def board_symmetries(self) -> Symmetries:
        """Left and right are alike."""
        return ((mirror(self.height, self.width), tuple(reversed(range(self.width)))),)

    def index(self, s: State) -> int:
        """Positions of at most thirteen stones have numbers, unless the mover has a line already."""
        if popcount(s.all) > MOST_STONES or self.is_won(s.mine):
            return -1
        return min(self.number_of(s.mine, s.all), self.number_of(self.mirrored(s.mine), self.mirrored(s.all)))

    def state_at(self, i: int) -> State:
        return State(self.mine_at(i), self.both_at(i))

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        """All positions with at most `wanted` stones, those with the most stones first."""
        most = int(wanted) if wanted.isdecimal() and len(wanted) < 3 else -1
        if not self.numbers_opening or not 0 <= most <= MOST_STONES:
            raise ZermeloError(f"{self!r}: expected 0 to {MOST_STONES} stones on a board of 7 x 6, not '{wanted}'")
        firsts = self.first_numbers[MOST_STONES - most :]
        return tuple((str(most - k), first, last) for k, (first, last) in enumerate(pairwise(firsts)))

    def mirrored(self, stones: u64) -> u64:
        """Stones seen in a mirror."""
        found = u64(0)
        for c in range(self.width):
            found |= (stones >> self.column * c & (bit(self.column) - 1)) << self.column * (self.width - 1 - c)
        return found

    def spots(self, stones: u64) -> u64:
        """The cells, empty or not, where one stone more completes a line of these: so many of them before it, the rest behind."""
        if self.has_fours:  # written out: on a GPU the loops below take twenty times as long
            return self.board & (
                self.spots_of_four(stones, 1)
                | self.spots_of_four(stones, self.height)
                | self.spots_of_four(stones, self.height + 1)
                | self.spots_of_four(stones, self.height + 2)
            )
        found = u64(0)
        for step in self.steps:
            for before in range(self.line):
                run = u64(self.board)
                for k in range(1, before + 1):
                    run &= stones << step * k
                for k in range(1, self.line - before):
                    run &= stones >> step * k
                found |= run
        return found

    def spots_of_four(self, stones: u64, step: int) -> u64:
        """The same in one direction, on the board and beyond it: two on one side, and a third on either."""
        before, behind = stones << step, stones >> step
        two_before, two_behind = before & stones << 2 * step, behind & stones >> 2 * step
        return two_before & (behind | stones << 3 * step) | two_behind & (before | stones >> 3 * step)

    def is_open(self, s: State, c: int) -> bool:
        """Whether there is room in column c."""
        return s.all >> (self.column * c + self.top) & 1 == 0

    def is_won(self, stones: u64) -> bool:
        """Whether these stones hold a line. All directions are tried: a branch for each would cost more."""
        found = u64(0)
        for shifts in self.shifts:
            run = stones
            for k in shifts:
                run &= run >> k
            found |= run
        return found != 0

    def write_action(self, s: State, a: int) -> str:
        """The column, counted from 1 as players do."""
        return str(a + 1)

    def symmetries(self, s: State) -> Iterator[State]:
        """The board seen in a mirror."""
        yield State(self.mirrored(s.mine), self.mirrored(s.all))

    def write_state(self, s: State) -> str:
        """The rows from the top, joined by '/': X (who moves first), O and '.' for an empty cell."""
        first = s.mine if self.to_move(s) == 0 else s.mine ^ s.all
        return "/".join("".join("X" if first >> i & 1 else "O" if s.all >> i & 1 else "." for i in row) for row in self.rows)

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so, or, on at most 9 columns, that a string of columns like 4453 leads to.

        A board must be right in its stones, its lines and how they rest on each other; whether some order
        of play leads to it is not asked.
        """

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        word = text.strip()
        if self.width <= 9 and word.isascii() and word.isdigit():
            s = self.initial()
            for n, column in enumerate(word, 1):
                try:
                    s = self.result(s, self.read_action(s, column))
                except ZermeloError:
                    raise refuse(f"a legal move where the {n}. is {column}") from None
            return s
        rows = word.split("/")
        if [len(row) for row in rows] != [self.width] * self.height or set("".join(rows)) - set("XO."):
            moves = ", or the columns played" if self.width <= 9 else ""
            raise refuse(f"{self.height} rows of {self.width} cells X, O or . joined by '/'{moves}")
        cells = [(1 << i, cell) for bits, row in zip(self.rows, rows, strict=True) for i, cell in zip(bits, row, strict=True)]
        first, second = (sum(stone for stone, cell in cells if cell == who) for who in "XO")
        if first.bit_count() - second.bit_count() not in (0, 1):
            raise refuse("as many X as O, or one more")
        s = State(first if first.bit_count() == second.bit_count() else second, first | second)
        above = s.all + self.bottom  # the bits just above the columns, where no stone is if none floats
        if above & s.all:
            raise refuse("no stone above an empty cell")
        if self.is_won(s.mine):
            raise refuse("a line only of the side that moved last")
        theirs = s.mine ^ s.all
        lasts = [stone for stone, _ in cells if above >> 1 & theirs & stone]
        if self.is_won(theirs) and all(self.is_won(theirs ^ last) for last in lasts):
            raise refuse("lines that share the stone played last, on top of its column")
        return s

    def show(self, s: State) -> str:
        rows = [" ".join(row) for row in self.write_state(s).split("/")]
        return "\n".join([*rows, " ".join(str(c + 1)[-1] for c in range(self.width))])

"""Phantom tic-tac-toe: three in a row on a board where players see only their own marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, clz, i8, nth, popcount, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below, draw

CELLS = (1 << 9) - 1
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
RETRIES = 64  # of a state that was resampled to a game that is over


class State(NamedTuple):
    """The marks of both players, and the cells that each has tried, in order."""

    marks: tuple[u64, u64]  # a bit for each cell
    tried: tuple[u64, u64]  # four bits each, more by one, the first lowest
    turn: i8


class PhantomTicTacToe(Game):
    """Tic-tac-toe in the dark: a player who chooses a cell that the other holds learns that, and chooses again.

    Players see their own marks and the cells that they found occupied, and know whose turn it is. An action is a cell, 0 to 8.
    """

    value_range = (-1.0, 1.0)
    player_names = ("X", "O")

    def initial(self) -> State:
        return State((0, 0), (0, 0), 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def count_tried(self, tried: u64) -> int:
        """How many cells a player has tried."""
        return (67 - clz(tried)) // 4

    def cell(self, tried: u64, k: int) -> int:
        """The k-th cell that a player tried."""
        return int(tried >> 4 * k & 15) - 1

    def cells(self, tried: u64) -> u64:
        """The cells that a player has tried, as a set."""
        found = 0
        for k in range(self.count_tried(tried)):
            found |= bit(self.cell(tried, k))
        return found

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            known = self.cells(s.tried[s.turn])
            for a in range(9):
                if known >> a & 1 == 0:
                    yield a

    def result(self, s: State, a: int) -> State:
        p = s.turn
        tried = s.tried[p] | u64(a + 1) << 4 * self.count_tried(s.tried[p])
        both = (tried, s.tried[1]) if p == 0 else (s.tried[0], tried)
        if s.marks[1 - p] >> a & 1:
            return State(s.marks, both, p)
        mine = s.marks[p] | bit(a)
        return State((mine, s.marks[1]) if p == 0 else (s.marks[0], mine), both, 1 - p)

    def has_line(self, marks: u64) -> bool:
        """Whether three of these are in a row."""
        for line in LINES:
            if marks & line == line:
                return True
        return False

    def is_terminal(self, s: State) -> bool:
        return self.has_line(s.marks[0]) or self.has_line(s.marks[1]) or (s.marks[0] | s.marks[1]) == CELLS

    def utility(self, s: State, p: int) -> float:
        return 1.0 if self.has_line(s.marks[p]) else -1.0 if self.has_line(s.marks[1 - p]) else 0.0

    def observe(self, s: State, p: int) -> tuple[u64, u64, int, int]:
        """The cells tried, in order; the own marks; whose turn it is; and how the game ended, if it is over."""
        ended = 0
        if self.is_terminal(s):
            ended = 2 + (1 if self.has_line(s.marks[p]) else -1 if self.has_line(s.marks[1 - p]) else 0)
        return (s.tried[p], s.marks[p], s.turn, ended)

    # ---- what else it could be -------------------------------------------------------------------

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Play the game again with p's own actions, and the other choosing at random so that p finds what it found."""
        for k in range(RETRIES):
            t = self.played_again(s, p, draw(seed, u64(k)))
            if t.turn == s.turn and not self.is_terminal(t):
                return t
        return s

    def played_again(self, s: State, p: int, seed: u64) -> State:
        """A game in which p did and found the same; one that is over if the other had to make a line."""
        t, done, count, needed = self.initial(), 0, self.count_tried(s.tried[p]), popcount(s.marks[1 - p])
        for k in range(18):
            if t.turn == p:
                if done == count:
                    return t
                t = self.result(t, self.cell(s.tried[p], done))
                done += 1
            else:
                if done == count and popcount(t.marks[1 - p]) == needed:
                    return t
                choices = self.choices(s, t, p, done)
                if choices == 0:
                    return t
                t = self.result(t, nth(choices, below(draw(seed, u64(k)), popcount(choices))))
        return t

    def choices(self, s: State, t: State, p: int, done: int) -> u64:
        """The cells that the other may try in t, where p has done so many of its actions in s.

        They are none that p takes later, and those alone that p finds occupied later where there is just time to fill these.
        """
        other, slots, missing = 1 - p, 1, u64(0)
        for k in range(done, self.count_tried(s.tried[p])):
            a = self.cell(s.tried[p], k)
            if s.marks[p] >> a & 1:
                slots += 1
            else:
                missing |= bit(a) & ~t.marks[other] & CELLS
            if popcount(missing) == slots:
                return missing
        later = s.marks[p] & ~t.marks[p] & CELLS
        return CELLS & ~self.cells(t.tried[other]) & ~later

    # ---- text ------------------------------------------------------------------------------------

    def write_action(self, s: State, a: int) -> str:
        """The cell, 1 to 9, the first row first."""
        return str(a + 1)

    def write_state(self, s: State) -> str:
        """All cells that were tried, in the order of play, with ! after those that were occupied: `5 5! 1`; - at the start."""
        told, t, done = [], self.initial(), [0, 0]
        while done[t.turn] < self.count_tried(s.tried[t.turn]):
            p, a = t.turn, self.cell(s.tried[t.turn], done[t.turn])
            t, done[p] = self.result(t, a), done[p] + 1
            told.append(f"{a + 1}!" if t.turn == p else str(a + 1))
        return " ".join(told) or "-"

    def read_state(self, text: str) -> State:
        """The state that play reaches by these cells."""
        s = self.initial()
        for name in text.split():
            a = "123456789".find(name[0]) if name[0].isascii() else -1
            s = self.result(s, a) if a in list(self.actions(s)) else s
        if self.write_state(s) != " ".join(text.split()):
            raise ZermeloError(
                f"'{text}' is not a state of {self.name}: expected the cells that were tried, 1 to 9, with ! after occupied ones, "
                f"like 5 5! 1, or - at the start"
            )
        return s

    def show(self, s: State) -> str:
        letters = ["X" if s.marks[0] >> i & 1 else "O" if s.marks[1] >> i & 1 else "." for i in range(9)]
        return "\n".join(" ".join(letters[3 * y : 3 * y + 3]) for y in range(3))

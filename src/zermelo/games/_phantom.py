"""Games in the dark in which players fill cells by turns: who chooses a cell that the other holds learns that, and chooses again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import FULL, bit, i8, nth, popcount, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below, draw

RETRIES = 64  # of a state that was resampled to a game that is over


class State(NamedTuple):
    """The marks of both players, the cells of the other that each has found, and the cells that each has tried, in order."""

    marks: tuple[u64, u64]  # a bit for each cell
    found: tuple[u64, u64]
    tried: tuple[u64, u64]  # four bits each, the first lowest
    turn: i8


class Phantom(Game):
    """A game of at most 16 cells in the dark. Players see their own marks and the cells that they found occupied, and whose turn it is.

    A game gives the number of `cells`, `has_won`, and how cells are called and drawn.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-1.0, 1.0)
    player_names = ("X", "O")
    cells = 9
    board = (1 << 9) - 1  # all cells
    example = "5 5! 1"  # of a state as text

    def has_won(self, marks: u64, p: int) -> bool:
        """Whether these marks are what player p wants."""
        raise NotImplementedError

    def initial(self) -> State:
        return State((0, 0), (0, 0), (0, 0), 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def count_tried(self, s: State, p: int) -> int:
        """How many cells a player has tried."""
        return popcount(s.marks[p]) + popcount(s.found[p])

    def cell(self, tried: u64, k: int) -> int:
        """The k-th cell that a player tried."""
        return int(tried >> 4 * k & 15)

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            known = s.marks[s.turn] | s.found[s.turn]
            for a in range(self.cells):
                if known >> a & 1 == 0:
                    yield a

    def result(self, s: State, a: int) -> State:
        p = s.turn
        tried = s.tried[p] | u64(a) << 4 * self.count_tried(s, p)
        both = (tried, s.tried[1]) if p == 0 else (s.tried[0], tried)
        if s.marks[1 - p] >> a & 1:
            found = s.found[p] | bit(a)
            return State(s.marks, (found, s.found[1]) if p == 0 else (s.found[0], found), both, p)
        mine = s.marks[p] | bit(a)
        return State((mine, s.marks[1]) if p == 0 else (s.marks[0], mine), s.found, both, 1 - p)

    def is_terminal(self, s: State) -> bool:
        return self.has_won(s.marks[0], 0) or self.has_won(s.marks[1], 1) or (s.marks[0] | s.marks[1]) == self.board

    def utility(self, s: State, p: int) -> float:
        return 1.0 if self.has_won(s.marks[p], p) else -1.0 if self.has_won(s.marks[1 - p], 1 - p) else 0.0

    def observe(self, s: State, p: int) -> tuple[u64, u64, int, int]:
        """The cells tried, in order; the own marks; whose turn it is; and how the game ended, if it is over."""
        ended = 0
        if self.is_terminal(s):
            ended = 2 + int(self.utility(s, p))
        return (s.tried[p], s.marks[p], s.turn | popcount(s.found[p]) << 1, ended)

    # ---- what else it could be -------------------------------------------------------------------

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Play the game again with p's own actions, and the other choosing at random so that p finds what it found."""
        for k in range(RETRIES):
            t = self.played_again(s, p, draw(seed, u64(k)))
            if t.turn == s.turn and not self.is_terminal(t):
                return t
        return s

    def played_again(self, s: State, p: int, seed: u64) -> State:
        """A game in which p did and found the same; one that is over if the other had to win."""
        t, done, count, needed = self.initial(), 0, self.count_tried(s, p), popcount(s.marks[1 - p])
        for k in range(2 * self.cells):
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
        """The cells that the other player may try in t, after p has taken the first `done` of its actions in s.

        They are none that p takes later, and those alone that p finds occupied later where there is just time to fill these.
        """
        other, slots, missing = 1 - p, 1, u64(0)
        for k in range(done, self.count_tried(s, p)):
            a = self.cell(s.tried[p], k)
            if s.marks[p] >> a & 1:
                slots += 1
            else:
                missing |= bit(a) & (FULL ^ t.marks[other])
            if popcount(missing) == slots:
                return missing
        known = t.marks[other] | t.found[other] | s.marks[p] & (FULL ^ t.marks[p])
        return self.board & (FULL ^ known)

    # ---- text ------------------------------------------------------------------------------------

    def cell_name(self, a: int) -> str:
        """A cell by its number, the first row first."""
        return str(a + 1)

    def drawn(self, x: int, o: int) -> str:
        """The board with these marks."""
        raise NotImplementedError

    def write_action(self, s: State, a: int) -> str:
        return self.cell_name(a)

    def announce(self, s: State, a: int, p: int) -> str:
        """Its own cell, and whether the other holds it; nothing of what the other tries."""
        if p != s.turn:
            return ""
        return self.cell_name(a) + (": occupied" if s.marks[1 - p] >> a & 1 else "")

    def write_state(self, s: State) -> str:
        """All cells that were tried, in the order of play, with ! after those that were occupied: `5 5! 1`; - at the start."""
        told, t, done = [], self.initial(), [0, 0]
        while done[t.turn] < self.count_tried(s, t.turn):
            p, a = t.turn, self.cell(s.tried[t.turn], done[t.turn])
            t, done[p] = self.result(t, a), done[p] + 1
            told.append(self.cell_name(a) + ("!" if t.turn == p else ""))
        return " ".join(told) or "-"

    def read_state(self, text: str) -> State:
        """The state that play reaches by these cells."""
        s, names = self.initial(), {self.cell_name(a): a for a in range(self.cells)}
        for name in text.split():
            a = names.get(name.removesuffix("!"), -1)
            s = self.result(s, a) if a in list(self.actions(s)) else s
        if self.write_state(s) != " ".join(text.split()):
            first, last = self.cell_name(0), self.cell_name(self.cells - 1)
            expected = f"the cells that were tried, {first} to {last}, with ! after occupied ones, like {self.example}, or - at the start"
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")
        return s

    def show(self, s: State) -> str:
        return self.drawn(*s.marks)

    def show_to(self, s: State, p: int) -> str:
        both = (s.marks[0], s.found[0]) if p == 0 else (s.found[1], s.marks[1])
        return self.drawn(*both) + ("" if self.is_terminal(s) else f"\n{self.player_name(s.turn)} is to move")

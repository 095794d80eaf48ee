"""Rectangular boards of at most 64 cells, as sets of bits: lines, symmetries, coordinates, rows of text.

Cell (x, y) is bit y * width + x. The column x is written a, b, ...; the row y is written from 1, and
row 1 is the lowest when the board is drawn. No bit is spent on padding, so a line is told from one
that wraps around the edge by where it starts. A game computes, in its `__init__`,

    self.shifts, self.starts = Board(width, height).lines(line)

and asks in its rules for `has_line(stones, self.shifts, self.starts)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..bits import u64
from ..errors import ZermeloError


def line_shifts(step: int, line: int) -> tuple[int, ...]:
    """The shifts k of `run &= run >> k` that leave in `run` the first cells of lines: doubling, then the rest."""
    shifts, covered = [], 1
    while covered < line:
        grow = min(covered, line - covered)
        shifts.append(step * grow)
        covered += grow
    return tuple(shifts)


def has_line(stones: u64, shifts: tuple[tuple[int, ...], ...], starts: tuple[u64, ...]) -> bool:
    """Whether these stones hold a line. All directions are tried: a branch for each would cost more."""
    found = u64(0)
    for way, start in zip(shifts, starts):
        run = stones
        for k in way:
            run &= run >> k
        found |= run & start
    return found != 0


@dataclass(frozen=True)
class Board:
    """A board of width x height cells, at most 64."""

    width: int
    height: int

    @property
    def all(self) -> int:
        """The set of all cells."""
        return (1 << self.width * self.height) - 1

    def lines(self, line: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """What `has_line` needs: for each direction in which a line fits, its shifts and the cells where a line starts."""
        shifts, starts = [], []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            fits = 0
            for y in range(self.height):
                for x in range(self.width):
                    if 0 <= x + (line - 1) * dx < self.width and y + (line - 1) * dy < self.height:
                        fits |= 1 << y * self.width + x
            if fits:
                shifts.append(line_shifts(dy * self.width + dx, line))
                starts.append(fits)
        return tuple(shifts), tuple(starts)

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """The rotations and reflections that keep the board's shape, each as the cell that every cell goes to.

        Seven of a square, three of another board, one of a single row; that nothing moves is not among them.
        """
        width, height = self.width, self.height
        here = [(x, y) for y in range(height) for x in range(width)]
        flips = [[(width - 1 - x if h else x, height - 1 - y if v else y) for x, y in here] for h in (0, 1) for v in (0, 1)]
        images = flips + ([[(y, x) for x, y in flip] for flip in flips] if width == height else [])
        different = dict.fromkeys(tuple(y * width + x for x, y in image) for image in images)
        return tuple(different)[1:]

    def images(self, sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """The sets as each of the `turns` moves them."""
        for turn in self.turns:
            yield tuple(sum(1 << to for cell, to in enumerate(turn) if stones >> cell & 1) for stones in sets)

    def name(self, cell: int) -> str:
        """The cell as players write it: a1, b3, ..."""
        return f"{_letters(cell % self.width)}{cell // self.width + 1}"

    def write(self, sets: Sequence[int], symbols: str) -> str:
        """The board as one line, top row first: `symbols` has one letter for each set, then one for an empty cell."""
        return "/".join("".join(row) for row in self._rows(sets, symbols))

    def read(self, text: str, symbols: str, game: str) -> tuple[int, ...]:
        """The sets that `write` made this line of; ZermeloError, naming the game, if it is none."""
        rows = text.strip().split("/")
        if len(rows) != self.height or any(len(row) != self.width or set(row) - set(symbols) for row in rows):
            raise ZermeloError(
                f"'{text}' is not a state of {game}: expected {self.height} rows of {self.width} letters "
                f"out of {symbols}, joined by /, top row first"
            )
        cells = "".join(reversed(rows))
        return tuple(sum(1 << i for i, c in enumerate(cells) if c == symbol) for symbol in symbols[:-1])

    def draw(self, sets: Sequence[int], symbols: str) -> str:
        """The board for a person: rows with their numbers, the highest on top, letters below."""
        wide = len(str(self.height))
        names = [_letters(x) for x in range(self.width)]
        gap = len(names[-1])
        lines = [f"{self.height - y:>{wide}} " + " ".join(c.rjust(gap) for c in row) for y, row in enumerate(self._rows(sets, symbols))]
        return "\n".join([*lines, " " * (wide + 1) + " ".join(n.rjust(gap) for n in names)])

    def _rows(self, sets: Sequence[int], symbols: str) -> list[list[str]]:
        def letter(cell: int) -> str:
            return next((c for c, stones in zip(symbols, sets, strict=False) if stones >> cell & 1), symbols[-1])

        return [[letter(y * self.width + x) for x in range(self.width)] for y in reversed(range(self.height))]


def _letters(x: int) -> str:
    """a to z, then aa, ab, ..."""
    return (chr(96 + x // 26) if x >= 26 else "") + chr(97 + x % 26)

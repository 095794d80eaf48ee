"""Boards: lines that never wrap, rotations that preserve lines, cells and rows as text."""

from __future__ import annotations

import random

import pytest
from helpers import naive_line

from zermelo.errors import ZermeloError
from zermelo.games._grid import Board, has_line, line_shifts

SIZES = [
    (3, 3, 3), (4, 3, 3), (5, 3, 4), (2, 2, 2), (8, 8, 4), (8, 8, 8), (7, 9, 5), (13, 4, 5), (16, 4, 4), (4, 16, 5),
    (64, 1, 5), (64, 1, 64), (1, 64, 3), (1, 64, 64), (32, 2, 2), (32, 2, 3), (2, 32, 2), (2, 32, 32),
]  # fmt: skip


@pytest.mark.parametrize("line", range(2, 65))
def test_shifts_cover_a_line(line: int) -> None:
    """Each shift joins runs that overlap or touch; together they span the line."""
    covered = 1
    for k in line_shifts(1, line):
        assert 0 < k <= covered
        covered += k
    assert covered == line
    assert line_shifts(9, line) == tuple(9 * k for k in line_shifts(1, line))


@pytest.mark.parametrize(("width", "height", "line"), SIZES)
def test_lines_never_wrap(width: int, height: int, line: int) -> None:
    shifts, starts = Board(width, height).lines(line)
    assert len(shifts) == len(starts) == (4 if line <= min(width, height) else 1)
    assert all(0 < k < 64 for way in shifts for k in way)
    cells = {(x, y): 1 << y * width + x for y in range(height) for x in range(width)}

    def check(taken: set[tuple[int, int]]) -> bool:
        found = has_line(sum(cells[c] for c in taken), shifts, starts)
        assert found == naive_line(taken, line)
        return found

    chooser = random.Random(1)
    seen = {check(set()), check(set(cells))}
    for n in range(200):
        density = (0.03, 0.1, 0.3, 0.5, 0.8, 0.97)[n % 6]
        seen.add(check({c for c in cells if chooser.random() < density}))
    assert seen == {False, True}
    at = {stone: cell for cell, stone in cells.items()}
    for stone in at:  # every line alone, and every row of bits that is one but for the edge of the board
        for step in (1, width, width + 1, width - 1):
            row = {at.get(stone << step * k) for k in range(line)}
            if None not in row:
                check({cell for cell in row if cell})


@pytest.mark.parametrize(("width", "height", "line"), SIZES)
def test_turns(width: int, height: int, line: int) -> None:
    board = Board(width, height)
    assert len(board.turns) == (1 if 1 in (width, height) else 7 if width == height else 3)
    assert all(sorted(turn) == list(range(width * height)) for turn in board.turns)
    assert tuple(range(width * height)) not in board.turns
    corners = {cell.bit_length() - 1 for (cell,) in board.images((1,))} | {0}
    assert corners == {0, width - 1, (height - 1) * width, width * height - 1}
    shifts, starts = board.lines(line)
    chooser = random.Random(2)
    for _ in range(20):
        stones = chooser.getrandbits(64) & (chooser.getrandbits(64) | chooser.getrandbits(64)) & board.all
        for image in board.images((stones, board.all)):
            assert (stones, board.all) in board.images(image)
            assert has_line(image[0], shifts, starts) == has_line(stones, shifts, starts)


def test_cells() -> None:
    board = Board(30, 2)
    assert [board.name(c) for c in (0, 25, 26, 29, 30, 59)] == ["a1", "z1", "aa1", "ad1", "a2", "ad2"]
    names = [Board(64, 1).name(c) for c in range(64)]
    assert len(set(names)) == 64 and names[-1] == "bl1"


def test_text() -> None:
    board = Board(4, 3)
    assert board.write((1, 1 << 6), "XO.") == "..../..O./X..."
    assert board.read(" ..../..O./X...\n", "XO.", "any") == (1, 1 << 6)
    assert board.draw((1, 1 << 6), "XO.") == "3 . . . .\n2 . . O .\n1 X . . .\n  a b c d"
    for text in ("", "..../....", "..../..../..../....", "..../..../...", "..../..../...x", "............"):
        with pytest.raises(ZermeloError, match=f"^'{text}' is not a state of any: expected 3 rows of 4 letters out of XO., joined by /"):
            board.read(text, "XO.", "any")


def test_long_sides_are_drawn_straight() -> None:
    drawn = Board(30, 1).draw((1,), "X.").split("\n")
    assert drawn[1].split() == [Board(30, 1).name(c)[:-1] for c in range(30)] and len(drawn[0]) == len(drawn[1])
    assert len({len(line) for line in Board(3, 12).draw((5,), "X.").split("\n")}) == 1

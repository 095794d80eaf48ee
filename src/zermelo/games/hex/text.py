"""Hex as text and as a picture. Stones are a pair of sets, Black's and White's, each one long integer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ... import drawing
from ...errors import ZermeloError
from .state import State

SIDES = "XO"  # Black, White
NAMES = ("Black", "White")


def cells(stones: int) -> Iterator[int]:
    """The cells of the set."""
    return (i for i in range(stones.bit_length()) if stones >> i & 1)


def name(size: int, cell: int) -> str:
    """The cell as players write it: column a, b, ... from the left, row 1, 2, ... from the top."""
    return f"{chr(97 + cell % size)}{cell // size + 1}"


def rows(size: int, stones: tuple[int, int]) -> list[str]:
    """The rows from the top, a letter for each cell."""
    whole = "".join("X" if stones[0] >> i & 1 else "O" if stones[1] >> i & 1 else "." for i in range(size * size))
    return [whole[i : i + size] for i in range(0, size * size, size)]


def write(size: int, stones: tuple[int, int], turn: int) -> str:
    """The position in one line."""
    return f"{'/'.join(rows(size, stones))} {SIDES[turn]}"


def read(game: Any, words: str) -> State:
    """The state that this text describes, or that its actions lead to."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{words}' is not a state of {game.name}: expected {expected}")

    n = game.size
    found = re.fullmatch(rf"([XO.]{{{n}}}(?:/[XO.]{{{n}}}){{{n - 1}}}) ([XO])", words.strip())
    if not found:
        if "/" in words or not words.strip():
            raise refuse(f"{n} rows of {n} cells X, O or . joined by '/', and X or O, who is to move, or a list of cells")
        return _played(game, words, refuse)
    whole, turn = found[1].replace("/", ""), SIDES.index(found[2])
    black, white = (sum(1 << i for i, letter in enumerate(whole) if letter == side) for side in SIDES)
    more = black.bit_count() - white.bit_count()
    # after a swap White has the first stone, and from then on one more than without
    if more != turn and not (game.swap and more == turn - 1 and white):
        raise refuse("as many X as O where X is to move, and one X more where O is")
    s = game.state(black, white, turn)
    if game.state(black, white, 1 - turn).won:
        raise refuse("no joined edges of the side that is to move")
    last = (black, white)[1 - turn]
    if s.won and all(game.state(black & ~(1 << i), white & ~(1 << i), turn).won for i in cells(last)):
        raise refuse("edges joined by the stone played last")
    return s


def _played(game: Any, words: str, refuse: Callable[[str], ZermeloError]) -> State:
    """The state after these actions."""
    s = game.initial()
    for n, word in enumerate(words.split(), 1):
        try:
            s = game.result(s, game.read_action(s, word))
        except ZermeloError:
            raise refuse(f"a legal action where the {n}. is {word}") from None
    return s


def status(turn: int, won: bool) -> str:
    """What is to be said about the game."""
    return f"{NAMES[1 - turn]} has won" if won else f"{NAMES[turn]} ({SIDES[turn]}) to move"


def draw(size: int, stones: tuple[int, int], turn: int, won: bool) -> str:
    """The board for a terminal: each row half a cell to the right of the one above."""
    letters = " ".join(chr(97 + x) for x in range(size))
    drawn = [f"{' ' * y}{y + 1:>2} {' '.join(row)}" for y, row in enumerate(rows(size, stones))]
    return "\n".join([f"   {letters}", *drawn, f"{' ' * (size + 3)}{letters}", status(turn, won)])


def picture(size: int, stones: tuple[int, int], turn: int, won: bool) -> str:
    """The board as SVG: Black's edges are drawn black, White's white."""
    r, wide = 20.0, 20 * 3**0.5  # of a hexagon: from the centre to a corner, and from side to side

    def centre(x: float, y: float) -> tuple[float, float]:
        return 50 + wide * (x + y / 2), 50 + 1.5 * r * y

    def hexagon(x: int, y: int) -> str:
        cx, cy = centre(x, y)
        corners = ((0, -r), (wide / 2, -r / 2), (wide / 2, r / 2), (0, r), (-wide / 2, r / 2), (-wide / 2, -r / 2))
        return " ".join(f"{cx + dx:.1f},{cy + dy:.1f}" for dx, dy in corners)

    def edge(a: tuple[float, float], b: tuple[float, float], colour: str) -> str:
        (x1, y1), (x2, y2) = centre(*a), centre(*b)
        style = {"stroke": colour, "stroke_width": 8, "stroke_linecap": "round"}
        return drawing.shape("line", x1=x1, y1=y1, x2=x2, y2=y2, **style)

    end = size - 1
    frame = drawing.shape("rect", width="100%", height="100%", fill="#8aa4b8")
    low, high = -0.55, end + 0.55
    parts = [frame, edge((0, low), (end, low), "black"), edge((0, high), (end, high), "black")]
    parts += [edge((low, 0), (low, end), "white"), edge((high, 0), (high, end), "white")]
    for y in range(size):
        parts += [drawing.shape("polygon", points=hexagon(x, y), fill="#e9d8a6", stroke="#555", stroke_width=1) for x in range(size)]
    for side, fill in zip(stones, ("black", "white"), strict=True):
        for cell in cells(side):
            cx, cy = centre(cell % size, cell // size)
            parts.append(drawing.shape("circle", cx=cx, cy=cy, r=0.65 * r, fill=fill, stroke="#333"))
    for i in range(size):
        parts += [drawing.text(*centre(i + 0.5, -1.1), chr(97 + i)), drawing.text(*centre(-1.1, i), str(i + 1))]
    width, height = centre(end + 1, end)[0] + 20, centre(0, end)[1] + 40
    return drawing.svg(width, height, parts, f"Hex, {status(turn, won)}")

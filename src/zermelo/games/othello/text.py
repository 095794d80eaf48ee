"""Othello as text and as a picture. Discs are a pair of sets, Black's and White's; square i is bit i, from the upper left."""

from __future__ import annotations

import re
from typing import Any

from ... import drawing
from ...errors import ZermeloError
from ...notation.xot import read_moves
from .state import State

SIDES = "XO"  # Black, White
NAMES = ("Black", "White")


def letters(size: int, discs: tuple[int, int]) -> str:
    """A letter for each square."""
    return "".join("X" if discs[0] >> i & 1 else "O" if discs[1] >> i & 1 else "-" for i in range(size * size))


def write(size: int, discs: tuple[int, int], turn: int) -> str:
    """The position in one line."""
    return f"{letters(size, discs)} {SIDES[turn]}"


def read(game: Any, words: str) -> State | tuple[int, int, int]:
    """The state that these moves lead to; or the discs of Black, of White, and who is to move."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{words}' is not a state of {game.name}: expected {expected}")

    found = re.fullmatch(rf"([XO-]{{{game.cells}}}) ([XO])(?: ?;)?", words.strip())
    if found:
        black, white = (sum(1 << i for i, letter in enumerate(found[1]) if letter == side) for side in SIDES)
        if not _hangs_together(game, black | white):
            raise refuse("discs that hang together with the four in the middle")
        return black, white, SIDES.index(found[2])
    s = game.initial()
    try:
        moves = read_moves(words)
    except ZermeloError:
        moves = []
    if not moves:
        raise refuse(f"{game.cells} squares X, O or -, a space, and X or O, who is to move, or moves like f5d6")
    for n, move in enumerate(moves, 1):
        try:
            if move not in ("pass", "--") and list(game.actions(s)) == [game.cells]:
                s = game.result(s, game.cells)
            s = game.result(s, game.read_action(s, move))
        except ZermeloError:
            raise refuse(f"a legal move where the {n}. is {move}") from None
    return s


def _hangs_together(game: Any, discs: int) -> bool:
    start = game.initial()
    group = start.mine | start.theirs
    if group & ~discs:
        return False
    while (grown := group | game.around(group) & discs) != group:
        group = grown
    return group == discs


def status(discs: tuple[int, int], turn: int, over: bool) -> str:
    """What is to be said about the game."""
    black, white = (side.bit_count() for side in discs)
    if not over:
        return f"{NAMES[turn]} ({SIDES[turn]}) to move, {black} to {white} discs"
    return f"drawn {black} to {white}" if black == white else f"{NAMES[black < white]} has won, {black} to {white} discs"


def draw(size: int, discs: tuple[int, int], turn: int, over: bool) -> str:
    """The board for a terminal, row 1 on top."""
    whole = letters(size, discs)
    rows = [f"{y + 1} {' '.join(whole[y * size : y * size + size])}" for y in range(size)]
    return "\n".join(["  " + " ".join("abcdefgh"[:size]), *rows, status(discs, turn, over)])


def picture(size: int, discs: tuple[int, int], turn: int, over: bool, marks: int) -> str:
    """The board as SVG; `marks` are the squares where a disc may be laid."""
    wide, edge = 50, 30
    whole = wide * size

    def centre(i: int) -> tuple[int, int]:
        return edge + wide * (i % size) + wide // 2, edge + wide * (i // size) + wide // 2

    parts = [drawing.shape("rect", x=edge, y=edge, width=whole, height=whole, fill="#1b7a43")]
    for i in range(size + 1):
        at = edge + wide * i
        parts.append(drawing.shape("line", x1=at, y1=edge, x2=at, y2=edge + whole, stroke="#0b3d20"))
        parts.append(drawing.shape("line", x1=edge, y1=at, x2=edge + whole, y2=at, stroke="#0b3d20"))
    for sets, colour, r in ((discs[0], "black", 20), (discs[1], "white", 20), (marks, "#0b3d20", 4)):
        for i in range(size * size):
            if sets >> i & 1:
                x, y = centre(i)
                parts.append(drawing.shape("circle", cx=x, cy=y, r=r, fill=colour))
    for i in range(size):
        at = edge + wide * i + wide // 2
        parts += [
            drawing.text(at, edge // 2, "abcdefgh"[i], fill="currentColor"),
            drawing.text(edge // 2, at, str(i + 1), fill="currentColor"),
        ]
    return drawing.svg(whole + 2 * edge, whole + 2 * edge, parts, f"Othello, {status(discs, turn, over)}")

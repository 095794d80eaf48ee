"""The board drawn: as text, and as a picture."""

from __future__ import annotations

from ... import drawing
from .fen import FILES, letters
from .state import State

SIDE, EDGE = 48, 24  # of a square and of the margin with the names of ranks and files
GLYPHS = {"p": "♟", "n": "♞", "b": "♝", "r": "♜", "q": "♛", "k": "♚"}


def show(s: State) -> str:
    """Eight rows, the eighth rank on top; White's pieces are capitals."""
    board = letters(s)
    rows = [f"{y + 1} " + " ".join(man or "." for man in board[8 * y : 8 * y + 8]) for y in reversed(range(8))]
    return "\n".join([*rows, "  " + " ".join(FILES), f"{_mover(s)} to move"])


def svg(s: State, name: str) -> str:
    """The picture, White below."""
    parts = []
    for i, man in enumerate(letters(s)):
        x, y = EDGE + SIDE * (i & 7), SIDE * (7 - (i >> 3))
        parts.append(drawing.shape("rect", x=x, y=y, width=SIDE, height=SIDE, fill="#eed9b6" if (i ^ i >> 3) & 1 else "#b58863"))
        if man:
            fill = {"fill": "#fff", "stroke": "#000"} if man.isupper() else {"fill": "#000", "stroke": "#000"}
            parts.append(drawing.text(x + SIDE / 2, y + SIDE / 2, GLYPHS[man.lower()], 0.8 * SIDE, **fill))
    for k in range(8):
        parts.append(drawing.text(EDGE / 2, SIDE * (7.5 - k), str(k + 1), fill="currentColor"))
        parts.append(drawing.text(EDGE + SIDE * (k + 0.5), 8 * SIDE + EDGE / 2, FILES[k], fill="currentColor"))
    return drawing.svg(8 * SIDE + EDGE, 8 * SIDE + EDGE, parts, f"{name}, {_mover(s)} to move")


def _mover(s: State) -> str:
    return "Black" if s.t & 1 else "White"

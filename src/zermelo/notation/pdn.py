"""PDN, the format of draughts: games as in PGN, moves between numbered squares, and positions as lists of squares.

    for record in read(text):            games, as of `pgn.read`; results that count two points for a win are read too
        record.tags["Black"], [move.text for move in record.line.moves], record.line.result
    read_move("22x15x6")                 (22, 15, 6)
    read_fen("B:W21-32,K4:B1-12")        the side to move, and the squares of men and kings

A result gives the score of the player who began first: in English draughts that is Black. The number of squares and the legal
moves are up to the rules of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import ZermeloError
from ..system.limits import shown
from . import pgn

RESULTS = (*pgn.RESULTS, "2-0", "0-2", "1-1", "0-0")

MOVE = re.compile(r"[0-9]{1,2}(?:[-x][0-9]{1,2})+")
FEN = re.compile(r"([BW]):([BW])([^:]*):([BW])([^:]*?)(?::H([0-9]{1,5}))?\.?")
PIECES = re.compile(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?")


def read(text: str | Iterable[str]) -> Iterator[pgn.Record]:
    """The games of a text or of its lines."""
    return pgn.read(text, RESULTS)


def read_file(path: Path | str) -> Iterator[pgn.Record]:
    """The games in a file, one after another."""
    return pgn.read_file(path, RESULTS)


def write(record: pgn.Record) -> str:
    """The game in the export form, ready to be followed by the next."""
    return pgn.write(record)


# ---- moves ---------------------------------------------------------------------------------------


def read_move(text: str) -> tuple[int, ...]:
    """The squares of a move, from the first to the last; ZermeloError if it is not a move. '-' and 'x' are not distinguished."""
    if not MOVE.fullmatch(text.strip()):
        raise ZermeloError(f"{shown(text)} is not a move: expected squares joined by - or x, as in 11-15 or 22x15")
    return tuple(map(int, re.split("[-x]", text.strip())))


def write_move(squares: Sequence[int], captures: bool) -> str:
    """The move over these squares."""
    return ("x" if captures else "-").join(map(str, squares))


# ---- positions -----------------------------------------------------------------------------------


@dataclass
class Position:
    """The side to move, B or W; the squares of each side, and whether they hold a king; the plies since the last irreversible move."""

    turn: str
    black: dict[int, bool] = field(default_factory=dict)
    white: dict[int, bool] = field(default_factory=dict)
    clock: int = 0


def read_fen(text: str) -> Position | None:
    """The position that the text describes; None if it is not a FEN, or names a square of a side twice.

    The sides come in any order, a range of squares may be written 1-12, and a full stop may end it.
    """
    found = FEN.fullmatch(text.strip())
    if not found or found[2] == found[4]:
        return None
    sides = {}
    for colour, listed in (found.group(2, 3), found.group(4, 5)):
        side = _pieces(listed)
        if side is None:
            return None
        sides[colour] = side
    return Position(found[1], sides["B"], sides["W"], int(found[6] or 0))


def _pieces(listed: str) -> dict[int, bool] | None:
    pieces: dict[int, bool] = {}
    for part in listed.split(",") if listed else []:
        found = PIECES.fullmatch(part)
        if not found:
            return None
        first, last = int(found[2]), int(found[3] or found[2])
        squares = range(first, last + 1)
        if not squares or any(n in pieces for n in squares):
            return None
        pieces |= dict.fromkeys(squares, bool(found[1]))
    return pieces


def write_fen(position: Position) -> str:
    """The position as a FEN, men before kings; the clock follows as :H7 unless it is 0."""
    white, black = (
        ",".join(f"{'K' if king else ''}{n}" for king in (False, True) for n in sorted(side) if side[n] is king)
        for side in (position.white, position.black)
    )
    return f"{position.turn}:W{white}:B{black}" + (f":H{position.clock}" if position.clock else "")

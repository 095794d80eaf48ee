"""Moves as engines write them (UCI): e2e4, e7e8q, castling e1g1 or, in Chess960, from the king to the rook: e1h1."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import ZermeloError
from .fen import square
from .state import CASTLING, TO_BISHOP, TO_KING, TO_KNIGHT, TO_QUEEN, TO_ROOK, State

BECOMES = {TO_KNIGHT: "n", TO_BISHOP: "b", TO_ROOK: "r", TO_QUEEN: "q", TO_KING: "k"}
STANDARD_CASTLING = ((4, 0), (4, 7))  # squares of king and rook when they castle in common chess


def write(s: State, a: int, chess960: bool) -> str:
    """The action in UCI's notation."""
    i, j, kind = a & 63, a >> 6 & 63, a >> 12
    if kind == CASTLING and not chess960 and (i, j) in STANDARD_CASTLING:
        j = _castled(i, j)
    return _written(s, i, j) + BECOMES.get(kind, "")


def read(s: State, text: str, actions: Iterable[int], chess960: bool) -> int:
    """The one of these actions that this text means; castling may be written in either way if that is clear."""
    wanted = text.strip()
    names, others = {}, {}
    for a in actions:
        names[write(s, a, chess960)] = a
        if a >> 12 == CASTLING:
            i, j = a & 63, a >> 6 & 63
            others[_written(s, i, j)] = a
            if abs(_castled(i, j) - i) > 1:  # no step of the king
                others[_written(s, i, _castled(i, j))] = a
    if wanted in names:
        return names[wanted]
    if wanted in others:
        return others[wanted]
    some = ", ".join(list(names)[:12]) + (", ..." if len(names) > 12 else "")
    raise ZermeloError(f"'{wanted}' is not a legal action here: expected one of {some or 'none, the game is over'}")


def _castled(i: int, j: int) -> int:
    """Where the king goes from i when he castles with the rook on j."""
    return 6 if j > i else 2


def _written(s: State, i: int, j: int) -> str:
    turn = 56 * (s.t & 1)
    return square(i ^ turn) + square(j ^ turn)

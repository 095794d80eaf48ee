"""The state of a game of Kriegspiel, and its actions.

An action is an attempt: from | to << 6 | kind << 12 as in chess, where a pawn's capture en passant is written like any other, since
the player does not know which it is. `ANY` asks whether a pawn can capture.
"""

from __future__ import annotations

from typing import NamedTuple

from ...bits import i8, i64, u64

ANY = 1 << 15
UNASKED, DENIED, TRY, TRIED = range(4)  # of the field asked; the last: there were captures, and one was tried
#: bits of what the umpire says: kinds of check, then the pawn tries, then what was captured and on which square
FILE, RANK, LONG_DIAGONAL, SHORT_DIAGONAL, KNIGHT = 1, 2, 4, 8, 16
CHECKS = 31
TRIES = 5  # shift of the number of pawn tries, five bits
CAPTURE = 10  # shift of what was captured, two bits
SQUARE = 12  # shift of the square, as White sees it
NOTHING, PAWN, PIECE, SOMETHING = range(4)  # captured


class State(NamedTuple):
    """A position of chess, and what the players have tried and heard."""

    p: u64  # the first eight as in chess: seen by the side to move
    n: u64
    d: u64
    o: u64
    k: u64
    me: u64
    x: u64
    t: u64
    said: i64  # by the umpire after the last move
    asked: i8  # whether the player to move has asked for pawn captures, and the answer
    gone: tuple[i8, i8]  # pawns that each player is known to have lost
    tried: tuple[u64, u64, u64, u64]  # attempts that were illegal in this turn, a bit each
    heard: tuple[u64, u64]  # a hash of all that each player did and heard

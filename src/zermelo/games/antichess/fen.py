"""Positions of antichess as text: FEN. Its castling rights mean nothing here, and any number of kings may stand anywhere."""

from __future__ import annotations

import re

from ...errors import ZermeloError
from ..chess.fen import fields, passed, write
from ..chess.moves import occupied
from ..chess.state import State, turned
from . import moves

__all__ = ["read", "write"]


def read(text: str, name: str) -> State:
    """The state that a FEN tells; ZermeloError naming the game if it is none.

    Castling rights, which programs write though there is no castling, are read and forgotten, and so is an en passant
    square where no pawn can take.
    """

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {name}: expected {expected}")

    s, side, rights, target = fields(text, refuse)
    if not re.fullmatch("-|K?Q?k?q?", rights):
        raise refuse(f"KQkq or - as castling rights, not '{rights}'")
    if side == "b":
        s = turned(s)
    theirs = occupied(s) ^ s.me
    if not theirs:
        raise refuse("a piece of the side that has moved")
    for own in (s.me, theirs):
        if own.bit_count() > 16 or (s.p & own).bit_count() > 8:
            raise refuse("at most sixteen pieces, and eight pawns, of each side")
    if target == "-":
        return s
    taken = s._replace(x=passed(s, target, refuse))
    return taken if moves.takers(taken) else s

"""Moves as people write them (SAN): e4, Nbd2, exd6, e8=Q+, O-O, Qh5#.

Writing is exact: a square, file or rank from which the piece comes is told only where it must be. Reading is liberal: signs such as
+, # and ! are not looked at, zeros castle too, the = of a promotion may be missing and more than needed be told (Ng1f3,
e2-e4); but an x where nothing is taken, or a move that can be meant in two ways, is refused. The coordinates of engines are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ...errors import ZermeloError
from . import moves, uci
from .fen import square
from .state import CASTLING, EN_PASSANT, State

MOVE = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)([-x:]?)([a-h][1-8])(?:[=/]?([NBRQK])|=?\(([NBRQK])\)|=([nbrqk]))?")
COORDINATES = re.compile(r"[a-h][1-8][a-h][1-8][nbrqk]?")
CASTLES = {"O-O": "O-O", "0-0": "O-O", "o-o": "O-O", "O-O-O": "O-O-O", "0-0-0": "O-O-O", "o-o-o": "O-O-O"}


class Step(NamedTuple):
    """What the notation tells of an action."""

    man: str  # P, N, B, R, Q or K
    start: str  # squares by their names
    end: str
    takes: bool
    becomes: str  # what a pawn is promoted to, or ""
    castles: str  # O-O, O-O-O or ""


def step(s: State, a: int) -> Step:
    """The action as the notation sees it."""
    i, j, kind = a & 63, a >> 6 & 63, a >> 12
    turn = 56 * (s.t & 1)
    words = (s.p, s.n, s.d & ~s.o, s.o & ~s.d, s.d & s.o, s.k)
    man = "PNBRQK"[next(n for n, word in enumerate(words) if word >> i & 1)]
    castles = "" if kind != CASTLING else "O-O" if j > i else "O-O-O"
    takes = kind == EN_PASSANT or (not castles and moves.occupied(s) >> j & 1 == 1)
    return Step(man, square(i ^ turn), square(j ^ turn), takes, uci.BECOMES.get(kind, "").upper(), castles)


def write(s: State, a: int, actions: Iterable[int]) -> str:
    """The action without a sign of check; `actions` are all that are legal."""
    told = step(s, a)
    if told.castles:
        return told.castles
    end = ("x" if told.takes else "") + told.end + (f"={told.becomes}" if told.becomes else "")
    if told.man == "P":
        return (told.start[0] if told.takes else "") + end
    near = [step(s, b) for b in actions if (a ^ b) & 0xFFFFC0 == 0 and b != a]  # to the same square, and no castling
    rivals = [other.start for other in near if other.man == told.man]
    file, rank = told.start[0], told.start[1]
    if not rivals:
        start = ""
    elif all(other[0] != file for other in rivals):
        start = file
    else:
        start = rank if all(other[1] != rank for other in rivals) else told.start
    return told.man + start + end


def sign(after: State) -> str:
    """The sign of a move that leads to this state: + for check, # for mate."""
    if not moves.in_check(after):
        return ""
    return "+" if moves.count(after) else "#"


def read(s: State, text: str, actions: Iterable[int]) -> int:
    """The one of these actions that this text means; ZermeloError if there is none, or more than one."""
    legal = list(actions)
    wanted = text.strip()
    if COORDINATES.fullmatch(wanted):
        return uci.read(s, wanted, legal, False)
    found = _fitting(s, wanted.rstrip("+#!?"), legal)
    if len(found) == 1:
        return found[0]
    names = [write(s, a, legal) for a in found or legal]
    some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    wrong = "can mean several moves" if found else "is not a legal action"
    raise ZermeloError(f"'{wanted}' {wrong} here: expected one of {some or 'none, the game is over'}")


def _fitting(s: State, text: str, legal: list[int]) -> list[int]:
    """The actions that the text can mean."""
    if text in CASTLES:
        return [a for a in legal if step(s, a).castles == CASTLES[text]]
    parts = MOVE.fullmatch(text)
    if parts is None:
        return []
    man, file, rank, between, end, *promotions = parts.groups()
    becomes = "".join(filter(None, promotions)).upper()
    turn = 56 * (s.t & 1)
    j = "abcdefgh".index(end[0]) + 8 * int(end[1]) - 8 ^ turn
    found = []
    for a in legal:
        if a >> 6 & 63 == j and a >> 12 != CASTLING:
            told = step(s, a)
            fits = told.man == (man or "P") and told.becomes == becomes and file in ("", told.start[0]) and rank in ("", told.start[1])
            takes = told.takes or between not in ("x", ":")
            if fits and takes and (file or not told.takes or told.man != "P"):
                found.append(a)
    return found

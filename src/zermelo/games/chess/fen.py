"""Positions as text: FEN, with the castling rights of X-FEN and Shredder-FEN, so that Chess960 is covered."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations

from ...bits import ctz, rest
from ...errors import ZermeloError
from . import moves
from .sliders import KING
from .state import CLOCK, PLY, RANK_1, RANK_6, RANK_8, State, as_white, turned

FILES = "abcdefgh"
MEN = {"p": "p", "n": "n", "b": "d", "r": "o", "q": "do", "k": "k"}  # a letter, and the words in which the piece is
Refuse = Callable[[str], ZermeloError]
MOST_CLOCK, MOST_MOVES = 9999, 99999


def square(i: int) -> str:
    """The name of a square."""
    return f"{FILES[i & 7]}{(i >> 3) + 1}"


def letters(s: State) -> list[str]:
    """The pieces on the 64 squares as White sees them, by FEN's letters; '' for none."""
    white, board = as_white(s), [""] * 64
    both = white.d & white.o
    kinds = (("p", white.p), ("n", white.n), ("b", white.d ^ both), ("r", white.o ^ both), ("q", both), ("k", white.k))
    for letter, pieces in kinds:
        left, mine = int(pieces), int(white.me)
        while left:
            low = left & -left
            board[low.bit_length() - 1] = letter.upper() if mine & low else letter
            left ^= low
    return board


def back_rank(start: int) -> str:
    """The pieces on the first rank of a Chess960 position, from a to h, by its number: 518 is rnbqkbnr."""
    other, light = divmod(start, 4)
    other, dark = divmod(other, 4)
    knights, queen = divmod(other, 6)
    row = [""] * 8
    row[2 * light + 1] = row[2 * dark] = "b"

    def empty() -> list[int]:
        return [i for i, man in enumerate(row) if not man]

    row[empty()[queen]] = "q"
    for i in [empty()[k] for k in list(combinations(range(5), 2))[knights]]:
        row[i] = "n"
    for i, man in zip(empty(), "rkr", strict=True):
        row[i] = man
    return "".join(row)


# ---- writing -------------------------------------------------------------------------------------


def write(s: State) -> str:
    """The state as FEN; castling rights as X-FEN: a file's letter only where another rook stands farther out."""
    board = letters(s)
    rows = ["".join(man or "1" for man in board[8 * y : 8 * y + 8]) for y in reversed(range(8))]
    packed = re.sub("1+", lambda run: str(len(run[0])), "/".join(rows))
    white = as_white(s)
    rights = "".join(_rights(white, side) for side in "wb")
    target = square(ctz(white.x & ~(RANK_1 | RANK_8))) if s.x & RANK_6 else "-"
    ply = s.t & PLY
    return f"{packed} {'wb'[ply & 1]} {rights or '-'} {target} {s.t // CLOCK} {ply // 2 + 1}"


def _rights(white: State, side: str) -> str:
    """The castling rights of a side, in FEN's order: the king's wing first."""
    own, rank = (white.me, RANK_1) if side == "w" else (~white.me, RANK_8)
    rooks, king = white.o & ~white.d & own & rank, ctz(white.k & own)
    found, left = "", int(white.x & rank)
    while left:
        i = left.bit_length() - 1
        farther = rooks >> (i + 1) if i > king else rooks & ((1 << i) - 1)
        found += FILES[i & 7] if farther else "k" if i > king else "q"
        left ^= 1 << i
    return found.upper() if side == "w" else found


# ---- reading -------------------------------------------------------------------------------------


def read(text: str, name: str) -> State:
    """The state that a FEN of six fields tells, or of four (clock 0, move 1); ZermeloError naming the game if it is none.

    An en passant square where no pawn can legally take is read and forgotten: it is the same position.
    """

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {name}: expected {expected}")

    s, side, rights, target = fields(text, refuse)
    _armies(s, refuse)
    s = s._replace(x=castling(s, rights, refuse))
    if side == "b":
        s = turned(s)
    k, men = ctz(s.k & s.me), moves.occupied(s)
    if moves.in_check(turned(s)) or KING[k] & s.k:
        raise refuse("that the side to move cannot take the king")
    if target == "-":
        return s
    to = passed(s, target, refuse)
    goal, _, checks = moves.guard(s, k, men)
    if rest(checks):  # one step of a pawn cannot give two checks
        raise refuse(f"a pawn that has just gone two steps over '{target}'")
    s = s._replace(x=s.x | to)
    return s if moves.takers(s, k, men, goal) else s._replace(x=s.x ^ to)


def fields(text: str, refuse: Refuse) -> tuple[State, str, str, str]:
    """The pieces and counters as White sees them, nothing castling; the side to move, castling rights and en passant square as text."""
    parts = text.split()
    if len(parts) not in (4, 6):
        raise refuse("a FEN of six fields: pieces, side to move, castling, en passant, halfmove clock, move number")
    board, side, rights, target, clock, number = [*parts, "0", "1"][:6]
    if side not in ("w", "b"):
        raise refuse(f"w or b as the side to move, not '{side}'")
    if not re.fullmatch("[0-9]{1,4}", clock):
        raise refuse(f"a halfmove clock from 0 to {MOST_CLOCK}, not '{clock}'")
    if not re.fullmatch("[0-9]{1,5}", number) or int(number) == 0:
        raise refuse(f"a move number from 1 to {MOST_MOVES}, not '{number}'")
    words = _men(board, refuse)
    t = 2 * (int(number) - 1) + CLOCK * int(clock)
    return State(words["p"], words["n"], words["d"], words["o"], words["k"], words["white"], 0, t), side, rights, target


def passed(s: State, target: str, refuse: Refuse) -> int:
    """The en passant square, over which a pawn of the other side must have gone."""
    side, men = "wb"[s.t & 1], moves.occupied(s)
    if not re.fullmatch("[a-h][36]", target) or (target[1] == "6") != (side == "w"):
        raise refuse(f"an en passant square on the {'sixth' if side == 'w' else 'third'} rank, or -, not '{target}'")
    to = 1 << FILES.index(target[0]) + 40
    if not s.p & ~s.me & to >> 8 or men & (to | to << 8):
        raise refuse(f"a pawn that has just gone two steps over '{target}'")
    return to


def _men(text: str, refuse: Refuse) -> dict[str, int]:
    """The sets of pieces in the first field, and of White's, as White sees them."""
    rows = text.split("/")
    if len(rows) != 8 or any(not re.fullmatch("(?:[1-8]?[pnbrqkPNBRQK])*[1-8]?", row) for row in rows):
        raise refuse("eight rows of pieces pnbrqkPNBRQK and numbers of empty squares, joined by '/'")
    words = dict.fromkeys(("p", "n", "d", "o", "k", "white"), 0)
    for y, row in enumerate(reversed(rows)):
        cells = re.sub("[1-8]", lambda n: "." * int(n[0]), row)
        if len(cells) != 8:
            raise refuse(f"eight squares in the row '{row}'")
        for x, man in enumerate(cells):
            for word in MEN.get(man.lower(), ""):
                words[word] |= 1 << 8 * y + x
            if man.isupper():
                words["white"] |= 1 << 8 * y + x
    if words["p"] & (RANK_1 | RANK_8):
        raise refuse("no pawn on the first or the last rank")
    return words


def _armies(white: State, refuse: Refuse) -> None:
    """Each side must have a king, and no more pieces than at the start."""
    for own in (white.me, moves.occupied(white) ^ white.me):
        if (white.k & own).bit_count() != 1:
            raise refuse("one king of each side")
        if own.bit_count() > 16 or (white.p & own).bit_count() > 8:
            raise refuse("at most sixteen pieces, and eight pawns, of each side")


def castling(white: State, text: str, refuse: Refuse) -> int:
    """The rooks that may castle, as White sees them."""
    rights = 0
    for right in "" if text == "-" else text:
        own, rank = (white.me, RANK_1) if right.isupper() else (~white.me, RANK_8)
        rooks, king = white.o & ~white.d & own & rank, white.k & own & rank
        letter = right.lower()
        if letter == "k":
            found = 1 << (rooks & -king).bit_length() >> 1 if king else 0
        elif letter == "q":
            found = rooks & (king - 1) & -(rooks & (king - 1)) if king else 0
        elif letter in FILES:
            found = rooks & rank // 255 << FILES.index(letter) if king else 0
        else:
            found = 0
        wing = rank & -king if found > king else rank & (king - 1)
        if not found or rights & wing:
            raise refuse(f"castling rights KQkq, or files of rooks, or -, where king and rook have not moved, not '{text}'")
        rights |= found
    return rights

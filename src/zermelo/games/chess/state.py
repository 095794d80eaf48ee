"""The state of a game of chess, and its actions.

The board is seen from the side to move: its pawns go up, its king starts on the first rank. Every action turns the board
upside down (the bytes of all words in opposite order), so there is one set of rules for both colours.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ...bits import byteswap, u64

RANK_1, RANK_2, RANK_3, RANK_6 = 0xFF, 0xFF00, 0xFF0000, 0xFF0000000000
RANK_7, RANK_8 = 0xFF000000000000, 0xFF00000000000000
PLY, CLOCK = (1 << 32) - 1, 1 << 32  # of the field t

# The kinds of actions. An action is from | to << 6 | kind << 12, as the side to move sees the squares.
# Castling goes from the king to the rook, which is unambiguous wherever they stand.
PLAIN, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN, EN_PASSANT, CASTLING, TO_KING = range(8)  # the last only in antichess


class State(NamedTuple):
    """Pieces of both sides by what they are, the side to move, what was moved before, and two counters."""

    p: u64  # pawns
    n: u64  # knights
    d: u64  # pieces that move along diagonals: bishops and queens
    o: u64  # pieces that move along files and ranks: rooks and queens
    k: u64  # kings
    me: u64  # all pieces of the side to move
    x: u64  # on the first and last rank: rooks that may castle; on the sixth: where a pawn can be taken en passant
    t: u64  # plies since the first move (odd: Black is to move) | 2^32 times the plies since a capture or a pawn's move


class Board(Protocol):
    """What rules read of a state: a board of chess, whatever else the state of a game holds."""

    @property
    def p(self) -> u64: ...
    @property
    def n(self) -> u64: ...
    @property
    def d(self) -> u64: ...
    @property
    def o(self) -> u64: ...
    @property
    def k(self) -> u64: ...
    @property
    def me(self) -> u64: ...
    @property
    def x(self) -> u64: ...
    @property
    def t(self) -> u64: ...


def turned(s: State) -> State:
    """The same pieces seen from the other side, which is to move."""
    them = (s.p | s.n | s.d | s.o | s.k) ^ s.me
    return State(byteswap(s.p), byteswap(s.n), byteswap(s.d), byteswap(s.o), byteswap(s.k), byteswap(them), byteswap(s.x), s.t ^ 1)


def as_white(s: State) -> State:
    """The board as White sees it, whoever is to move: square 0 is a1, `me` are White's pieces."""
    return turned(s) if s.t & 1 else s

"""Chess in Polyglot's opening books: the key of a position, and a move in 16 bits.

A key is the exclusive or of random numbers: one for each piece on its square, for each right to castle, for the file of a pawn that can be
taken en passant, and for White to move. The numbers are the first 781 of Jenkins' generator ISAAC-64 with an empty seed.
http://hgm.nubati.net/book_format.html; Jenkins, ISAAC, 1996 (in the public domain)
"""

from __future__ import annotations

from functools import cache

from ...bits import FULL
from .state import CASTLING, RANK_1, RANK_6, RANK_8, TO_QUEEN, State, as_white

WORDS = 256  # of the state of ISAAC-64, and numbers in a batch
GOLDEN = 0x9E3779B97F4A7C13
AT_CASTLING, AT_EN_PASSANT, AT_TURN, KEY_COUNT = 768, 772, 780, 781  # places in the list of numbers


def key(s: State) -> int:
    """The key of s."""
    random, board = numbers(), as_white(s)
    white, queens = board.me, board.d & board.o
    kinds = (board.p, board.n, board.d ^ queens, board.o ^ queens, queens, board.k)
    found = 0 if s.t & 1 else random[AT_TURN]
    for kind, pieces in enumerate(kinds):
        for square in _squares(pieces):
            found ^= random[64 * (2 * kind + (white >> square & 1)) + square]
    for first, rank, side in ((0, RANK_1, white), (2, RANK_8, FULL ^ white)):
        king = board.k & rank & side
        for rook in _squares(board.x & rank):
            found ^= random[AT_CASTLING + first + (1 << rook < king)]
    if passing := s.x & RANK_6:
        found ^= random[AT_EN_PASSANT + (passing.bit_length() - 1 & 7)]
    return found


def move(s: State, a: int) -> int:
    """An action of s: the square it goes to, the one it comes from, and what a pawn becomes. A king castles by going to the rook."""
    turn, kind = 56 * (s.t & 1), a >> 12
    becomes = kind if kind <= TO_QUEEN and kind != CASTLING else 0
    return int((a >> 6 & 63) ^ turn | ((a & 63) ^ turn) << 6 | becomes << 12)


def _squares(pieces: int) -> list[int]:
    return [i for i in range(64) if pieces >> i & 1]


@cache
def numbers() -> tuple[int, ...]:
    """The numbers of the keys."""
    found, state = list[int](), _Isaac64()
    while len(found) < KEY_COUNT:
        found += reversed(state.batch())  # as Jenkins' macro `rand` takes them
    return tuple(found[:KEY_COUNT])


class _Isaac64:
    """ISAAC-64 with a seed of zeros."""

    def __init__(self) -> None:
        self.a = self.b = self.c = 0
        self.memory = [0] * WORDS
        eight = [GOLDEN] * 8
        for _ in range(4):
            _mix(eight)
        for _ in range(2):
            for at in range(0, WORDS, 8):
                eight = [(x + y) & FULL for x, y in zip(eight, self.memory[at : at + 8], strict=True)]
                _mix(eight)
                self.memory[at : at + 8] = eight

    def batch(self) -> list[int]:
        """The next 256 numbers."""
        memory, found = self.memory, list[int]()
        self.c = (self.c + 1) & FULL
        self.b = (self.b + self.c) & FULL
        for i in range(WORDS):
            x = memory[i]
            mixed = (self.a ^ self.a << 21 ^ FULL, self.a ^ self.a >> 5, self.a ^ self.a << 12, self.a ^ self.a >> 33)[i & 3]
            self.a = ((mixed & FULL) + memory[(i + WORDS // 2) % WORDS]) & FULL
            memory[i] = y = (memory[x >> 3 & 255] + self.a + self.b) & FULL
            self.b = (memory[y >> 11 & 255] + x) & FULL
            found.append(self.b)
        return found


#: which word is subtracted from, which is mixed, by how many bits, and to the left or right
STEPS = ((4, 5, 7, -9), (5, 6, 0, 9), (6, 7, 1, -23), (7, 0, 2, 15), (0, 1, 3, -14), (1, 2, 4, 20), (2, 3, 5, -17), (3, 4, 6, 14))


def _mix(w: list[int]) -> None:
    """Jenkins' mix of eight words: in each step one word loses another, a third is mixed with the fourth, shifted, which then grows."""
    for k, (less, mixed, by, shift) in enumerate(STEPS):
        w[k] = (w[k] - w[less]) & FULL
        shifted = w[by] << shift & FULL if shift > 0 else w[by] >> -shift
        w[mixed] ^= shifted
        w[by] = (w[by] + w[k]) & FULL

"""The terms of an evaluation that is learned from games of masters, as Deep Blue's was tuned: sets of squares, and counts.

A set is a word for each side. Left and right are the same, so each set makes two planes, the board's left half and its right half in a
mirror, with 32 weights in common; the other side's planes have the same weights with the opposite sign. In a count each bit weighs the
same. Each of three phases of the game has weights of its own.
"""

from __future__ import annotations

from ...bits import FULL, bitreverse, byteswap, ctz, popcount, rest, u64
from .moves import occupied
from .sliders import KING, NOT_A, NOT_H, bishops, higher, knights, lower, pawns_down, pawns_up, rooks
from .state import Board

LEFT = 0x0F0F0F0F0F0F0F0F  # files a to d
OUTPOSTS = 0x0000FFFFFF000000  # ranks 4 to 6
SETS, COUNTS = 16, 16
PHASES, OPENING, MIDDLE = 3, 18, 8  # pieces from which on it is the opening, or the middle game: a knight or bishop 1, a rook 2, a queen 4
Words = tuple[u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64]


def _planes() -> tuple[tuple[int, int, float], ...]:
    """Of each plane the first input, inputs from bit to bit, and the sign. Two sets fill 64 inputs: the right halves would be empty."""
    found: list[tuple[int, int, float]] = []
    for sign in (1.0, -1.0):
        for k in range(SETS):
            found += [(64 * (k // 2) + 4 * (k % 2), 1, sign)] * 2
        found += [(32 * SETS + k, 0, sign) for k in range(COUNTS)]
    return tuple(found)


PLANE_INPUTS = _planes()


def mirrored(word: u64) -> u64:
    """The set in a mirror, left for right."""
    return byteswap(bitreverse(word))


def phase(s: Board) -> int:
    """The opening, the middle game or the endgame, by the pieces that are left."""
    left = popcount(s.n) + popcount(s.d) + 2 * popcount(s.o) + popcount(s.d & s.o)
    return 0 if left >= OPENING else 1 if left >= MIDDLE else 2


def squares(s: Board) -> Words:
    """Sixteen sets of the side that goes up: its pieces by kind, pawns by what they are to each other, and what each kind attacks."""
    men, queens = occupied(s), s.d & s.o
    pawns, foes = s.p & s.me, s.p & (FULL ^ s.me)
    ahead, guarded = higher(pawns, FULL, 8) << 8 & FULL, pawns_up(pawns)
    files = ahead | lower(pawns, FULL, 8)
    beside = files << 1 & NOT_A | files >> 1 & NOT_H
    reach = ahead << 1 & NOT_A | ahead >> 1 & NOT_H  # what pawns guard or may come to guard
    row = pawns << 1 & NOT_A | pawns >> 1 & NOT_H
    free = FULL ^ (pawns_down(foes) | pawns)  # where a piece may go without being taken by a pawn
    return (
        pawns,
        s.n & s.me,
        s.d & s.me & (FULL ^ queens),
        s.o & s.me & (FULL ^ queens),
        queens & s.me,
        s.k & s.me,
        passed(pawns, foes),
        pawns & (FULL ^ beside),  # isolated
        pawns & ahead,  # doubled
        pawns << 8 & pawns_down(foes) & (FULL ^ reach) & FULL,  # where a backward pawn cannot go
        pawns & (guarded | row),  # connected
        guarded,
        knights(s.n & s.me) & free,
        bishops(s.d & s.me & (FULL ^ queens), men) & free,
        rooks(s.o & s.me & (FULL ^ queens), men) & free,
        (bishops(queens & s.me, men) | rooks(queens & s.me, men)) & free,
    )


def counts(s: Board) -> Words:
    """Sixteen sets of which only the size counts: attacks around the other king, shelter of the own, threats, outposts, rooks, bishops."""
    men, queens = occupied(s), s.d & s.o
    them, pawns, foes = men ^ s.me, s.p & s.me, s.p & (FULL ^ s.me)
    by_knights, by_bishops = knights(s.n & s.me), bishops(s.d & s.me & (FULL ^ queens), men)
    by_rooks, by_queens = rooks(s.o & s.me & (FULL ^ queens), men), bishops(queens & s.me, men) | rooks(queens & s.me, men)
    guarded, minor = pawns_up(pawns), by_knights | by_bishops
    king, zone = ctz(s.k & s.me), KING[ctz(s.k & them)] | s.k & them
    behind = lower(foes, FULL, 8) >> 8  # squares that pawns of the other side may still pass
    outposts = guarded & OUTPOSTS & (FULL ^ (behind << 1 & NOT_A | behind >> 1 & NOT_H))
    closed, half = filled(pawns), filled(foes)
    towers, two = s.o & s.me & (FULL ^ queens), s.d & s.me & (FULL ^ queens)
    return (
        by_knights & zone,
        by_bishops & zone,
        by_rooks & zone,
        by_queens & zone,
        (by_queens & (minor | by_rooks | guarded)) & zone,  # with support
        (KING[king] | KING[king] << 8) & pawns & FULL,
        guarded & them & (s.n | s.d) & (FULL ^ s.o),
        guarded & them & s.o,
        minor & them & s.o & (FULL ^ s.d),
        minor & them & queens,
        by_rooks & them & queens,
        s.n & s.me & outposts,
        two & outposts,
        towers & (FULL ^ closed) & half,  # on files without own pawns
        towers & (FULL ^ (closed | half)),
        rest(two),  # a pair
    )


def passed(pawns: u64, foes: u64) -> u64:
    """Pawns that no other pawn can stop."""
    stops = lower(foes, FULL, 8) >> 8
    front = stops | stops << 1 & NOT_A | stops >> 1 & NOT_H
    return pawns & (FULL ^ (front | lower(pawns, FULL, 8) >> 8))


def filled(pawns: u64) -> u64:
    """The files on which pawns are."""
    return higher(pawns, FULL, 8) | lower(pawns, FULL, 8)

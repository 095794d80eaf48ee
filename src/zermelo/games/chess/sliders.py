"""What chessmen attack, as sets of squares: square 0 is a1, 1 is b1, 63 is h8; pawns that are named `up` go to higher ranks.

Bishops and rooks see along lines until something stands in the way. On a file or a diagonal that is hyperbola
quintessence: with the occupied squares of the line as a number, o - 2r changes the bits from the slider r up to the first
piece, and the same on the board turned upside down gives the other way. On a rank it is the difference of the nearest pieces on both
sides. All is computed: it costs a tenth more than tables, and on a GPU, where reads of a table wait for each other, less.
Sets of sliders are filled in all directions at once.
"""

from __future__ import annotations

from ...bits import FULL, bit, byteswap, clz, lowest, u64

NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
NOT_AB, NOT_GH = 0xFCFCFCFCFCFCFCFC, 0x3F3F3F3F3F3F3F3F
FILE_A, RANK_1 = 0x0101010101010101, 0xFF
A1_H8, A8_H1 = 0x8040201008040201, 0x0102040810204080


# ---- one piece -------------------------------------------------------------------------------------


def rook(i: int, occupied: u64) -> u64:
    """What a rook on square i attacks, the first piece on each line included."""
    return along(file(i), i, occupied) | rank(i, occupied)


def bishop(i: int, occupied: u64) -> u64:
    """What a bishop on square i attacks."""
    return along(up(i), i, occupied) | along(down(i), i, occupied)


def knight(i: int) -> u64:
    """What a knight on square i attacks."""
    return knights(bit(i))


def king(i: int) -> u64:
    """What a king on square i attacks."""
    return kings(bit(i)) ^ bit(i)


def along(line: u64, i: int, occupied: u64) -> u64:
    """What a slider on square i sees on a line that has at most one square on each rank."""
    men = occupied & line
    return ((men - bit(i)) ^ byteswap(byteswap(men) - bit(i ^ 56))) & line


def rank(i: int, occupied: u64) -> u64:
    """What a rook on square i sees on its rank."""
    row = RANK_1 << (i & 56) ^ bit(i)
    men = occupied & row
    left = men & (bit(i) - 1)
    return ((lowest(men ^ left) << 1) - bit(63 - clz(left | 1))) & row


def file(i: int) -> u64:
    """The file of square i without it."""
    return FILE_A << (i & 7) ^ bit(i)


def up(i: int) -> u64:
    """The diagonal of square i that goes up to the right, without it."""
    k = (i & 56) - 8 * (i & 7)
    return (A1_H8 << max(k, 0) & FULL) >> max(-k, 0) ^ bit(i)


def down(i: int) -> u64:
    """The diagonal of square i that goes down to the right, without it."""
    k = (i & 56) + 8 * (i & 7) - 56
    return (A8_H1 << max(k, 0) & FULL) >> max(-k, 0) ^ bit(i)


def rook_line(i: int) -> u64:
    """The file and the rank of square i."""
    return FILE_A << (i & 7) | RANK_1 << (i & 56)


def line(i: int, j: int) -> u64:
    """The whole line through two squares that are on one, without square i."""
    other = bit(j)
    if file(i) & other:
        return file(i)
    if up(i) & other:
        return up(i)
    if down(i) & other:
        return down(i)
    return RANK_1 << (i & 56) ^ bit(i)


# ---- sets of pieces ---------------------------------------------------------------------------------


def knights(men: u64) -> u64:
    """What knights attack."""
    one, two = men >> 1 & NOT_H | men << 1 & NOT_A, men >> 2 & NOT_GH | men << 2 & NOT_AB
    return (one << 16 | one >> 16 | two << 8 | two >> 8) & FULL


def kings(men: u64) -> u64:
    """What kings attack, their own squares too if there are several side by side."""
    row = men | men >> 1 & NOT_H | men << 1 & NOT_A
    return (row | row << 8 | row >> 8) & FULL


def pawns_up(men: u64) -> u64:
    """What pawns that go up attack."""
    return men << 7 & NOT_H | men << 9 & NOT_A


def pawns_down(men: u64) -> u64:
    """What pawns that go down attack."""
    return men >> 7 & NOT_A | men >> 9 & NOT_H


def rooks(men: u64, occupied: u64) -> u64:
    """What a set of rooks attacks."""
    free = FULL ^ occupied
    east, west = free & NOT_A, free & NOT_H
    straight = higher(men, free, 8) << 8 | lower(men, free, 8) >> 8
    return straight & FULL | higher(men, east, 1) << 1 & NOT_A | lower(men, west, 1) >> 1 & NOT_H


def bishops(men: u64, occupied: u64) -> u64:
    """What a set of bishops attacks."""
    free = FULL ^ occupied
    east, west = free & NOT_A, free & NOT_H
    right = higher(men, east, 9) << 9 | lower(men, east, 7) >> 7
    left = higher(men, west, 7) << 7 | lower(men, west, 9) >> 9
    return right & NOT_A | left & NOT_H


def higher(men: u64, free: u64, step: int) -> u64:
    """The pieces, and what free squares they reach by steps to higher squares (Kogge and Stone's doubling)."""
    men |= free & men << step
    free &= free << step
    men |= free & men << 2 * step
    free &= free << 2 * step
    return men | free & men << 4 * step


def lower(men: u64, free: u64, step: int) -> u64:
    """The same to lower squares."""
    men |= free & men >> step
    free &= free >> step
    men |= free & men >> 2 * step
    free &= free >> 2 * step
    return men | free & men >> 4 * step


# ---- tables --------------------------------------------------------------------------------------

#: what a knight and a king attack, for where they are looked up more often than the tables cost
KNIGHT, KING = tuple(knight(i) for i in range(64)), tuple(king(i) for i in range(64))

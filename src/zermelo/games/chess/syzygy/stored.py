"""What Syzygy's WDL files in memory (`memory.py`) store of a position: lowered, and the same as `table.py` finds one by one.

    STORED(s) = the value, of those of the table of its material, whose number is that of the squares of its pieces

Sets of squares are words here, so that nothing is sorted: `numbering.py` says what the numbers are, `pairs.py` how values are compressed.
"""

from __future__ import annotations

from math import comb

from ....bits import FULL, bit, bitreverse, byteswap, ctz, i64, load, popcount, rest, u64
from ....rng import mix
from ..moves import occupied
from ..state import State, turned
from .memory import (
    BLOCK_BITS,
    BLOCKS,
    CODES,
    COUNT,
    DATA,
    FACTORS,
    FILE,
    FIRST_SLOT,
    GROUPS,
    INDEX,
    LENGTHS,
    MATERIAL_BITS,
    NUMBERS,
    PART,
    PIECES,
    SHORTEST,
    SINGLE,
    SIZED,
    SIZES,
    SLOTS,
    SPAN_BITS,
    SYMBOL_BITS,
    SYMBOLS,
)
from .numbering import BELOW, IN_TRIANGLE, KING_PAIRS, PAWN_NUMBERS, TRIANGLE, above_diagonal, leading, twist
from .pairs import INDEX_ENTRY
from .table import BEST, OTHER_COLOUR

UNKNOWN = 9  # no result: the table is missing, or its file is malformed
SQUARES = range(64)
COMBINATIONS = tuple(comb(n, k) for k in range(8) for n in SQUARES)
PLACES, UNDER = (tuple(places.get(square, 0) for square in SQUARES) for places in (IN_TRIANGLE, BELOW))
KINGS = tuple(KING_PAIRS.get((k, other), 0) for k in TRIANGLE for other in SQUARES)
RANKS = tuple(twist(square) if 8 <= square < 56 else 0 for square in SQUARES)
LEADS = tuple(leading(square) if 8 <= square < 56 else 0 for square in SQUARES)
PAWN_FIRSTS = tuple(firsts.get(square, 0) for firsts, _ in PAWN_NUMBERS for square in SQUARES)
SYMBOL = (1 << SYMBOL_BITS) - 1


def stored_result(s: State, table: int) -> int:
    """The result stored for s, from -2 (lost) to 2 (won) for the player to move; UNKNOWN if no table has its pieces."""
    if s.p | s.n | s.d | s.o == 0:
        return 0
    theirs = occupied(s) ^ s.me
    found = table_of(material_of(s, s.me) << MATERIAL_BITS | material_of(s, theirs), table)
    if found == 0:
        return UNKNOWN
    view = turned(s) if found & 1 else s  # as the side sees it that the table names first
    at = found >> 1
    about = i64(load(table, at))
    sides, lead, file = about >> 8, 0, 0
    if about & 15:
        lead = leading_pawn(men_of(view, i64(load(table, at + 1 + PIECES)) & 15))
        file = min(lead & 7, 7 - (lead & 7))
    part = at + 1 + (file * sides + (found & 1 if sides == 2 else 0)) * PART
    single = i64(load(table, part + SINGLE))
    value = single - 1 if single else value_at(number_of(view, lead, about, part, table), part, table)
    return value - 2 if 0 <= value <= BEST else UNKNOWN


def material_of(s: State, side: u64) -> u64:
    """The pieces of a side in 20 bits, as `memory.material` has them."""
    queens = s.d & s.o
    found = u64(popcount(s.p & side)) | u64(popcount(s.n & side)) << 4 | u64(popcount((s.d ^ queens) & side)) << 8
    return found | u64(popcount((s.o ^ queens) & side)) << 12 | u64(popcount(queens & side)) << 16


def table_of(key: u64, table: int) -> int:
    """What the slot of this material says, 0 if there is none."""
    slots = i64(load(table, SLOTS))
    at = i64(mix(key) & u64(slots - 1))
    while load(table, FIRST_SLOT + 2 * at + 1) != 0:
        if load(table, FIRST_SLOT + 2 * at) == key:
            return i64(load(table, FIRST_SLOT + 2 * at + 1))
        at = (at + 1) & (slots - 1)
    return 0


# ---- the number of a position ------------------------------------------------------------------


def men_of(s: State, piece: int) -> u64:
    """The squares of a piece: 1 to 6 a pawn to king of the side that `me` is, 9 to 14 of the other."""
    kind, queens, men = piece & 7, s.d & s.o, s.k
    if kind == 1:
        men = s.p
    elif kind == 2:
        men = s.n
    elif kind == 3:
        men = s.d ^ queens
    elif kind == 4:
        men = s.o ^ queens
    elif kind == 5:
        men = queens
    return men & s.me if piece < OTHER_COLOUR else men & (FULL ^ s.me)


def leading_pawn(pawns: u64) -> int:
    """The square of the pawn that leads."""
    lead, pawns = ctz(pawns), rest(pawns)
    while pawns:
        if LEADS[ctz(pawns)] < LEADS[lead]:
            lead = ctz(pawns)
        pawns = rest(pawns)
    return lead


def transposed(x: u64) -> u64:
    """The squares of a set mirrored along the diagonal a1-h8."""
    t = (x ^ x << 28) & 0x0F0F0F0F00000000
    x ^= t ^ t >> 28
    t = (x ^ x << 14) & 0x3333000033330000
    x ^= t ^ t >> 14
    t = (x ^ x << 7) & 0x5500550055005500
    return x ^ t ^ t >> 7


def image_of(x: u64, flip: int, swap: bool) -> u64:
    """A set of squares after the board is mirrored by files and ranks (`flip`), then along the diagonal."""
    if flip & 7:
        x = byteswap(bitreverse(x))
    if flip & 56:
        x = byteswap(x)
    return transposed(x) if swap else x


def set_number(some: u64, before: u64, first: int) -> int:
    """The number of a set of squares, of those from `first` on that are not taken by the groups before."""
    found, k = 0, 1
    while some:
        square = ctz(some)
        found += COMBINATIONS[64 * k + square - popcount(before & (bit(square) - 1)) - first]
        some = rest(some)
        k += 1
    return found


def number_of(s: State, lead: int, about: int, part: int, table: int) -> int:
    """The number of s, as the side sees it that the table names first, among the values of a part."""
    pieces, groups = i64(load(table, part + PIECES)), i64(load(table, part + GROUPS))
    flip, swap, before = 0, False, men_of(s, pieces & 15)
    if about & 15:
        flip = 7 if lead & 4 else 0
        found = pawns_number(before, lead, flip, about & 15)
    else:
        b, c = men_of(s, pieces >> 4 & 15), u64(0)
        if groups & 15 == 3:
            c = men_of(s, pieces >> 8 & 15)
        flip = (7 if ctz(before) & 4 else 0) | (56 if ctz(before) & 32 else 0)
        swap = is_above(ctz(before) ^ flip, ctz(b) ^ flip, ctz(c) ^ flip if c else 0)
        found = first_number(ctz(image_of(before, flip, swap)), ctz(image_of(b, flip, swap)), image_of(c, flip, swap))
        before |= b | c
    found *= i64(load(table, part + FACTORS))
    before = image_of(before, flip, swap)
    at, i, size = groups & 15, 1, groups >> 4 & 15
    while size:
        some = image_of(men_of(s, pieces >> 4 * at & 15), flip, swap)
        first = 8 if i == 1 and about & 0xF0 else 0  # no pawn stands on the first rank
        found += i64(load(table, part + FACTORS + i)) * set_number(some, before, first)
        before |= some
        at, i = at + size, i + 1
        size = groups >> 4 * i & 15
    return found


def pawns_number(pawns: u64, lead: int, flip: int, many: int) -> int:
    """The number of the leading pawns."""
    ranks, others = u64(0), pawns ^ bit(lead)
    while others:
        ranks |= bit(RANKS[ctz(others) ^ flip])
        others = rest(others)
    return PAWN_FIRSTS[64 * (many - 1) + (lead ^ flip)] + set_number(ranks, u64(0), 0)


def is_above(a: int, b: int, c: int) -> bool:
    """Whether the first of these squares that is not on the diagonal is above it."""
    side = above_diagonal(a)
    if side == 0:
        side = above_diagonal(b)
    if side == 0:
        side = above_diagonal(c)
    return side > 0


def first_number(a: int, b: int, last: u64) -> int:
    """The number of the first group: of two kings, or of three pieces, the last of which is on this square."""
    if last == 0:
        return KINGS[64 * PLACES[a] + b]
    c = ctz(last)
    after_b, after_c = int(b > a), int(c > a) + int(c > b)
    if above_diagonal(a) != 0:
        return (PLACES[a] * 63 + b - after_b) * 62 + c - after_c
    if above_diagonal(b) != 0:
        return 6 * 63 * 62 + ((a >> 3) * 28 + UNDER[b]) * 62 + c - after_c
    if above_diagonal(c) != 0:
        return 6 * 63 * 62 + 4 * 28 * 62 + ((a >> 3) * 7 + (b >> 3) - after_b) * 28 + UNDER[c]
    return 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + ((a >> 3) * 7 + (b >> 3) - after_b) * 6 + (c >> 3) - after_c


# ---- a value by its number ---------------------------------------------------------------------


def bytes_at(at: int, table: int) -> u64:
    """The eight bytes from byte `at` on."""
    shift, word = 8 * (at & 7), load(table, at >> 3)
    return word if shift == 0 else word >> shift | load(table, (at >> 3) + 1) << 64 - shift & FULL


def size_of(block: int, part: int, table: int) -> int:
    """How many values a block has, less one."""
    at = 8 * i64(load(table, part + FILE)) + i64(load(table, part + SIZES)) + 2 * block
    return i64(bytes_at(at, table) & 0xFFFF)


def value_at(n: int, part: int, table: int) -> int:
    """The value of this number; UNKNOWN if the file is damaged."""
    if not 0 <= n < i64(load(table, part + NUMBERS)):
        return UNKNOWN
    span_bits, blocks, sized = i64(load(table, part + SPAN_BITS)), i64(load(table, part + BLOCKS)), i64(load(table, part + SIZED))
    at = 8 * i64(load(table, part + FILE)) + i64(load(table, part + INDEX)) + INDEX_ENTRY * (n >> span_bits)
    entry = bytes_at(at, table)
    block, place = i64(entry & 0xFFFFFFFF), i64(entry >> 32 & 0xFFFF)
    place += (n & (1 << span_bits) - 1) - (1 << span_bits >> 1)
    while place < 0:  # the index may name a block behind those with data
        block -= 1
        if not 0 <= block < sized:
            return UNKNOWN
        place += size_of(block, part, table) + 1
    while block < blocks:
        size = size_of(block, part, table)
        if place <= size:
            return decoded(block, place, part, table)
        place -= size + 1
        block += 1
    return UNKNOWN


def decoded(block: int, place: int, part: int, table: int) -> int:
    """The value in this place of a block; UNKNOWN if the file is damaged."""
    block_bits, shortest = i64(load(table, part + BLOCK_BITS)), i64(load(table, part + SHORTEST))
    codes, lengths = i64(load(table, part + CODES)), i64(load(table, part + LENGTHS))
    symbols, count = i64(load(table, part + SYMBOLS)), i64(load(table, part + COUNT))
    data = i64(load(table, part + FILE)) + (i64(load(table, part + DATA)) >> 3) + (block << block_bits - 3)
    at, end = 0, 8 << block_bits  # bits that were read, and that there are
    while at < end:
        shift, code = at & 63, byteswap(load(table, data + (at >> 6)))
        if shift != 0:
            code = code << shift & FULL | byteswap(load(table, data + (at >> 6) + 1)) >> 64 - shift
        i = 0
        while code < load(table, codes + i):  # the last is 0
            i += 1
        symbol = i64(load(table, codes + lengths + i)) + i64(code - load(table, codes + i) >> 64 - shortest - i)
        if symbol >= count:
            return UNKNOWN
        length = i64(load(table, symbols + symbol) >> 2 * SYMBOL_BITS)
        if place <= length:
            return spelled(symbol, place, symbols, table)
        place -= length + 1
        at += shortest + i
    return UNKNOWN


def spelled(symbol: int, place: int, symbols: int, table: int) -> int:
    """The value in this place of those that a symbol stands for."""
    about = i64(load(table, symbols + symbol))
    while about >> 2 * SYMBOL_BITS:
        left = i64(load(table, symbols + (about & SYMBOL)))
        many = (left >> 2 * SYMBOL_BITS) + 1
        if place < many:
            about = left
        else:
            place -= many
            about = i64(load(table, symbols + (about >> SYMBOL_BITS & SYMBOL)))
    return about & SYMBOL

"""The values of a Syzygy table as they are compressed: blocks of canonical Huffman codes, of symbols that stand for pairs of symbols.

A symbol is a value, or two symbols one after the other (recursive pairing). Codes of one length are consecutive numbers, shorter codes
being greater. The values are numbered; an index names for each span of them the block and the place of its middle.
https://www.chessprogramming.org/Syzygy_Bases
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, field

SINGLE_VALUE = 0x80  # a flag: all values are the same
LEAF = 0xFFF  # the right symbol of one that is a value
INDEX_ENTRY = 6  # bytes: the block (4) and the place in it (2)


Data = mmap.mmap | bytes


@dataclass
class Pairs:
    """The values of one side to move, and of one file of the leading pawn."""

    flags: int
    value: int = 0  # if all are the same
    block_bits: int = 0  # of the size of a block in bytes
    span_bits: int = 0  # of the number of values for which the index has an entry
    blocks: int = 0  # in the table of sizes; those with data are fewer
    real_blocks: int = 0
    shortest: int = 0  # bits of a code
    first_symbols: list[int] = field(default_factory=list)  # of each length
    least_codes: list[int] = field(default_factory=list)  # of each length, at the upper end of 64 bits
    symbols: list[tuple[int, int]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)  # values of each symbol, less one
    index: int = 0  # where these parts begin in the file
    sizes: int = 0
    data: int = 0


def read_header(file: Data, at: int) -> tuple[Pairs, int]:
    """The description of the values that begins here, and where it ends."""
    if file[at] & SINGLE_VALUE:
        return Pairs(file[at], value=file[at + 1]), at + 2
    flags, block_bits, span_bits, more, real, longest, shortest = struct.unpack_from("<BBBBIBB", file, at)
    at += 10
    many = longest - shortest + 1
    first = list(struct.unpack_from(f"<{many}H", file, at))
    count = struct.unpack_from("<H", file, at + 2 * many)[0]
    at += 2 * many + 2
    triples = [file[at + 3 * i : at + 3 * i + 3] for i in range(count)]
    symbols = [(x[0] | (x[1] & 15) << 8, x[1] >> 4 | x[2] << 4) for x in triples]
    codes = [0] * many
    for i in range(many - 2, -1, -1):
        codes[i] = (codes[i + 1] + first[i] - first[i + 1]) // 2
    least = [code << 64 - shortest - i for i, code in enumerate(codes)]
    pairs = Pairs(flags, 0, block_bits, span_bits, real + more, real, shortest, first, least, symbols, _lengths(symbols))
    return pairs, at + 3 * count + (count & 1)


def _lengths(symbols: list[tuple[int, int]]) -> list[int]:
    """How many values each symbol stands for, less one."""
    lengths = [-1] * len(symbols)

    def length(i: int) -> int:
        if lengths[i] < 0:
            left, right = symbols[i]
            lengths[i] = 0 if right == LEAF else length(left) + length(right) + 1
        return lengths[i]

    for i in range(len(symbols)):
        length(i)
    return lengths


def index_bytes(pairs: Pairs, values: int) -> int:
    """The size of an index to this many values."""
    return 0 if pairs.flags & SINGLE_VALUE else INDEX_ENTRY * (-(-values >> pairs.span_bits))


def value_at(file: Data, pairs: Pairs, number: int) -> int:
    """The value of this number."""
    if pairs.flags & SINGLE_VALUE:
        return pairs.value
    span = 1 << pairs.span_bits
    block, place = struct.unpack_from("<IH", file, pairs.index + INDEX_ENTRY * (number >> pairs.span_bits))
    place += (number & span - 1) - span // 2
    while place < 0:
        block -= 1
        place += _size(file, pairs, block) + 1
    while place > _size(file, pairs, block):
        place -= _size(file, pairs, block) + 1
        block += 1
    symbol, place = _symbol_at(file, pairs, pairs.data + (block << pairs.block_bits), place)
    while pairs.lengths[symbol]:
        left, right = pairs.symbols[symbol]
        if place <= pairs.lengths[left]:
            symbol = left
        else:
            place -= pairs.lengths[left] + 1
            symbol = right
    return pairs.symbols[symbol][0]


def all_values(file: Data, pairs: Pairs, count: int) -> bytes:
    """The values of all numbers, which are so many."""
    if pairs.flags & SINGLE_VALUE:
        return bytes([pairs.value]) * count
    spelled, found = _spelled(pairs.symbols), list[bytes]()
    for block in range(pairs.real_blocks):
        at, left = pairs.data + (block << pairs.block_bits), _size(file, pairs, block) + 1
        bits, unread = int.from_bytes(file[at : at + (1 << pairs.block_bits)], "big"), 8 << pairs.block_bits
        while left > 0:
            symbol, length = _code(bits, unread, pairs)
            unread -= length
            found.append(spelled[symbol][:left])  # the last may stand for more than the block has
            left -= len(found[-1])
    return b"".join(found)[:count]


def _spelled(symbols: list[tuple[int, int]]) -> list[bytes]:
    """The values that each symbol stands for."""
    spelled: dict[int, bytes] = {}

    def spell(i: int) -> bytes:
        if i not in spelled:
            left, right = symbols[i]
            spelled[i] = bytes([left]) if right == LEAF else spell(left) + spell(right)
        return spelled[i]

    return [spell(i) for i in range(len(symbols))]


def _size(file: Data, pairs: Pairs, block: int) -> int:
    """How many values a block has, less one."""
    return int(struct.unpack_from("<H", file, pairs.sizes + 2 * block)[0])


def _symbol_at(file: Data, pairs: Pairs, at: int, place: int) -> tuple[int, int]:
    """The symbol of the block at this address in which a value is, and the place in it."""
    bits = int.from_bytes(file[at : at + (1 << pairs.block_bits)], "big")
    left = 8 << pairs.block_bits  # bits that are not read
    while True:
        symbol, length = _code(bits, left, pairs)
        if place <= pairs.lengths[symbol]:
            return symbol, place
        place -= pairs.lengths[symbol] + 1
        left -= length


def _code(bits: int, left: int, pairs: Pairs) -> tuple[int, int]:
    """The symbol that the next of the bits that are left stand for, and how many they are."""
    code = (bits >> left - 64 if left >= 64 else bits << 64 - left) & (1 << 64) - 1
    i = 0
    while code < pairs.least_codes[i]:
        i += 1
    length = pairs.shortest + i
    return pairs.first_symbols[i] + (code - pairs.least_codes[i] >> 64 - length), length

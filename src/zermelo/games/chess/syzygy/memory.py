"""Syzygy's WDL files as lowered code reads them (`stored.py`): words that describe the tables, beside the files themselves.

    pieces of the largest table, slots (a power of two), and for each slot two words: the material, and 2 * where its table is + whose
    view it has, 0 if the slot is empty
    a table: pawns and sides, then for each file of the leading pawn and each side a part of PART words, whose places are named below
    for each part the least codes, the first symbols and the symbols

Files are not copied: a part says where its file begins, counted from the first of these words.
"""

from __future__ import annotations

from pathlib import Path

from ....bits import FULL
from ....errors import ZermeloError
from ....rng import mix
from .numbering import Layout
from .pairs import SINGLE_VALUE, Data, Pairs
from .table import KINDS, SyzygyTable

CAPACITY, SLOTS, FIRST_SLOT = range(3)
#: the places in a part; nibbles are of four bits, the first the lowest
PIECES, GROUPS = 0, 1  # nibbles: the pieces in the order of the layout, the sizes of their groups
FACTORS, SINGLE = 2, 9  # what each group counts; 1 more than the value if all are the same, else 0
BLOCK_BITS, SPAN_BITS, BLOCKS, SHORTEST = range(10, 14)  # as `pairs.Pairs` has them, the blocks those with data
CODES, LENGTHS, SYMBOLS, COUNT = range(14, 18)  # where codes and symbols are, and how many lengths of codes and symbols there are
FILE, INDEX, SIZES, DATA = range(18, 22)  # where the file begins, in words, and in it these parts, in bytes
SIZED, NUMBERS = 22, 23  # of how many blocks the sizes are told; how many numbers there are
PART = 24
LEAST_BLOCK, MOST_BITS = 3, 48  # bits of a block's size, which is whole words; and at most of codes and of what has an entry in the index
SYMBOL_BITS, MAX_SYMBOL_VALUES = 12, 0xFFFF  # of a symbol; the most values, less one, that it may stand for
MATERIAL_BITS = 20  # of a side: how many pawns, knights, bishops, rooks, queens, a nibble each


class Memory:
    """The WDL tables of these files: `words`, `files`, and `places` of words that shall say where a file begins, by its number.

    ZermeloError if a file is damaged.
    """

    def __init__(self, paths: list[Path]):
        self._slots = 1 << (4 * len(paths)).bit_length()
        self.words = [0] * (FIRST_SLOT + 2 * self._slots)
        self.words[CAPACITY], self.words[SLOTS] = max(len(path.stem) - 1 for path in paths), self._slots
        self.files, self.places = list[Data](), list[tuple[int, int]]()
        for path in paths:
            self._add(SyzygyTable(path))

    def _add(self, table: SyzygyTable) -> None:
        """Describe a table and its parts."""
        where, sides = len(self.words), table.path.stem.split("v")
        for turned, (first, second) in enumerate((sides, sides[::-1])):
            self._enter(material(first) << MATERIAL_BITS | material(second), 2 * where + turned)
        some = [(told, pairs) for row, rows in zip(table.layouts, table.values, strict=True) for told, pairs in zip(row, rows, strict=True)]
        self.words += [table.pawns[0] | table.pawns[1] << 4 | table.sides << 8] + [0] * (PART * len(some))
        for at, (told, pairs) in zip(range(where + 1, len(self.words), PART), some, strict=True):
            self.words[at : at + PART] = self._part(told, pairs, table.path)
            self.places.append((at + FILE, len(self.files)))
        self.files.append(table.data)

    def _enter(self, key: int, where: int) -> None:
        """Put the place of a table into the first free slot of its material; where both sides have the same, the first view stays."""
        at = mix(key) & self._slots - 1
        while self.words[FIRST_SLOT + 2 * at + 1]:
            if self.words[FIRST_SLOT + 2 * at] == key:
                return
            at = at + 1 & self._slots - 1
        self.words[FIRST_SLOT + 2 * at : FIRST_SLOT + 2 * at + 2] = key, where

    def _part(self, told: Layout, pairs: Pairs, path: Path) -> list[int]:
        """The words of a part, but for where the file begins."""
        words = [0] * PART
        words[PIECES], words[GROUPS], words[NUMBERS] = nibbles(told.pieces), nibbles(told.groups), told.size
        words[FACTORS : FACTORS + len(told.factors)] = told.factors
        if pairs.flags & SINGLE_VALUE:
            words[SINGLE] = pairs.value + 1
            return words
        lengths = len(pairs.least_codes)
        if not is_sound(pairs):
            raise ZermeloError(f"{path} is damaged: its header makes no sense")
        words[BLOCK_BITS : SHORTEST + 1] = pairs.block_bits, pairs.span_bits, pairs.real_blocks, pairs.shortest
        words[CODES : COUNT + 1] = len(self.words), lengths, len(self.words) + 2 * lengths, len(pairs.symbols)
        words[INDEX : SIZED + 1] = pairs.index, pairs.sizes, pairs.data, pairs.blocks
        self.words += [code & FULL for code in pairs.least_codes] + pairs.first_symbols
        for (left, right), length in zip(pairs.symbols, pairs.lengths, strict=True):
            self.words.append(left | right << SYMBOL_BITS | length << 2 * SYMBOL_BITS)
        return words


def is_sound(pairs: Pairs) -> bool:
    """Whether lowered code can follow the description of values, whatever the values are."""
    longest = pairs.shortest + len(pairs.least_codes) - 1
    if not (pairs.block_bits >= LEAST_BLOCK and 1 <= pairs.shortest <= longest <= MOST_BITS and pairs.span_bits <= MOST_BITS):
        return False
    return min(pairs.least_codes) >= 0 and max(pairs.lengths, default=0) <= MAX_SYMBOL_VALUES


def material(side: str) -> int:
    """The pieces of a side, given by their letters, as a number."""
    return sum(side.count(letter) << 4 * k for k, letter in enumerate(KINDS[:-1]))


def nibbles(numbers: tuple[int, ...]) -> int:
    """Numbers below 16 in one word."""
    return sum(n << 4 * k for k, n in enumerate(numbers))

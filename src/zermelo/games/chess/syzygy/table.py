"""A file of Syzygy's: its header, and the value of a position in it.

magic (4 bytes), flags: both sides to move (1), pawns (2)
for each file of the leading pawn, a to d, or once without pawns: the orders of the groups, and the pieces, a nibble for each side
for each of them the description of its values (`pairs.py`); in DTZ tables the maps of values
then all indices, all sizes of blocks, all blocks of values, and a checksum (`checksum.py`)
"""

from __future__ import annotations

import mmap
import struct
from functools import lru_cache
from pathlib import Path

from ....errors import ZermeloError
from .checksum import PART, checksum
from .numbering import NO_ORDER, Layout, layout, leading, number
from .pairs import SINGLE_VALUE, Data, Pairs, all_values, index_bytes, read_header, value_at

MAGIC = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}
BOTH_SIDES, PAWNS = 1, 2  # flags of a file
BLACK_MOVES, MAPPED, WIN_PLIES, LOSS_PLIES, WIDE_VALUES = 1, 2, 4, 8, 16  # flags of values in a DTZ table
MAPS = {2: 0, -2: 1, 1: 2, -1: 3}  # which map belongs to a result
BEST = 4  # the value of a win
KINDS = "PNBRQK"
PAWN, OTHER_COLOUR = 1, 8
ALIGNED = 64  # bytes of what blocks begin at
CHECKSUM = 16  # bytes at the end
HASHED_AT_ONCE = 1 << 20  # bytes of a file whose checksum is asked when it is opened, which takes half a second

Board = dict[int, list[int]]  # the squares of each piece


class SyzygyTable:
    """A WDL or DTZ table: the values of positions with these pieces."""

    def __init__(self, path: Path):
        self.path, name = path, path.stem
        self.is_dtz = path.suffix == ".rtbz"
        sides = [sorted(side) for side in name.split("v")]
        self.is_symmetric = sides[0] == sides[1]
        counts = [name.split("v")[i].count("P") for i in range(2)]
        # the side with fewer pawns leads, if it has any
        self.pawns = (min(counts), max(counts)) if min(counts) else (max(counts), 0)
        try:
            with path.open("rb") as file:
                self._file: Data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
        except OSError as error:
            raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
        if self._file[:4] != MAGIC[path.suffix]:
            raise ZermeloError(f"{path} is not a table of Syzygy's: expected its first bytes")
        try:
            self._read(sum(map(len, sides)))
        except (struct.error, IndexError, ValueError, RecursionError):
            raise ZermeloError(f"{path} is damaged: its header makes no sense") from None
        if len(self._file) <= HASHED_AT_ONCE:
            self.check()

    def check(self) -> bool:
        """Whether the file is small enough for its checksum to be computed; ZermeloError if it has another."""
        if len(self._file) - CHECKSUM > PART:
            return False
        if not _has_its_checksum(self.path.resolve(), self.path.stat().st_mtime_ns):
            raise ZermeloError(f"{self.path} is damaged: it has another checksum")
        return True

    def _read(self, pieces: int) -> None:
        """Read what is before the values."""
        file, flags, at = self._file, self._file[4], 5
        self.sides = 2 if flags & BOTH_SIDES and not self.is_dtz else 1
        files = 4 if flags & PAWNS else 1
        if bool(flags & PAWNS) != (self.pawns[0] > 0):
            raise ZermeloError(f"{self.path} is damaged: its name has other pieces")
        first, second = self.path.stem.split("v")
        named = sorted([KINDS.index(x) + 1 for x in first] + [KINDS.index(x) + 1 + OTHER_COLOUR for x in second])
        self.layouts: list[list[Layout]] = []
        for f in range(files):
            orders, others = file[at], file[at + 1] if self.pawns[1] else NO_ORDER * 17
            at += 2 if self.pawns[1] else 1
            row = []
            for side in range(self.sides):
                shift = 4 * side
                kinds = tuple(x >> shift & 15 for x in file[at : at + pieces])
                if sorted(kinds) != named:
                    raise ZermeloError(f"{self.path} is damaged: its name has other pieces")
                row.append(layout(kinds, orders >> shift & 15, others >> shift & 15, self.pawns, f))
            self.layouts.append(row)
            at += pieces
        at += at & 1
        self.values: list[list[Pairs]] = []
        for f in range(files):
            self.values.append([])
            for _ in range(self.sides):
                pairs, at = read_header(file, at)
                self.values[f].append(pairs)
        if self.is_dtz:
            at = self._read_maps(at)
        self._place_parts(at)

    def _read_maps(self, at: int) -> int:
        """Read the maps of values of a DTZ table; where they end."""
        self.maps: list[list[tuple[int, ...]]] = []
        for row in self.values:
            flags, found = row[0].flags, []
            if flags & MAPPED and not flags & SINGLE_VALUE:
                wide = bool(flags & WIDE_VALUES)
                at += at & 1 if wide else 0
                for _ in range(4):
                    many = struct.unpack_from("<H" if wide else "<B", self._file, at)[0]
                    at += 2 if wide else 1
                    found.append(struct.unpack_from(f"<{many}{'H' if wide else 'B'}", self._file, at))
                    at += many * (2 if wide else 1)
            self.maps.append(found)
        return at + (at & 1)

    def _place_parts(self, at: int) -> None:
        """Find where indices, sizes and blocks of values begin; ZermeloError if the file does not end after them."""
        all_of_them = [
            (pairs, told) for row, rows in zip(self.values, self.layouts, strict=True) for pairs, told in zip(row, rows, strict=True)
        ]
        for pairs, told in all_of_them:
            pairs.index = at
            at += index_bytes(pairs, told.size)
        for pairs, _ in all_of_them:
            pairs.sizes = at
            at += 2 * pairs.blocks
        for pairs, _ in all_of_them:
            at = -(-at // ALIGNED) * ALIGNED
            pairs.data = at
            at += pairs.real_blocks << pairs.block_bits if not pairs.flags & SINGLE_VALUE else 0
        if at + CHECKSUM != len(self._file):
            raise ZermeloError(f"{self.path} is damaged: expected {at + CHECKSUM:,} bytes, not {len(self._file):,}")

    @property
    def data(self) -> Data:
        """The whole file."""
        return self._file

    # ---- looking up ------------------------------------------------------------------------------

    def wdl(self, board: Board, black_moves: bool) -> int:
        """The stored result, from -2 to 2, of a position as the table has it: White has the pieces named first."""
        pairs, n, _ = self._find(board, black_moves and self.sides == 2)
        return self._value(pairs, n) - 2

    def dtz(self, board: Board, black_moves: bool, wdl: int) -> int | None:
        """The stored plies to a capture or a pawn's move of a position with this result; None if only the other side to move is stored."""
        pairs, n, f = self._find(board, False)
        if not self.is_symmetric and bool(pairs.flags & BLACK_MOVES) != black_moves:
            return None
        plies = self._value(pairs, n)
        if self.maps[f]:
            plies = self.maps[f][MAPS[wdl]][plies]
        counts_plies = pairs.flags & (WIN_PLIES if wdl == 2 else LOSS_PLIES if wdl == -2 else 0)
        return (plies if counts_plies else 2 * plies) + 1

    def _value(self, pairs: Pairs, n: int) -> int:
        try:
            return value_at(self._file, pairs, n)
        except (struct.error, IndexError):
            raise ZermeloError(f"{self.path} is damaged: a value in it makes no sense") from None

    def values_of(self, f: int, side: int) -> bytes:
        """All values with this file of the leading pawn and this side to move."""
        size = self.layouts[f][side].size
        try:
            found = all_values(self._file, self.values[f][side], size)
        except (struct.error, IndexError):
            found = b""
        if len(found) != size or (not self.is_dtz and max(found) > BEST):
            raise ZermeloError(f"{self.path} is damaged: a value in it makes no sense")
        return found

    def verify(self) -> int:
        """How many values there are, after all were read; ZermeloError if the file is damaged."""
        self.check()
        return sum(len(self.values_of(f, side)) for f in range(len(self.values)) for side in range(self.sides))

    def _find(self, board: Board, second: bool) -> tuple[Pairs, int, int]:
        """The values among which that of a position is, its number, and the file of the leading pawn."""
        f, first = 0, list[int]()
        if self.pawns[0]:
            first = sorted(board[self.layouts[0][0].pieces[0]], key=leading)
            f = min(first[0] & 7, 7 - (first[0] & 7))
        told = self.layouts[f][int(second)]
        squares = [*first]
        while len(squares) < len(told.pieces):
            squares += sorted(board[told.pieces[len(squares)]])
        return self.values[f][int(second)], number(told, squares), f


@lru_cache(maxsize=1024)
def _has_its_checksum(path: Path, changed: int) -> bool:
    """Whether a file ends with the checksum of what is before; asked once as long as it stays the same."""
    data = path.read_bytes()
    return checksum(data[:-CHECKSUM]) == data[-CHECKSUM:]

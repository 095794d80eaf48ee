"""Polyglot's opening books: entries of 16 bytes in ascending order of their keys, numbers with the highest byte first.

    key (8 bytes), move (2), weight (2), learning (4)

http://hgm.nubati.net/book_format.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from ..errors import ZermeloError

ENTRY = struct.Struct(">QHHI")
MOST_WEIGHT = 0xFFFF

Moves = dict[int, int]  # the weight of each move


def read(data: bytes) -> dict[int, Moves]:
    """The moves by key; ZermeloError if it is not such a book."""
    if len(data) % ENTRY.size:
        raise ZermeloError(f"expected entries of {ENTRY.size} bytes, not {len(data):,} bytes")
    found, last = dict[int, Moves](), 0
    for key, move, weight, _ in ENTRY.iter_unpack(data):
        if key < last:
            raise ZermeloError("expected entries in ascending order of their keys")
        last = key
        found.setdefault(key, {})[move] = weight
    return found


def write(positions: Iterable[tuple[int, Moves]]) -> bytes:
    """A book with these moves by key, the heaviest first. Weights that are too large are made smaller, but not 0."""
    entries = []
    for key, moves in sorted(positions):
        scale = max(1, max(moves.values(), default=0) / MOST_WEIGHT)
        for move, weight in sorted(moves.items(), key=lambda pair: (-pair[1], pair[0])):
            entries.append(ENTRY.pack(key, move, max(min(weight, 1), int(weight / scale)), 0))
    return b"".join(entries)

"""Tables of 64-bit words outside the work record: as large as memory allows, shared between threads.

An algorithm holds a table in a field of its record and reads and writes it by index. Interpreted, the field is a
list; natively it is an address, and each read or write is one atomic instruction: a word is never torn.
"""

from __future__ import annotations

import struct
from typing import Any


def load(table: Any, i: int) -> int:
    """Word i of the table."""
    return int(table[i])


def store(table: Any, i: int, word: int) -> int:
    """Put a word into place i of the table; the word."""
    table[i] = word
    return word


def publish(table: Any, i: int, word: int) -> int:
    """Like `store`; whoever reads the word natively sees all that this thread stored before it."""
    return store(table, i, word)


def to_word(x: float) -> int:
    """The 64 bits of a float as a word."""
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def to_real(word: int) -> float:
    """The float whose 64 bits these are."""
    return float(struct.unpack("<d", struct.pack("<Q", word))[0])

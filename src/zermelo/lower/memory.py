"""Tables of 64-bit words outside the work record: as large as memory allows, shared between threads.

An algorithm holds a table in a field of its record and reads and writes it by index. Interpreted, the field is a
list; natively it is an address, and each read or write is one atomic instruction: a word is never torn.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np


class Sparse(dict[int, int]):
    """The words of the interpreter: only those that were written are there, the others are 0."""

    def __missing__(self, i: int) -> int:
        return 0


class Words:
    """Memory of n words; `table` is what an algorithm holds of it in a field of its record.

    The words are 0 at first, unless is_cleared is False: clearing the 20 MB of a small tree takes as long as a search of a
    thousand simulations. Memory that nobody touches is not taken.
    """

    def __init__(self, n: int, interpreted: bool, is_cleared: bool = True):
        self.array = (np.zeros if is_cleared else np.empty)(0 if interpreted else n, np.uint64)
        self.table: Any = Sparse() if interpreted else self.array.ctypes.data
        self.is_sparse = interpreted

    @classmethod
    def of(cls, array: np.ndarray[Any, Any], interpreted: bool) -> Words:
        """A copy of the numbers of an array, 64 bits each."""
        words = cls(array.size, interpreted)
        flat = np.ascontiguousarray(array).view(np.uint64).ravel()
        if interpreted:
            words.table.update(enumerate(flat.tolist()))
        else:
            words.array[:] = flat
        return words

    def word(self, i: int) -> int:
        """Word i."""
        return int(self.table[i] if self.is_sparse else self.array[i])

    def read(self, begin: int, end: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The words from begin to end."""
        if self.is_sparse:
            return np.array([self.table[i] & 0xFFFFFFFFFFFFFFFF for i in range(begin, end)], np.uint64)
        return self.array[begin:end]


def load(table: Any, i: int) -> int:
    """Word i of the table."""
    return int(table[i])


def store(table: Any, i: int, word: int) -> int:
    """Put a word into place i of the table; the word."""
    table[i] = word
    return word


def prefetch(table: Any, i: int) -> int:
    """Let the processor fetch word i of the table, which is asked for soon, while other work goes on; 0."""
    return 0


def publish(table: Any, i: int, word: int) -> int:
    """Like `store`; a thread that reads the word natively sees everything that this thread stored before it."""
    return store(table, i, word)


def take(table: Any, i: int) -> int:
    """Add 1 to word i of the table; what it was. No two threads are told the same."""
    word = int(table[i])
    table[i] = word + 1
    return word


def to_word(x: float) -> int:
    """The 64 bits of a float as a word."""
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def to_real(word: int) -> float:
    """The float whose 64 bits these are."""
    return float(struct.unpack("<d", struct.pack("<Q", word))[0])

"""Tables of 64-bit words outside the work record: as large as memory allows, shared between threads.

An algorithm holds a table in a field of its record and reads and writes it by index. Interpreted, the field is a
list; natively it is an address, and each read or write is one atomic instruction: a word is never torn.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_right
from contextlib import suppress
from typing import Any

import numpy as np

from ..bits import FULL, load  # which rules may use, too
from ..errors import ZermeloError

__all__ = ["Mapped", "Sparse", "Words", "load", "prefetch", "publish", "store", "swap", "take", "to_real", "to_word"]


LINE = 64  # bytes of a line of the processor's cache
LARGE_PAGE = 2 << 20  # bytes of a large page of memory, which takes one entry where the processor looks addresses up, and not 512
MIN_LARGE_PAGE_BYTES = 8 << 20  # bytes from which on large pages are asked for: to clear one takes as long as 512 others
MAPPED = 4 << 20  # bytes from which on memory comes from the system page by page, cleared when touched; numpy may clear it whole


class Sparse(dict[int, int]):
    """The words of the interpreter: only those that were written are there, the others are 0."""

    def __missing__(self, i: int) -> int:
        return 0


class Words:
    """Memory of n words; `table` is what an algorithm holds of it in a field of its record.

    The words are 0 at first, unless is_cleared is False: clearing the 20 MB of a small tree takes as long as a search of a
    thousand simulations. Memory that nobody touches is not taken. The first word begins a line of the processor's cache.
    """

    def __init__(self, n: int, interpreted: bool, is_cleared: bool = True):
        self.array = _aligned(0 if interpreted else n, is_cleared)
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


def _aligned(n: int, is_cleared: bool) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """An array of n words that begins a line of the cache; a large one begins a large page, if the system has those."""
    if 8 * n < MAPPED or not hasattr(mmap, "MAP_ANONYMOUS"):
        return _begun_at((np.zeros if is_cleared else np.empty)(n + LINE // 8, np.uint64), LINE)[:n]
    is_large = 8 * n >= MIN_LARGE_PAGE_BYTES and hasattr(mmap, "MADV_HUGEPAGE")
    try:
        pages = mmap.mmap(-1, 8 * n + (LARGE_PAGE if is_large else 0), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:
        raise ZermeloError(f"expected less memory than {8 * n >> 20:,} MiB, which this machine does not give") from None
    if is_large:
        with suppress(OSError):  # a kernel without large pages
            pages.madvise(mmap.MADV_HUGEPAGE)
    return _begun_at(np.frombuffer(pages, np.uint64), LARGE_PAGE if is_large else LINE)[:n]


def _begun_at(array: np.ndarray[Any, np.dtype[np.uint64]], multiple: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The part of the array that begins at an address which is such a multiple."""
    return array[-array.ctypes.data % multiple // 8 :]


class Mapped:
    """Words and, beside them, files that are mapped into memory, as one table, from which nothing is written.

    Each of `places` is a word and the number of a file: the word becomes the place of the file's first word, counted from the first of
    the words. A file must have whole words.
    """

    def __init__(self, words: list[int], files: list[Any], places: list[tuple[int, int]], interpreted: bool):
        self._words = Words(0 if interpreted else len(words), False)
        self._files = [np.frombuffer(file, np.uint64) for file in files]  # with the words for as long as code runs
        begins = [len(words)]
        for file in self._files:
            begins.append(begins[-1] + len(file))
        if not interpreted:
            begins = [(file.ctypes.data - self._words.table) // 8 for file in self._files]
        told = list(words)
        for at, file_number in places:
            told[at] = begins[file_number] & FULL
        self._words.array[:] = np.array(told[: len(self._words.array)], np.uint64)
        self.table: Any = Behind(told, self._files, begins) if interpreted else self._words.table


class Behind:
    """The words of `Mapped` for the interpreter: files are behind the others, one after another."""

    def __init__(self, words: list[int], files: list[np.ndarray[Any, Any]], begins: list[int]):
        self.words, self.files, self.begins = words, files, begins

    def __getitem__(self, i: int) -> int:
        if i < len(self.words):
            return self.words[i]
        k = bisect_right(self.begins, i) - 1
        return int(self.files[k][i - self.begins[k]])


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


def swap(table: Any, i: int, old: int, new: int) -> int:
    """Put a new word into place i if the old one is there still; the word that was there. Nothing comes between the two."""
    word = int(table[i])
    if word == old:
        table[i] = new
    return word


def to_word(x: float) -> int:
    """The 64 bits of a float as a word."""
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def to_real(word: int) -> float:
    """The float whose 64 bits these are."""
    return float(struct.unpack("<d", struct.pack("<Q", word))[0])

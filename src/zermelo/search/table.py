"""A table of states that were searched: fixed memory, two-tier replacement, safe under threads without a lock.

Buckets of two entries, one for the deepest and one for the latest; two entries are one line of the processor's cache. An entry
is kept with its key mixed into it, so that one torn by two threads fits no key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bits import i64, u64
from ..errors import ZermeloError
from ..lower.memory import load, store

ENDLESS = 1 << 14  # a depth that is never spent, and of what the table knows to the end of the game
EXACT, LOWER, UPPER = 0, 1, 2  # what a value in the table is of the true one
AGE = 19  # the bit of `about` from which the search that made the entry is told; below are depth and bound, from 32 the action
AGES = 1 << 13
WORDS = 4  # of an entry: key ^ the others, value, depth and bound and action


class Sparse(dict[int, int]):
    """The table of the interpreter: it holds only what was written, the rest is 0."""

    def __missing__(self, i: int) -> int:
        return 0


class Memory:
    """The table: so many MiB of words, all zero at first.

    `age`: the number of the search that it serves, of those that share it one after another; `cuts`: what the last one learned
    of actions that cut.
    """

    def __init__(self, mebibytes: int, interpreted: bool):
        self.age = 0
        self.cuts: Any = None
        buckets = 1
        while buckets * 2 * 64 <= mebibytes << 20:
            buckets *= 2
        self.mask = buckets - 1
        if interpreted:
            self.table: Any = Sparse()
        else:
            self._words = np.zeros(buckets * 2 * WORDS if mebibytes else 2 * WORDS, np.uint64)
            self.table = self._words.ctypes.data


def check_table(searcher: Any) -> None:
    """Refuse a size of a table that cannot be."""
    given = searcher.table
    if given is not None and (type(given) is not int or not 1 <= given <= 1 << 20):
        raise ZermeloError(f"{type(searcher).__name__}: expected a table of 1 to 1,048,576 MiB, or None for none, not {given!r}")


def probe(key: u64, work: Any) -> int:
    """Where the entry of this key begins; -1 if there is none. A torn entry does not fit its key."""
    at = i64(key & u64(work.mask)) * (2 * WORDS)
    for _ in range(2):
        if load(work.table, at) ^ load(work.table, at + 1) ^ load(work.table, at + 2) == key and load(work.table, at + 2) != 0:
            return at
        at += WORDS
    return -1


def keep(key: u64, value: u64, about: u64, deep: int, work: Any) -> int:
    """Enter what was found: in the first place if it is at least as deep as what is there or that is of another age, else in the second."""
    at = i64(key & u64(work.mask)) * (2 * WORDS)
    there = load(work.table, at + 2)
    same = load(work.table, at) ^ load(work.table, at + 1) ^ there == key
    if not same and i64(there >> 2 & 0xFFFF) > deep and (there ^ about) >> AGE & (AGES - 1) == 0:
        at += WORDS
    store(work.table, at, key ^ value ^ about)
    store(work.table, at + 1, value)
    store(work.table, at + 2, about)
    return at

"""A transposition table of states that were searched: fixed memory, two-tier replacement, safe under threads without a lock.

Buckets of two entries, one for the deepest and one for the latest; two entries are one line of the processor's cache. An entry
is kept with its key mixed into it, so that one torn by two threads fits no key. Its words are

    key ^ value ^ packed ^ static, value, packed: best action (from bit 32), age (19), whole (18), depth (2), bound (0), static

where `whole` is for searches that ask whether the end of the game was seen everywhere below, and `static` is what the state was evaluated
at, as a float: 0 for nothing, after which it is evaluated again.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any

from ..bits import i64, u64
from ..lower.memory import Words, load, store, to_real
from ..settings import Range
from .records import Record

ENDLESS = 1 << 14  # a depth that is never spent, and of what the table knows to the end of the game
EXACT, LOWER, UPPER = 0, 1, 2  # what a value in the table is of the true one
AGE = 19  # the bit from which the search that made the entry is told
AGES = 1 << 13
ENTRY_WORDS = 4  # of an entry: two entries fill a line of the cache
KINDS = 512  # of actions, to the continuation history
PAIRS = 4 * KINDS * KINDS  # its words: an action and the one before it, or two before it, of each player
NO_ACTION = 0xFFFFFFFF  # in an entry that knows no best action
TABLE_SIZE = Range(1, 1 << 20, words="a table of 1 to 1,048,576 MiB, or None for none")  # of the setting `table`


class Tabled(Record):
    """The record of a search with a table."""

    has_table: int
    table: int
    mask: int


class Memory:
    """The table: so many MiB of words.

    `age`: the number of the search that it serves, of those that share it one after another; `history`: what the last one learned
    of actions that cut.
    """

    def __init__(self, mebibytes: int, interpreted: bool):
        self.age = 0
        self.history: Any = None
        buckets = 1
        while buckets * 2 * 64 <= mebibytes << 20:
            buckets *= 2
        self.mask = buckets - 1
        self._words, self._interpreted = Words(buckets * 2 * ENTRY_WORDS, interpreted), interpreted
        self.table = self._words.table
        self._helpers: dict[int, Memory] = {}

    def beside(self, i: int) -> Memory:
        """What helper i searches with: this table, and ordering heuristics of its own, which it finds again at the next move."""
        if i not in self._helpers:
            other = copy(self)
            other.history = None
            other.__dict__.pop("pairs", None)
            self._helpers[i] = other
        self._helpers[i].age = self.age
        return self._helpers[i]

    @cached_property
    def pairs(self) -> int:
        """The continuation history, which games without a quiet margin do not need."""
        self._pairs = Words(PAIRS, self._interpreted)
        return self._pairs.table


class KeptTable:
    """A table that is kept from move to move: what it knows of a state is true wherever the state is met.

    Draws by repetition are the exception: when the next state comes with another past (a new game), the table is given up.
    """

    def __init__(self) -> None:
        self._memory: Memory | None = None
        self._past: tuple[int, ...] = ()
        self.visits = 0

    def memory(self, make: Any, past: tuple[int, ...]) -> Memory:
        """The table of the searches before, one older; a new one at first, and after another past."""
        if self._memory is None or past[: len(self._past)] != self._past:
            self._memory = make()
        assert self._memory is not None
        self._memory.age += 1
        self._past = past
        return self._memory


# ---- lowered -----------------------------------------------------------------------------------


def probe(key: u64, work: Tabled) -> int:
    """Where the entry of this key begins; -1 if there is none. A torn entry does not fit its key."""
    at = i64(key & u64(work.mask)) * (2 * ENTRY_WORDS)
    for _ in range(2):
        if entry_key(at, work) == key and entry_word(at, work) != 0:
            return at
        at += ENTRY_WORDS
    return -1


def entry_key(at: int, work: Tabled) -> u64:
    """The key of the entry that begins there, if it is not torn."""
    return load(work.table, at) ^ load(work.table, at + 1) ^ load(work.table, at + 2) ^ load(work.table, at + 3)


def entry_value(at: int, work: Tabled) -> float:
    """The value of the entry that begins there."""
    return to_real(load(work.table, at + 1))


def entry_static(at: int, work: Tabled) -> float:
    """What the state of the entry was evaluated at, 0 if that is not known."""
    return to_real(load(work.table, at + 3))


def entry_word(at: int, work: Tabled) -> u64:
    """Everything else that the entry tells, packed in a word."""
    return load(work.table, at + 2)


def packed(action: int, age: int, is_whole: int, depth: int, bound: int) -> u64:
    """Such a word; the action is its index in the game's own order, or -1."""
    return u64(action & NO_ACTION) << 32 | u64(age) << AGE | u64(is_whole) << 18 | u64(depth) << 2 | u64(bound)


def action_of(entry: u64) -> int:
    action = i64(entry >> 32)
    return -1 if action == NO_ACTION else action


def is_whole(entry: u64) -> int:
    return i64(entry >> 18 & 1)


def depth_of(entry: u64) -> int:
    return i64(entry >> 2 & 0xFFFF)


def bound_of(entry: u64) -> int:
    return i64(entry & 3)


def cuts(entry: u64, v: float, alpha: float, beta: float) -> bool:
    """Whether an entry of this value says enough in this window."""
    bound = bound_of(entry)
    return bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha)


def bound_in(v: float, alpha: float, beta: float) -> int:
    """What a value that a search of this window found is of the true one."""
    return LOWER if v >= beta else UPPER if v <= alpha else EXACT


def keep(key: u64, value: u64, entry: u64, static: u64, work: Tabled) -> int:
    """Enter what was found: in the first place if it is at least as deep as what is there or that is of another age, else in the second.

    What quiescence found, at depth 0, does not replace what a search found of the same state.
    """
    at = i64(key & u64(work.mask)) * (2 * ENTRY_WORDS)
    there = entry_word(at, work)
    same = entry_key(at, work) == key
    if same and depth_of(entry) == 0 and depth_of(there) > 0:
        return at
    if not same and depth_of(there) > depth_of(entry) and (there ^ entry) >> AGE & (AGES - 1) == 0:
        at += ENTRY_WORDS
    store(work.table, at, key ^ value ^ entry ^ static)
    store(work.table, at + 1, value)
    store(work.table, at + 2, entry)
    store(work.table, at + 3, static)
    return at

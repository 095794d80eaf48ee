"""The table of proof-number search: the two numbers of each state looked into, or how it was decided, in 16 bytes.

Buckets of four entries are one line of the processor's cache; what took the least effort gives way.
"""

from __future__ import annotations

from ..bits import clz, i64, u64
from ..lower.memory import load, store
from .records import Record

BITS = 28  # of a number in the table
INFINITE = (1 << BITS) - 1
MAX_FINITE = INFINITE - 1  # finite numbers end here
ENTRIES = 4  # of a bucket, which is one line of the processor's cache; an entry is a key, and a word about it
EFFORT = 6  # its lowest bits: how many bits the nodes spent on it have
ANSWERED = 1 << 63  # its highest: above the effort is then the action that decided, with PROVEN if it is a win, else both numbers
PROVEN = 1 << 62


class ProofTable(Record):
    """The record of a search with this table."""

    table: int
    mask: int


def pair(proof: int, refutation: int) -> u64:
    """Both numbers in one word."""
    return u64(proof) << BITS | u64(refutation)


def proof_of(numbers: u64) -> int:
    return i64(numbers >> BITS & INFINITE)


def refutation_of(numbers: u64) -> int:
    return i64(numbers & INFINITE)


def bucket(key: u64, work: ProofTable) -> int:
    """Where the entries begin among which that of this key is, if there is one."""
    return i64((key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 24 & u64(work.mask)) * (2 * ENTRIES)


def entry(key: u64, work: ProofTable) -> u64:
    """The word about this key; 0 if there is none."""
    at = bucket(key, work)
    for i in range(ENTRIES):
        if load(work.table, at + 2 * i) == key:
            return load(work.table, at + 2 * i + 1)
    return u64(0)


def recall(key: u64, work: ProofTable) -> u64:
    """The numbers of the state of this key, 0 if it was not looked into or is forgotten."""
    about = entry(key, work)
    if about >= ANSWERED:
        return pair(0, INFINITE) if about & PROVEN != 0 else pair(INFINITE, 0)
    return about >> EFFORT


def keep(key: u64, numbers: u64, best: int, nodes: int, work: ProofTable) -> int:
    """Enter the numbers of a state, in place of what took the least effort."""
    effort = u64(64 - clz(u64(nodes)))
    about = numbers << EFFORT | effort
    if numbers & INFINITE == 0 or numbers >> BITS == 0:
        about = ANSWERED | (PROVEN if numbers >> BITS == 0 else u64(0)) | u64(best) << EFFORT | effort
    at = bucket(key, work)
    chosen, least = at, u64(1) << EFFORT
    for _ in range(ENTRIES):
        if load(work.table, at) == key:
            chosen, least = at, u64(0)
        elif load(work.table, at + 1) & ((1 << EFFORT) - 1) < least:
            chosen, least = at, load(work.table, at + 1) & ((1 << EFFORT) - 1)
        at += 2
    store(work.table, chosen, key)
    store(work.table, chosen + 1, about)
    return chosen

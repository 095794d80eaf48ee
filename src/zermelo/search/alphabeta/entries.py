"""What the engine and quiescence take from the transposition table, and what they enter into it."""

from __future__ import annotations

from ...bits import u64
from ...lower.memory import to_word
from ..depth_first import DepthFirst
from ..mate_distance import Distant, from_ply, from_root
from ..notes import STORED, note
from ..table import (
    ENDLESS,
    Tabled,
    action_of,
    bound_in,
    bound_of,
    cuts,
    depth_of,
    entry_static,
    entry_value,
    entry_word,
    keep,
    packed,
    probe,
)


class Entered(DepthFirst, Distant, Tabled):
    """The record of a search that enters values into a table."""

    age: int  # of the table


def table_cutoff(key: u64, p: int, depth: int, alpha: float, beta: float, ply: int, work: Entered) -> tuple[bool, float, int, float, int]:
    """Whether the table knows enough, the value that it knows, the index of its best action (-1 for none), the static value (or 0), and
    what the value is: depth * 4 + bound, -1 if the state is not in the table."""
    if work.has_table == 0:
        return False, 0.0, -1, 0.0, -1
    at = probe(key, work)
    if at < 0:
        return False, 0.0, -1, 0.0, -1
    entry = entry_word(at, work)
    v = from_root(entry_value(at, work), ply, work)
    deep, known = depth_of(entry), depth_of(entry) * 4 + bound_of(entry)
    if deep < depth or not cuts(entry, v, alpha, beta):
        return False, v, action_of(entry), entry_static(at, work), known
    if deep < ENDLESS:
        work.cutoffs += 1
    note(STORED, ply, p, known, v, 0.0, work)
    return True, v, action_of(entry), entry_static(at, work), known


def tt_depth(tt_bound: int) -> int:
    """How deep the entry was searched, of what `table_cutoff` says that its value is; below 0 for no entry."""
    return tt_bound >> 2


def tt_bound_kind(tt_bound: int) -> int:
    """Whether the entry's value is EXACT, LOWER or UPPER."""
    return tt_bound & 3


def store(key: u64, chosen: int, v: float, alpha: float, beta: float, deep: int, static: float, ply: int, work: Entered) -> int:
    """Enter the value that was found in this window, the index of the best action (-1 for none) and the static value (or 0)."""
    if work.has_table == 0 or work.stopped != 0:
        return 0
    entry = packed(chosen, work.age, 0, deep, bound_in(v, alpha, beta))
    return keep(key, to_word(from_ply(v, ply, work)), entry, to_word(static), work)

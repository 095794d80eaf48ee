"""What a player can force where no position may come back (superko).

Such a state has no value by itself: what may be played depends on the past. But a proof that a player gets a goal holds for every past
that contains none of the positions the player creates in it: such a past only takes actions away from the opponent.

    FORCE(s, left): whether `prover` gets `goal` or more from s                 the game's word
      1  if the last mover brought back a position of the line: yes if that     repetition_key
         was the other, who may not; no if it was the prover
      2  take a proof that the table knows, if it brings about no position      key
         of the line; or a no that was said with as many plies left
      3  at the end of the game: whether the utility is enough                  utility
      4  no plies left: no
      5  prover to move: if one action leads to a yes; the other: if all do     order
      6  enter the answer into the table unless it needs a position before s
         (step 1); a proof with the set of positions that the prover brings about

The set is a Bloom filter (1970). A false positive only means that a proof is searched again; with 300 positions in the set, one lookup
in 600 is one. A "no" may be wrong on another line, but proofs never rest on it.
"""

from __future__ import annotations

from ...bits import i64, u64
from ...game import Game, State
from ...lower.memory import load, store, to_word
from ...rng import mix
from ..depth_first import INFINITE, Limited, actions, must_stop
from ..move_ordering import Ordering, bring_best, index_of, put_first, rank, remember_cut
from ..records import PLIES, WORDS, room
from ..table import ENTRY_WORDS, LOWER, UPPER, Tabled, action_of, bound_of, depth_of, entry_value, entry_word, keep, packed, probe
from ..zero_sum import Opposing, opposed_value

NEVER = 1 << 20  # a ply that no line has
MARKS = 64  # words of a set
HASHES, PLACE = 8, 12  # bits that a position has in a set, and bits of the number of each


class Forcing(Limited, Ordering, Tabled, Opposing):
    """The record of the search. What is found of a state stands in the rows of its ply."""

    start: list[u64] = room(WORDS)
    prover: int
    goal: float
    depth: int
    longest: int  # plies that a proof may take
    trusts: int  # whether a no of the table is taken
    proven: int  # whether it is, for the start, ...
    best: int  # ... by this action
    stranded: int  # whether somebody had no action that is allowed
    barred: list[int] = room(PLIES + 1)  # whether the mover may not bring about the state
    line: list[u64] = room(PLIES)  # the positions from the start on
    needs: list[int] = room(PLIES + 1)  # the ply of the earliest position of the line without which the answer does not hold
    lengths: list[int] = room(PLIES + 1)  # plies that the proof takes
    values: list[float] = room(PLIES + 1)  # what it gets at least
    sets: list[list[u64]] = room(PLIES + 1, MARKS)  # what the prover brings about in it
    table_sets: int  # the same of all entries of the table


def root(game: Game, work: Forcing) -> int:
    """Ask for the start."""
    work.proven = int(force(game, game.unpack(work.start), -1, work.depth, 0, work))
    work.best = work.moves[0][0]
    return 0


def force(game: Game, s: State, mover: int, left: int, ply: int, work: Forcing) -> bool:
    """Whether the prover gets the goal from s, which the mover has just brought about, within the plies left."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return False
    found_nothing(ply, work)
    work.line[ply] = game.repetition_key(s)
    back = earlier(ply, work)
    if back >= 0:
        work.barred[ply] = 1
        work.needs[ply] = back
        return mover != work.prover
    key = game.key(s)
    at, table_move = -1 if ply == 0 else probe(key, work), -1
    if at >= 0:
        entry = entry_word(at, work)
        if bound_of(entry) == LOWER:
            if entry_value(at, work) >= work.goal and holds_here(at, depth_of(entry), ply, work):
                return True
        elif work.trusts != 0 and depth_of(entry) >= left and entry_value(at, work) <= work.goal:
            return False
        table_move = action_of(entry)
    n = actions(game, s, ply, work)
    if n == 0:
        work.values[ply] = opposed_value(game, s, work.prover, work)
        return work.values[ply] >= work.goal
    if left == 0 or work.stopped != 0:
        return False
    return by_actions(game, s, key, table_move, n, left, ply, work)


def found_nothing(ply: int, work: Forcing) -> int:
    """What is known of a state before it is looked at, and of one that the other may not bring about; its length."""
    work.barred[ply] = 0
    work.needs[ply] = NEVER
    work.lengths[ply] = 0
    work.values[ply] = INFINITE
    for k in range(MARKS):
        work.sets[ply][k] = u64(0)
    return 0


def earlier(ply: int, work: Forcing) -> int:
    """Step 1: the earlier ply of this position; -1 if there is none, or if it stays as it was, as after a pass."""
    if ply > 0 and work.line[ply] == work.line[ply - 1]:
        return -1
    for k in range(ply - 1):
        if work.line[k] == work.line[ply]:
            return k
    return -1


def holds_here(at: int, length: int, ply: int, work: Forcing) -> bool:
    """Step 2: whether the proof of this entry is short enough and brings about no position of the line; if so, it is taken."""
    if ply + length > work.longest:
        return False
    first = at // ENTRY_WORDS * MARKS
    for k in range(ply):
        is_in, i = True, 0
        while is_in and i < HASHES:
            bit = bit_of(work.line[k], i)
            is_in = load(work.table_sets, first + (bit >> 6)) >> u64(bit & 63) & 1 != 0
            i += 1
        if is_in:
            return False
    work.lengths[ply] = length
    work.values[ply] = entry_value(at, work)
    for k in range(MARKS):
        work.sets[ply][k] = load(work.table_sets, first + k)
    return True


def bit_of(position: u64, i: int) -> int:
    """The number of the i-th bit that a position has in a set."""
    half = position if i < HASHES // 2 else mix(position)
    return i64(half >> u64(PLACE * (i % (HASHES // 2))) & (64 * MARKS - 1))


def by_actions(game: Game, s: State, key: u64, table_move: int, n: int, left: int, ply: int, work: Forcing) -> bool:
    """Step 5."""
    p = game.to_move(s)
    is_prover = p == work.prover
    first = 0
    if 0 <= table_move < n:
        put_first(table_move, ply, work)
        first = 1
    is_proven, chosen, needs, allowed, i = not is_prover, 0, NEVER, 0, -1
    while i + 1 < n and is_proven != is_prover:
        i += 1
        if i == first:
            n = rank(game, s, p, first, n, table_move, -1, ply, work)
        if i >= first:
            bring_best(i, n, ply, work)
        is_proven = force(game, game.result(s, work.moves[ply][i]), p, left - 1, ply + 1, work)
        if work.stopped != 0:
            return False
        needs = min(needs, work.needs[ply + 1])
        allowed += 1 - work.barred[ply + 1]
        if is_proven and work.barred[ply + 1] == 0:
            join(ply, work)
        if is_proven == is_prover:
            needs, chosen = work.needs[ply + 1], index_of(i, ply, work)
            remember_cut(p, work.moves[ply][i], i, min(left, 64), ply, work)
    if allowed == 0:
        work.stranded = 1
        work.stopped = 1
        return False
    if is_proven and is_prover:
        work.moves[ply][0] = work.moves[ply][i]
        if work.line[ply + 1] != work.line[ply]:
            for k in range(HASHES):
                bit = bit_of(work.line[ply + 1], k)
                work.sets[ply][bit >> 6] |= u64(1) << u64(bit & 63)
    work.needs[ply] = needs
    if needs >= ply:
        enter_answer(key, is_proven, chosen, left, ply, work)
    return is_proven


def join(ply: int, work: Forcing) -> int:
    """A proof from the next ply on is part of the one from this ply; how long that is now."""
    work.lengths[ply] = max(work.lengths[ply], work.lengths[ply + 1] + 1)
    work.values[ply] = min(work.values[ply], work.values[ply + 1])
    for k in range(MARKS):
        work.sets[ply][k] |= work.sets[ply + 1][k]
    return work.lengths[ply]


def enter_answer(key: u64, is_proven: bool, chosen: int, left: int, ply: int, work: Forcing) -> int:
    """Step 6; where the entry is."""
    if not is_proven:
        return keep(key, to_word(work.goal), packed(chosen, 0, 1, left, UPPER), u64(0), work)
    at = keep(key, to_word(work.values[ply]), packed(chosen, 0, 1, work.lengths[ply], LOWER), u64(0), work)
    for k in range(MARKS):
        store(work.table_sets, at // ENTRY_WORDS * MARKS + k, work.sets[ply][k])
    return at

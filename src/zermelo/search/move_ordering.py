"""Move ordering: what is likely to cut is tried first, for alpha-beta lives of it."""

from __future__ import annotations

from ..bits import i64, u64
from ..game import Game, State
from .depth_first import Lists
from .records import PLIES, WIDTH, room

SLOTS = 4096  # of the history
TABLE_MOVE = 1 << 60  # the rank of the table's action, which comes first
HISTORY_LIMIT = 1 << 14  # what the history can say for or against an action


class Ordering(Lists):
    """The record of a search that orders actions."""

    has_killers: int
    has_history: int
    by_order: int  # whether the game's own order counts
    ranks: list[list[int]] = room(PLIES, WIDTH)
    killers: list[list[int]] = room(PLIES + 1, 2)
    history: list[list[int]] = room(2, SLOTS)


def put_first(known: int, ply: int, work: Ordering) -> int:
    """Let the table's action be the first to be tried; `rank` is then for those from 1 on, if they are needed at all."""
    a = work.moves[ply][known]
    work.moves[ply][known] = work.moves[ply][0]
    work.moves[ply][0] = a
    work.ranks[ply][0] = known
    return known


def rank(game: Game, s: State, p: int, first: int, n: int, known: int, reply: int, ply: int, work: Ordering) -> int:
    """Write how promising each action from the first is: the table's, then the game's own order, killers, history; the index in the
    low bits. `reply` is an action that comes next after the killers.

    How many actions need to be tried: where the game tells immediate wins and losses, only the one that wins, or those that do
    not lose, or one if all do.
    """
    kept, lost = first, 0
    for i in range(first, n):
        a = work.moves[ply][i]
        if game.has_immediate:
            if work.by_order != 0:
                claim = game.immediate(s, a)
                if claim > 0:
                    work.moves[ply][0] = a
                    work.ranks[ply][0] = i
                    return 1
                if claim < 0:
                    lost += 1
                    if lost < n:
                        continue
        r = TABLE_MOVE if i == known and first == 0 else promise(game, s, p, a, reply, ply, work)
        work.moves[ply][kept] = a
        work.ranks[ply][kept] = (r & ~0xFFFF) | (i if i != known or first == 0 else 0)
        kept += 1
    return kept


def promise(game: Game, s: State, p: int, a: int, reply: int, ply: int, work: Ordering) -> int:
    """How promising an action is: the game's own order, then killers and the reply, then history."""
    r = 0
    if game.has_order:
        if work.by_order != 0:
            r += game.order(s, a) << 36
    if work.has_killers != 0:
        r += (3 if a == work.killers[ply][0] else 2 if a == work.killers[ply][1] else 1 if a == reply else 0) << 34
    if work.has_history != 0:
        r += (HISTORY_LIMIT + work.history[p][slot(a)]) << 16
    return r


def bring_best(i: int, n: int, ply: int, work: Ordering) -> int:
    """Swap the most promising of the actions i..n-1 to place i; among equals the game's first."""
    best = i
    for k in range(i + 1, n):
        r, b = work.ranks[ply][k], work.ranks[ply][best]
        if r >> 16 > b >> 16 or (r >> 16 == b >> 16 and r & 0xFFFF < b & 0xFFFF):
            best = k
    a, r = work.moves[ply][best], work.ranks[ply][best]
    work.moves[ply][best] = work.moves[ply][i]
    work.ranks[ply][best] = work.ranks[ply][i]
    work.moves[ply][i] = a
    work.ranks[ply][i] = r
    return best


def index_of(i: int, ply: int, work: Ordering) -> int:
    """The index in the game's own order of the action at place i."""
    return work.ranks[ply][i] & 0xFFFF


def remember_cut(p: int, a: int, i: int, depth: int, ply: int, work: Ordering) -> int:
    """Action a, the one at place i that cut, is tried early elsewhere: at this ply, and wherever it is legal; those before it, later."""
    remember_killer(a, ply, work)
    if work.has_history != 0:
        bonus = bonus_of(depth)
        adjust_history(p, a, bonus, work)
        for k in range(i):
            adjust_history(p, work.moves[ply][k], -bonus, work)
    return 0


def bonus_of(depth: int) -> int:
    """What a cut at this depth adds to the history."""
    return min(16 * depth * depth, HISTORY_LIMIT // 8)


def remember_killer(a: int, ply: int, work: Ordering) -> int:
    """Action a cut at this ply."""
    if work.has_killers != 0 and work.killers[ply][0] != a:
        work.killers[ply][1] = work.killers[ply][0]
        work.killers[ply][0] = a
    return 0


def adjust_history(p: int, a: int, bonus: int, work: Ordering) -> int:
    """Add to the history, less the nearer it is to its limit: what happened lately counts more."""
    at = slot(a)
    work.history[p][at] += bonus - work.history[p][at] * abs(bonus) // HISTORY_LIMIT
    return at


def slot(a: int) -> int:
    """A place in the history for any action: collisions only blur the order, and small numbers have none among themselves."""
    if 0 <= a < SLOTS:
        return a
    return i64((u64(a) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 52)

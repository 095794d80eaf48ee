"""The order in which a search tries actions: what is likely to cut first, for alpha-beta lives of it."""

from __future__ import annotations

from typing import Any

from ..bits import i64, u64
from ..game import Game, State

SLOTS = 4096  # of the history
KNOWN = 1 << 60  # the table's action comes first
MOST = 1 << 14  # what the history can say for or against an action


def put_first(known: int, ply: int, work: Any) -> int:
    """Let the table's action be the first to be tried; `rank` is then for those from 1 on, if they are needed at all."""
    a = work.moves[ply][known]
    work.moves[ply][known] = work.moves[ply][0]
    work.moves[ply][0] = a
    work.ranks[ply][0] = known
    return known


def rank(game: Game, s: State, p: int, first: int, n: int, known: int, reply: int, ply: int, work: Any) -> int:
    """Write how promising each action from the first is: the table's, then the game's own order, killers, history; the index in the
    low bits. `reply` is an action that comes next after the killers.

    How many actions need to be tried: where the game tells immediate wins and losses, only the one that wins, or those that do
    not lose, or one if all do.
    """
    many, lost = first, 0
    for i in range(first, n):
        a = work.moves[ply][i]
        r = 0
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
        if game.has_order:
            if work.by_order != 0:
                r += game.order(s, a) << 36
        if work.has_killers != 0:
            r += (3 if a == work.killer[ply][0] else 2 if a == work.killer[ply][1] else 1 if a == reply else 0) << 34
        if work.has_history != 0:
            r += (MOST + work.past[p][slot(a)]) << 16
        if i == known and first == 0:
            r = KNOWN
        work.moves[ply][many] = a
        work.ranks[ply][many] = (r & ~0xFFFF) | (i if i != known or first == 0 else 0)
        many += 1
    return many


def bring_best(i: int, n: int, ply: int, work: Any) -> int:
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


def remember_cut(p: int, a: int, i: int, depth: int, ply: int, work: Any) -> int:
    """Action a, the one at place i that cut, is tried early elsewhere: at this ply, and wherever it is legal; those before it, later."""
    if work.has_killers != 0 and work.killer[ply][0] != a:
        work.killer[ply][1] = work.killer[ply][0]
        work.killer[ply][0] = a
    if work.has_history != 0:
        bonus = min(16 * depth * depth, MOST // 8)
        weigh(p, a, bonus, work)
        for k in range(i):
            weigh(p, work.moves[ply][k], -bonus, work)
    return 0


def weigh(p: int, a: int, bonus: int, work: Any) -> int:
    """Add to the history, less the nearer it is to the most: what happened lately counts more."""
    at = slot(a)
    work.past[p][at] += bonus - work.past[p][at] * abs(bonus) // MOST
    return at


def slot(a: int) -> int:
    """A place in the history for any action: collisions only blur the order, and small numbers have none among themselves."""
    if 0 <= a < SLOTS:
        return a
    return i64((u64(a) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 52)

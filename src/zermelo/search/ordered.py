"""The engine room of alpha-beta: a transposition table, an order for the actions, and searches of a null window.

Nothing here changes the value that plain alpha-beta finds (quiescence and a depth limit with a table excepted, which
look further than they were asked to); it changes what must be looked at to find it. Leaves at best b^(m/2), at worst b^m.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import Game, State
from ..lower.memory import load, store, to_real, to_word
from . import minimax
from .minimax import INFINITE, actions, keep_line, must_stop
from .searcher import Result
from .work import Fields

ENDLESS = 1 << 14  # a depth that is never spent, and of what the table knows to the end of the game
STEP = 2.0**-24  # what a ply is worth where the distance counts: exact in floats, and little even for 10,000 plies
EXACT, LOWER, UPPER = 0, 1, 2  # what a value in the table is of the true one
WORDS = 4  # of an entry: key ^ the others, value, depth and bound and action; two entries are one line of the processor's cache
LATE = 3  # actions that are searched to the full depth before reductions begin
SLOTS = 4096  # of the history


class Sparse(dict[int, int]):
    """The table of the interpreter: it holds only what was written, the rest is 0."""

    def __missing__(self, i: int) -> int:
        return 0


class Memory:
    """The table: so many MiB of words, all zero at first."""

    def __init__(self, mebibytes: int, interpreted: bool):
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


def fields(game: Game, plies: int, width: int) -> Fields:
    """The record of the search."""
    return [
        *(f for f in minimax.fields(game, plies, width) if f[0] != "rounds"),
        ("many", "i8", ()),
        ("first", "i8", (width,)),  # the root's actions in the order in which to try them
        ("table", "i8", ()),
        ("mask", "i8", ()),
        ("has_table", "i8", ()),
        ("has_pvs", "i8", ()),
        ("has_killers", "i8", ()),
        ("has_history", "i8", ()),
        ("by_order", "i8", ()),
        ("quiet", "i8", ()),
        ("reductions", "i8", ()),
        ("distance", "f8", ()),
        ("low", "f8", ()),  # the window of the root
        ("high", "f8", ()),
        ("ranks", "i8", (plies, width)),
        ("killer", "i8", (plies + 1, 2)),
        ("past", "i8", (2, SLOTS)),
    ]


def told(result: Result, best: Result | None, depth: int | None, nodes: int, evaluations: int) -> Result:
    """The Result of this depth with the nodes of all; a depth that was not begun leaves the answer of the one before."""
    if best is not None and not result.scores:
        result = replace(best, seconds=result.seconds)
    return replace(result, depth=result.depth if depth is None or result.exact else depth, nodes=nodes, evaluations=evaluations)


def root(game: Game, work: Any) -> int:
    """Search the actions of the start in the order given; their scores are exact or, after the best, bounds."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    work.widest = work.many
    best = -INFINITE
    for i in range(work.many):
        t = game.result(s, work.first[i])
        v = 0.0
        alpha = max(best, work.low)
        if i == 0 or work.has_pvs == 0:
            v = search(game, t, me, work.depth - 1, alpha, work.high, 1, work)
        else:
            v = search(game, t, me, work.depth - 1, alpha, above(alpha), 1, work)
            if v > alpha and work.stopped == 0:
                v = search(game, t, me, work.depth - 1, alpha, work.high, 1, work)
        if work.stopped != 0:
            return 0
        work.scores[i] = v
        work.searched = i + 1
        if v > best:
            best = v
            work.best = i
            keep_line(0, work.first[i], work)
    return 0


def search(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: Any) -> float:
    """What s is worth to `me`, whose bounds alpha and beta are: exact between them, a bound outside."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    work.lines[ply][0] = 0
    if game.is_terminal(s):
        work.evaluations += 1
        return distant(game.utility(s, me), ply, work)
    p = game.to_move(s)
    if p != me:
        alpha, beta = -beta, -alpha
    if depth <= 0:
        best = settle(game, s, p, alpha, beta, ply, work)
        return best if p == me else -best

    key = game.key(s)
    known = -1
    if work.has_table != 0:
        at = probe(key, work)
        if at >= 0:
            about = load(work.table, at + 2)
            known = i64(about >> 32)
            v = nearer(to_real(load(work.table, at + 1)), ply, work)
            bound = i64(about & 3)
            deep = i64(about >> 2 & 0xFFFF)
            if deep >= depth and (bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha)):
                if deep < ENDLESS:
                    work.cutoffs += 1
                return v if p == me else -v

    cutoffs = work.cutoffs
    low = alpha
    best = -INFINITE
    chosen = 0
    n = actions(game, s, ply, work)
    rank(game, s, p, n, known, ply, work)
    for i in range(n):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        t = game.result(s, a)
        v = 0.0
        if i == 0 or work.has_pvs == 0 or beta <= above(alpha):
            v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
        else:
            late = 1 if work.reductions != 0 and i >= LATE and depth > 2 and not game.noisy(s, a) else 0
            v = search(game, t, p, depth - 1 - late, alpha, above(alpha), ply + 1, work)
            if late != 0 and v > alpha and work.stopped == 0:
                v = search(game, t, p, depth - 1, alpha, above(alpha), ply + 1, work)
            if alpha < v < beta and work.stopped == 0:
                v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
        if v > best:
            best = v
            chosen = work.ranks[ply][i] & 0xFFFF
            keep_line(ply, a, work)
            alpha = max(alpha, v)
            if alpha >= beta:
                remember_cut(p, a, depth, ply, work)
                break
    if work.has_table != 0 and work.stopped == 0:
        deep = ENDLESS if work.cutoffs == cutoffs else depth
        bound = LOWER if best >= beta else UPPER if best <= low else EXACT
        keep(key, to_word(farther(best, ply, work)), u64(chosen) << 32 | u64(deep) << 2 | u64(bound), deep, work)
    return best if p == me else -best


def settle(game: Game, s: State, p: int, alpha: float, beta: float, ply: int, work: Any) -> float:
    """The value of s for p where the depth is spent: its evaluation, after noisy actions if the game tells any."""
    work.evaluations += 1
    work.cutoffs += 1
    best = game.evaluate(s, p)
    if not game.has_noisy:
        return best
    if work.quiet == 0 or best >= beta:
        return best
    alpha = max(alpha, best)
    n = actions(game, s, ply, work)
    for i in range(n):
        a = work.moves[ply][i]
        if game.noisy(s, a):
            t = game.result(s, a)
            v = 0.0
            work.nodes += 1
            if ply + 1 >= len(work.moves) or must_stop(work):
                work.stopped = 1
                return best
            work.deepest = max(work.deepest, ply + 1)
            work.lines[ply + 1][0] = 0
            if game.is_terminal(t):
                v = distant(game.utility(t, p), ply + 1, work)
            elif game.to_move(t) == p:
                v = settle(game, t, p, alpha, beta, ply + 1, work)
            else:
                v = -settle(game, t, game.to_move(t), -beta, -alpha, ply + 1, work)
            if v > best:
                best = v
                keep_line(ply, a, work)
                alpha = max(alpha, v)
                if alpha >= beta:
                    break
    return best


# ---- values ------------------------------------------------------------------------------------


def above(x: float) -> float:
    """The next value after x that a null window ends at: no value lies between."""
    if x == -INFINITE:
        return -INFINITE
    word = to_word(x + 0.0)
    if x == 0.0:
        return to_real(u64(1))
    return to_real(word + 1) if x > 0.0 else to_real(word - 1)


def distant(v: float, ply: int, work: Any) -> float:
    """A value at the end of the game, a little nearer to 0 the longer it took."""
    return v - work.distance * ply if v > 0.0 else v + work.distance * ply if v < 0.0 else v


def farther(v: float, ply: int, work: Any) -> float:
    """A value seen from the root as it is seen from this ply, where the table is entered."""
    return v + work.distance * ply if v > 0.0 else v - work.distance * ply if v < 0.0 else v


def nearer(v: float, ply: int, work: Any) -> float:
    """A value of the table as it is seen from the root."""
    return v - work.distance * ply if v > 0.0 else v + work.distance * ply if v < 0.0 else v


# ---- the table: buckets of two entries, one for the deepest and one for the latest ---------------


def probe(key: u64, work: Any) -> int:
    """Where the entry of this key begins; -1 if there is none. A torn entry does not fit its key."""
    at = i64(key & u64(work.mask)) * (2 * WORDS)
    for _ in range(2):
        if load(work.table, at) ^ load(work.table, at + 1) ^ load(work.table, at + 2) == key and load(work.table, at + 2) != 0:
            return at
        at += WORDS
    return -1


def keep(key: u64, value: u64, about: u64, deep: int, work: Any) -> int:
    """Enter what was found: in the first place if it is at least as deep as what is there, else in the second."""
    at = i64(key & u64(work.mask)) * (2 * WORDS)
    there = load(work.table, at + 2)
    same = load(work.table, at) ^ load(work.table, at + 1) ^ there == key
    if not same and i64(there >> 2 & 0xFFFF) > deep:
        at += WORDS
    store(work.table, at, key ^ value ^ about)
    store(work.table, at + 1, value)
    store(work.table, at + 2, about)
    return at


# ---- the order of the actions --------------------------------------------------------------------


def rank(game: Game, s: State, p: int, n: int, known: int, ply: int, work: Any) -> int:
    """Write how promising each action is: the table's, then the game's own order, killers, history; the index in the low bits."""
    for i in range(n):
        a = work.moves[ply][i]
        r = 0
        if game.has_order:
            if work.by_order != 0:
                r += game.order(s, a) << 36
        if work.has_killers != 0:
            r += (2 if a == work.killer[ply][0] else 1 if a == work.killer[ply][1] else 0) << 34
        if work.has_history != 0:
            r += min(work.past[p][slot(a)], (1 << 17) - 1) << 16
        if i == known:
            r = 1 << 61
        work.ranks[ply][i] = (r & ~0xFFFF) | i
    return n


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


def remember_cut(p: int, a: int, depth: int, ply: int, work: Any) -> int:
    """An action that cut is tried early elsewhere: at this ply, and wherever it is legal."""
    if work.has_killers != 0 and work.killer[ply][0] != a:
        work.killer[ply][1] = work.killer[ply][0]
        work.killer[ply][0] = a
    if work.has_history != 0:
        work.past[p][slot(a)] += min(depth * depth, 1024)
    return 0


def slot(a: int) -> int:
    """A place in the history for any action: collisions only blur the order."""
    return i64((u64(a) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 52)

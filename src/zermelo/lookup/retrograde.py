"""Retrograde analysis: the values of a stage, from the ends of games backwards, each action once.

    for plies = 0, 1, 2, ...
        for each state whose value has this distance
            for each action of a state p before that leads to it, where p has no value
                if it is lost by the player who moved to it:  p is won in plies + 1
                else if all actions of p are settled:         p is lost in plies + 1
    what is left is drawn

A state that an earlier stage decides waits for its distance. Thompson, Retrograde analysis of certain endgames, ICCA Journal 1986.
"""

from __future__ import annotations

from ..bits import i64, u64
from ..game import Game
from ..lower.memory import load, prefetch, store
from ..search.endgames.values import DRAWN, LOST, MAX_PLIES, NO_STATE, WON, get32, is_decided, is_won, plies_of, put32
from .walk import AHEAD, ELSEWHERE, SAME_MOVER, TOO_LONG, UNSETTLED, WITHIN, Stage

NUMBER = (1 << SAME_MOVER) - 1  # the bits of a state in an action
AT_ONCE = 32  # states of the queue before which states are fetched together


class Backwards(Stage):
    """The record of the walk backwards."""

    length: int  # of the row
    back: int  # reversed actions: the state before, and SAME_MOVER
    level: int  # plies
    queue: int  # decided states, by distance
    head: int
    tail: int
    heads: int  # the first state that waits for each distance, more by one
    later: int  # the state that waits behind each, more by one
    waiting: int  # how many wait


def count(game: Game, work: Backwards) -> int:
    """Count which states the actions of a row lead to; how many there are.

    Here, and not where the row is written: the processor waits for the memory of many actions at once in a loop as short as this.
    """
    for k in range(work.length):
        prefetch(work.starts, (get32(work.row, k + AHEAD) & NUMBER) >> 1)
        j = get32(work.row, k) & NUMBER
        put32(work.starts, j, get32(work.starts, j) + 1)
    return work.length


def sum_starts(game: Game, work: Backwards) -> int:
    """Make of how many actions lead to each state where they end in one row of all; how many there are."""
    total = 0
    for i in range(work.last - work.first + 1):
        total += get32(work.starts, i)
        put32(work.starts, i, total)
    return total


def reverse(game: Game, work: Backwards) -> int:
    """Write a row of actions reversed, those to one state side by side from their end on; how many there were."""
    k = 0
    for i in range(work.at - work.first, work.until - work.first):
        for _ in range(within(load(work.facts, i))):
            prefetch(work.starts, (get32(work.row, k + AHEAD) & NUMBER) >> 1)
            prefetch(work.back, get32(work.starts, get32(work.row, k + AHEAD // 2) & NUMBER) >> 1)
            edge = get32(work.row, k)
            j, is_same = edge & NUMBER, edge & ~NUMBER
            e = put32(work.starts, j, get32(work.starts, j) - 1)
            put32(work.back, e, i | is_same)
            k += 1
    return k


def let_wait(game: Game, work: Backwards) -> int:
    """Let each state wait whose value is known from elsewhere; how many do."""
    for i in range(work.last - work.first):
        fact = load(work.facts, i)
        best = elsewhere(fact)
        if best != NO_STATE and (is_won(best) or unsettled(fact) == 0):
            wait(i, plies_of(best), work)
    return work.waiting


def decide_level(game: Game, work: Backwards) -> int:
    """Decide the states of one distance and what follows for the states before them; whether anything is left to do."""
    i = put_none(work.level, work)
    while i >= 0:
        work.waiting -= 1
        fact = load(work.facts, i)
        if value(fact) == DRAWN:
            decide(i, elsewhere(fact), work)
        i = get32(work.later, i) - 1
    end = work.tail
    while work.head < end and work.fault == 0:
        some = min(work.head + AT_ONCE, end)
        fetch_before(work.head, some, work)
        for k in range(work.head, some):
            i = get32(work.queue, k)
            is_win = is_won(value(load(work.facts, i)))
            for e in range(get32(work.starts, i), get32(work.starts, i + 1)):
                edge = get32(work.back, e)
                settle(edge & NUMBER, is_win == (edge >> SAME_MOVER == 1), work)
        work.head = some
    work.level += 1
    return 1 if work.head < work.tail or work.waiting > 0 else 0


def fetch_before(begin: int, end: int, work: Backwards) -> int:
    """Fetch what is known of the states before some of the queue: one after another each would be waited for; 0."""
    for k in range(begin, end):
        prefetch(work.starts, get32(work.queue, k) >> 1)
        prefetch(work.facts, get32(work.queue, k))
    for k in range(begin, end):
        prefetch(work.back, get32(work.starts, get32(work.queue, k)) >> 1)
    for k in range(begin, end):
        i = get32(work.queue, k)
        for e in range(get32(work.starts, i), get32(work.starts, i + 1)):
            prefetch(work.facts, get32(work.back, e) & NUMBER)
    return 0


def settle(p: int, wins: bool, work: Backwards) -> int:
    """One action of p is known to win or to lose, in as many plies as the level is, and one; the value of p."""
    fact = load(work.facts, p)
    if value(fact) != DRAWN:
        return value(fact)
    if work.level >= MAX_PLIES:
        work.fault = TOO_LONG
        return DRAWN
    if wins:
        return decide(p, WON + 2 * (work.level + 1), work)
    fact -= u64(1) << UNSETTLED
    store(work.facts, p, fact)
    best = elsewhere(fact)
    if unsettled(fact) > 0 or is_won(best):
        return DRAWN
    if is_decided(best) and plies_of(best) > work.level + 1:
        return wait(p, plies_of(best), work)
    return decide(p, LOST + 2 * (work.level + 1), work)


def decide(i: int, v: int, work: Backwards) -> int:
    """Give state i its value, and let it be looked at with those of its distance; the value."""
    store(work.facts, i, load(work.facts, i) - u64(DRAWN) + u64(v))
    put32(work.queue, work.tail, i)
    work.tail += 1
    return v


def wait(i: int, plies: int, work: Backwards) -> int:
    """Let state i wait for its distance, before the others that do; DRAWN, its value until then."""
    put32(work.later, i, get32(work.heads, plies))
    put32(work.heads, plies, i + 1)
    work.waiting += 1
    return DRAWN


def put_none(plies: int, work: Backwards) -> int:
    """Let nothing wait for this distance any more; the first state that did, or -1."""
    i = get32(work.heads, plies) - 1
    put32(work.heads, plies, 0)
    return i


def value(fact: u64) -> int:
    return i64(fact & 0xFFFF)


def unsettled(fact: u64) -> int:
    return i64(fact >> UNSETTLED & 0xFFFF)


def elsewhere(fact: u64) -> int:
    return i64(fact >> ELSEWHERE & 0xFFFF)


def within(fact: u64) -> int:
    return i64(fact >> WITHIN)

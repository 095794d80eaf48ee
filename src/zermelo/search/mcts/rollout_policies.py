"""Playout policies: how the games that judge a leaf are played, and what is learned from them.

    uniform   any action is as likely as any other
    game      the game's own `playout_action`, where a player moves
    learned   what did well in earlier simulations (MAST): with probability epsilon any action, else the one of the best average;
              one that was never tried comes first

An average belongs to a player and an action, wherever in the game it was taken, and so it is of use in games whose actions mean
much the same at different times.
"""

from __future__ import annotations

from typing import Any

from ...bits import i64, u64
from ...game import CHANCE, Game, State
from ...lower.memory import load, store, to_real, to_word
from ...rng import below, step, unit
from ..playouts import choose
from .rave import SLOTS, slot_of, spread
from .tree import ABOUT, ACTION, UNVISITED, WORDS

POLICIES = ("uniform", "game", "learned")
UNIFORM, GAME, LEARNED = 0, 1, 2
TRAIL = 1024  # actions of a playout that are noted; those after them are not


def guided(game: Game, s: State, work: Any) -> int:
    """A playout by the policy that notes what it does; otherwise like `montecarlo.playout`."""
    random = work.random
    ply = 0
    work.noted = 0
    while not game.is_terminal(s):
        if ply == work.plies:
            work.random = random
            for p in range(game.players):
                work.utility[p] = game.evaluate(s, p)
            return ply
        if ply & 127 == 127 and work.stop != 0:
            work.stopped = 1
            return -1
        random = step(random)
        mover = game.to_move(s)
        if game.has_playout_action and work.policy == GAME and mover != CHANCE:
            a = game.playout_action(s, random)
        else:
            n = game.fill(s, work.moves)
            if n > len(work.moves):
                work.widest = n
                work.stopped = 1
                return -1
            if work.policy == LEARNED and mover != CHANCE and unit(random) >= work.epsilon:
                random = step(random)
                a = greedy(mover, n, below(random, n), work)
            elif work.policy == LEARNED and mover != CHANCE:
                random = step(random)
                a = work.moves[below(random, n)]
            else:
                a = choose(game, s, random, work.moves, n)
        if mover != CHANCE and work.noted < len(work.trail):
            work.trail[work.noted] = slot_of(mover, a)
            work.noted += 1
        s = game.result(s, a)
        ply += 1
    work.random = random
    for p in range(game.players):
        work.utility[p] = game.utility(s, p)
    return ply


def greedy(p: int, n: int, k: int, work: Any) -> int:
    """The action of the best average of the n in `moves`; among equals the first from number k on."""
    best, chosen = -UNVISITED, work.moves[k]
    for _ in range(n):
        at = work.learned + 2 * slot_of(p, work.moves[k])
        v = UNVISITED
        if load(work.pool, at + 1) != 0:
            v = to_real(load(work.pool, at))
        if v > best:
            best = v
            chosen = work.moves[k]
        k = k + 1 if k + 1 < n else 0
    return chosen


def learn(game: Game, work: Any) -> int:
    """After a simulation: every action of its playout and its path, the last one first, adds to what is known of it."""
    for i in range(work.noted - 1, -1, -1):
        note(work.trail[i], work.utility[work.trail[i] // SLOTS], work)
    for d in range(work.depth, 0, -1):
        at = WORDS * work.path[d]
        by = i64(load(work.pool, at + ABOUT) >> 8 & 0xFF)
        if by < game.players:
            note(slot_of(by, i64(load(work.pool, at + ACTION))), work.utility[by], work)
            if work.rave > 0.0:
                spread(work.path[d - 1], by, work)
    work.noted = 0
    return work.depth


def note(slot: int, utility: float, work: Any) -> int:
    """This simulation took the action of this slot, before all that were noted until now: whoever took the same later is forgotten."""
    for other in range(slot % SLOTS, len(work.seen), SLOTS):
        work.seen[other] = 0
    work.seen[slot] = work.simulations
    if work.learned > 0:
        at = work.learned + 2 * slot
        count = load(work.pool, at + 1) + 1
        mean = to_real(load(work.pool, at))
        store(work.pool, at, to_word(mean + (utility - mean) / float(count)))
        store(work.pool, at + 1, count)
    return slot


def forget_learned(game: Game, work: Any) -> int:
    """Nothing is learned yet."""
    if work.learned > 0:
        for i in range(2 * game.players * SLOTS):
            store(work.pool, work.learned + i, u64(0))
    return 0

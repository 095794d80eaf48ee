"""Playout policies: how the games that judge a leaf are played, and what is learned from them.

    uniform   any action is as likely as any other
    game      the game's own `playout_action`, where a player moves
    learned   what did well in earlier simulations (MAST): with probability epsilon any action, else the one of the best average;
              one that was never tried comes first

An average belongs to a player and an action, wherever in the game it was taken, and so it is of use in games whose actions mean
much the same at different times.
"""

from __future__ import annotations

from ...bits import u64
from ...game import CHANCE, Game, State
from ...lower.memory import store
from ...rng import below, step, unit
from ..evaluation import is_proven, proven_value
from ..montecarlo import judge
from ..random_games import choose
from .node import UNVISITED, action_of, add_to_average, average_at, chooser, count_at, packed_of
from .rave import SLOTS, slot_of, spread
from .record import TreeRecord

POLICIES = ("uniform", "game", "learned")
UNIFORM, GAME, LEARNED = 0, 1, 2
TRAIL_LENGTH = 1024  # actions of a playout that are noted; those after them are not


def guided(game: Game, s: State, before: int, work: TreeRecord) -> int:
    """A playout by the policy that notes what it does, of the state after an action of `before`; otherwise like `montecarlo.playout`."""
    random = work.random
    ply = 0
    work.trail_length = 0
    while not is_proven(game, s, work):
        if ply == work.plies:
            work.random = random
            return judge(game, s, before, ply, work)
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
        if mover != CHANCE and work.trail_length < len(work.trail):
            work.trail[work.trail_length] = slot_of(mover, a)
            work.trail_length += 1
        s = game.result(s, a)
        before = mover
        ply += 1
    work.random = random
    for p in range(game.players):
        work.utility[p] = proven_value(game, s, p, work)
    return ply


def greedy(p: int, n: int, k: int, work: TreeRecord) -> int:
    """The action of the best average of the n in `moves`; among equals the first from number k on."""
    best, chosen = -UNVISITED, work.moves[k]
    for _ in range(n):
        at = work.learned + 2 * slot_of(p, work.moves[k])
        v = UNVISITED
        if count_at(at, work) != 0:
            v = average_at(at, work)
        if v > best:
            best = v
            chosen = work.moves[k]
        k = k + 1 if k + 1 < n else 0
    return chosen


def learn(game: Game, work: TreeRecord) -> int:
    """After a simulation: every action of its playout and its path, the last one first, adds to what is known of it."""
    for i in range(work.trail_length - 1, -1, -1):
        note_taken(work.trail[i], work.utility[work.trail[i] // SLOTS], work)
    for d in range(work.depth, 0, -1):
        node = work.path[d]
        by = chooser(packed_of(node, work))
        if by < game.players:
            note_taken(slot_of(by, action_of(node, work)), work.utility[by], work)
            if work.rave > 0.0:
                spread(work.path[d - 1], by, work)
    work.trail_length = 0
    return work.depth


def note_taken(slot: int, utility: float, work: TreeRecord) -> int:
    """This simulation took the action of this slot, before all that were noted until now: whoever took the same later is forgotten."""
    for other in range(slot % SLOTS, len(work.taken), SLOTS):
        work.taken[other] = 0
    work.taken[slot] = work.simulations
    if work.learned > 0:
        add_to_average(work.learned + 2 * slot, utility, work)
    return slot


def forget_learned(game: Game, work: TreeRecord) -> int:
    """Nothing is learned yet."""
    if work.learned > 0:
        for i in range(2 * game.players * SLOTS):
            store(work.pool, work.learned + i, u64(0))
    return 0

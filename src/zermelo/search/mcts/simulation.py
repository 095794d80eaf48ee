"""The steps of Monte Carlo tree search, as they run: selection, expansion, simulation, back-propagation.

A `work` record holds the settings and one path; the nodes are in a pool (`node.py`). `searcher.py` says what the settings mean.
"""

from __future__ import annotations

import math

import numpy as np

from ...bits import clz, i64, u64
from ...game import CHANCE, Game, State
from ...lower.memory import publish
from ...rng import below, step, unit
from ..evaluation import is_proven
from ..forbidden import without_forbidden
from ..montecarlo import MAX_CHILDREN, playout
from ..notes import BACKUP, EXPAND, GO, NO_PLAYOUT, PICK, SIMULATE, VALUE, note, only_notes
from .node import (
    NODE_WORDS,
    OPEN,
    PACKED,
    PROVEN,
    action_of,
    add_to_mean,
    bonus_of,
    child_count,
    chooser,
    clear_more,
    first_child,
    mean_of,
    packed_of,
    prior_of,
    put_node,
    set_prior,
    set_visits,
    set_visits_without_bonus,
    status,
    visits_of,
)
from .rave import expect, prefer
from .record import TreeRecord
from .rollout_policies import forget_learned, guided, learn
from .solver import conclude, forget_proofs, recall

STEPS = 6  # bits of a number after its first that SQRT_LOG tells apart: it is exact below 2^7, and within 0.2% above
SQRT_LOG = np.array([math.sqrt(math.log((1 + k % 64 / 64) * 2.0 ** (k // 64))) for k in range(32 << STEPS)])


def search(game: Game, work: TreeRecord) -> int:
    """Simulations, until there are `limit` of them, the root is proven or somebody asks to stop."""
    start = game.unpack(work.start)
    begin(game, start, work)
    while work.simulations < work.limit and work.stopped == 0 and (work.stop == 0 or work.simulations == 0):
        simulate(game, start, work)
    return 0


def begin(game: Game, start: State, work: TreeRecord) -> int:
    """The root with its children, unless it has them from before."""
    packed = u64(0)
    if work.used > 0:
        packed = packed_of(0, work)
    if first_child(packed) == 0:
        if len(work.trail) > 1 and work.used == 0:
            forget_learned(game, work)
        put_node(0, 0, 0, work)
        clear_more(0, 1, work)
        if work.priors > 0:
            set_prior(0, 1.0, work)
        work.used = max(work.used, 1)
        expand(game, start, 0, work)
        set_visits_without_bonus(0, 1, work)  # the root counts as visited: a simulation begins with one of its children
    elif status(packed) == PROVEN and work.solver != 0:
        work.stopped = 1
    return work.used


def simulate(game: Game, start: State, work: TreeRecord) -> int:
    """One simulation: the four steps."""
    s = descend(game, start, 0, work)
    depth = work.depth
    node = work.path[depth]
    packed = packed_of(node, work)
    ended = status(packed) == OPEN and is_proven(game, s, work)
    if status(packed) == PROVEN:
        recall(node, packed, work)
        note_simulation(game, node, NO_PLAYOUT, depth, work)
    else:
        plies = play_on(game, s, packed, work)
        if plies < 0 or work.stopped != 0:
            return 0
        weigh(game, ended or plies < work.plies, work)
        note_simulation(game, node, plies, depth, work)
    work.simulations += 1
    back_up(game, depth, work)
    if len(work.trail) > 1:
        learn(game, work)
    if ended:
        conclude(node, depth, work)
    return 1


def play_on(game: Game, s: State, packed: u64, work: TreeRecord) -> int:
    """Simulation: a playout of the state of this node; its plies, -1 if it was not finished."""
    mover = chooser(packed) if chooser(packed) < game.players else CHANCE
    return playout(game, s, mover, work) if len(work.trail) == 1 else guided(game, s, mover, work)


def descend(game: Game, s: State, depth: int, work: TreeRecord) -> State:
    """Down the tree to a leaf, which gets its children if it comes up again: its state, with the path and the depth in the record.

    It begins with the state s, at this depth of the path.
    """
    node = work.path[depth]
    packed = packed_of(node, work)
    while depth < work.max_depth:  # a tree that was kept may be deeper
        if first_child(packed) == 0:
            if status(packed) != OPEN or visits_of(node, work) < work.ripe or not expand(game, s, node, work):
                break
            packed = packed_of(node, work)
        elif status(packed) >= PROVEN:  # or waiting
            break
        node = select(game, s, node, packed, work)
        depth += 1
        work.path[depth] = node
        s = game.result(s, action_of(node, work))
        note_step(game, s, node, depth, work)
        packed = packed_of(node, work)
    work.depth = depth
    return s


def select(game: Game, s: State, node: int, packed: u64, work: TreeRecord) -> int:
    """Selection: the child of the best UCB1, one that was never visited before all others; where chance moves, one by its odds."""
    first, count = first_child(packed), child_count(packed)
    if game.has_chance and game.to_move(s) == CHANCE:
        work.random = step(work.random)
        x = unit(work.random)
        for i in range(count - 1):
            x -= game.probability(s, action_of(first + i, work))
            if x < 0.0:
                return first + i
        return first + count - 1
    visits = max(visits_of(node, work), 1)  # another thread may have taken back the only one
    if work.turns != 0:
        if visits <= count:
            return first + visits - 1
    elif work.widening > 0.0:
        count = min(count, 1 + int(work.widening * math.sqrt(visits)))
    c = work.exploration * work.reach
    if work.priors > 0:
        c *= math.sqrt(float(visits))
    else:
        c *= SQRT_LOG[step_of(visits)]
    if len(work.trail) > 1 and work.rave > 0.0:
        return prefer(first, count, c, work)
    chosen = best_of(first, count, c, work)
    note_choice(chosen, c, work)
    return chosen


def step_of(visits: int) -> int:
    """The place in SQRT_LOG of so many visits: the exponent of the number and its first bits. The mask only says that it is in there."""
    shift = clz(u64(visits))
    return i64(u64(visits) << shift >> (63 - STEPS)) + ((62 - shift) << STEPS) & (32 << STEPS) - 1


def best_of(first: int, count: int, c: float, work: TreeRecord) -> int:
    """The first child of the best UCB1. Those at even and at odd places are compared in two chains: neither waits for the other."""
    best, chosen = ucb(first, c, work), first
    rival, other = best, first
    i = 1
    while i + 1 < count:
        v, w = ucb(first + i, c, work), ucb(first + i + 1, c, work)
        if v > rival:
            rival = v
            other = first + i
        if w > best:
            best = w
            chosen = first + i + 1
        i += 2
    if i < count:
        v = ucb(first + i, c, work)
        if v > rival:
            rival = v
            other = first + i
    return other if rival > best or (rival == best and other < chosen) else chosen


def ucb(node: int, c: float, work: TreeRecord) -> float:
    """The mean of a node and c times its bonus."""
    return mean_of(node, work) + c * bonus_of(node, work)


def expand(game: Game, s: State, node: int, work: TreeRecord) -> bool:
    """Expansion: give the node its children, beginning with any of them; whether there are some and there was room."""
    if work.used >= work.node_room:
        return False
    n = game.fill(s, work.moves)
    if n > min(len(work.moves), MAX_CHILDREN):
        work.widest = n
        work.stopped = 1
        return False
    if n == 0:  # terminal, and another thread has not said so yet
        return False
    if work.used + n > work.node_room:
        work.node_room = work.used
        return False
    if node == 0 and work.forbidden_count > 0:
        n = without_forbidden(work.moves, n, work)
    by = game.to_move(s)
    if game.has_chance and by == CHANCE:
        by = game.players
    work.random = step(work.random)
    k = below(work.random, n)
    if game.has_order:
        if work.widening > 0.0 or work.priors > 0:
            sort(game, s, n, work)
            k = 0
    for i in range(n):
        put_node(work.used + i, by, work.moves[k], work)
        k = k + 1 if k + 1 < n else 0
    clear_more(work.used, n, work)
    if work.priors > 0:
        give_priors(n, work)
    if game.has_prior_value and len(work.trail) > 1 and work.prior > 0:
        expect(game, s, n, work)
    # another thread may have opened the node as well: whose word is last has its family kept. Its nodes are written by now
    publish(work.pool, NODE_WORDS * node + PACKED, u64(work.used) << 32 | u64(n) << 16 | packed_of(node, work) & 0xFFFF)
    work.used += n
    note(EXPAND, 0, node, n, float(game.to_move(s)), 0.0, work)
    return True


def back_up(game: Game, depth: int, work: TreeRecord) -> int:
    """Back-propagation: every node of the path counts the visit, and its mean moves towards what the simulation gave."""
    work.deepest = max(work.deepest, depth)
    for p in range(game.players):
        work.sums[work.path[1] - 1][p] += work.utility[p]
    for d in range(depth + 1):
        node = work.path[d]
        packed, visits = packed_of(node, work), visits_of(node, work) + 1
        add_to_mean(node, work.utility[chooser(packed)], visits, work)
        note(BACKUP, d, node, visits, mean_of(node, work), float(chooser(packed)), work)
        if status(packed) == PROVEN:
            set_visits_without_bonus(node, visits, work)
        else:
            set_visits(node, visits, work)
    return depth


def sort(game: Game, s: State, n: int, work: TreeRecord) -> int:
    """Bring the actions into the game's order, the most promising first; immediate wins before all, losses behind."""
    for i in range(n):
        a, worth = work.moves[i], game.order(s, work.moves[i])
        if game.has_immediate:
            claim = game.immediate(s, a)
            worth = claim << 20 if claim != 0 else worth
        k = i
        while k > 0 and work.orders[k - 1] < worth:
            work.moves[k] = work.moves[k - 1]
            work.orders[k] = work.orders[k - 1]
            k -= 1
        work.moves[k] = a
        work.orders[k] = worth
    return n


def give_priors(n: int, work: TreeRecord) -> int:
    """The newest n nodes, which are in the game's order, get 1, 1/2, 1/3 ... in proportion; equals the same, the first one's."""
    total, rank = 0.0, 0
    for i in range(n):
        if work.orders[i] != work.orders[rank]:
            rank = i
        total += 1.0 / (1 + rank)
    rank = 0
    for i in range(n):
        if work.orders[i] != work.orders[rank]:
            rank = i
        set_prior(work.used + i, 1.0 / (1 + rank) / total, work)
    return rank


def weigh(game: Game, certain: bool, work: TreeRecord) -> int:
    """Look at what a playout gave: how far utilities reach, and whether they are such that proofs hold."""
    work.playouts += 1
    for p in range(game.players):
        work.reach = max(work.reach, abs(work.utility[p]))
    if game.players == 2:
        if work.solver != 0 and certain and (abs(work.utility[0]) > work.win or work.utility[0] + work.utility[1] != 0.0):
            if len(work.proofs) > 1:  # not while others prove: they end first
                work.doubt = 1
                work.stopped = 1
            else:
                forget_proofs(work)
    return work.playouts


def note_choice(node: int, c: float, work: TreeRecord) -> int:
    """Note the terms of UCB1 of the child that was chosen."""
    if len(work.watch) == 1:
        return 0
    mean = mean_of(node, work)
    return note(PICK, 0, node, 0, mean, ucb(node, c, work) - mean, work)


def note_step(game: Game, s: State, node: int, depth: int, work: TreeRecord) -> int:
    """Note that the path goes on to this node, whose state is s."""
    if len(work.watch) == 1:
        return 0
    prior, mover = 0.0, 0
    if work.priors > 0:
        prior = prior_of(node, work)
    if not is_proven(game, s, work):
        mover = game.to_move(s)
    return note(GO, depth, node, action_of(node, work), prior, float(mover), work)


def note_simulation(game: Game, node: int, plies: int, depth: int, work: TreeRecord) -> int:
    """Note what a simulation gave each player."""
    if len(work.watch) == 1:
        return 0
    for p in range(game.players):
        note(VALUE, depth, p, 0, work.utility[p], 0.0, work)
    work.watch[3] += 1
    return note(SIMULATE, depth, node, plies, 0.0, 0.0, work)


only_notes(note_choice, note_step, note_simulation)

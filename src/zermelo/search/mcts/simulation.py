"""The steps of Monte Carlo tree search, as they run: selection, expansion, simulation, back-propagation.

A `work` record holds the settings and one path; the nodes are in a pool (`tree.py`). `searcher.py` says what the settings mean.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...bits import clz, i64, u64
from ...game import CHANCE, Game, State
from ...lower.memory import load, publish, store, to_real, to_word
from ...rng import below, step, unit
from .. import forbidden, montecarlo
from ..forbidden import lawful
from ..montecarlo import MANY, playout
from ..notes import BACKUP, EXPAND, GO, PICK, SIMULATE, UNWATCHED, VALUE, note
from ..records import Fields
from .rave import SLOTS, expect, prefer
from .rollout_policies import TRAIL, forget_learned, guided, learn
from .solver import conclude, forget_proofs, recall
from .tree import ABOUT, ACTION, BONUS, LOW, OPEN, PROVEN, WORDS, bonus_of, clear_more, put

DEEPEST = 1024  # plies of the tree; below them only playouts
STEPS = 6  # bits of a number after its first that SQRT_LOG tells apart: it is exact below 2^7, and within 0.2% above
SQRT_LOG = np.array([math.sqrt(math.log((1 + k % 64 / 64) * 2.0 ** (k // 64))) for k in range(32 << STEPS)])

#: what goes from one call of the algorithm to the next, beside the count of simulations and the random words
KEPT = ("room", "used", "sums", "reach", "solver", "playouts", "deepest")


def fields(game: Game, width: int, guides: bool, shares: bool) -> Fields:
    """The record of the search.

    Where nothing guides playouts there is no room for what they did, and where no threads share the tree none for their proofs: the
    code for it, behind a test of a length that the compiler knows, then vanishes.
    """
    return [
        *(f for f in montecarlo.fields(game, width) if f[0] not in ("first", "played")),
        ("pool", "i8", ()),
        ("base", "i8", ()),  # where this search's own nodes begin
        ("used", "i8", ()),  # and where they end
        ("room", "i8", ()),  # how far they may go; no more than `used` once some did not fit
        ("deep", "i8", ()),
        ("ripe", "i8", ()),  # visits of a leaf before it gets its children
        *forbidden.fields(width),
        ("depth", "i8", ()),  # of the path
        ("deepest", "i8", ()),
        ("path", "i8", (DEEPEST + 1,)),
        ("exploration", "f8", ()),
        ("reach", "f8", ()),  # the greatest utility seen, of either sign
        ("first", "f8", ()),  # the bonus of a new node
        ("urgency", "f8", ()),  # its mean
        ("widening", "f8", ()),
        ("worth", "i8", (width,)),
        ("turns", "i8", ()),  # whether the children of a node are tried one after another before any is tried again
        ("priors", "i8", ()),  # where in the pool these begin, 0 if there are none
        ("amaf", "i8", ()),
        ("proofs", "i8", (2 if shares else 1,)),  # first where they begin
        ("learned", "i8", ()),
        ("rave", "f8", ()),
        ("prior", "i8", ()),
        ("policy", "i8", ()),
        ("epsilon", "f8", ()),
        ("noted", "i8", ()),
        ("trail", "i8", (TRAIL if guides else 1,)),
        ("seen", "i8", (game.players * SLOTS if guides else 1,)),
        ("solver", "i8", ()),
        ("doubt", "i8", ()),
        ("win", "f8", ()),
        ("playouts", "i8", ()),
        UNWATCHED,
    ]


def search(game: Game, work: Any) -> int:
    """Simulations, until there are `limit` of them, the root is proven or somebody asks to stop."""
    start = game.unpack(work.start)
    begin(game, start, work)
    while work.simulations < work.limit and work.stopped == 0 and (work.stop == 0 or work.simulations == 0):
        simulate(game, start, work)
    return 0


def begin(game: Game, start: State, work: Any) -> int:
    """The root with its children, unless it has them from before."""
    about = u64(0)
    if work.used > 0:
        about = load(work.pool, ABOUT)
    if about >> 32 == 0:
        if len(work.trail) > 1 and work.used == 0:
            forget_learned(game, work)
        put(0, 0, 0, work)
        clear_more(0, 1, work)
        if work.priors > 0:
            store(work.pool, work.priors, to_word(1.0))
        work.used = max(work.used, 1)
        expand(game, start, 0, work)
        store(work.pool, BONUS, u64(1))  # the root counts as visited: a simulation begins with one of its children
    elif about & 0xFF == PROVEN and work.solver != 0:
        work.stopped = 1
    return work.used


def simulate(game: Game, start: State, work: Any) -> int:
    """One simulation: the four steps."""
    s = descend(game, start, work)
    depth = work.depth
    node = work.path[depth]
    about = load(work.pool, WORDS * node + ABOUT)
    ended = about & 0xFF == OPEN and game.is_terminal(s)
    if about & 0xFF == PROVEN:
        recall(node, about, work)
        if len(work.watch) > 1:
            tell(game, node, -1, depth, work)
    else:
        plies = playout(game, s, work) if len(work.trail) == 1 else guided(game, s, work)
        if plies < 0 or work.stopped != 0:
            return 0
        weigh(game, ended or plies < work.plies, work)
        if len(work.watch) > 1:
            tell(game, node, plies, depth, work)
    work.simulations += 1
    back_up(game, depth, work)
    if len(work.trail) > 1:
        learn(game, work)
    if ended:
        conclude(node, depth, work)
    return 1


def descend(game: Game, start: State, work: Any) -> State:
    """Down the tree to a leaf, which gets its children if it comes up again: its state, with the path and the depth in the record."""
    s = start
    node, depth = 0, 0
    about = load(work.pool, ABOUT)
    while depth < work.deep:  # a tree that was kept may be deeper
        if about >> 32 == 0:
            visits = load(work.pool, WORDS * node + BONUS) & LOW
            if about & 0xFF != OPEN or visits < u64(work.ripe) or not expand(game, s, node, work):
                break
            about = load(work.pool, WORDS * node + ABOUT)
        elif about & 0xFF >= PROVEN:  # or waiting
            break
        node = select(game, s, node, about, work)
        depth += 1
        work.path[depth] = node
        s = game.result(s, i64(load(work.pool, WORDS * node + ACTION)))
        if len(work.watch) > 1:
            went(game, s, node, depth, work)
        about = load(work.pool, WORDS * node + ABOUT)
    work.depth = depth
    return s


def select(game: Game, s: State, node: int, about: u64, work: Any) -> int:
    """Selection: the child of the best UCB1, one that was never visited before all others; where chance moves, one by its odds."""
    first, count = i64(about >> 32), i64(about >> 16 & 0xFFFF)
    if game.has_chance and game.to_move(s) == CHANCE:
        work.random = step(work.random)
        x = unit(work.random)
        for i in range(count - 1):
            x -= game.probability(s, i64(load(work.pool, WORDS * (first + i) + ACTION)))
            if x < 0.0:
                return first + i
        return first + count - 1
    visits = max(i64(load(work.pool, WORDS * node + BONUS) & LOW), 1)  # another thread may have taken back the only one
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
    if len(work.watch) > 1:
        mean = to_real(load(work.pool, WORDS * chosen))
        note(PICK, 0, chosen, 0, mean, ucb(chosen, c, work) - mean, work)
    return chosen


def step_of(visits: int) -> int:
    """The place in SQRT_LOG of so many visits: the exponent of the number and its first bits. The mask only says that it is in there."""
    shift = clz(u64(visits))
    return i64(u64(visits) << shift >> (63 - STEPS)) + ((62 - shift) << STEPS) & (32 << STEPS) - 1


def best_of(first: int, count: int, c: float, work: Any) -> int:
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


def ucb(node: int, c: float, work: Any) -> float:
    """The mean of a node and c times its bonus."""
    return to_real(load(work.pool, WORDS * node)) + c * to_real(load(work.pool, WORDS * node + BONUS))


def expand(game: Game, s: State, node: int, work: Any) -> bool:
    """Expansion: give the node its children, beginning with any of them; whether there are some and there was room."""
    if work.used >= work.room:
        return False
    n = game.fill(s, work.moves)
    if n > min(len(work.moves), MANY):
        work.widest = n
        work.stopped = 1
        return False
    if n == 0:  # terminal, and another thread has not said so yet
        return False
    if work.used + n > work.room:
        work.room = work.used
        return False
    if node == 0 and work.barred > 0:
        n = lawful(work.moves, n, work)
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
        put(work.used + i, by, work.moves[k], work)
        k = k + 1 if k + 1 < n else 0
    clear_more(work.used, n, work)
    if work.priors > 0:
        give_priors(n, work)
    if game.has_prior_value and len(work.trail) > 1 and work.prior > 0:
        expect(game, s, n, work)
    at = WORDS * node + ABOUT
    # another thread may have opened the node as well: whose word is last has its family kept. Its nodes are written by now
    publish(work.pool, at, u64(work.used) << 32 | u64(n) << 16 | load(work.pool, at) & 0xFFFF)
    work.used += n
    if len(work.watch) > 1:
        note(EXPAND, 0, node, n, float(game.to_move(s)), 0.0, work)
    return True


def back_up(game: Game, depth: int, work: Any) -> int:
    """Back-propagation: every node of the path counts the visit, and its mean moves towards what the simulation gave."""
    work.deepest = max(work.deepest, depth)
    for p in range(game.players):
        work.sums[work.path[1] - 1][p] += work.utility[p]
    for d in range(depth + 1):
        at = WORDS * work.path[d]
        about, mean = load(work.pool, at + ABOUT), to_real(load(work.pool, at))
        visits = (load(work.pool, at + BONUS) & LOW) + 1
        store(work.pool, at, to_word(mean + (work.utility[i64(about >> 8 & 0xFF)] - mean) / float(visits)))
        if len(work.watch) > 1:
            note(BACKUP, d, work.path[d], i64(visits), to_real(load(work.pool, at)), float(about >> 8 & 0xFF), work)
        if about & 0xFF == PROVEN:
            store(work.pool, at + BONUS, visits)
        else:
            store(work.pool, at + BONUS, bonus_of(work.path[d], visits, work))
    return depth


def sort(game: Game, s: State, n: int, work: Any) -> int:
    """Bring the actions into the game's order, the most promising first."""
    for i in range(n):
        a, worth = work.moves[i], game.order(s, work.moves[i])
        k = i
        while k > 0 and work.worth[k - 1] < worth:
            work.moves[k] = work.moves[k - 1]
            work.worth[k] = work.worth[k - 1]
            k -= 1
        work.moves[k] = a
        work.worth[k] = worth
    return n


def give_priors(n: int, work: Any) -> int:
    """The newest n nodes, which are in the game's order, get 1, 1/2, 1/3 ... in proportion; equals the same, the first one's."""
    total, rank = 0.0, 0
    for i in range(n):
        if work.worth[i] != work.worth[rank]:
            rank = i
        total += 1.0 / (1 + rank)
    rank = 0
    for i in range(n):
        if work.worth[i] != work.worth[rank]:
            rank = i
        prior = to_word(1.0 / (1 + rank) / total)
        store(work.pool, work.priors + work.used + i, prior)
        store(work.pool, WORDS * (work.used + i) + BONUS, prior & ~LOW)
    return rank


def weigh(game: Game, certain: bool, work: Any) -> int:
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


def went(game: Game, s: State, node: int, depth: int, work: Any) -> int:
    """Note that the path goes on to this node, whose state is s."""
    prior, mover = 0.0, 0
    if work.priors > 0:
        prior = to_real(load(work.pool, work.priors + node))
    if not game.is_terminal(s):
        mover = game.to_move(s)
    return note(GO, depth, node, i64(load(work.pool, WORDS * node + ACTION)), prior, float(mover), work)


def tell(game: Game, node: int, plies: int, depth: int, work: Any) -> int:
    """Note what a simulation gave each player."""
    for p in range(game.players):
        note(VALUE, depth, p, 0, work.utility[p], 0.0, work)
    work.watch[3] += 1
    return note(SIMULATE, depth, node, plies, 0.0, 0.0, work)

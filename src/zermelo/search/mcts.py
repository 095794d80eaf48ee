"""Monte Carlo tree search: a tree that grows where play looks best, its leaves judged by random games.

    MCTS(s): a simulation, again and again, is
        selection:         from the root to the child that UCB1 prefers, until a leaf
        expansion:         a leaf that comes up again gets its children
        simulation:        the game is played to its end at random
        back-propagation:  every node of the path counts the visit and what it gave
    return the action of the most visits

    UCB1(child) = mean + C * sqrt(log N / n)      n visits of the child, N of its parent; the mean is for the player who chose it

Any number of players, chance (its children are drawn by probability, not chosen), any payoffs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..lower.memory import load, store, to_real, to_word
from ..rng import below, step, unit
from . import montecarlo
from .montecarlo import check_seed, first_word, is_count, playout, progress, refuse_chance, room_for
from .playouts import LIMIT
from .pool import ABOUT, ACTION, BONUS, LOW, MOST, OPEN, PROVEN, UNVISITED, WORDS, Grown, Pool, bonus_of, put, result_of, side_by_side
from .proofs import conclude, forget_proofs, recall
from .searcher import Clock, Result, Searcher
from .work import Fields, Stop, prepare

LEAST = 2.0**-100  # the reach of utilities before any was seen: where all are 0, a bonus still decides
DEEPEST = 1024  # plies of the tree; below them only playouts
STEPS = 6  # bits of a number after its first that SQRT_LOG tells apart: it is exact below 2^7, and within 0.2% above
SQRT_LOG = np.array([math.sqrt(math.log((1 + k % 64 / 64) * 2.0 ** (k // 64))) for k in range(32 << STEPS)])


@dataclass(frozen=True, kw_only=True)
class MCTS(Searcher):
    """MCTS by UCB1 with uniform playouts, within a fixed memory.

    simulations: how many (10,000 if no other limit is given); in the Result a node is a simulation, and an evaluation a playout.
    depth: plies that the tree may reach; nodes: the same limit as simulations, under the name all searches know.
    exploration: C, in units of the greatest utility seen; sqrt(2) is UCB1.
    urgency: what an action that was never tried is taken to be worth; None: all are tried before any is tried again.
    puct: choose by mean + C * prior * sqrt(N) / (1 + n) instead; the priors fall with the rank in the game's `order`, and an action
        that was never tried is worth its urgency, 0 for None.
    widening: k where only the first k * sqrt(N) + 1 children of a node count, in the game's `order`; None: all.
    plies: actions of a playout, after which EVAL takes the place of UTILITY (0: no playouts); None: to the end of the game.
    solver: prove wins, draws and losses (two players, no chance, utilities of sum zero from -win to win; given up where a game
        turns out to have others). A proven loss is not tried again, and a proven root ends the search.
    memory: MiB of nodes; when they are full the tree stays as it is, and playouts go on from its leaves.
    threads: so many trees, each with its part of the simulations and the memory, whose visits are added up at the end (root
        parallel): the same seed still gives the same result.
    """

    simulations: int | None = None
    exploration: float = math.sqrt(2)
    urgency: float | None = None
    puct: bool = False
    widening: float | None = None
    plies: int | None = None
    solver: bool = True
    win: float = 1.0
    memory: int = 256
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.simulations is not None and not is_count(self.simulations, 1, MOST):
            raise ZermeloError(f"MCTS: expected simulations from 1 to {MOST:,}, not {self.simulations!r}")
        if not 0 <= self.exploration < math.inf:
            raise ZermeloError(f"MCTS: expected an exploration of at least 0, not {self.exploration!r}")
        if self.urgency is not None and not -math.inf < self.urgency < math.inf:
            raise ZermeloError(f"MCTS: expected a number as urgency, or None to try every action first, not {self.urgency!r}")
        if self.widening is not None and not 0 < self.widening < math.inf:
            raise ZermeloError(f"MCTS: expected a widening above 0, or None for none, not {self.widening!r}")
        if self.plies is not None and not is_count(self.plies, 0, LIMIT):
            raise ZermeloError(f"MCTS: expected plies from 0 to {LIMIT:,}, or None for whole games, not {self.plies!r}")
        if not 0 < self.win < math.inf:
            raise ZermeloError(f"MCTS: expected a win above 0, not {self.win!r}")
        if not is_count(self.memory, 1, 1 << 17):
            raise ZermeloError(f"MCTS: expected a memory of 1 to 131,072 MiB, not {self.memory!r}")
        if not is_count(self.threads, 1, 256):
            raise ZermeloError(f"MCTS: expected from 1 to 256 threads, not {self.threads!r}")
        check_seed("MCTS", self.seed)

    def deepen(self, game: Game, state: State | None = None, stop: Stop | None = None) -> Iterator[Result]:
        """Yield a Result each time the simulations have doubled, and each tenth of a second."""
        s, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        refuse_chance("MCTS", game, s)
        stop, clock, width = stop or Stop(), Clock(), room_for(game.count(s))
        pools = [
            Pool((self.memory << 20) // self.threads, WORDS + self.puct, self.interpreted) for _ in range(min(self.threads, self._limit()))
        ]
        if pools[0].most <= width:
            raise ZermeloError(f"MCTS: expected more memory than {self.memory} MiB for a state of {game.count(s):,} actions of {game.name}")
        prepare(game, search, fields(game, width), self.interpreted)  # once, before the threads need it
        with stop.after(self.seconds):
            for trees in side_by_side([self._grow(game, s, i, pool, width, stop, clock) for i, pool in enumerate(pools)]):
                yield result_of(game, s, trees, clock, self.win)

    def _grow(self, game: Game, s: State, number: int, pool: Pool, width: int, stop: Stop, clock: Clock) -> Iterator[Grown]:
        """One tree as it grows, with its share of the simulations."""
        limit = (self._limit() - number - 1) // self.threads + 1
        for work in progress(partial(self._start, game, s, number, pool, limit), KEPT, width, self.interpreted, limit, stop, clock):
            yield Grown(pool, work)

    def _limit(self) -> int:
        given = [n for n in (self.simulations, self.nodes) if n is not None]
        return min(given) if given else MOST if self.seconds is not None else 10_000

    def _start(self, game: Game, s: State, number: int, pool: Pool, limit: int, width: int) -> tuple[Any, dict[str, Any]]:
        run = prepare(game, search, fields(game, width), self.interpreted)
        pool.clear(limit, width)
        return run, {
            "start": game.layout.pack(s),
            "random": first_word(self.seed, number),
            "plies": LIMIT if self.plies is None else self.plies,
            "pool": pool.table,
            "room": pool.room,
            "deep": DEEPEST if self.depth is None else min(self.depth, DEEPEST),
            "exploration": self.exploration,
            "reach": LEAST,
            "priors": WORDS * pool.room if self.puct else 0,
            "first": UNVISITED if self.urgency is None else 0.0,
            "urgency": 0.0 if self.urgency is None else self.urgency,
            "widening": self.widening or 0.0,
            "turns": int(self.urgency is None and self.widening is None and not self.puct),
            "solver": int(self.solver and game.players == 2 and not game.has_chance),
            "win": self.win,
        }


KEPT = ("room", "used", "sums", "reach", "solver", "playouts", "deepest")


def fields(game: Game, width: int) -> Fields:
    """The record of the search."""
    return [
        *(f for f in montecarlo.fields(game, width) if f[0] not in ("first", "played")),
        ("pool", "i8", ()),
        ("room", "i8", ()),  # nodes that fit; no more than `used` once some did not
        ("used", "i8", ()),
        ("deep", "i8", ()),
        ("deepest", "i8", ()),
        ("exploration", "f8", ()),
        ("reach", "f8", ()),  # the greatest utility seen, of either sign
        ("first", "f8", ()),  # the bonus of a new node
        ("urgency", "f8", ()),  # its mean
        ("widening", "f8", ()),
        ("priors", "i8", ()),  # where in the pool they begin, 0 if there are none
        ("worth", "i8", (width,)),
        ("turns", "i8", ()),  # whether the children of a node are tried one after another before any is tried again
        ("solver", "i8", ()),
        ("win", "f8", ()),
        ("playouts", "i8", ()),
        ("path", "i8", (DEEPEST + 1,)),
    ]


# ---- the algorithm -----------------------------------------------------------------------------


def search(game: Game, work: Any) -> int:
    """Simulations, until there are `limit` of them, the root is proven or somebody asks to stop."""
    start = game.unpack(work.start)
    if work.used == 0:
        put(0, 0, 0, work)
        if work.priors > 0:
            store(work.pool, work.priors, to_word(1.0))
        work.used = 1
        expand(game, start, 0, work)
        store(work.pool, BONUS, u64(1))  # the root counts as visited: a simulation begins with one of its children
    while work.simulations < work.limit and work.stopped == 0 and (work.stop == 0 or work.simulations == 0):
        simulate(game, start, work)
    return 0


def simulate(game: Game, start: State, work: Any) -> int:
    """One simulation: the four steps."""
    s = start
    node, depth = 0, 0
    about = load(work.pool, ABOUT)
    while True:
        if about >> 32 == 0:
            visits = load(work.pool, WORDS * node + BONUS) & LOW
            if about & 0xFF != OPEN or visits == 0 or depth >= work.deep or not expand(game, s, node, work):
                break
            about = load(work.pool, WORDS * node + ABOUT)
        elif about & 0xFF == PROVEN:
            break
        node = select(game, s, node, about, work)
        depth += 1
        work.path[depth] = node
        s = game.result(s, i64(load(work.pool, WORDS * node + ACTION)))
        about = load(work.pool, WORDS * node + ABOUT)
    ended = about & 0xFF == OPEN and game.is_terminal(s)
    if about & 0xFF == PROVEN:
        recall(node, about, work)
    else:
        plies = playout(game, s, work)
        if plies < 0 or work.stopped != 0:
            return 0
        weigh(game, ended or plies < work.plies, work)
    work.simulations += 1
    work.deepest = max(work.deepest, depth)
    back_up(game, depth, work)
    if ended:
        conclude(node, depth, work)
    return depth


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
    visits = i64(load(work.pool, WORDS * node + BONUS) & LOW)
    if work.turns != 0:
        if visits <= count:
            return first + visits - 1
    elif work.widening > 0.0:
        count = min(count, 1 + int(work.widening * math.sqrt(visits)))
    c = work.exploration * work.reach
    if work.priors > 0:
        c *= math.sqrt(float(visits))
    else:
        c *= SQRT_LOG[i64(to_word(float(visits)) >> (52 - STEPS)) - (1023 << STEPS)]
    at = WORDS * first
    best, chosen = to_real(load(work.pool, at)) + c * to_real(load(work.pool, at + BONUS)), first
    for i in range(1, count):
        at += WORDS
        v = to_real(load(work.pool, at)) + c * to_real(load(work.pool, at + BONUS))
        if v > best:
            best = v
            chosen = first + i
    return chosen


def expand(game: Game, s: State, node: int, work: Any) -> bool:
    """Expansion: give the node its children, beginning with any of them; whether there was room."""
    if work.used >= work.room:
        return False
    n = game.fill(s, work.moves)
    if n > len(work.moves):
        work.widest = n
        work.stopped = 1
        return False
    if work.used + n > work.room:
        work.room = work.used
        return False
    by = max(game.to_move(s), 0)
    work.random = step(work.random)
    k = below(work.random, n)
    if game.has_order:
        if work.widening > 0.0 or work.priors > 0:
            sort(game, s, n, work)
            k = 0
    for i in range(n):
        put(work.used + i, by, work.moves[k], work)
        k = k + 1 if k + 1 < n else 0
    if work.priors > 0:
        give_priors(n, work)
    at = WORDS * node + ABOUT
    store(work.pool, at, u64(work.used) << 32 | u64(n) << 16 | load(work.pool, at))
    work.used += n
    return True


def back_up(game: Game, depth: int, work: Any) -> int:
    """Back-propagation: every node of the path counts the visit, and its mean moves towards what the simulation gave."""
    for p in range(game.players):
        work.sums[work.path[1] - 1][p] += work.utility[p]
    for d in range(depth + 1):
        at = WORDS * work.path[d]
        about, mean = load(work.pool, at + ABOUT), to_real(load(work.pool, at))
        visits = (load(work.pool, at + BONUS) & LOW) + 1
        store(work.pool, at, to_word(mean + (work.utility[i64(about >> 8 & 0xFF)] - mean) / float(visits)))
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
            forget_proofs(work)
    return work.playouts

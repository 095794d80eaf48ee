"""Information-set Monte Carlo tree search: one tree over what players know, and a new world in each simulation.

    ISMCTS(s):
        repeat
            w = a state that the player to move in s cannot tell from s
            until w is terminal, or an action was taken for the first time:
                i = the information set of w
                count each action of w as available in i
                a = one that was never taken in i, or the one of the greatest
                    mean(i, a) + c sqrt(ln available(i, a) / taken(i, a))
                w = RESULT(w, a);  chance moves as it may
            play w to its end at random
            for each action that was taken in a set: count it, and add the utility of who took it
        return the action that was taken most

With several observers an information set is what the player to move observes: each player has a tree of its own. With one, it is what
the player at the root observes, for everybody. Cowling, Powley and Whitehouse, Information set Monte Carlo tree search, IEEE
Transactions on Computational Intelligence and AI in Games 4 (2012).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

from ..bits import i64, u64
from ..game import CHANCE, Game, State
from ..history import History
from ..lower.memory import Words, load, store, to_real, to_word
from ..rng import below, mix, step
from ..settings import OneOf, Range
from ..system.limits import MAX_COUNT
from .endgames.probe import first_slot
from .montecarlo import Simulating, first_word, playout, progress, refuse_chance
from .prepare import observed_words, prepare, width_of
from .random_games import LIMIT, choose
from .records import PLAYERS, SEEN, WIDTH, room
from .searcher import SEED, Result, Searcher, Stopwatch
from .stop import Stop

LONGEST_PATH = 256  # actions of a simulation that are remembered
#: words of an entry: the hash of an action in an information set, how often it was available and taken, the sum of utilities
ENTRY, AVAILABLE, TAKEN, TOTAL = 4, 1, 2, 3
MIB = 1 << 15  # entries in a mebibyte
FULLEST = 0.75  # share of the entries that may be used


@dataclass(frozen=True, kw_only=True)
class ISMCTS(Searcher):
    """Information-set Monte Carlo tree search, for any number of players.

    simulations: after which it ends; exploration: c above, in units of the range of utilities; observers: all players have a tree, or
    one, who is to move, has the only one; memory: MiB of the tree, which stops growing when it is full. depth: a playout is given up
    after so many plies, and EVAL takes the place of UTILITY. In the Result a node is a simulation, and `policy` the share of each action.
    """

    simulations: Annotated[int, Range(1, MAX_COUNT)] = 10_000
    exploration: Annotated[float, Range(0, 1000)] = 0.7
    observers: Annotated[str, OneOf(("all", "one"))] = "all"
    memory: Annotated[int, Range(1, 1 << 16)] = 64
    seed: Annotated[int, SEED] = 0
    imagines: ClassVar[bool] = True

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result each time the simulations have doubled, and each tenth of a second."""
        s, _, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        refuse_chance("ISMCTS", game, s)
        stop, watch = stop or Stop(), Stopwatch()
        limit = self.simulations if self.nodes is None else min(self.nodes, self.simulations)
        entries = 1 << (self.memory * MIB).bit_length() - 1
        tree: list[Words] = []  # must live as long as the search
        start = partial(self._start, game, s, entries, tree)
        carried = ("used", "low", "high", "totals")
        with stop.after(self.seconds):
            for work in progress(start, carried, width_of(game, game.count(s)), self.interpreted, limit, stop, watch):
                yield self._result(game, s, work, watch)

    def _start(self, game: Game, s: State, entries: int, tree: list[Words], width: int) -> tuple[Callable[..., Trees], dict[str, Any]]:
        tree[:] = [Words(ENTRY * entries, self.interpreted)]
        return prepare(game, search_worlds, Trees, self.interpreted, width=width, seen=observed_words(game)), {
            "start": s if self.interpreted else game.layout.pack(s),
            "random": first_word(self.seed, 0),
            "plies": LIMIT if self.depth is None else self.depth,
            "table": tree[0].table,
            "entries": entries,
            "exploration": self.exploration,
            "observer": game.to_move(s) if self.observers == "one" else -1,
        }

    def _result(self, game: Game, s: State, work: Trees, watch: Stopwatch) -> Result:
        actions, me, games = list(game.actions(s)), game.to_move(s), int(work.simulations)
        taken = {a: int(work.taken[i]) for i, a in enumerate(actions)}
        scores = {a: float(work.means[i]) for i, a in enumerate(actions) if taken[a]}
        whole = max(1, sum(taken.values()))
        action = max(taken, key=lambda a: (taken[a], scores.get(a, -math.inf)))
        values = tuple(float(x) / max(1, games) for x in work.totals[: game.players])
        policy = {a: n / whole for a, n in taken.items()}
        return Result(action, values[me], values, (action,), 1, games, games, watch.seconds, scores, False, policy=policy)


class Trees(Simulating):
    """The record of information-set MCTS."""

    seen: list[u64] = room(SEEN)
    table: int  # entries
    entries: int  # room for them, a power of two
    used: int
    exploration: float
    observer: int  # whose observations tell sets apart, -1 for the player to move
    low: float  # the least and the greatest utility so far
    high: float
    totals: list[float] = room(PLAYERS)  # of the utilities
    slots: list[int] = room(WIDTH)  # of the actions of the state that is looked at
    path: list[int] = room(LONGEST_PATH)  # entries of the actions that were taken
    movers: list[int] = room(LONGEST_PATH)
    is_first: int  # whether the action chosen last was never taken before
    taken: list[int] = room(WIDTH)  # of the actions of the root
    means: list[float] = room(WIDTH)


# ---- the algorithm -------------------------------------------------------------------------------


def search_worlds(game: Game, work: Trees) -> int:
    """Simulate until `limit` simulations are done, then write down what is known of the actions of the root."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    while work.simulations < work.limit and (work.stop == 0 or work.simulations == 0):
        work.random = step(work.random)
        if simulate(game, game.resample(s, me, mix(work.random)), work) < 0:
            return 0
        work.simulations += 1
    n = find_entries(game, s, game.fill(s, work.moves), work)
    for i in range(n):
        work.taken[i] = count_of(work.slots[i], TAKEN, work)
        work.means[i] = mean_of(work.slots[i], work)
    return n


def simulate(game: Game, s: State, work: Trees) -> int:
    """One simulation from s; how many actions it chose by the tree, or -1 if it was not finished."""
    n, is_inside, before = 0, True, 0
    while is_inside and not game.is_terminal(s) and n < len(work.path):
        count, p = game.fill(s, work.moves), game.to_move(s)
        if count > len(work.moves):
            work.widest = count
            work.stopped = 1
            return -1
        if p == CHANCE:
            work.random = step(work.random)
            s, before = game.result(s, choose(game, s, work.random, work.moves, count)), p
            continue
        if find_entries(game, s, count, work) < 0:
            break  # the tree is full
        k = choose_action(count, work)
        work.path[n], work.movers[n] = work.slots[k], p
        n += 1
        is_inside = work.is_first == 0
        s, before = game.result(s, work.moves[k]), p
    if playout(game, s, before, work) < 0:
        return -1
    back_up(game, n, work)
    return n


def find_entries(game: Game, s: State, count: int, work: Trees) -> int:
    """Find the entries of the actions of s in its information set, which are listed; how many, or -1 if there is no room for new ones."""
    if work.used + count > work.entries * FULLEST:
        return -1
    p = game.to_move(s)
    words = game.pack_observation(s, p if work.observer < 0 else work.observer, work.seen)
    base = mix(u64(p + 1))
    for k in range(words):
        base = mix(base ^ work.seen[k])
    for i in range(count):
        key = mix(base ^ u64(work.moves[i])) | u64(1)
        at = first_slot(key, work.entries)
        while load(work.table, ENTRY * at) != key and load(work.table, ENTRY * at) != 0:
            at = (at + 1) & (work.entries - 1)
        if load(work.table, ENTRY * at) == 0:
            store(work.table, ENTRY * at, key)
            work.used += 1
        work.slots[i] = at
    return count


def choose_action(count: int, work: Trees) -> int:
    """Which of the actions to take: one that was never taken, if there are such, or the one of the best bound; counts all as available."""
    fresh, best, chosen, span = 0, -math.inf, 0, work.high - work.low
    for i in range(count):
        at = work.slots[i]
        store(work.table, ENTRY * at + AVAILABLE, load(work.table, ENTRY * at + AVAILABLE) + u64(1))
        fresh += 1 if count_of(at, TAKEN, work) == 0 else 0
    work.is_first = 1 if fresh > 0 else 0
    if fresh > 0:
        work.random = step(work.random)
        left = below(work.random, fresh)
        for i in range(count):
            if count_of(work.slots[i], TAKEN, work) == 0:
                if left == 0:
                    chosen = i
                left -= 1
        return chosen
    for i in range(count):
        at = work.slots[i]
        width = math.sqrt(math.log(float(count_of(at, AVAILABLE, work))) / count_of(at, TAKEN, work))
        bound = mean_of(at, work) + work.exploration * span * width
        if bound > best:
            best, chosen = bound, i
    return chosen


def back_up(game: Game, n: int, work: Trees) -> int:
    """Add what the game gave to all that was chosen; how much that is."""
    for p in range(game.players):
        work.totals[p] += work.utility[p]
        work.low, work.high = min(work.low, work.utility[p]), max(work.high, work.utility[p])
    for k in range(n):
        at, gain = work.path[k], work.utility[work.movers[k]]
        store(work.table, ENTRY * at + TAKEN, load(work.table, ENTRY * at + TAKEN) + u64(1))
        store(work.table, ENTRY * at + TOTAL, to_word(to_real(load(work.table, ENTRY * at + TOTAL)) + gain))
    return n


def count_of(at: int, which: int, work: Trees) -> int:
    """How often an action was available or taken."""
    return i64(load(work.table, ENTRY * at + which))


def mean_of(at: int, work: Trees) -> float:
    """What an action gave on average, 0 if it was never taken."""
    n = count_of(at, TAKEN, work)
    return to_real(load(work.table, ENTRY * at + TOTAL)) / n if n > 0 else 0.0

"""Exact values with the plies to the end, of many states at once: the question of a null window, asked again and again.

    SOLVE(s): low, high = all that s can be worth
        while low < high:
            ask TEST(s, a value between them): is there a quick win, a quick loss, a slower win, ...
            raise low to the answer, or lower high to it
    TEST(s, alpha): whether s is worth more than alpha: negamax with the window (alpha, alpha + 1), fail-soft

A value and its distance are one number, the rank, seen by the player to move: TOP - plies for a win, plies - TOP for a loss, 0
for a draw. A question about quick wins never looks deeper than they would take, so it is cheap, and leaves in the table what
the next one needs. Nothing is searched where an action wins at once, nor after an action that a reply beats at once: the
game tells them (`Game.immediate`), or each child is looked at for a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bits import i64, u64
from ...errors import ZermeloError
from ...game import Game, State
from ...lower.memory import Words, load, store
from ..depth_first import FIRST_PLIES, Limited, Lists, actions
from ..evaluation import is_proven, proven_value
from ..move_ordering import SLOTS, slot
from ..prepare import prepare, width_of, with_room
from ..records import PLIES, WIDTH, WORDS, room
from ..searcher import Stopwatch
from ..stop import Stop

TOP = 1 << 14  # the rank of a game that is won: more than any game has plies
FIRST_REACH = 4  # plies in which a win or a loss is looked for first
ENTRY = 2  # words of the table: the key, then the upper and the lower bound


@dataclass(frozen=True)
class Solved:
    """What the states are worth to their movers: 1, 0 or -1, and the plies to the end that both sides' best play takes.

    A draw has 0 plies: nobody is in a hurry. Of a game with scores the values are the scores, and all plies 0. If it was stopped, there
    are only so many of them as were solved.
    """

    values: np.ndarray
    plies: np.ndarray
    nodes: int
    seconds: float


class Ranks:
    """Solves states of one game, with a table that is kept from one call to the next."""

    def __init__(self, game: Game, table: int, nodes: int | None, seconds: float | None, interpreted: bool, stop: Stop | None = None):
        self.game, self.limit, self.seconds, self.interpreted = game, nodes, seconds, interpreted
        self.stop, self.nodes, self.watch = stop or Stop(), 0, Stopwatch()
        bits = max(1, (table << 20).bit_length() - 1 - 4)  # an entry has 2^4 bytes
        self.shift, self._memory = 64 - bits, Words(ENTRY << bits, interpreted)

    def ranks(self, packed: np.ndarray, low: int = -TOP, high: int = TOP) -> np.ndarray:
        """The ranks of states, rows of words; of one that lies outside the bounds given, a bound. Fewer if it was stopped."""
        words, found = self.game.layout.words, np.zeros(len(packed), np.uint64)

        def attempt(plies: int, width: int) -> Solver:
            run = prepare(self.game, solve, Solver, self.interpreted, plies=plies, width=width, words=words)
            if self.nodes == 0:
                self.watch = Stopwatch()  # compiling is not searching
            with self.stop.after(None if self.seconds is None else max(0.0, self.seconds - self.watch.seconds)):
                return run(
                    self.stop,
                    count=len(packed),
                    limit=0 if self.limit is None else max(1, self.limit - self.nodes),
                    states=packed.ravel().tolist() if self.interpreted else packed.ctypes.data,
                    answers=found if self.interpreted else found.ctypes.data,
                    table=self._memory.table,
                    shift=self.shift,
                    low=low,
                    high=high,
                )

        endless = f"solve: expected a game that ends, and {self.game.name} may have no end"
        work = with_room(attempt, FIRST_PLIES, width_of(self.game), endless, TOP // 4)
        self.nodes += int(work.nodes)
        return found[: int(work.solved)].astype(np.int64)


def solve_all(ranks: Ranks, states: Sequence[State] | np.ndarray) -> Solved:
    """Solve states, given as they are or as rows of the words that `game.layout.pack` makes of them."""
    found = ranks.ranks(rows_of(ranks.game, states))
    return Solved(np.sign(found), np.where(found == 0, 0, TOP - abs(found)), ranks.nodes, ranks.watch.seconds)


def rows_of(game: Game, states: Sequence[State] | np.ndarray) -> np.ndarray:
    """States as rows of words."""
    words = game.layout.words
    given = states if isinstance(states, np.ndarray) else np.array([game.layout.pack(s) for s in states], np.uint64)
    if given.dtype != np.uint64 or given.size != len(given) * words:
        raise ZermeloError(
            f"solve: expected states of {game.name}, or rows of {words} words of type uint64, as game.layout.pack makes them"
        )
    return np.ascontiguousarray(given)


class Solver(Limited, Lists):
    """The record of the solver."""

    start: list[u64] = room(WORDS)
    states: int  # all of them, packed one after another
    answers: int  # their ranks as words
    count: int
    solved: int
    table: int
    shift: int  # of a key to its place in the table
    low: int  # bounds of the ranks that are asked for
    high: int
    ranks: list[list[int]] = room(PLIES, WIDTH)
    history: list[list[int]] = room(2, SLOTS)


def solve(game: Game, work: Solver) -> int:
    """Write the rank of each state, as far as nobody asks to stop."""
    words = len(work.start)
    while work.solved < work.count:
        for k in range(words):
            work.start[k] = load(work.states, work.solved * words + k)
        v = rank(game, game.unpack(work.start), work)
        if work.stopped != 0:
            return 0
        store(work.answers, work.solved, u64(v))  # a word, for it has a sign
        work.solved += 1
    return 0


def rank(game: Game, s: State, work: Solver) -> int:
    """The rank of s. Once it is known to be a win or a loss, the plies are found by halving."""
    low, high = work.low, work.high
    reach = FIRST_REACH
    while low < high and work.stopped == 0:
        middle = low + (high - low) // 2
        if low <= 0 <= high and high - low > 1:
            if high > TOP - reach:
                middle = max(low, TOP - reach - 1)
            elif low < reach - TOP:
                middle = reach - TOP
            else:  # neither within reach: look twice as far, or to the end if no game went so far
                reach = min(2 * reach, TOP - 1) if work.deepest >= reach else TOP - 1
                continue
        v = test(game, s, middle, 0, work)
        if v > middle:
            low = v
        else:
            high = v
    return low


def test(game: Game, s: State, alpha: int, ply: int, work: Solver) -> int:
    """Whether s is worth more than alpha to its mover: a lower bound above alpha, or an upper bound that is not."""
    work.nodes += 1
    if ply >= len(work.moves) or must_stop(work):
        work.deepest = max(work.deepest, ply)
        work.stopped = 1
        return 0
    p = game.to_move(s)
    n = live(game, s, p, actions(game, s, ply, work), ply, work)
    if n == WON:
        return TOP - 1
    if n == LOST:
        return 2 - TOP
    if n == 0:
        u = proven_value(game, s, p, work)
        return TOP if u > 0.0 else -TOP if u < 0.0 else 0
    best, most = -TOP, TOP - 2
    if game.has_immediate:  # no win at once, and not lost to every reply: turns alternate, so the next win takes 3 plies, a loss 4
        best, most = 4 - TOP, TOP - 3
    if most <= alpha:
        return most
    if best > alpha:
        return best

    key = game.key(s)
    at = i64(key >> work.shift) * ENTRY
    known = load(work.table, at + 1)
    if known != 0 and load(work.table, at) == key:
        least, most = i64(known & 0xFFFF) - TOP, i64(known >> 16) - TOP
        if least > alpha:
            return least
        if most <= alpha:
            return most

    best = -TOP
    for i in range(n):
        t = game.result(s, work.moves[ply][i])
        if game.to_move(t) == p:
            v = older(test(game, t, younger(alpha + 1) - 1, ply + 1, work))
        else:
            v = older(-test(game, t, -younger(alpha + 1), ply + 1, work))
        if work.stopped != 0:
            return 0
        if v > best:
            best = v
            if v > alpha:
                work.history[p][slot(work.moves[ply][i])] += 1
                break
    work.deepest = max(work.deepest, ply)
    store(work.table, at, key)
    store(work.table, at + 1, u64(2 * TOP) << 16 | u64(best + TOP) if best > alpha else u64(best + TOP) << 16)
    return best


WON, LOST = -1, -2


def live(game: Game, s: State, p: int, n: int, ply: int, work: Solver) -> int:
    """Leave of the n actions those that are not beaten at once, the most promising first; how many, or that s is WON or LOST."""
    many = 0
    for i in range(n):
        a = work.moves[ply][i]
        promise = 0
        if game.has_immediate:
            claim = game.immediate(s, a)
            if claim > 0:
                return WON
            if claim < 0:
                continue
        else:
            t = game.result(s, a)
            if is_proven(game, t, work) and proven_value(game, t, p, work) > 0.0:
                return WON
        if game.has_order:
            promise = game.order(s, a)
        else:
            promise = work.history[p][slot(a)]
        k = many
        while k > 0 and work.ranks[ply][k - 1] < promise:
            work.ranks[ply][k] = work.ranks[ply][k - 1]
            work.moves[ply][k] = work.moves[ply][k - 1]
            k -= 1
        work.ranks[ply][k] = promise
        work.moves[ply][k] = a
        many += 1
    return LOST if many == 0 and n > 0 else many


def must_stop(work: Solver) -> bool:
    """Whether the nodes are spent or somebody asked to stop."""
    return work.nodes & 255 == 0 and (work.stop != 0 or (work.limit > 0 and work.nodes > work.limit))


def older(v: int) -> int:
    """A rank as it is seen a ply before."""
    return v - 1 if v > 0 else v + 1 if v < 0 else 0


def younger(v: int) -> int:
    """The rank after a ply that is worth v before it."""
    return v + 1 if v > 0 else v - 1 if v < 0 else 0

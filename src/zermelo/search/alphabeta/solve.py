"""Exact values with the plies to the end, of many states at once: the question of a null window, asked again and again.

    SOLVE(s): least, most = all that s can be worth
        while least < most:
            ask TEST(s, a value between them): is there a quick win, a quick loss, a slower win, ...
            raise least to the answer, or lower most to it
    TEST(s, alpha): whether s is worth more than alpha: negamax with the window (alpha, alpha + 1), fail-soft
        each state of the line is entered, asks its actions one by one, and hands its value to the one before

A value and its distance are one number, the rank, seen by the player to move: TOP - plies for a win, plies - TOP for a loss, 0
for a draw. A question about quick wins never looks deeper than they would take, so it is cheap, and leaves in the table what
the next one needs. Nothing is searched where an action wins at once, nor after an action that a reply beats at once: the
game tells them (`Game.immediate`), or each child is looked at for a win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...bits import i64, u64
from ...errors import ZermeloError
from ...game import Game, State
from ...lower.lanes import any_beside
from ...lower.memory import Words, load, store, take
from ..depth_first import FIRST_PLIES, Limited
from ..evaluation import is_proven
from ..move_ordering import SLOTS, slot
from ..prepare import prepare, width_of, with_room
from ..records import WIDTH, WORDS, Grows, Size, room
from ..searcher import Stopwatch
from ..stop import Stop
from ..zero_sum import Opposing, gains_of, opposed_value, refuse_ends

TOP = 1 << 14  # the rank of a game that is won: more than any game has plies
HISTORY = Size("history")  # SLOTS, but 1 in a game that orders its actions itself
AT_ONCE = 1000  # states between two reports
FIRST_REACH = 4  # plies in which a win or a loss is looked for first
OPEN = 2 * TOP  # no rank: that of a state whose actions must be looked at
#: an entry of the table is a word, which no other thread can tear: 48 bits of the key, the rest of which is the place, and a rank, of
#: which one bit tells whether it is a lower bound. No rank that is stored has the code 0
BOUND, CODE, KEY = 16, 0xFFFF, (1 << 48) - 1


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
        bits = max(16, (table << 20).bit_length() - 1 - 3)  # an entry has 2^3 bytes, and its place 16 bits of the key or more
        self.shift, self._memory = 64 - bits, Words(1 << bits, interpreted)

    def ranks(self, packed: np.ndarray, low: int = -TOP, high: int = TOP) -> np.ndarray:
        """The ranks of states, rows of words; of one that lies outside the bounds given, a bound. Fewer if it was stopped."""
        found = np.zeros(len(packed), np.uint64)

        def attempt(plies: int, width: int) -> Solver:
            frames = Words(plies * frame_words(self.game.layout.words, width), self.interpreted, is_cleared=False)
            queue = Words(1, self.interpreted)
            run = prepare(self.game, solve, Solver, self.interpreted, **sizes_of(self.game, width))
            if self.nodes == 0:
                self.watch = Stopwatch()  # compiling is not searching
            with self.stop.after(None if self.seconds is None else max(0.0, self.seconds - self.watch.seconds)):
                return run(
                    self.stop,
                    count=len(packed),
                    limit=0 if self.limit is None else max(1, self.limit - self.nodes),
                    states=packed.ravel().tolist() if self.interpreted else packed.ctypes.data,
                    answers=found if self.interpreted else found.ctypes.data,
                    queue=queue.table,
                    table=self._memory.table,
                    frames=frames.table,
                    plies=plies,
                    shift=self.shift,
                    low=low,
                    high=high,
                )

        endless = f"solve: expected a game that ends, and {self.game.name} may have no end"
        work = with_room(attempt, FIRST_PLIES, width_of(self.game), endless, TOP // 4)
        self.nodes += int(work.nodes)
        refuse_ends("solve", self.game, work)
        return ranks_of(found[: min(int(work.at), len(packed))])

    def solved(self, packed: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Solve states some at a time: their places among the rows, and their ranks."""
        for at in range(0, len(packed), AT_ONCE):
            found = self.ranks(packed[at : at + AT_ONCE])
            yield np.arange(at, at + len(found)), found


def ranks_of(answers: np.ndarray) -> np.ndarray:
    """The ranks that answers of the solver mean."""
    return answers.astype(np.int64) - 2 * TOP


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


def sizes_of(game: Game, width: int) -> dict[str, int]:
    """The sizes of the solver's record."""
    return {"width": width, "words": game.layout.words, "history": 1 if game.has_order else SLOTS, "gains": gains_of(game)}


class Solver(Limited, Grows, Opposing):
    """The record of the solver.

    What is known of the states of a line stands in memory, a frame for each ply: a GPU has no recursion, and threads that are at different
    plies read a frame at once, but a local array word by word.
    """

    packed: list[u64] = room(WORDS)
    states: int  # all of them, packed one after another
    answers: int  # their ranks, more by 2 * TOP; 0 of one that is not solved
    count: int
    queue: int  # a word: how many of them are taken
    at: int  # the one that is being solved
    table: int
    shift: int  # of a key to its place in the table
    low: int  # bounds of the ranks that are asked for
    high: int
    least: int  # bounds of the rank of the state that is being solved
    most: int
    reach: int  # plies in which its win or loss is looked for
    frames: int
    plies: int  # how many frames there are
    is_begun: int  # whether it goes on where it was stopped: about to enter this state, at this ply, ...
    entered: list[u64] = room(WORDS)
    ply: int
    alpha: int
    asked: int
    moves: list[int] = room(WIDTH)  # of the state that is entered, the most promising first
    promises: list[int] = room(WIDTH)
    history: list[list[int]] = room(2, HISTORY)


def solve(game: Game, work: Solver) -> int:
    """Write the rank of each state that nobody else takes, as far as nobody asks to stop, and go on from there when called again.

    On a GPU neighbours enter their states in step.
    """
    if work.is_begun == 0:
        work.is_begun = 1
        take_state(game, work)
    s, ply, alpha, asked, is_busy = game.unpack(work.entered), work.ply, work.alpha, work.asked, work.at < work.count
    while any_beside(is_busy):
        if is_busy:
            v = enter(game, s, alpha, ply, work)
            while v != OPEN and ply > 0 and work.stopped == 0:
                ply -= 1
                v = step_up(game, v, ply, work)
            if work.stopped != 0:
                game.pack(s, work.entered)
                work.ply, work.alpha, work.asked = ply, alpha, asked
                is_busy = False
            elif v == OPEN:
                s = step_down(game, ply, work)
                ply += 1
                alpha = younger_alpha(ply, work)
            else:
                answer(game, v, asked, work)
                s, alpha, asked, is_busy = game.unpack(work.entered), work.alpha, work.asked, work.at < work.count
    return 0


def answer(game: Game, v: int, asked: int, work: Solver) -> int:
    """The question about the state that is being solved has the answer v: write down its rank if it is known, and ask on; its number."""
    if v > asked:
        work.least = v
    else:
        work.most = v
    if work.least < work.most:
        return ask(game, work)
    store(work.answers, work.at, u64(work.least + 2 * TOP))
    return take_state(game, work)


def take_state(game: Game, work: Solver) -> int:
    """Take the next state, of which nothing is known; its number."""
    work.at = i64(take(work.queue, 0))
    work.least, work.most, work.reach = work.low, work.high, FIRST_REACH
    return ask(game, work) if work.at < work.count else work.at


def ask(game: Game, work: Solver) -> int:
    """Enter the state that is being solved with the next question about it; its number."""
    for k in range(len(work.entered)):
        work.entered[k] = load(work.states, work.at * len(work.entered) + k)
    work.ply, work.asked = 0, question(work)
    work.alpha = work.asked
    return work.at


def state_in(game: Game, memory: int, at: int, work: Solver) -> State:
    """The state whose words stand from this place on."""
    for k in range(len(work.packed)):
        work.packed[k] = load(memory, at + k)
    return game.unpack(work.packed)


def question(work: Solver) -> int:
    """The alpha to ask next: about quick wins and losses first; once it is known to be a win or a loss, the plies are found by halving."""
    least, most = work.least, work.most
    while least <= 0 <= most and most - least > 1:
        if most > TOP - work.reach:
            return max(least, TOP - work.reach - 1)
        if least < work.reach - TOP:
            return work.reach - TOP
        if work.reach == TOP - 1:
            break
        # neither within reach: look twice as far, or to the end if no game went so far
        work.reach = min(2 * work.reach, TOP - 1) if work.deepest >= work.reach else TOP - 1
    return least + (most - least) // 2


def enter(game: Game, s: State, alpha: int, ply: int, work: Solver) -> int:
    """The value of s if it can be told at once; else OPEN, and a frame for `step_down`."""
    work.nodes += 1
    if ply >= work.plies or must_stop(work):
        work.deepest = max(work.deepest, ply)
        work.stopped = 1
        return 0
    p = game.to_move(s)
    n = live(game, s, p, listed(game, s, work), work)
    if n == WON:
        return TOP - 1
    if n == LOST:
        return 2 - TOP
    if n == 0:
        u = opposed_value(game, s, p, work)
        return TOP if u > 0.0 else -TOP if u < 0.0 else 0
    least, most = -TOP, TOP - 2
    if game.has_immediate:  # no win at once, and not lost to every reply: turns alternate, so the next win takes 3 plies, a loss 4
        least, most = 4 - TOP, TOP - 3
    if most <= alpha:
        return most
    if least > alpha:
        return least

    key = game.key(s)
    known = load(work.table, i64(key >> work.shift))
    if known >> BOUND == key & KEY and known & CODE != 0:
        v = (i64(known & CODE) >> 1) - TOP
        if (v > alpha) == (known & 1 != 0):
            return v
    write_frame(game, s, alpha, n, ply, work)
    return OPEN


def listed(game: Game, s: State, work: Solver) -> int:
    """Write down the actions of s; how many there are. If they do not fit, the search ends: `widest` says so."""
    n = game.fill(s, work.moves)
    work.widest = max(work.widest, n)
    if n > len(work.moves):
        work.stopped = 1
    return min(n, len(work.moves))


#: what a frame has: alpha and the best value so far, both more by TOP, how many actions, how many of them were tried, whether the turn does
#: not pass by the last one; then the words of the state, then the actions
ALPHA, BEST, COUNT, TRIED, SAME, STATE = range(6)


def frame_words(words: int, width: int) -> int:
    """The words of a frame."""
    return STATE + words + width


def frame(ply: int, work: Solver) -> int:
    """Where the frame of this ply begins."""
    return ply * frame_words(len(work.packed), len(work.moves))


def write_frame(game: Game, s: State, alpha: int, n: int, ply: int, work: Solver) -> int:
    """The frame of s, whose actions are listed; its place."""
    at = frame(ply, work)
    store(work.frames, at + ALPHA, u64(alpha + TOP))
    store(work.frames, at + BEST, u64(0))
    store(work.frames, at + COUNT, u64(n))
    store(work.frames, at + TRIED, u64(0))
    game.pack(s, work.packed)
    for k in range(len(work.packed)):
        store(work.frames, at + STATE + k, work.packed[k])
    for i in range(n):
        store(work.frames, at + STATE + len(work.packed) + i, u64(work.moves[i]))
    return at


def tried_action(at: int, work: Solver) -> int:
    """The action that was tried last in this frame."""
    return i64(load(work.frames, at + STATE + len(work.packed) + i64(load(work.frames, at + TRIED)) - 1))


def step_down(game: Game, ply: int, work: Solver) -> State:
    """The state after the next action of the one at this ply."""
    at = frame(ply, work)
    store(work.frames, at + TRIED, load(work.frames, at + TRIED) + u64(1))
    s = state_in(game, work.frames, at + STATE, work)
    t = game.result(s, tried_action(at, work))
    store(work.frames, at + SAME, u64(1) if game.to_move(t) == game.to_move(s) else u64(0))
    return t


def younger_alpha(ply: int, work: Solver) -> int:
    """What the state at this ply is asked about, seen by its mover, for the sake of the one before."""
    at = frame(ply - 1, work)
    beta = younger(i64(load(work.frames, at + ALPHA)) - TOP + 1)
    return beta - 1 if load(work.frames, at + SAME) != 0 else -beta


def step_up(game: Game, v: int, ply: int, work: Solver) -> int:
    """What the state at this ply is worth now that the one after its action is worth v to its mover; OPEN if that does not decide it."""
    at = frame(ply, work)
    v = older(v if load(work.frames, at + SAME) != 0 else -v)
    best = max(v, i64(load(work.frames, at + BEST)) - TOP)
    is_more = v > i64(load(work.frames, at + ALPHA)) - TOP
    if not is_more and load(work.frames, at + TRIED) < load(work.frames, at + COUNT):
        store(work.frames, at + BEST, u64(best + TOP))
        return OPEN
    s = state_in(game, work.frames, at + STATE, work)
    if is_more and not game.has_order:
        work.history[game.to_move(s)][slot(tried_action(at, work))] += 1
    work.deepest = max(work.deepest, ply)
    key = game.key(s)
    store(work.table, i64(key >> work.shift), (key & KEY) << BOUND | u64(best + TOP) << 1 | (u64(1) if is_more else u64(0)))
    return best


WON, LOST = -1, -2


def live(game: Game, s: State, p: int, n: int, work: Solver) -> int:
    """Leave of the n actions those that are not beaten at once, the most promising first; how many, or that s is WON or LOST."""
    many = 0
    for i in range(n):
        a = work.moves[i]
        promise = 0
        if game.has_immediate:
            claim = game.immediate(s, a)
            if claim > 0:
                return WON
            if claim < 0:
                continue
        else:
            t = game.result(s, a)
            if is_proven(game, t, work) and opposed_value(game, t, p, work) > 0.0:
                return WON
        if game.has_order:
            promise = game.order(s, a)
        else:
            promise = work.history[p][slot(a)]
        k = many
        while k > 0 and work.promises[k - 1] < promise:
            work.promises[k] = work.promises[k - 1]
            work.moves[k] = work.moves[k - 1]
            k -= 1
        work.promises[k] = promise
        work.moves[k] = a
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

"""Expectiminimax: minimax with a third kind of node, at which chance moves and values are averaged by probability.

    EXPECTIMINIMAX(s) = UTILITY(s, MAX)                                      if IS-TERMINAL(s)
                        max over a of EXPECTIMINIMAX(RESULT(s, a))           if TO-MOVE(s) = MAX
                        min over a of EXPECTIMINIMAX(RESULT(s, a))           if TO-MOVE(s) = MIN
                        sum over r of P(r) * EXPECTIMINIMAX(RESULT(s, r))    if TO-MOVE(s) = CHANCE

Alpha-beta prunes below max and min. At a chance node it can prune only if all values are known to lie within bounds
[L, U]: with the outcomes seen so far summed up, the others can at most add U each (Star1). So outcome i need only be
searched with the window

    alpha_i = (alpha - sum before i - U * P(after i)) / P(i),    beta_i = (beta - sum before i - L * P(after i)) / P(i)

and the node is left once a value falls outside. Star2 first tries one action below each outcome: what it is worth is
a better bound on that outcome than L (where MAX moves) or U (where MIN does).

With more than two players MAX is the side of the player to move and MIN everybody else: so `Paranoid` runs on this too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..lower.memory import load, to_real, to_word
from ..system.limits import check_count
from .alphabeta import engine
from .chance_nodes import add, narrow, weigh
from .deepening import Deepening, Progress, answer
from .minimax import INFINITE, actions, keep_line, must_stop
from .move_ordering import bring_best, rank, remember_cut
from .notes import AVERAGE, CHILD, CUT, END, PROBE, STATIC, STORED, TRY, enter, note
from .records import WIDEST, Fields, prepare
from .searcher import Result
from .table import EXACT, LOWER, UPPER, Memory, check_table, keep, probe

#: fields of alpha-beta that mean nothing here, or something else
UNUSED = (
    "has_pvs",
    "quiet",
    "extensions",
    "nulls",
    "futility",
    "reductions",
    "distance",
    "low",
    "high",
    "skipped",
    "seen",
    "before",
    "before_many",
    "known_before",
)
FOUND = -2
MARGIN = 1e-9  # of the bounds: a chance node is left only where rounding cannot have made the difference


@dataclass(frozen=True, kw_only=True)
class Expectiminimax(Deepening):
    """Expectiminimax for two opponents and chance, by iterative deepening. Chance counts as a ply.

    bounds: the least and the greatest value that `utility` and `evaluate` give. If they are not told, chance nodes
        are not pruned.
    star: how they are pruned if they are: 0 not at all, 1 by Star1, 2 by Star2. The value is the same.
    table: MiB of memory for states met before (None: no table). The value is the same.
    samples: where chance has more outcomes than this, take so many of them at random, by their probability. The
        value is then an estimate, and `exact` is False.
    seed: of the samples. A state has the same samples wherever it is met.
    """

    bounds: tuple[float, float] | None = None
    star: int = 2
    table: int | None = 16
    samples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_table(self)
        if self.bounds is not None and not _is_range(self.bounds):
            raise ZermeloError(f"Expectiminimax: expected bounds as two finite numbers, the lower first, not {self.bounds!r}")
        if self.star not in (0, 1, 2):
            raise ZermeloError(f"Expectiminimax: expected star 0, 1 or 2, not {self.star!r}")
        if self.samples is not None and (type(self.samples) is not int or self.samples < 1):
            raise ZermeloError(f"Expectiminimax: expected at least 1 sample, or None for all outcomes, not {self.samples!r}")
        if self.samples is not None:
            check_count("Expectiminimax: ", "samples", self.samples)
        if type(self.seed) is not int:
            raise ZermeloError(f"Expectiminimax: expected a whole number as seed, not {self.seed!r}")

    def _accept(self, game: Game) -> None:
        if game.players != 2:
            raise ZermeloError(f"Expectiminimax: expected a game of two players, and {game.name} has {game.players}: use MaxN or Paranoid")

    def _memory(self) -> Memory:
        return Memory(self.table or 0, self.interpreted)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return ready(self, game, plies, width)

    def _iterate(self, at: Progress, plies: int, width: int) -> tuple[Result, Any]:
        low, high = self.bounds or (-INFINITE, INFINITE)
        work = run(
            self,
            at,
            plies,
            width,
            ours=[int(p == at.me) for p in range(2)],
            star=0 if self.bounds is None else self.star,
            low=float(low),
            high=float(high),
            margin=MARGIN * max(abs(low), abs(high)) if self.bounds else 0.0,
            samples=min(self.samples or 0, WIDEST),  # no state has more outcomes
            seed=self.seed & (1 << 64) - 1,
        )
        if work.is_outside:
            raise ZermeloError(f"Expectiminimax: expected bounds that hold every value, and {work.outside:g} is not in {low:g} to {high:g}")
        values = tuple(float(work.worth) if p == at.me else -float(work.worth) for p in range(2))
        at.is_sampled |= bool(work.sampled)
        return answer(at, work, values, is_pruned=True), work


def _is_range(bounds: Any) -> bool:
    """Whether these are two finite numbers in order."""
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2 or not all(isinstance(x, (int, float)) for x in bounds):
        return False
    return all(math.isfinite(x) for x in bounds) and bounds[0] <= bounds[1]


def ready(searcher: Any, game: Game, plies: int, width: int) -> Callable[..., Any]:
    """The algorithm, ready to run with this room."""
    return prepare(game, root, fields(game, plies, width), searcher.interpreted)


def run(searcher: Any, at: Progress, plies: int, width: int, **given: Any) -> Any:
    """Search one depth of a searcher that has a `table`; the work record."""
    return ready(searcher, at.game, plies, width)(
        at.stop,
        start=at.game.layout.pack(at.s),
        depth=at.depth,
        limit=at.left,
        many=len(at.moves),
        first=at.first(width, searcher.interpreted),
        table=at.memory.table,
        mask=at.memory.mask,
        has_table=int(searcher.table is not None),
        has_killers=1,
        has_history=1,
        by_order=1,
        me=at.me,
        is_endless=int(searcher.depth is None),
        **given,
    )


def fields(game: Game, plies: int, width: int) -> Fields:
    """The record of the search."""
    return [
        *(f for f in engine.fields(game, plies, width) if f[0] not in UNUSED),
        ("me", "i8", ()),  # whose value is told
        ("worth", "f8", ()),  # that value
        ("ours", "i8", (game.players,)),  # 1 for the players who want it high
        ("is_endless", "i8", ()),
        ("star", "i8", ()),
        ("low", "f8", ()),  # the bounds of all values
        ("high", "f8", ()),
        ("margin", "f8", ()),
        ("is_outside", "i8", ()),
        ("outside", "f8", ()),  # a value that is not within the bounds
        ("samples", "i8", ()),
        ("seed", "u8", ()),
        ("sampled", "i8", ()),
        ("recalled", "f8", ()),  # the value that the table knows
        ("weights", "f8", (plies, width)),  # of the outcomes of chance
        ("lows", "f8", (plies, width)),  # what each of them is at least worth, and at most
        ("highs", "f8", (plies, width)),
        ("totals", "f8", (plies,)),  # the sum over those that were searched, and what the others add at least and at most
        ("least", "f8", (plies,)),
        ("most", "f8", (plies,)),
        ("alphas", "f8", (plies,)),  # the window of the outcome that is searched
        ("betas", "f8", (plies,)),
    ]


def root(game: Game, work: Any) -> int:
    """Find what the start is worth; its actions get scores that are exact or, after the best, perhaps bounds from above."""
    s = game.unpack(work.start)
    work.nodes = 1
    work.widest = work.many
    if len(work.watch) > 1:
        enter(game, s, work.me, work.depth, -INFINITE, INFINITE, 0, work)
    is_chance = game.to_move(s) == CHANCE
    if game.has_chance and is_chance:
        weigh(game, s, game.key(s), actions(game, s, 0, work), 0, work)
    work.worth = 0.0 if is_chance else -INFINITE
    for i in range(min(work.many, len(work.first))):
        v = INFINITE  # of an outcome that is not among the samples
        if not is_chance or work.weights[0][i] > 0.0:
            alpha = -INFINITE if is_chance else work.worth
            if len(work.watch) > 1:
                note(TRY, 0, work.me, work.first[i], 0.0, 0.0, work)
            v = search(game, game.result(s, work.first[i]), work.depth - 1, alpha, INFINITE, 0, 1, work)
        if work.stopped != 0:
            return 0
        work.scores[i] = v
        work.searched = i + 1
        if len(work.watch) > 1:
            if is_chance:
                note(AVERAGE, 0, work.me, 0, v, work.weights[0][i], work)
            else:
                note(CHILD, 0, work.me, 0, v, work.worth, work)
        if is_chance:
            work.worth += work.weights[0][i] * v if v < INFINITE else 0.0
        elif v > work.worth:
            work.worth = v
            work.best = i
            keep_line(0, work.first[i], work)
    return 0


def search(game: Game, s: State, depth: int, alpha: float, beta: float, is_try: int, ply: int, work: Any) -> float:
    """What s is worth to our side: exact between alpha and beta, a bound outside.

    With is_try only one action of s is tried: a bound from below where we move, from above where they do.
    """
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    work.lines[ply][0] = 0
    if len(work.watch) > 1:
        enter(game, s, work.me, depth, alpha, beta, ply, work)
    if game.is_terminal(s):
        if len(work.watch) > 1:
            note(END, ply, work.me, 0, game.utility(s, work.me), 0.0, work)
        return leaf(game.utility(s, work.me), work)
    if depth <= 0:
        work.cutoffs += 1
        if len(work.watch) > 1:
            note(STATIC, ply, work.me, 0, game.evaluate(s, work.me), 0.0, work)
        return leaf(game.evaluate(s, work.me), work)
    key = game.key(s)
    known = recall(key, depth, alpha, beta, work)
    if known == FOUND:
        return work.recalled

    cutoffs = work.cutoffs
    n = actions(game, s, ply, work)
    mover = game.to_move(s)
    best = 0.0
    chosen = 0
    if game.has_chance and mover == CHANCE:
        weigh(game, s, key, n, ply, work)
        first = 0 if work.star == 2 and depth > 1 else n
        for k in range(first, 2 * n):  # Star2 goes over the outcomes twice: first it only tries
            i = k if k < n else k - n
            tries = 1 if k < n else 0
            t = game.result(s, work.moves[ply][i])
            if narrow(game, t, i, tries, alpha, beta, ply, work):
                if len(work.watch) > 1:
                    note(TRY, ply, work.me, work.moves[ply][i], 0.0, 0.0, work)
                v = search(game, t, depth - 1, work.alphas[ply], work.betas[ply], tries, ply + 1, work)
                if len(work.watch) > 1:
                    note(PROBE if tries != 0 else AVERAGE, ply, work.me, 0, v, work.weights[ply][i], work)
                if add(v, i, tries, ply, work):
                    if len(work.watch) > 1:
                        note(CUT, ply, work.me, n - i - 1, work.totals[ply], alpha if v <= work.alphas[ply] else beta, work)
                    break
        best = work.totals[ply]
    else:
        side = work.ours[mover]
        best = -INFINITE if side != 0 else INFINITE
        low, high = alpha, beta
        n = rank(game, s, side, 0, n, known, work.killer[ply][0], ply, work)
        for i in range(1 if is_try != 0 else n):
            bring_best(i, n, ply, work)
            a = work.moves[ply][i]
            if len(work.watch) > 1:
                note(TRY, ply, work.me, a, 0.0, 0.0, work)
            v = search(game, game.result(s, a), depth - 1, low, high, 0, ply + 1, work)
            if len(work.watch) > 1:
                note(CHILD, ply, work.me, a, v, best, work)
            if (side != 0 and v > best) or (side == 0 and v < best):
                best = v
                chosen = work.ranks[ply][i] & 0xFFFF
                keep_line(ply, a, work)
                low = max(low, v) if side != 0 else low
                high = high if side != 0 else min(high, v)
                if low >= high:
                    remember_cut(side, a, i, depth, ply, work)
                    if len(work.watch) > 1:
                        note(CUT, ply, work.me, n - i - 1, best, high if side != 0 else low, work)
                    break
    if is_try == 0:
        remember(key, depth, chosen, best, alpha, beta, cutoffs, work)
    return best


def leaf(v: float, work: Any) -> float:
    """A value where the search ends; the whole search ends if it does not keep within the bounds."""
    work.evaluations += 1
    if work.star != 0 and (v < work.low or v > work.high):
        work.is_outside = 1
        work.outside = v
        work.stopped = 1
    return v


# ---- the table: nothing deeper than asked is taken from it, so that the value does not depend on it --------------------------


def recall(key: u64, depth: int, alpha: float, beta: float, work: Any) -> int:
    """FOUND if the table knows enough, with the value in `recalled`; else the index of its best action, -1 if it has none."""
    if work.has_table == 0:
        return -1
    at = probe(key, work)
    if at < 0:
        return -1
    about = load(work.table, at + 2)
    v = to_real(load(work.table, at + 1))
    bound = i64(about & 3)
    deep = i64(about >> 2 & 0xFFFF)
    is_whole = i64(about >> 18 & 1)  # the end of the game was seen everywhere below
    is_deep = deep == depth or (is_whole != 0 and (deep < depth or work.is_endless != 0))
    if is_deep and (bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha)):
        work.cutoffs += 1 - is_whole
        work.recalled = v
        if len(work.watch) > 1:
            note(STORED, 0, work.me, deep * 4 + bound, v, 0.0, work)
        return FOUND
    return i64(about >> 32)


def remember(key: u64, depth: int, chosen: int, v: float, alpha: float, beta: float, cutoffs: int, work: Any) -> int:
    """Enter what was found into the table, if there is one; `cutoffs` is how many there were before."""
    if work.has_table == 0 or work.stopped != 0:
        return 0
    bound = LOWER if v >= beta else UPPER if v <= alpha else EXACT
    is_whole = 1 if work.cutoffs == cutoffs else 0
    return keep(key, to_word(v), u64(chosen) << 32 | u64(is_whole) << 18 | u64(depth) << 2 | u64(bound), depth, work)

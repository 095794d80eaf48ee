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

Dice make wide trees: a player may look further at a few *candidates* alone, the actions after which EVAL is best.

With more than two players MAX is the side of the player to move and MIN everybody else: so `Paranoid` runs on this too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..lower.memory import to_word
from ..settings import OneOf, Range
from ..system.limits import MAX_COUNT
from .chance_nodes import ChanceNodes, add_outcome, begin_chance_node, narrow_window
from .deepening import Deepening, Progress, answer
from .depth_first import INFINITE, Rooted, actions, estimated_leaf, keep_line, proven_leaf, visit
from .evaluation import is_proven
from .model.kinds import depth_after
from .move_ordering import Ordering, bring_best, index_of, rank, remember_cut
from .notes import AVERAGE, CHILD, CUT, PROBE, STORED, TRY, enter, note
from .prepare import LONGEST_ROW, prepare
from .searcher import SEED, Result
from .table import (
    TABLE_SIZE,
    Memory,
    Tabled,
    action_of,
    bound_in,
    bound_of,
    cuts,
    depth_of,
    entry_value,
    entry_word,
    is_whole,
    keep,
    packed,
    probe,
)
from .zero_sum import refuse_ends

FINE, WORTH = 1e6, 1e12  # by what values are multiplied to be ranks, and the greatest
MARGIN = 1e-9  # of the bounds: a chance node is left only where rounding cannot have made the difference


@dataclass(frozen=True, kw_only=True)
class Expectiminimax(Deepening["Expecting"]):
    """Expectiminimax for two opponents and chance, by iterative deepening. Chance counts as a ply.

    bounds: the least and the greatest value that `utility` and `evaluate` give (None: the game's `value_range`). If nobody knows
        them, chance nodes are not pruned.
    star: how they are pruned if they are: 0 not at all, 1 by Star1, 2 by Star2. The value is the same.
    table: MiB of memory for states met before (None: no table). The value is the same.
    samples: where chance has more outcomes than this, take so many of them at random, by their probability. The
        value is then an estimate, and `exact` is False.
    seed: of the samples. A state has the same samples wherever it is met.
    candidates: how many actions of a state are searched deeper than one ply, those whose states evaluate best; None: all. The value is
        then an estimate, too.
    """

    bounds: tuple[float, float] | None = None
    star: Annotated[int, OneOf((0, 1, 2))] = 2
    table: Annotated[int | None, TABLE_SIZE] = 16
    samples: Annotated[int | None, Range(1, MAX_COUNT, words="at least 1 sample, or None for all outcomes")] = None
    seed: Annotated[int, SEED] = 0
    candidates: Annotated[int | None, Range(1, LONGEST_ROW)] = None
    opposes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bounds is not None and not _is_range(self.bounds):
            raise ZermeloError(f"Expectiminimax: expected bounds as two finite numbers, the lower first, not {self.bounds!r}")

    def _accept(self, game: Game) -> None:
        if game.players != 2:
            raise ZermeloError(f"Expectiminimax: expected a game of two players, and {game.name} has {game.players}: use MaxN or Paranoid")

    def _memory(self) -> Memory:
        return Memory(self.table or 0, self.interpreted)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Expecting]:
        return ready(self, game, plies, width)

    def _bounds(self, game: Game) -> tuple[float, float] | None:
        """The least and the greatest value: those that are given, else those that the game declares."""
        return self.bounds if self.bounds is not None else game.value_range

    def _iterate(self, at: Progress, plies: int, width: int) -> Expecting:
        bounds = self._bounds(at.game)
        low, high = bounds or (-INFINITE, INFINITE)
        return run(
            self,
            at,
            plies,
            width,
            ours=[int(p == at.me) for p in range(2)],
            star=0 if bounds is None else self.star,
            low=float(low),
            high=float(high),
            margin=MARGIN * max(abs(low), abs(high)) if bounds else 0.0,
            samples=min(self.samples or 0, LONGEST_ROW),  # no state has more outcomes
            seed=self.seed & (1 << 64) - 1,
            candidates=self.candidates or 0,
        )

    def _reorder(self, at: Progress, result: Result) -> None:
        """After the first depth, which looks at the states after all actions, only the candidates are left."""
        if self.candidates is not None and at.depth == 1 and not at.is_chance:
            at.order = sorted(result.scores, key=lambda a: -result.scores[a])[: self.candidates]
            at.is_sampled = True
        super()._reorder(at, result)

    def _result(self, at: Progress, work: Expecting) -> Result:
        refuse_ends("Expectiminimax", at.game, work)
        if work.is_outside:
            low, high = self._bounds(at.game) or (-INFINITE, INFINITE)
            whose = "bounds" if self.bounds is not None else f"a value_range of {at.game.name}"
            raise ZermeloError(
                f"Expectiminimax: expected {whose} that hold every value, and {work.outside:g} is not in {low:g} to {high:g}"
            )
        values = tuple(float(work.worth) if p == at.me else -float(work.worth) for p in range(2))
        at.is_sampled |= bool(work.sampled)
        return answer(at, work, values, is_pruned=True)


def _is_range(bounds: Any) -> bool:
    """Whether these are two finite numbers in order."""
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2 or not all(isinstance(x, (int, float)) for x in bounds):
        return False
    return all(math.isfinite(x) for x in bounds) and bounds[0] <= bounds[1]


class Expecting(Rooted, Ordering, Tabled, ChanceNodes):
    """The record of the search."""

    me: int  # whose value is told
    worth: float  # that value
    is_endless: int
    is_outside: int
    outside: float  # a value that is not within the bounds
    candidates: int  # actions of a state that are looked at further, 0 for all


def ready(searcher: Any, game: Game, plies: int, width: int, **sizes: int) -> Callable[..., Expecting]:
    """The algorithm, ready to run with this room."""
    return prepare(game, root, Expecting, searcher.interpreted, plies=plies, width=width, **sizes)


def run(searcher: Any, at: Progress, plies: int, width: int, **given: Any) -> Expecting:
    """Search one depth of a searcher that has a `table`; the work record."""
    return searcher._prepare(at.game, plies, width)(
        at.stop,
        start=at.game.layout.pack(at.s),
        depth=at.depth,
        limit=at.left,
        root_count=len(at.moves),
        root_moves=at.first(width, searcher.interpreted),
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


# ---- the algorithm -----------------------------------------------------------------------------


def root(game: Game, work: Expecting) -> int:
    """Find what the start is worth; its actions get scores that are exact or, after the best, perhaps bounds from above."""
    s = game.unpack(work.start)
    work.nodes = 1
    work.widest = work.root_count
    enter(game, s, work.me, work.depth, -INFINITE, INFINITE, 0, work)
    is_chance = game.to_move(s) == CHANCE
    if game.has_chance and is_chance:
        begin_chance_node(game, s, game.key(s), actions(game, s, 0, work), 0, work)
    work.worth = 0.0 if is_chance else -INFINITE
    for i in range(min(work.root_count, len(work.root_moves))):
        a = work.root_moves[i]
        v = INFINITE  # of an outcome that is not among the samples
        if not is_chance or work.weights[0][i] > 0.0:
            note(TRY, 0, work.me, a, 0.0, 0.0, work)
            t, alpha = game.result(s, a), -INFINITE if is_chance else work.worth
            v = expectiminimax(game, t, child_depth(game, s, t, work.depth, 0, work), alpha, INFINITE, 0, 1, work)
        if work.stopped != 0:
            return 0
        work.scores[i] = v
        work.searched = i + 1
        if is_chance:
            note(AVERAGE, 0, work.me, 0, v, work.weights[0][i], work)
            work.worth += work.weights[0][i] * v if v < INFINITE else 0.0
        else:
            note(CHILD, 0, work.me, 0, v, work.worth, work)
            if v > work.worth:
                work.worth = v
                work.best = i
                keep_line(0, a, work)
    return 0


def expectiminimax(game: Game, s: State, depth: int, alpha: float, beta: float, is_try: int, ply: int, work: Expecting) -> float:
    """What s is worth to our side: exact between alpha and beta, a bound outside.

    With is_try only one action of s is tried: a bound from below where we move, from above where they do.
    """
    if not visit(game, s, work.me, depth, alpha, beta, ply, work):
        return 0.0
    if is_proven(game, s, work):
        return within_bounds(proven_leaf(game, s, work.me, ply, work), work)
    if depth <= 0:
        return within_bounds(estimated_leaf(game, s, work.me, ply, work), work)
    key = game.key(s)
    is_known, v, table_move = recall(key, depth, alpha, beta, work)
    if is_known:
        return v
    cutoffs, best, chosen = work.cutoffs, 0.0, 0
    mover = game.to_move(s)
    if game.has_chance and mover == CHANCE:
        best = average(game, s, key, depth, alpha, beta, ply, work)
    else:
        best, chosen = choose(game, s, work.ours[mover], table_move, depth, alpha, beta, is_try, ply, work)
    if is_try == 0:
        remember(key, depth, chosen, best, alpha, beta, cutoffs, work)
    return best


def choose(
    game: Game, s: State, side: int, table_move: int, depth: int, alpha: float, beta: float, is_try: int, ply: int, work: Expecting
) -> tuple[float, int]:
    """The value of the best action for the side that moves, ours (1) or theirs (0), and the action's index."""
    best, chosen = (-INFINITE if side != 0 else INFINITE), 0
    n = rank(game, s, side, 0, actions(game, s, ply, work), table_move, work.killers[ply][0], ply, work)
    most = n
    if 0 < work.candidates < n and depth > 1:
        most = rank_by_values(game, s, side, n, ply, work)
    for i in range(1 if is_try != 0 else most):
        bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        note(TRY, ply, work.me, a, 0.0, 0.0, work)
        t = game.result(s, a)
        v = expectiminimax(game, t, child_depth(game, s, t, depth, ply, work), alpha, beta, 0, ply + 1, work)
        note(CHILD, ply, work.me, a, v, best, work)
        if (side != 0 and v > best) or (side == 0 and v < best):
            best, chosen = v, index_of(i, ply, work)
            keep_line(ply, a, work)
            alpha = max(alpha, v) if side != 0 else alpha
            beta = beta if side != 0 else min(beta, v)
            if alpha >= beta:
                remember_cut(side, a, i, depth, ply, work)
                note(CUT, ply, work.me, n - i - 1, best, beta if side != 0 else alpha, work)
                break
    return best, chosen


def rank_by_values(game: Game, s: State, side: int, n: int, ply: int, work: Expecting) -> int:
    """Rank actions by what the states after them seem to be worth to the side that moves; how many of them are candidates."""
    for i in range(n):
        t = game.result(s, work.moves[ply][i])
        v = expectiminimax(game, t, child_depth(game, s, t, 1, ply, work), -INFINITE, INFINITE, 0, ply + 1, work)
        worth = max(-WORTH, min(WORTH, v * FINE if side != 0 else -v * FINE))
        work.ranks[ply][i] = i64(worth) << 16 | index_of(i, ply, work)
    return work.candidates


def average(game: Game, s: State, key: u64, depth: int, alpha: float, beta: float, ply: int, work: Expecting) -> float:
    """The value of a state where chance moves: the mean over its outcomes, or a bound once it is outside alpha and beta."""
    n = actions(game, s, ply, work)
    begin_chance_node(game, s, key, n, ply, work)
    for k in range(0 if work.star == 2 and depth > 1 else n, 2 * n):  # Star2 goes over the outcomes twice: first it only tries
        i, tries = (k if k < n else k - n), (1 if k < n else 0)
        t = game.result(s, work.moves[ply][i])
        if narrow_window(game, t, i, tries, alpha, beta, ply, work):
            note(TRY, ply, work.me, work.moves[ply][i], 0.0, 0.0, work)
            v = expectiminimax(game, t, child_depth(game, s, t, depth, ply, work), work.alphas[ply], work.betas[ply], tries, ply + 1, work)
            note(PROBE if tries != 0 else AVERAGE, ply, work.me, 0, v, work.weights[ply][i], work)
            if add_outcome(v, i, tries, ply, work):
                note(CUT, ply, work.me, n - i - 1, work.totals[ply], alpha if v <= work.alphas[ply] else beta, work)
                break
    return work.totals[ply]


def child_depth(game: Game, s: State, t: State, depth: int, ply: int, work: Expecting) -> int:
    """The depth to which t is searched after s, which is searched to this depth."""
    if game.unseen_kinds != 0:
        return depth_after(game, game.to_move(s), t, depth, ply + 1 - work.depth)
    return depth - 1


def within_bounds(v: float, work: Expecting) -> float:
    """A value where the search ends; the whole search ends if it does not keep within the bounds."""
    if work.star != 0 and (v < work.low or v > work.high):
        work.is_outside = 1
        work.outside = v
        work.stopped = 1
    return v


# ---- the table: nothing deeper than asked is taken from it, so that the value does not depend on it --------------------------


def recall(key: u64, depth: int, alpha: float, beta: float, work: Expecting) -> tuple[bool, float, int]:
    """Whether the table knows enough, the value that it knows, and the index of its best action (-1 for none)."""
    if work.has_table == 0:
        return False, 0.0, -1
    at = probe(key, work)
    if at < 0:
        return False, 0.0, -1
    entry, v = entry_word(at, work), entry_value(at, work)
    deep, whole = depth_of(entry), is_whole(entry)
    is_deep = deep == depth or (whole != 0 and (deep < depth or work.is_endless != 0))
    if not is_deep or not cuts(entry, v, alpha, beta):
        return False, 0.0, action_of(entry)
    work.cutoffs += 1 - whole
    note(STORED, 0, work.me, deep * 4 + bound_of(entry), v, 0.0, work)
    return True, v, action_of(entry)


def remember(key: u64, depth: int, chosen: int, v: float, alpha: float, beta: float, cutoffs: int, work: Expecting) -> int:
    """Enter what was found into the table, if there is one; `cutoffs` is how many there were before."""
    if work.has_table == 0 or work.stopped != 0:
        return 0
    whole = 1 if work.cutoffs == cutoffs else 0
    return keep(key, to_word(v), packed(chosen, 0, whole, depth, bound_in(v, alpha, beta)), u64(0), work)

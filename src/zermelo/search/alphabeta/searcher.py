"""Alpha-beta: minimax that does not look at what cannot matter, and what engines put on top of it.

    ALPHA-BETA(s, alpha, beta), seen by the player to move:
        if IS-TERMINAL(s): return UTILITY(s)
        if the depth is spent: return EVAL(s)
        best = -infinity
        for each a in ACTIONS(s):
            v = ALPHA-BETA(RESULT(s, a)) with alpha and beta; with -beta, -alpha and the sign turned where the turn passes
            best = max(best, v); alpha = max(alpha, v)
            if alpha >= beta: return best      the player before would not let it come to this
        return best

Alpha is the best that the player to move can already force on this path, beta the best for the opponent. Fail-soft: what
is returned is a bound on the value even outside the window. The sign follows `to_move`, never the ply: extra turns are nothing
special.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ..deepening import Deepening, Progress
from ..forbidden import lawful
from ..mate_distance import STEP
from ..minimax import INFINITE, PLIES, Whole, actions, deep_enough, fields, keep_line, must_stop, result_of, width_of
from ..notes import CHILD, CUT, END, STATIC, TRY, enter, note
from ..records import Fields, Stop, prepare
from ..searcher import Result, two_players
from ..table import AGES, ENDLESS, Memory, check_table
from . import engine, lines
from .solve import Solved, solve_all

MANY = (1 << 16) - 1  # lines that may be asked for
SHALLOW = 3  # depths whose value is not trusted to be near the next one's


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(Deepening):
    """Alpha-beta by iterative deepening with a table and ordering; `AlphaBeta.plain` is the pseudocode alone.

    Each of these can be switched off, and none changes the value but where it says so:

    deepening: search to depth 1, 2, ... : there is always an answer, and each search orders the next.
    table: MiB of memory for states met before (None: no table): its best action is tried first, and its value
        taken where it was searched as deeply.
    pvs: after the first action only ask whether another is better, and search it fully if so.
    killers, history: try first the actions that cut elsewhere at this ply, and often anywhere.
    order: try actions in the order that the game's `order` tells.
    quiescence: at the end of the depth go on with the actions that the game calls `is_tactical` (this changes the value, for a game
        that has any).
    extensions: search a ply deeper where the game says that much is forced (`is_forcing`).
    distance: prefer the quicker win and the slower loss; the value differs from the utility by less than 0.001. None: for a game
        that has a `quiet_margin`.
    aspiration: after the first depths search only a window of this width around the last value, and a wider one if it was left.
        None: half of the game's `quiet_margin`; 0: never.
    threads: so many searches share the table, one of them tells the answer (with a depth limit, entries that another made
        deeper may change the value, as they may between two searches).

    And these may miss the value (type B strategies): None for on where the game allows it. What they left out makes a Result not exact.

    nulls: where even to pass the turn is good enough, do not search further (a game allows it by `null_move`).
    futility: leave out what cannot reach the window near the end of the depth (a game allows it by its
        `quiet_margin`; only with quiescence, as it trusts the evaluation).
    reductions: actions late in the order are first searched less deeply (a game allows it by its `quiet_margin`).

    lines: how many of the best actions are to have exact scores and lines of their own (`Result.lines`). With more than one there is no
        aspiration, and a depth that was not finished is not told.

    A `History` in place of a state tells the search what was before. Where a game has draws by repetition, a position that comes
    back on a line, or for the third time in the game, is worth 0. An action that the rules forbid for what it repeats is not tried at
    the root.
    """

    is_kept = True

    deepening: bool = True
    table: int | None = 16
    pvs: bool = True
    killers: bool = True
    history: bool = True
    order: bool = True
    quiescence: bool = True
    extensions: bool = True
    distance: bool | None = None
    aspiration: float | None = None
    threads: int = 1
    nulls: bool | None = None
    futility: bool | None = None
    reductions: bool | None = None
    lines: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.aspiration is not None and not 0 <= self.aspiration < INFINITE:
            raise ZermeloError(f"AlphaBeta: expected a width of aspiration, 0 for none, or None for the game's, not {self.aspiration!r}")
        if not isinstance(self.threads, int) or not 1 <= self.threads <= 256:
            raise ZermeloError(f"AlphaBeta: expected 1 to 256 threads, not {self.threads!r}")
        if type(self.lines) is not int or not 1 <= self.lines <= MANY:
            raise ZermeloError(f"AlphaBeta: expected 1 to {MANY:,} lines, not {self.lines!r}")
        check_table(self)

    @staticmethod
    def plain(
        depth: int | None = None, *, nodes: int | None = None, seconds: float | None = None, interpreted: bool = False
    ) -> PlainAlphaBeta:
        """The pseudocode alone."""
        return PlainAlphaBeta(depth=depth, nodes=nodes, seconds=seconds, interpreted=interpreted)

    def solve(self, game: Game, states: Sequence[State] | np.ndarray, stop: Stop | None = None) -> Solved:
        """The exact value of each state with its distance from the end, for all of them in one call with one table.

        Of a game of wins, draws and losses: the value is the sign of the utility. `depth` is no limit here.
        """
        self._accept(game)
        if self.depth is not None:
            raise ZermeloError(f"AlphaBeta: expected no depth for solve, which goes to the end of the game, not {self.depth}")
        return solve_all(game, states, self.table or 1, self.nodes, self.seconds, self.interpreted, stop)

    def _accept(self, game: Game) -> None:
        two_players("AlphaBeta", game)

    def _memory(self) -> Memory:
        return Memory(self.table or 0, self.interpreted)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return prepare(game, engine.root, engine.fields(game, plies, width) + lines.fields(plies, width, self.lines), self.interpreted)

    def _depths(self) -> Iterator[int | None]:
        yield from super()._depths() if self.deepening else (self.depth,)

    def _reorder(self, at: Progress, result: Result) -> None:
        at.moves = sorted(at.moves, key=lambda a: (a != result.action, -result.scores.get(a, -INFINITE)))

    def _one_depth(self, at: Progress) -> Result:
        """Search to this depth, with helpers that fill the table."""
        done = Stop()
        with ThreadPoolExecutor(self.threads) as pool, at.stop.telling(done.set):
            room = width_of(at.game, len(at.moves))
            helpers = [
                pool.submit(deep_enough, self._iterate, _beside(at, done, i), (-INFINITE, INFINITE), width=room)
                for i in range(1, self.threads)
            ]
            try:
                result = self._by_windows(at, room)
            finally:
                done.set()
            others = [h.result() for h in helpers]
        if self.lines > 1 and at.last is not None and len(result.scores) < len(at.moves):
            result = replace(result, scores={}, bounds={}, others=())  # not finished: the best so far need not be the best
        at.ended = result.exact or (at.game.quiet_margin > 0 and self.depth is None and at.depth >= PLIES // 2)  # deeper tells nothing new
        return replace(result, nodes=result.nodes + sum(o.nodes for o in others))

    def _by_windows(self, at: Progress, room: int) -> Result:
        """The Result of a window around the last value, or of wider ones where it was left.

        If there is no time to search again, an action that is better than the window stands; where all were worse none is known.
        """
        low, high, left = -INFINITE, INFINITE, at.left
        reach = most = (at.game.quiet_margin / 2 if self.aspiration is None else self.aspiration) / 2
        if reach and self.lines == 1 and at.last is not None and at.depth > SHALLOW:
            low, high = at.last - reach, at.last + reach
        result, nodes, evaluations = None, 0, 0
        while True:
            found = deep_enough(self._iterate, at, (low, high), width=room)
            nodes, evaluations = nodes + found.nodes, evaluations + found.evaluations
            if found.scores or result is None:
                result = found if found.value > low else replace(found, scores={}, bounds={})
            reach = 4 * reach if reach <= most else INFINITE
            if low < found.value < high or at.stop.is_set or 0 < left <= nodes:
                return replace(result, nodes=nodes, evaluations=evaluations)
            if found.value <= low:
                low = found.value - reach
            else:
                high = found.value + reach
                at.moves.sort(key=lambda a: a != found.action)
            at.left = left - nodes if left else 0

    def _iterate(self, at: Progress, window: tuple[float, float], plies: int, width: int) -> tuple[Result, Any]:  # type: ignore[override]
        past = at.past[-engine.PAST :]
        work = self._prepare(at.game, plies, width)(
            at.stop,
            start=at.game.layout.pack(at.s),
            depth=at.depth,
            limit=at.left,
            many=len(at.moves),
            first=at.first(width, self.interpreted),
            table=at.memory.table,
            mask=at.memory.mask,
            age=at.memory.age % AGES,
            has_table=int(self.table is not None),
            has_pvs=int(self.pvs),
            has_killers=int(self.killers),
            has_history=int(self.history),
            by_order=int(self.order),
            quiet=int(self.quiescence),
            extensions=int(self.extensions),
            nulls=int(self.nulls is not False),
            futility=int(self.futility is not False and self.quiescence),
            reductions=int(at.game.quiet_margin > 0 if self.reductions is None else self.reductions),
            before=past + [0] * (engine.PAST - len(past)),
            before_many=len(past),
            distance=STEP if (at.game.quiet_margin > 0 if self.distance is None else self.distance) else 0.0,
            low=window[0],
            high=window[1],
            **lines.given(self.lines, len(at.moves), width),
            **({} if at.cuts is None else {"past": at.cuts}),
        )
        at.cuts = work.past
        return lines.told(result_of(at.game, at.s, work, at.clock, at.moves), at.game, at.s, work, self.lines, window), work


def _beside(at: Progress, stop: Stop, i: int) -> Progress:
    """What helper i searches: every second one runs a ply ahead, so that not all do the same."""
    other = copy(at)
    other.stop, other.depth = stop, at.depth if at.depth == ENDLESS else at.depth + i % 2
    return other


@dataclass(frozen=True, kw_only=True)
class PlainAlphaBeta(Whole):
    """Alpha-beta as in the pseudocode: no table, no ordering, no deepening."""

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Any]:
        return prepare(game, root, plain_fields(game, plies, width), self.interpreted)

    def _search(self, *given: Any) -> tuple[Result, Any]:
        result, work = super()._search(*given)
        return replace(result, bounds=lines.bounds_of(result.scores)), work


def plain_fields(game: Game, plies: int, width: int) -> Fields:
    return [f for f in fields(game, plies, width) if f[0] != "rounds"]


def root(game: Game, work: Any) -> int:
    """The start, whose actions keep the values that they were found to have, or a bound on them."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    if len(work.watch) > 1:
        enter(game, s, me, work.depth, -INFINITE, INFINITE, 0, work)
    n = lawful(work.moves[0], actions(game, s, 0, work), work)
    best = -INFINITE
    for i in range(n):
        if len(work.watch) > 1:
            note(TRY, 0, me, work.moves[0][i], 0.0, 0.0, work)
        v = alphabeta(game, game.result(s, work.moves[0][i]), me, work.depth - 1, best, INFINITE, 1, work)
        if work.stopped != 0:
            return 0
        if len(work.watch) > 1:
            note(CHILD, 0, me, work.moves[0][i], v, best, work)
        work.scores[i] = v
        work.searched = i + 1
        if v > best:
            best = v
            work.best = i
            keep_line(0, work.moves[0][i], work)
    return 0


def alphabeta(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: Any) -> float:
    """What s is worth to `me`, whose bounds alpha and beta are: exact between them, a bound outside."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    work.lines[ply][0] = 0
    if len(work.watch) > 1:
        enter(game, s, me, depth, alpha, beta, ply, work)
    if game.is_terminal(s):
        work.evaluations += 1
        if len(work.watch) > 1:
            note(END, ply, me, 0, game.utility(s, me), 0.0, work)
        return game.utility(s, me)
    if depth == 0:
        work.evaluations += 1
        work.cutoffs += 1
        if len(work.watch) > 1:
            note(STATIC, ply, me, 0, game.evaluate(s, me), 0.0, work)
        return game.evaluate(s, me)
    p = game.to_move(s)
    if p != me:
        alpha, beta = -beta, -alpha
    best = -INFINITE
    n = actions(game, s, ply, work)
    for i in range(n):
        a = work.moves[ply][i]
        if len(work.watch) > 1:
            note(TRY, ply, p, a, 0.0, 0.0, work)
        v = alphabeta(game, game.result(s, a), p, depth - 1, alpha, beta, ply + 1, work)
        if len(work.watch) > 1:
            note(CHILD, ply, p, a, v, best, work)
        if v > best:
            best = v
            keep_line(ply, a, work)
            alpha = max(alpha, v)
            if alpha >= beta:
                if len(work.watch) > 1:
                    note(CUT, ply, p, n - i - 1, best, beta, work)
                break
    return best if p == me else -best

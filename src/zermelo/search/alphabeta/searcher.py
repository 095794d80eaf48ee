"""Alpha-beta by iterative deepening, with what engines put on top of it: the searcher and its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ...settings import Range
from ..deepening import Deepening, Progress
from ..depth_first import ENDLESS_GAME, FIRST_PLIES, INFINITE, result_of
from ..mate_distance import PLY_VALUE
from ..notes import watched_by
from ..prepare import prepare, width_of, with_room
from ..searcher import Result, opposed
from ..stop import Stop
from ..table import AGES, TABLE_SIZE, KeptTable, Memory
from ..zero_sum import refuse_ends, refuse_unequal
from . import engine, lines
from .plain import PlainAlphaBeta
from .scores import Scores, solve_scores, with_rest_of_line
from .selective import MAX_PAST_POSITIONS, Engine
from .solution import Solution, find_solution
from .solve import Ranks, Solved, solve_all
from .superko import Superko
from .team import Team

MAX_LINES = (1 << 16) - 1
ASPIRATION = "a width of aspiration, 0 for none, or None for the game's"
FIRST_WHOLE = 10_000  # nodes that a search to the end of the game may take at least
WHOLE_SPEED = 8  # nodes that it looks at in the time of one of the others
ANEW = ("stopped", "deepest", "evaluations", "cutoffs", "searched", "best")  # fields that count from 0 in each window
ENDLESS_QUIESCENCE = "tactical or forcing actions may follow each other without an end: expected quiescence=false"
MIN_HELPED_NODES = 5_000  # nodes before helpers begin
SHALLOW = 3  # depths whose value is not trusted to be near the next one's


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(Deepening[Engine]):
    """Alpha-beta by iterative deepening with a table and ordering; `AlphaBeta.plain` is the pseudocode alone.

    Each of these can be switched off, and none changes the value but where it says so:

    deepening: search to depth 1, 2, ... : there is always an answer, and each search orders the next. Where a game tells how many moves
        are left (`moves_left`) and a table is there, the end of the game is tried as soon as half of them were looked ahead, in one thread.
    table: MiB of memory for states met before (None: no table): its best action is tried first, and its value
        taken where it was searched as deeply.
    pvs: after the first action only ask whether another is better, and search it fully if so.
    killers, history: try first the actions that cut elsewhere at this ply, and often anywhere.
    order: try actions in the order that the game's `order` tells.
    quiescence: at the end of the depth go on with the actions that the game calls `is_tactical` (this changes the value, for a game
        that has any).
    extensions: search a ply deeper where the game says that much is forced (`is_forcing`).
    distance: prefer the quicker win and the slower loss; the value differs from the utility by less than 0.001. None: for a game
        that has a `quiet_margin`, and with `endgames`.
    aspiration: after the first depths search only a window of this width around the last value, and a wider one if it was left.
        None: half of the game's `quiet_margin`; 0: never.
    threads: how many deepen side by side with one table (`team.py`); with more than one, results vary. Interpreted, there is one.

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

    deepening: bool = True
    table: Annotated[int | None, TABLE_SIZE] = 16
    pvs: bool = True
    killers: bool = True
    history: bool = True
    order: bool = True
    quiescence: bool = True
    extensions: bool = True
    distance: bool | None = None
    aspiration: Annotated[float | None, Range(0, words=ASPIRATION)] = None
    threads: Annotated[int, Range(1, 256, words="1 to 256 threads")] = 1
    nulls: bool | None = None
    futility: bool | None = None
    reductions: bool | None = None
    lines: Annotated[int, Range(1, MAX_LINES, words=f"1 to {MAX_LINES:,} lines")] = 1
    counts_plies: ClassVar[bool] = True
    opposes: ClassVar[bool] = True

    @staticmethod
    def plain(
        depth: int | None = None, *, nodes: int | None = None, seconds: float | None = None, interpreted: bool = False
    ) -> PlainAlphaBeta:
        """The pseudocode alone."""
        return PlainAlphaBeta(depth=depth, nodes=nodes, seconds=seconds, interpreted=interpreted)

    def solve(self, game: Game, states: Sequence[State] | np.ndarray, stop: Stop | None = None) -> Solved:
        """The exact value of each state, for all of them in one call with one table.

        Of a game with scores (`Game.has_scores`) the value is the score; of any other it is the sign of the utility, and the distance
        from the end comes with it. `depth` is no limit here.
        """
        if game.repetition == "forbidden":
            return solve_scores(self._superko(game, stop), states)
        oracle = self.oracle(game, stop)
        return solve_scores(oracle, states) if isinstance(oracle, Scores) else solve_all(oracle, states)

    def solution(self, game: Game, state: State | None = None, stop: Stop | None = None, *, all_moves: bool = False) -> Solution | None:
        """The exact value of a state, its best actions and a line of best play; None if it was stopped before it knew.

        all_moves: the exact value of every action, too. Where no position may come back (`Game.repetition`), one best action is told.
        """
        s = game.initial() if state is None else state
        refuse_unequal("solve", game, s)
        if game.repetition != "forbidden":
            return find_solution(self.oracle(game, stop), game, s, all_moves)
        if all_moves:
            raise ZermeloError(f"solve: expected the best action to be asked for, not all: {game.name} forbids what comes back")
        return self._superko(game, stop).solution(s)

    def oracle(self, game: Game, stop: Stop | None = None) -> Scores | Ranks:
        """What solves states of this game one after another, with a table that it keeps."""
        self._accept_to_solve(game)
        if game.repetition == "forbidden":
            raise ZermeloError(f"solve: expected a game in which states tell all, and {game.name} forbids what comes back")
        if game.has_scores:
            return Scores(game, self._memory(), self.nodes, self.seconds, self.interpreted, stop or Stop())
        return Ranks(game, self.table or 1, self.nodes, self.seconds, self.interpreted, stop)

    def _superko(self, game: Game, stop: Stop | None) -> Superko:
        self._accept_to_solve(game)
        return Superko(game, self.table or 1, self.nodes, self.seconds, self.interpreted, stop or Stop())

    def _accept_to_solve(self, game: Game) -> None:
        self._accept(game)
        refuse_unequal("solve", game, game.initial())
        if self.depth is not None:
            raise ZermeloError(f"AlphaBeta: expected no depth for solve, which goes to the end of the game, not {self.depth}")

    def _accept(self, game: Game) -> None:
        opposed("AlphaBeta", game)

    def _memory(self) -> Memory:
        return Memory(self.table or 0, self.interpreted)

    def new_memory(self, game: Game) -> KeptTable:
        return KeptTable()

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Engine]:
        sizes = lines.sizes(self.lines, plies, width)
        return prepare(game, engine.root, Engine, self.interpreted, plies=plies, width=width, **sizes)

    def _depths(self) -> Iterator[int | None]:
        yield from super()._depths() if self.deepening else (self.depth,)

    def _reorder(self, at: Progress, result: Result) -> None:
        at.moves = sorted(at.moves, key=lambda a: (a != result.action, -result.scores.get(a, -INFINITE)))

    def _one_depth(self, at: Progress) -> Result:
        """Search to this depth, with helpers that fill the table."""
        before = at.whole
        if (whole := self._whole_game(at)) is not None:
            return whole
        room = width_of(at.game, len(at.moves))
        result = self._with_helpers(at, room) if self._is_helped(at) else self._by_windows(at, room)
        if self.lines > 1 and at.last is not None and len(result.scores) < len(at.moves):
            result = replace(result, scores={}, bounds={}, others=())  # not finished: the best so far need not be the best
        at.ended |= result.exact or (
            at.game.quiet_margin > 0 and self.depth is None and at.depth >= FIRST_PLIES // 2
        )  # deeper tells nothing new
        return replace(result, nodes=result.nodes + at.whole - before)

    def _whole_game(self, at: Progress) -> Result | None:
        """The Result of a search to the end of the game, if as many moves as were looked ahead are all that is left after them.

        It may take as long as all depths before it; if that is not enough, the next depth is searched, and then it goes on, for the
        table keeps what it found.
        """
        game = at.game
        if not game.has_moves_left or game.has_endgames or game.repetition or watched_by() is not None:
            return None
        if self.lines > 1 or self.distance or self.table is None:
            return None
        left = game.moves_left(at.s)
        if at.spent == 0 or 2 * at.depth < left or (self.depth is not None and self.depth < left):
            return None
        nodes = max(FIRST_WHOLE, WHOLE_SPEED * (at.spent - at.whole))
        limit = nodes if at.left == 0 else min(nodes, at.left)
        scores = Scores(game, at.memory, limit, None, self.interpreted, at.stop)
        result = scores.search(at.s, at.moves)
        if result is None:
            at.whole += scores.nodes
            at.left = 0 if at.left == 0 else max(1, at.left - scores.nodes)
            return None
        result = with_rest_of_line(scores, at.s, result)
        at.ended = True
        return replace(result, depth=left, nodes=scores.nodes, seconds=at.watch.seconds)

    def _is_helped(self, at: Progress) -> bool:
        """Whether other threads search this depth, too: not until the search has taken longer than they take to begin."""
        if self.threads == 1 or self.interpreted or watched_by() is not None:
            return False
        return at.spent >= MIN_HELPED_NODES or not self.deepening

    def _with_helpers(self, at: Progress, room: int) -> Result:
        """The Result of this depth by whichever thread has it first."""
        at.left = 0 if at.left == 0 else max(1, at.left // self.threads)
        if at.team is None:
            at.team = Team(lambda other: self._by_windows(other, room), self._reorder, self.depth)
            at.helpers.enter_context(at.team.helping(at, self.threads))
        return at.team.one_depth(at)

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
            found = self._window(at, room, low, high)
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

    def _window(self, at: Progress, room: int, low: float = -INFINITE, high: float = INFINITE) -> Result:
        """The Result of one depth in this window, with as much room as it needs."""
        endless = ENDLESS_GAME if self.depth is None or not self.quiescence else ENDLESS_QUIESCENCE
        work = with_room(lambda *room: self._search(at, low, high, *room), FIRST_PLIES, room, endless)
        refuse_ends("AlphaBeta", at.game, work)
        result = result_of(at.game, at.s, work, at.watch, at.moves, prunes=False)  # of several lines, within a window: see lines.py
        result = replace(result, effort=int(work.best_nodes) / max(1, int(work.nodes)))
        return lines.with_lines(result, at.game, at.s, work, self.lines, (low, high))

    def _search(self, at: Progress, low: float, high: float, plies: int, width: int) -> Engine:
        past = at.past[-MAX_PAST_POSITIONS:]
        again = at.record if at.record is not None and (len(at.record.moves), len(at.record.root_moves)) == (plies, width) else None
        work = self._prepare(at.game, plies, width)(
            at.stop,
            again,
            depth=at.depth,
            limit=at.left,
            root_count=len(at.moves),
            root_moves=at.first(width, self.interpreted),
            low=low,
            high=high,
            claims=0 if at.team is None else at.team.claims,
            **dict.fromkeys(ANEW, 0),
            **lines.given(self.lines, len(at.moves), width),
            **({} if again is not None else self._given(at, past)),
        )
        at.cuts, at.record = work.history, work
        return work

    def _given(self, at: Progress, past: list[int]) -> dict[str, Any]:
        """What a record that is new must hold: what the depths of a search have in common."""
        given = {
            "start": at.game.layout.pack(at.s),
            "table": at.memory.table,
            "mask": at.memory.mask,
            "pairs": at.memory.pairs if at.game.quiet_margin > 0 else 0,
            "age": at.memory.age % AGES,
            "past_keys": past + [0] * (MAX_PAST_POSITIONS - len(past)),
            "past_count": len(past),
            **self.switches(at.game),
        }
        return given if at.cuts is None else given | {"history": at.cuts}

    def switches(self, game: Game) -> dict[str, float]:
        """The settings as the record holds them."""
        is_selective = game.quiet_margin > 0
        is_distant = is_selective or game.has_endgames  # or a win in the table might be put off for ever
        return {
            "has_table": int(self.table is not None),
            "has_pvs": int(self.pvs),
            "has_killers": int(self.killers),
            "has_history": int(self.history),
            "by_order": int(self.order),
            "has_quiescence": int(self.quiescence),
            "extensions": int(self.extensions),
            "nulls": int(self.nulls is not False),
            "futility": int(self.futility is not False and self.quiescence),
            "reductions": int(is_selective if self.reductions is None else self.reductions),
            "distance": PLY_VALUE if (is_distant if self.distance is None else self.distance) else 0.0,
        }

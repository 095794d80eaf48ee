"""A search and everything it did: `zermelo.trace(searcher, game, state)`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from ..errors import ZermeloError
from ..game import Game, State
from ..history import History, start_of
from ..search.alphabeta.plain import PlainAlphaBeta
from ..search.alphabeta.searcher import AlphaBeta
from ..search.expectiminimax import Expectiminimax
from ..search.maxn import MaxN, Paranoid
from ..search.mcts.searcher import MCTS
from ..search.minimax import Minimax
from ..search.notes import Log, watching
from ..search.searcher import Result, Searcher
from ..search.stop import Stop
from .draw.svg import svg_of
from .events import Event
from .events_from_notes import decode
from .minimal_tree import compared
from .narrate import summary
from .search_tree import Story
from .tree_from_events import Builder

LIMIT = 100_000  # visits

#: the searchers that can be traced, and the lectures' names of their algorithms
ALGORITHMS: dict[type[Searcher], str] = {
    Minimax: "minimax",
    PlainAlphaBeta: "alphabeta",
    AlphaBeta: "alphabeta",
    Expectiminimax: "expectiminimax",
    MaxN: "maxn",
    Paranoid: "paranoid",
    MCTS: "mcts",
}


@dataclass(frozen=True)
class Trace:
    """What a search did, in order, and its Result.

    `reached`: whether the limit was reached, so that the last events are missing; the Result is always that of the whole search.
    """

    game: Game
    state: State
    searcher: Searcher
    result: Result
    events: list[Event] = field(repr=False)
    reached: bool

    @cached_property
    def stories(self) -> list[Story]:
        """The search tree of each iteration."""
        return self.builder.stories(self.events)

    @cached_property
    def builder(self) -> Builder:
        name = type(self.searcher).__name__.lstrip("_")
        return Builder(
            self.game, self.state, name, check_watched(type(self.searcher)), _high(self), self.reached, self.searcher.endgames is not None
        )

    @cached_property
    def story(self) -> Story:
        """The last iteration that found something: one that was stopped before it knew its first action does not count."""
        if not self.stories:
            raise ZermeloError("the game is over: there was nothing to search")
        found = next((story for story in reversed(self.stories) if story.value is not None), self.stories[-1])
        found.reached = self.reached
        if found.is_complete:
            found.counts |= compared(self.game, self.searcher, self.state, found)
        return found

    def _repr_html_(self) -> str:
        if not self.stories:
            return self.result._repr_html_()
        lines = "".join(f"<p>{escape(line)}</p>" for line in summary(self.story))
        return f"<div>{svg_of(self.story)}{lines}</div>"

    def _repr_svg_(self) -> str | None:
        return svg_of(self.story) if self.stories else None


def check_watched(kind: type[Searcher]) -> str:
    """The lectures' name of the algorithm of this class; ZermeloError if it cannot be traced."""
    for cls in kind.__mro__:
        if cls in ALGORITHMS:
            return ALGORITHMS[cls]
    known = ", ".join(cls.__name__ for cls in ALGORITHMS)
    raise ZermeloError(f"trace: expected a searcher that can be watched ({known}), not {kind.__name__}")


def _high(trace: Trace) -> list[bool]:
    """For each player, whether a high value is good for them; empty if each player has their own value."""
    game, searcher = trace.game, trace.searcher
    if isinstance(searcher, Paranoid) and game.players != 2:
        me = max(0, game.to_move(trace.state))  # chance has no side of its own
        team = searcher.team or (me,)
        return [(p in team) == (me in team) for p in range(game.players)]
    return [True, False] if game.players == 2 else []


def trace(searcher: Searcher, game: Game, state: State | History | None = None, limit: int = LIMIT, stop: Stop | None = None) -> Trace:
    """Search, and record up to `limit` visits (for MCTS: simulations); ZermeloError if the searcher cannot be traced.

    The searchers of the lectures can be traced, in one thread.
    """
    check_watched(type(searcher))
    if not isinstance(limit, int) or not 1 <= limit <= 10_000_000:
        raise ZermeloError(f"trace: expected a limit of 1 to 10,000,000 visits, not {limit!r}")
    _refuse(searcher)
    log = Log(limit, searcher.interpreted)
    with watching(log):
        result = searcher.search(game, state, stop)
    s = start_of(game, state.state if isinstance(state, History) else state)
    return Trace(game, s, searcher, result, decode(game, log), log.is_full)


def _refuse(searcher: Searcher) -> None:
    """Refuse settings under which parts of the search are not recorded."""
    if getattr(searcher, "threads", 1) != 1:
        raise ZermeloError(f"trace: expected one thread, not {searcher.threads}")  # type: ignore[attr-defined]
    if isinstance(searcher, AlphaBeta) and searcher.lines > 1:
        raise ZermeloError(f"trace: expected a search for one line, not for {searcher.lines}")
    if isinstance(searcher, MCTS) and searcher._is_judged:
        raise ZermeloError("trace: expected MCTS with one playout from each leaf, and no evaluator")

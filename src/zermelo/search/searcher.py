"""What every search is and gives: a small frozen configuration, and a Result at each step of its progress."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from typing import Annotated, Any, ClassVar

from ..bits import i64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History, counted_start, start_of
from ..settings import Range, check_ranges
from ..system.limits import MAX_COUNT, MAX_DEPTH, MAX_SECONDS, check_seconds
from .endgames.table import find_table, has_no_way, is_known, with_table
from .endgames.values import is_decided, plies_of, preference, sign_of
from .model.facts import range_of
from .model.model import find_model, with_model
from .notes import watched_by
from .records import listed
from .stop import Stop
from .termination import refuse_endless
from .zero_sum import refuse_unequal

AT_LEAST, AT_MOST = "at least", "at most"  # what a bound says
SEED = Range(-math.inf, words="a whole number as seed")
SIGNS = {AT_LEAST: ">=", AT_MOST: "<="}


@dataclass(frozen=True)
class Result:
    """What a search found about a state.

    `value` is for the player to move and `values` for each player; `line` is the best play of all sides that it
    rests on, `scores` what each action of the root is worth to the player to move (where it was searched). A search that
    prunes knows of most actions only that they are no better than the best: `bounds` tells which scores say no more than that an
    action is worth "at most" or "at least" so much; all others are as exact as the search is. In a state that is terminal,
    `action` is None.
    """

    action: int | None
    value: float
    values: tuple[float, ...]
    line: tuple[int, ...]
    depth: int
    nodes: int
    evaluations: int
    seconds: float
    scores: dict[int, float]
    exact: bool  # whether the search saw the end of the game everywhere it had to
    bounds: dict[int, str] = field(default_factory=dict)
    others: tuple[tuple[int, ...], ...] = ()  # the best lines after `line`, of actions whose scores are exact, if several were asked for
    policy: dict[int, float] = field(default_factory=dict)  # how likely to take each action, of a search that mixes them
    errors: dict[int, float] = field(default_factory=dict)  # the standard errors of scores that are means
    effort: float = 0.0  # the share of the last depth's nodes that the best action took, of an alpha-beta search

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The best lines, the best first."""
        return (self.line, *self.others)

    def score(self, a: int) -> str:
        """The score of an action as text, with <= or >= before a bound and the standard error behind a mean."""
        bound = f"{SIGNS[self.bounds[a]]} " if a in self.bounds else ""
        return f"{bound}{self.scores[a]:+.4g}" + (f" ± {self.errors[a]:.2g}" if a in self.errors else "")

    def _repr_html_(self) -> str:
        """How a notebook shows it: what it found, and the score of each action, by its number."""
        told = {
            "action": self.action,
            "value": f"{self.value:+.4g}" + (" exact" if self.exact else ""),
            "line": " ".join(map(str, self.line)),
            "depth": self.depth,
            "nodes": f"{self.nodes:,} in {self.seconds:.3f} s",
            "scores": ", ".join(f"{a}: {self.score(a)}" for a, _ in sorted(self.scores.items(), key=lambda score: -score[1])),
        }
        rows = (f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in told.items())
        return f"<table>{''.join(rows)}</table>"


@dataclass(frozen=True, kw_only=True)
class Searcher:
    """The base of every search. With no limit it goes to the end of the game.

    depth: plies it looks ahead; nodes: states it may look at; seconds: time it may take. Whichever comes first
    ends it, with the best answer so far. interpreted: run the algorithm in Python instead of natively. eval: the run or the file
    of a learned model, or "learned" for the one that comes with the game, which values states instead of the game's `evaluate`.
    endgames: the file of an endgame table (`zermelo table build`), or a folder of Syzygy's of chess: states that it proves are not
    searched, and at the root the quicker win and the slower loss are preferred.
    """

    depth: Annotated[int | None, Range(1, MAX_DEPTH)] = None
    nodes: Annotated[int | None, Range(1, MAX_COUNT)] = None
    seconds: Annotated[float | None, Range(0, MAX_SECONDS, above=True, words="a positive number of seconds")] = None
    interpreted: bool = False
    eval: str | None = None
    endgames: str | None = None
    #: whether the search goes on until it has seen the whole tree, if nothing else ends it
    needs_an_end: ClassVar[bool] = False
    #: whether the search takes one player's gain for the other's loss
    opposes: ClassVar[bool] = False
    #: whether the search itself draws states that the player cannot tell from the one it is given, and looks at no other
    imagines: ClassVar[bool] = False
    #: whether the search counts plies to the end of the game, and so tells a quick win of a table from a slow one by itself
    counts_plies: ClassVar[bool] = False
    #: whether values are means of results, and not of evaluations in their own unit
    averages_results: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.seconds is not None:
            check_seconds(f"{type(self).__name__}: ", self.seconds)
        check_ranges(self)

    def search(self, game: Game, state: State | History | None = None, stop: Stop | None = None) -> Result:
        """The last and best answer of `deepen`. The state may come with its history, for games whose rules ask for it."""
        *_, last = self.deepen(game, state, stop)
        return last

    def deepen(self, game: Game, state: State | History | None = None, stop: Stop | None = None, kept: Any = None) -> Iterator[Result]:
        """Yield a Result at each step of progress, each better than the one before; at least one.

        `kept` is a `new_memory` of this searcher, in which it finds what its last search of this game found out.
        """
        judged = self._judged(game)
        if judged.has_endgames and has_no_way(judged, start_of(game, state.state if isinstance(state, History) else state)):
            judged = replace(self, endgames=None)._judged(game)
        if judged.has_endgames and watched_by() is None and not (self.counts_plies and judged.endgames.is_in_memory):  # type: ignore[attr-defined]
            known = result_of_table(judged, state)
            if known is not None:
                yield known
                return
        yield from self._deepen(judged, state, stop, kept)

    def _judged(self, game: Game) -> Game:
        """The game with whatever else values its states."""
        judged = game if self.eval is None else with_model(game, find_model(self.eval, game))
        if self.endgames is None:
            return judged
        if self.imagines:
            raise ZermeloError(f"{type(self).__name__}: expected no endgames, as it looks at states that it does not see whole")
        return with_table(judged, find_table(self.endgames))

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Search this game, which has the model that the searcher was asked to use."""
        raise NotImplementedError

    def new_memory(self, game: Game) -> Any:
        """An empty memory for what one search of this game can tell the next, a table or a tree; None if it keeps nothing."""
        return None

    def _opening(self, game: Game, state: State | History | None, stop: Stop | None = None) -> tuple[State, int, Result | None]:
        """The state to search, the number of its actions, and the Result if there is nothing to search: the game is over."""
        s, n = counted_start(game, state.state if isinstance(state, History) else state, type(self).__name__)
        if isinstance(state, History) and state.is_over:
            values = tuple(state.utility(p) for p in range(game.players))
        elif game.is_terminal(s):
            values = tuple(float(game.utility(s, p)) for p in range(game.players))
        else:
            if next(state.actions() if isinstance(state, History) else iter(game.actions(s)), None) is None:
                raise ZermeloError(f"{type(self).__name__}: expected an action in a state of {game.name} that is not terminal")
            if self.opposes:
                refuse_unequal(type(self).__name__, game, s)
            if self.needs_an_end and self.depth is None and self.nodes is None and self.seconds is None and stop is None:
                refuse_endless(type(self).__name__, game, s)
            return s, n, None
        return s, n, Result(None, values[0], values, (), 0, 1, 1, 0.0, {}, True)


def result_of_table(game: Game, state: State | History | None) -> Result | None:
    """What an endgame table says of a state: the quickest win, else a draw, else the slowest loss; None if it does not prove it."""
    s = start_of(game, state.state if isinstance(state, History) else state)
    if (isinstance(state, History) and state.is_over) or game.is_terminal(s):
        return None
    told = game.endgames.action_values(game, s) if is_known(game, s) else {}  # type: ignore[attr-defined]
    if not told:
        return None
    win, me, best = game.endgames.about.win, game.to_move(s), max(told, key=lambda a: preference(told[a]))  # type: ignore[attr-defined]
    value = win * sign_of(told[best])
    values = (value, 0.0 - value) if me == 0 else (0.0 - value, value)
    plies = plies_of(told[best]) if is_decided(told[best]) else 1
    return Result(best, value, values, (best,), plies, 1, 1, 0.0, {a: win * sign_of(v) for a, v in told.items()}, True)


class Stopwatch:
    """Seconds since the search began."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began


def two_players(name: str, game: Game, instead: str = "MaxN or Paranoid") -> None:
    """Refuse games that a search of two opponents cannot play."""
    if game.players != 2:
        raise ZermeloError(f"{name}: expected a game of two players, and {game.name} has {game.players}: use {instead}")
    if game.has_chance:
        raise ZermeloError(f"{name}: expected a game without chance: use Expectiminimax for {game.name}")


def is_opposed(game: Game) -> bool:
    """Whether one player's gain may be the other's loss: their sum is not always 0 where nobody can lose, or nobody win."""
    low, high = range_of(game)
    return low < 0.0 < high


def opposed(name: str, game: Game) -> None:
    """Refuse games that a search for which one player's gain is the other's loss cannot play."""
    two_players(name, game)
    if not is_opposed(game):
        low, high = range_of(game)
        zero = f"subtract {(low + high) / 2:g} from every utility if their sum is always {low + high:g}, or use MaxN"
        raise ZermeloError(f"{name}: expected utilities whose sum is 0, and those of {game.name} are from {low:g} to {high:g}: {zero}")


def line_of(game: Game, s: State, row: Any) -> tuple[int, ...]:
    """The actions of a principal line from s as an algorithm wrote it: how many, then each, signed."""
    numbers, line = [int(a) for a in listed(row[1 : 1 + int(row[0])])], []
    if min(numbers, default=0) >= 0:  # an action that is a word has no sign: only below 0 are there two readings
        return tuple(numbers)
    for signed in numbers:
        a = signed if signed >= 0 else next(a for a in game.actions(s) if i64(a) == i64(signed))
        line.append(a)
        s = game.result(s, a)
    return tuple(line)

"""Players that search: any searcher, within limits of its own or as the clock allows.

Without limits of its own a search gets a soft and a hard limit from the clock: after the first no new depth is begun, at the
second it is stopped. Limits of its own are kept, but the clock stops it before the flag falls. What it learned is kept from move
to move (`search/session.py`) where the searcher can do that.

A default player that grows a tree, because the game has no evaluation, first tries to see the end by the search by depth of such games.

Two settings are the player's and not the searcher's: `book`, the file of an opening book from which it takes actions without
searching, and `variety`, how evenly it chooses among them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from importlib.util import find_spec
from itertools import islice
from typing import Any

from ...bits import FULL
from ...errors import ZermeloError
from ...game import Game, State
from ...history import History
from ...rng import draw, split
from ...search import by_name
from ...search.deepening import Deepening
from ...search.mcts.node import MAX_VISITS
from ...search.model.facts import range_of
from ...search.model.model import LEARNED
from ...search.searcher import Result, Searcher
from ...search.session import Thinking
from ...search.stop import Stop
from ...settings import Range
from ..books.book import Book
from ..books.choice import choose as choose_from_book
from ..books.files import find_book
from ..clock import MARGIN, Clock
from ..patience import Patience
from .player import Player, Thought

DEFAULT = "default"
LIMITS = {"depth", "nodes", "seconds", "simulations", "playouts"}  # settings that end a search
SECONDS = 1.0  # for a move if neither the searcher nor the clock has a limit
UNLIMITED_SECONDS = 1e6  # seconds: as good as no limit, to a search that would take another
#: the limit of a search without limits: the first of these settings that it takes
ENDLESS = {"simulations": MAX_VISITS, "seconds": UNLIMITED_SECONDS}
HURRIED_SECONDS = 0.01  # with fewer a search is also limited by nodes: who is to stop it may be late
HURRIED_NODES = 500_000  # a second
BOOK, VARIETY = "book", "variety"  # settings of the player itself
IN_BOOK = 0xB00C  # the stream of random words by which it chooses from a book
VARIETIES = Range(0.0, 100.0)
WORLDS = 8  # that a player imagines if something is hidden
WARM_UP_SECONDS = 0.05  # seconds that a search has before the game
NEAR_END, MAX_ENDING_PLIES = 2, 1000  # moves left in a state of an ending, and plies in which it is looked for
FOR_ANY, NETWORK_PACKAGES = {"seconds", "seed"}, ("onnx", "onnxruntime")  # settings that mean the same with a network, and what that needs
FOR_TREES = FOR_ANY | {"nodes", "simulations", "interpreted", "threads"}  # settings with which a default player may grow a tree
SIMULATION = 8  # nodes that one simulation counts as: it plays a whole game
PROVING = 0.05  # of the seconds of a move, for seeing the end before a tree is grown


def default_for(game: Game) -> tuple[str, dict[str, str]]:
    """The searcher that plays a game by default, and its settings."""
    return by_name.default_for(game), by_name.default_settings(game)


def strongest_for(game: Game, given: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The same for a player that was given these settings: a search by the game's network, if that plays best, what it needs is installed,
    and nothing was given that means something else to it, as simulations do."""
    if game.network_plays_best and FOR_ANY.issuperset(given) and all(find_spec(name) is not None for name in NETWORK_PACKAGES):
        return "mcts", {"net": LEARNED}
    return playing_for(game, given)


def playing_for(game: Game, given: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The same without a network: a search by depth if settings of one were given, or a model that evaluates."""
    name = by_name.player_for(game) if FOR_TREES.issuperset(given) else by_name.default_for(game)
    return name, by_name.default_settings(game)


class SearchPlayer(Player):
    """A searcher that plays. `name` may be `default`: what that is, is known when the game begins."""

    def __init__(self, text: str, name: str, settings: dict[str, str]):
        self.text, self.name, self.settings = text, name, settings
        self._book_file, self._variety = settings.get(BOOK, ""), _variety(settings.get(VARIETY, "1"))
        self._searching = {key: value for key, value in settings.items() if key not in (BOOK, VARIETY)}
        self._limited = bool(settings.keys() & LIMITS)
        if name != DEFAULT:
            by_name.searcher(name, **self._searching)  # refuses what cannot be
        self._book: Book | None = None
        self._game: Game | None = None
        self._thinking: Thinking | None = None
        self.stop = Stop()  # of the search that runs; another thread may set it

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Get the native code ready, and forget the game before."""
        self.searcher = self._made(game, split(seed & FULL, seat))
        self._prover = self._made_prover(game)
        self._book = find_book(self._book_file, game) if self._book_file else None
        self._book_stream = split(split(seed & FULL, seat), IN_BOOK)
        self._seed, self.thought = seed, None
        if self._game is not game and not self.searcher.interpreted:
            self._warm_up(game)
        self._game, self._thinking = game, None
        if not game.has_hidden or self.searcher.imagines:
            with suppress(ZermeloError):  # it has nothing to keep
                self._thinking = Thinking(self.searcher, game)  # type: ignore[arg-type]

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if self._game is not game:
            raise ZermeloError("expected begin() before choose()")
        few = list(islice(state.actions(), 2))
        if len(few) == 1:
            self.thought = Thought(note="the only action")
            return few[0]
        if (known := self.book_action(state)) is not None:
            self.thought = Thought(line=(known,), note="from the book")
            return known
        soft, hard = self.limits(clock, game.to_move(state.state))
        result = self.think(state, soft, hard)
        a = result.action
        if a is None or not state.is_new(a):  # a tree does not know what the rules forbid because it was there before
            a = max(state.actions(), key=lambda x: result.scores.get(x, -float("inf")))
        line = result.line if result.line[:1] == (a,) else (a,)
        self.thought = Thought(result.value, result.depth, result.nodes, line)
        return a

    def book_action(self, state: History) -> int | None:
        """An action of the book, if there is one and it has any."""
        if self._book is None or state.game.has_hidden:
            return None
        return choose_from_book(self._book, state, self._variety, draw(self._book_stream, len(state.taken)))

    def limits(self, clock: Clock, p: int) -> tuple[float | None, float | None]:
        """After how many seconds to begin nothing new, and to stop."""
        soft, hard = clock.budget(p)
        if self._limited:
            return None, None if hard is None else max(hard, clock.left[p] - MARGIN)
        if hard is None:
            return SECONDS, SECONDS
        return soft, hard if isinstance(self.searcher, Deepening) else soft  # a search without depths ends when it is asked to

    def think(self, state: History, soft: float | None, hard: float | None) -> Result:
        """The best answer within these limits."""
        self.stop = Stop()
        if state.game.has_hidden and not self.searcher.imagines:
            return self._imagined(state, hard)
        hurry = isinstance(self.searcher, Deepening) and soft is not None and hard is not None and hard < HURRIED_SECONDS
        limits: dict[str, float | None] = {"nodes": max(100, int(hard * HURRIED_NODES))} if hurry and hard is not None else {}
        *_, last = self.steps(state, soft, hard, **limits)
        return last

    def steps(self, state: History, soft: float | None, hard: float | None, **limits: float | None) -> Iterator[Result]:
        """The answers as they come, until the limits are reached or `stop` is set; at least one. `limits` are depth and nodes."""
        began, patience = time.perf_counter(), Patience(state.game, soft)
        if hard is not None and not self._limited and not isinstance(self.searcher, Deepening):
            limits["seconds"] = hard  # which a search may divide: that by a network first tries to solve the end
        if self._prover is not None:
            seconds = limits.get("seconds", self.searcher.seconds)
            if (proof := self._proof(state, seconds)) is not None:
                yield proof
                return
            if seconds is not None:
                limits["seconds"] = max(HURRIED_SECONDS, seconds - (time.perf_counter() - began))
        with self.stop.after(hard):
            for result in self._deepen(state, self.stop, **limits):
                yield result
                if patience.is_spent(result, time.perf_counter() - began):
                    return

    def _deepen(self, state: History | State, stop: Stop, **limits: float | None) -> Iterator[Result]:
        assert self._game is not None
        searcher = replace(self.searcher, **limits) if limits else self.searcher  # type: ignore[arg-type]
        if self._thinking is not None:
            self._thinking.searcher = searcher  # type: ignore[assignment]
            return self._thinking.deepen(state, stop)
        return searcher.deepen(self._game, state, stop)

    def _proof(self, state: History, seconds: float | None) -> Result | None:
        """What the end of the game proves, if a part of these seconds is enough to see it: the exact value, or a win."""
        assert self._prover is not None
        stop, last = Stop(), None
        longest = None if seconds is None and self._prover.nodes is not None else PROVING * (seconds or SECONDS)
        with suppress(ZermeloError), stop.after(longest), self.stop.telling(stop.set):
            *_, last = self._prover.deepen(state.game, state, stop)
        if last is None or not (last.exact or last.value >= range_of(state.game)[1]):
            return None
        return last

    def _imagined(self, state: History, hard: float | None) -> Result:
        """What is best in most of the states that the player cannot tell from this one."""
        game, s, ply = state.game, state.state, len(state.taken)
        me, found = game.to_move(s), list[Result]()
        for i in range(WORLDS):
            world, stop = game.resample(s, me, draw(split(self._seed & FULL, ply), i)), Stop()
            with stop.after(None if hard is None else hard / WORLDS), self.stop.telling(stop.set):
                *_, last = self._deepen(world, stop)
            found.append(last)
        votes = Counter(r.action for r in found)
        best = max(votes, key=lambda a: (votes[a], sum(r.scores.get(a, 0.0) for r in found if a is not None)))
        told = next(r for r in found if r.action == best)
        value = sum(r.value for r in found) / len(found)
        return replace(told, value=value, nodes=sum(r.nodes for r in found), line=(best,) if best is not None else ())

    def _made(self, game: Game, seed: int) -> Searcher:
        name, settings = self.name, self._searching
        if name == DEFAULT:
            name, usual = strongest_for(game, settings)
            settings = usual | settings
        made, takes = dict[str, Any](settings), {f.name for f in fields(by_name.find(name))}
        if "seed" not in made and "seed" in takes:
            made["seed"] = seed
        if not self._limited and not issubclass(by_name.find(name), Deepening):  # which ends only when it is asked to
            key = next(key for key in ENDLESS if key in takes)
            made[key] = ENDLESS[key]
        return by_name.searcher(name, **made)

    def _made_prover(self, game: Game) -> Searcher | None:
        """The search by depth that a default player tries first where it grows a tree because the game has no evaluation."""
        name, grown = by_name.default_for(game), self.searcher
        if self.name != DEFAULT or playing_for(game, self._searching)[0] == name:
            return None
        simulations = grown.nodes or (grown.simulations if "simulations" in self.settings else None)  # type: ignore[attr-defined]
        nodes = None if simulations is None else SIMULATION * simulations
        tables = {"table": 1} if "table" in {f.name for f in fields(by_name.find(name))} else {}  # quickly cleared
        return by_name.searcher(name, nodes=nodes, interpreted=grown.interpreted, **tables)

    def _warm_up(self, game: Game) -> None:
        """Compile what is to be run, or load it: no clock runs yet. What the searcher cannot play, it refuses here."""
        searcher = replace(self.searcher, seconds=WARM_UP_SECONDS)  # and not with fewer nodes, for whose trees other code is made
        history = History(game)
        for plies in (0, NEAR_END) if game.has_moves_left else (0,):  # endings may be solved by other native code
            _play_on(history, plies)
            if history.is_over:
                return
            if self._prover is not None:
                self._proof(history, WARM_UP_SECONDS)
            try:
                Thinking(searcher, game).search(history)  # type: ignore[arg-type]
            except ZermeloError:
                searcher.search(game, history)


def _play_on(history: History, left: int) -> None:
    """Take random actions to a state in which a player moves, of a game that tells it with so few moves left; 0 for any."""
    game = history.game
    for i in range(MAX_ENDING_PLIES):
        s = history.state
        if history.is_over or (game.to_move(s) >= 0 and (left == 0 or game.moves_left(s) <= left)):
            return
        history.do(game.sample(s, draw(0, i)))


def _variety(text: str) -> float:
    try:
        variety = float(text)
    except ValueError:
        variety = -1.0
    if variety not in VARIETIES:
        raise ZermeloError(f"expected {VARIETIES.describe(VARIETY)}, not {text!r}")
    return variety

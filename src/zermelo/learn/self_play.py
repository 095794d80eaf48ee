"""Self-play with learning, as Python drives it: memory for games, threads that share the weights, room that grows."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ..errors import ZermeloError
from ..game import Game
from ..lower.memory import Words
from ..lower.rows import LANES, Floats
from ..search.model.kinds import AFTER_PLAYERS, KINDS, WITH_PLAYERS
from ..search.model.model import Model, with_model
from ..search.model.rote import ROTE, Rote
from ..search.prepare import prepare, room_for, width_of
from ..search.stop import Stop
from ..search.table import ENTRY_WORDS
from . import q, rote, td, tdleaf, traces, treestrap
from .searched import BUCKETS, Searching

SEARCHED = (WITH_PLAYERS, KINDS[:3], KINDS)  # kinds of states that treestrap learns from at depth 1, 2 and more: a tree's inner nodes
MAX_GAME_PLIES = 4096  # plies of a game that is learned from
COUNTED = ("played", "plies", "unfinished", "steps", "error", "widest", "beyond")


@dataclass(frozen=True)
class Method:
    """An algorithm that learns from games against itself, its record, and what distinguishes it from others of the same function."""

    function: Callable[[Game, Any], int]
    record: type[td.Learning]
    given: dict[str, int] = field(default_factory=dict)

    @property
    def searches(self) -> bool:
        """Whether moves are searched for."""
        return self.record is Searching


_ORDERED = {"has_killers": 1, "has_history": 1, "by_order": 1}
METHODS = {
    "td": Method(td.learn_games, td.SelfPlay),
    "mc": Method(td.learn_games, td.SelfPlay),
    "traces": Method(traces.learn_games, traces.Tracing),
    "q": Method(q.learn_games, q.Acting, {"off_policy": 1}),
    "sarsa": Method(q.learn_games, q.Acting, {"off_policy": 0}),
    "tdleaf": Method(tdleaf.learn_games, Searching, _ORDERED),
    "treestrap": Method(treestrap.learn_games, Searching, _ORDERED | {"has_table": 1}),
    ROTE: Method(rote.learn_games, Searching, _ORDERED),
}


def kinds_of(method: str, depth: int) -> tuple[str, ...]:
    """The kinds of states that this method learns from, with searches of this depth."""
    if method == "treestrap":
        return SEARCHED[min(max(depth, 1), len(SEARCHED)) - 1]
    return WITH_PLAYERS if method == ROTE else AFTER_PLAYERS


def refuse(method: str, game: Game) -> None:
    """Refuse a game that this method cannot learn."""
    if METHODS[method].searches and game.players != 2:
        raise ZermeloError(f"{method}: expected a game of two players, and {game.name} has {game.players}: use td")
    if method == "tdleaf" and game.has_chance:
        raise ZermeloError(
            f"tdleaf: expected a game without chance, where a line of best play has one end: use treestrap or td for {game.name}"
        )
    if method == "treestrap" and game.has_outcomes:
        raise ZermeloError(
            f"treestrap: expected a game without outcomes, as a search knows only what they are worth: use td for {game.name}"
        )


@dataclass(frozen=True)
class Played:
    """What some games of self-play were like."""

    games: int
    plies: int
    unfinished: int  # games without an end
    error: float  # mean square of what the outputs were wrong by


def shares(first: int, games: int, threads: int) -> list[tuple[int, int]]:
    """The games from the first on, divided among threads: where each begins, and how many it has."""
    share = max(1, -(-games // threads))
    return [(first + at, min(share, games - at)) for at in range(0, games, share)] or [(first, 0)]


class Learner:
    """Plays a game against itself and improves a model by it."""

    def __init__(self, game: Game, model: Model | Rote, *, method: str = "td", depth: int = 1, threads: int = 1, interpreted: bool = False):
        if isinstance(model, Rote) != (method == ROTE):
            raise ZermeloError(f"expected the method {ROTE} for a memory of states, and for nothing else, not {method}")
        model.kinds = kinds_of(method, depth)  # its own searches, too, ask about these alone
        self.game, self.model, self.threads, self.interpreted = with_model(game, model, in_shares=True), model, threads, interpreted
        self.method, self.depth = METHODS[method], depth
        self.width = width_of(game)
        self._start = game.layout.pack(game.initial())

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Play the games numbered from `first` on and learn from each; fewer if it is stopped.

        With one thread the weights depend on the seed and the settings alone. Several threads change the same weights as they go.
        """
        parts = shares(first, games, self.threads)
        before = self.model.array.copy()
        while True:
            with ThreadPoolExecutor(len(parts)) as pool:
                works = list(pool.map(lambda part: self._run(part[0], part[1], seed, stop, settings), parts))
            total = {name: sum(w[name] for w in works) for name in COUNTED}
            widest = max(int(w["widest"]) for w in works)
            if widest <= self.width:
                break
            self.model.array[:] = before  # a game that did not fit was learned from in part
            self.width = room_for(widest)
        if total["beyond"]:
            low, high = self.model.shape.low, self.model.shape.low + self.model.shape.span
            raise ZermeloError(f"{self.game!r} has a utility outside {low:g} to {high:g}: write value_range in the game")
        outputs = max(1, total["steps"] * self.model.shape.outputs)
        return Played(int(total["played"]), int(total["plies"]), int(total["unfinished"]), total["error"] / outputs)

    def _run(self, first: int, games: int, seed: int, stop: Stop | None, settings: dict[str, float]) -> dict[str, float]:
        """Play and learn in this thread; what was counted."""
        total, method = dict.fromkeys(COUNTED, 0.0), self.method
        run = prepare(self.game, method.function, method.record, self.interpreted, width=self.width, plies=self.depth + 2)
        memory = self._memory()
        share = 1 if method.searches else games  # a search that is stopped has nothing to teach: such games are played to their end
        for at in range(first, first + games, max(1, share)):
            given: dict[str, Any] = settings | self._given() | {name: one.table for name, one in memory.items()}
            work = run(None if method.searches else stop, first=at, games=share, seed=seed, **given)
            for name in total:
                total[name] += getattr(work, name)
            if work.played < share or (stop is not None and stop.is_set):
                break
        return total

    def _memory(self) -> dict[str, Words | Floats]:
        """The memory of a thread, by the names of fields."""
        shape, interpreted = self.model.shape, self.interpreted
        planes = 1 << (shape.words - 1).bit_length()
        path = Words(MAX_GAME_PLIES * (planes + 1), interpreted)
        memory: dict[str, Words | Floats] = {"path": path, "trail": Floats(MAX_GAME_PLIES * (shape.activations + LANES), interpreted)}
        if self.method.record is traces.Tracing and isinstance(self.model, Model):
            size = self.model.array.size
            memory |= {"traces": Floats(size * shape.outputs, interpreted), "learned": Floats.of(self.model.array, interpreted)}
        if self.method.searches:
            memory |= {"table": Words(BUCKETS * 2 * ENTRY_WORDS, interpreted)}
        return memory

    def _given(self) -> dict[str, Any]:
        """What the record holds beside that, of this game and method."""
        shape = self.model.shape
        given = {"start": list(self._start), "longest": MAX_GAME_PLIES, "lowest": shape.low, "span": shape.span, **self.method.given}
        if self.method.record is traces.Tracing:
            given |= {"floats": self.model.array.size}
        if self.method.searches:
            given |= {"opening": list(self._start), "depth": self.depth, "mask": BUCKETS - 1}
        return given

"""Self-play with learning, as Python drives it: memory for games, threads that share the weights, room that grows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ..errors import ZermeloError
from ..game import Game
from ..lower.memory import Words
from ..lower.rows import LANES, Floats
from ..search.model.model import Model, with_model
from ..search.prepare import prepare, room_for, width_of
from ..search.stop import Stop
from .td import SelfPlay, learn_games

LONGEST = 4096  # plies of a game that is learned from


@dataclass(frozen=True)
class Played:
    """What some games of self-play were like."""

    games: int
    plies: int
    unfinished: int  # games without an end, from which nothing was learned
    error: float  # mean square of what the outputs were wrong by


class Learner:
    """Plays a game against itself and improves a model by it."""

    def __init__(self, game: Game, model: Model, *, threads: int = 1, interpreted: bool = False):
        self.game, self.model, self.threads, self.interpreted = with_model(game, model), model, threads, interpreted
        self.width = width_of(game)
        self._start = game.layout.pack(game.initial())

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Play the games numbered from `first` on and learn from each; fewer if it is stopped.

        With one thread the weights depend on the seed and the settings alone. Several threads change the same weights as they go.
        """
        share = max(1, -(-games // self.threads))
        parts = [(first + at, min(share, games - at)) for at in range(0, games, share)] or [(first, 0)]
        with ThreadPoolExecutor(len(parts)) as pool:
            works = list(pool.map(lambda part: self._run(part[0], part[1], seed, stop, settings), parts))
        done, plies, unfinished = (sum(int(w[name]) for w in works) for name in ("played", "plies", "unfinished"))
        outputs = max(1, plies * self.model.shape.outputs)
        return Played(done, plies, unfinished, sum(w["error"] for w in works) / outputs)

    def _run(self, first: int, games: int, seed: int, stop: Stop | None, settings: dict[str, float]) -> dict[str, float]:
        """Play and learn in this thread; what was counted."""
        shape, total = self.model.shape, dict.fromkeys(("played", "plies", "unfinished", "error"), 0.0)
        planes = 1 << (shape.words - 1).bit_length()
        path = Words(LONGEST * (planes + 1), self.interpreted)
        trail = Floats(LONGEST * (shape.width + LANES), self.interpreted)
        while True:
            run = prepare(self.game, learn_games, SelfPlay, self.interpreted, width=self.width)
            given: dict[str, Any] = settings | {"first": first, "games": games, "limit": LONGEST, "seed": seed}
            work = run(stop, start=self._start, low=shape.low, span=shape.span, path=path.table, trail=trail.table, **given)
            for name in total:
                total[name] += getattr(work, name)
            if work.outside:
                low, high = shape.low, shape.low + shape.span
                raise ZermeloError(f"{self.game!r} has a utility outside {low:g} to {high:g}: write value_range in the game")
            first, games = first + int(work.played), games - int(work.played)
            if work.widest <= self.width:
                break
            self.width = room_for(int(work.widest))
        return total

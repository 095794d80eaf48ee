"""Solving a game: iterations until the strategy is good enough, looked at now and then, kept in a file from which they go on.

solve("leduc", method="cfr+", until=0.001)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from ..errors import ZermeloError
from ..game import Game
from ..search.stop import Stop
from ..settings import OneOf, Range, check_ranges
from ..system.limits import MAX_COUNT
from .form import LIMIT, MOST_NODES
from .solver import METHODS, Solver
from .strategy import About, Strategy, rules_hash

UNTIL = 0.001  # NashConv at which solving ends, if nothing else ends it
FIRST_LOOK = {"mccfr": 1000}  # iterations before the strategy is looked at; 1 for all others
PART = 0.5  # seconds between two looks at the clock
SAVED_EVERY = 10.0  # seconds after which the strategy is written


@dataclass(frozen=True)
class Look:
    """How good the average strategy is after some iterations."""

    iterations: int
    seconds: float
    iterations_per_second: float
    nash_conv: float
    values: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """What a best response gains on average over the players."""
        return self.nash_conv / max(1, len(self.values))


@dataclass(frozen=True, kw_only=True)
class Solving:
    """What to solve by, and when to end.

    method: cfr, cfr+, dcfr or mccfr. until: NashConv at which to end (0.001 if no iterations are given). iterations: after which to end,
    those of the run before counted. seed: of mccfr's samples. limit: the most nodes that the game may have.
    """

    method: Annotated[str, OneOf(tuple(METHODS))] = "cfr+"
    until: Annotated[float | None, Range(0)] = None
    iterations: Annotated[int | None, Range(1, MAX_COUNT)] = None
    seed: Annotated[int, Range(0, 2**63)] = 0
    limit: Annotated[int, Range(1, MOST_NODES)] = LIMIT

    def __post_init__(self) -> None:
        check_ranges(self)

    @property
    def goal(self) -> float:
        """NashConv at which to end; below all that rounding makes of 0 for none."""
        return (UNTIL if self.iterations is None else -math.inf) if self.until is None else self.until


class Run:
    """A game that is being solved, and its file."""

    def __init__(self, game: Game, solving: Solving, path: Path | None):
        if not game.has_hidden:
            raise ZermeloError(
                f"{game!r} hides nothing: expected a game that writes observe; zermelo search and zermelo table solve others"
            )
        if path is not None and not path.resolve().parent.is_dir():
            raise ZermeloError(f"cannot write {path}: the folder {path.parent} does not exist")
        before = Strategy.load(path) if path is not None and path.exists() else None
        if before is not None:
            _check_same(before, game, solving, path)
        self.game, self.solving, self.path, self._rules = game, solving, path, rules_hash(game)
        self.solver = Solver(game, solving.method, seed=solving.seed, limit=solving.limit)
        self.seconds = 0.0
        if before is not None:
            self._check_form(before)
            self.solver.resume(before.about.iterations, before.arrays["regrets"], before.arrays["averages"])
            self.seconds = before.about.seconds
        self.solver.evaluate()  # compiling is not solving
        self._saved = time.monotonic()
        self.look: Look | None = None

    def _check_form(self, before: Strategy) -> None:
        """ZermeloError unless a strategy has the sequences of this game."""
        form = self.solver.form
        is_same = all(np.array_equal(before.arrays[name], getattr(form, name)) for name in ("observations", "firsts", "actions"))
        if not is_same or not 0 <= before.about.iterations <= MAX_COUNT:
            raise ZermeloError(f"{self.path} is damaged: expected the information sets of {self.game!r}")

    def steps(self, stop: Stop) -> Iterator[Look]:
        """Iterate, and yield each look; when it ends, or is stopped, the strategy is in the file."""
        done, goal, speed = self.solver.iteration, self.solving.goal, 1.0
        last, target = self.solving.iterations or MAX_COUNT, FIRST_LOOK.get(self.solving.method, 1)
        if done > 0:
            self.look = self._look()
            yield self.look
        while done < last and not stop.is_set and not (self.look is not None and self.look.nash_conv <= goal):
            while target <= done:  # the same looks, whether the run was interrupted or not
                target = max(target + 1, target * 3 // 2)
            part, began = min(min(target, last) - done, max(1, int(speed * PART))), time.perf_counter()
            self.solver.run(part)
            spent = time.perf_counter() - began
            self.seconds, done = self.seconds + spent, done + part
            speed = min(part / max(spent, 1e-9), 4 * speed + 1)
            if time.monotonic() - self._saved > SAVED_EVERY:
                self.save()
            if done in (target, last):
                self.look = self._look()
                yield self.look
        if self.look is None or self.look.iterations != done:
            self.look = self._look()
            yield self.look
        self.save()

    def _look(self) -> Look:
        found, speed = self.solver.evaluate(), self.solver.iteration / max(1e-9, self.seconds)
        values = tuple(map(float, found.expected))
        return Look(self.solver.iteration, self.seconds, speed, float(found.nash_conv), values)

    @property
    def strategy(self) -> Strategy:
        """The average strategy so far."""
        look = self.look if self.look is not None and self.look.iterations == self.solver.iteration else self._look()
        about = About(
            game=repr(self.game),
            rules=self._rules,
            method=self.solving.method,
            seed=self.solving.seed,
            iterations=self.solver.iteration,
            seconds=self.seconds,
            nash_conv=look.nash_conv,
            values=look.values,
            nodes=self.solver.form.nodes,
        )
        return Strategy.of(self.solver.form, about, self.solver.averages, self.solver.regrets)

    def save(self) -> None:
        """Write the strategy, if there is a file for it."""
        if self.path is not None:
            self.strategy.save(self.path)
        self._saved = time.monotonic()


def _check_same(before: Strategy, game: Game, solving: Solving, path: Path | None) -> None:
    """ZermeloError unless a file was begun with the same rules, method and seed."""
    before.check_game(game)
    for name in ("method", "seed"):
        known, asked = getattr(before.about, name), getattr(solving, name)
        if known != asked and not (name == "seed" and solving.method != "mccfr"):
            raise ZermeloError(f"{path} was begun with {name} {known}: expected that, not {asked}, or another file")


def solve(
    game: Game,
    *,
    method: str = "cfr+",
    until: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    run: str | Path | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[Look], None] | None = None,
) -> Strategy:
    """Solve a game and return the average strategy of all players. A file `run` that is there already is gone on with."""
    solving = Solving(method=method, until=until, iterations=iterations, seed=seed, limit=limit)
    place = Run(game, solving, None if run is None else Path(run))
    for look in place.steps(stop or Stop()):
        if on_progress:
            on_progress(look)
    return place.strategy

"""Solving a game of cards over buckets: external sampling for some time, kept in a file from which it goes on.

solve_cards(game, buckets=1000, seconds=2400, run="holdem.strategy")
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ...lower.memory import Words
from ...search.prepare import prepare
from ...search.stop import Stop
from ...settings import Range, check_ranges
from ...system import limits
from ..strategy import rules_hash
from .boards import Array
from .buckets import MAX_BUCKETS, make_buckets
from .game import card_game
from .sampling import Sampling, sample
from .strategy import About, CardStrategy, CardTable

PART = 0.5  # seconds between two looks at the clock
LOOK_EVERY = 20.0  # seconds of sampling
SAVED_EVERY = 60.0  # seconds after which the strategy is written


@dataclass(frozen=True)
class CardLook:
    """How far sampling is."""

    iterations: int
    seconds: float
    iterations_per_second: float
    value: float  # what player 0 got a deal since the last look, while both players learn


@dataclass(frozen=True, kw_only=True)
class CardSolving:
    """What to solve by, and when to end.

    buckets: the most of a round. iterations and seconds: after which to end, those of the run before counted. seed: of buckets and deals.
    """

    buckets: Annotated[int, Range(1, MAX_BUCKETS)]
    iterations: Annotated[int | None, Range(1, limits.MAX_COUNT)] = None
    seconds: Annotated[float | None, Range(0, above=True)] = None
    seed: Annotated[int, Range(0, 2**63)] = 0

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.iterations is None and self.seconds is None:
            raise ZermeloError("over buckets nothing says how good a strategy is: expected seconds or iterations after which to end")


class CardRun:
    """A game of cards that is being solved, and its file."""

    def __init__(
        self, game: Game, solving: CardSolving, path: Path | None, on_part: Callable[[str, float], None] = lambda name, share: None
    ):
        if path is not None and not path.resolve().parent.is_dir():
            raise ZermeloError(f"cannot write {path}: the folder {path.parent} does not exist")
        self.game, self.solving, self.path, self._rules = card_game(game), solving, path, rules_hash(game)
        self.iteration, self.seconds = 0, 0.0
        before = CardStrategy.load(path) if path is not None and path.exists() else None
        if before is not None:
            self._check_same(before)
            self.table = before.table
            self.iteration, self.seconds = before.about.iterations, before.about.seconds
        else:
            self.table = CardTable(game, make_buckets(game, solving.buckets, solving.seed, on_part=on_part))
        on_part("scores on full boards", 0.0)
        self.table.buckets.keep_scores()
        tables = (None, None) if before is None else (before.arrays["regrets"], before.arrays["averages"])
        self._regrets, self._averages = (Words(self.table.sequences, False) if x is None else Words.of(x, False) for x in tables)
        self._step = prepare(game, sample, Sampling, False)
        self._saved = time.monotonic()
        self.look: CardLook | None = None

    def _check_same(self, before: CardStrategy) -> None:
        """ZermeloError unless a file was begun with the same rules, buckets and seed."""
        before.check_game(self.game)
        for name in ("buckets", "seed"):
            known, asked = getattr(before.about, name), getattr(self.solving, name)
            if known != asked:
                raise ZermeloError(f"{self.path} was begun with {name} {known}: expected that, not {asked}, or another file")

    def steps(self, stop: Stop) -> Iterator[CardLook]:
        """Sample, and yield each look; when it ends, or is stopped, the strategy is in the file."""
        speed, gained, seen, looked = 100.0, 0.0, 0, self.seconds
        while not stop.is_set and not self.is_done:
            last = limits.MAX_COUNT if self.solving.iterations is None else self.solving.iterations
            part, began = max(1, min(last - self.iteration, int(speed * PART))), time.perf_counter()
            gained, seen = gained + self._run(part), seen + part
            spent = time.perf_counter() - began
            self.seconds, speed = self.seconds + spent, min(part / max(spent, 1e-9), 4 * speed)
            if time.monotonic() - self._saved > SAVED_EVERY:
                self.save()
            if self.seconds - looked >= LOOK_EVERY:
                yield self._look(gained / seen)
                gained, seen, looked = 0.0, 0, self.seconds
        if seen or self.look is None:
            yield self._look(gained / max(1, seen))
        self.save()

    @property
    def is_done(self) -> bool:
        """Whether the run has reached its end."""
        has_time = self.solving.seconds is None or self.seconds < self.solving.seconds
        return not (has_time and (self.solving.iterations is None or self.iteration < self.solving.iterations))

    def _run(self, iterations: int) -> float:
        """Go on by this many iterations; what player 0 got in them."""
        tables = {"regrets": self._regrets.table, "averages": self._averages.table}
        given = {"iteration": self.iteration, "iterations": iterations, "seed": self.solving.seed}
        gained = self._step(**self.table.fields, **tables, **given).gained
        self.iteration += iterations
        return float(gained)

    def _look(self, value: float) -> CardLook:
        self.look = CardLook(self.iteration, self.seconds, self.iteration / max(1e-9, self.seconds), value)
        return self.look

    @property
    def strategy(self) -> CardStrategy:
        """The average strategy so far."""
        solving, buckets = self.solving, self.table.buckets
        about = About(repr(self.game), self._rules, solving.buckets, solving.seed, self.iteration, self.seconds)
        arrays = {"rows": buckets.rows, "clusters": buckets.clusters, "averages": _reals(self._averages), "regrets": _reals(self._regrets)}
        return CardStrategy(about, arrays)

    def save(self) -> None:
        """Write the strategy, if there is a file for it."""
        if self.path is not None:
            self.strategy.save(self.path)
        self._saved = time.monotonic()


def _reals(words: Words) -> Array:
    return words.array.view(np.float64)


def solve_cards(
    game: Game,
    *,
    buckets: int,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    run: str | Path | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[CardLook], None] | None = None,
) -> CardStrategy:
    """Solve a game of cards over buckets and return the average strategy. A file `run` that is there already is gone on with."""
    solving = CardSolving(buckets=buckets, iterations=iterations, seconds=seconds, seed=seed)
    place = CardRun(game, solving, None if run is None else Path(run))
    for look in place.steps(stop or Stop()):
        if on_progress:
            on_progress(look)
    return place.strategy

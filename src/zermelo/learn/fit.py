"""Fitting a model to examples: states with what they are worth.

    w  <-  w + alpha (y - V(s)) grad V(s)      for each example (s, y), in another order in each epoch

y is the result of the game in which s was met, or a value given for it. The outputs are sigmoids and the error is their cross entropy,
which is least where V(s) is the mean of y, as the mean square is. For a linear model and results this is logistic regression: the
tuning of an evaluation to master games, as for Deep Blue.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..bits import u64
from ..game import Game
from ..lower.memory import Words, load
from ..lower.rows import LANES, Floats, get
from ..search.model.model import Model, with_model
from ..search.prepare import prepare
from ..search.records import WORDS, room
from ..search.stop import Stop
from .examples import Examples
from .self_play import Played, shares
from .td import Learning, learn_state, look_at, player_output


class Fitting(Learning):
    """The record of examples that are learned from, or only compared with the model."""

    row: list[u64] = room(WORDS)
    states: int  # words of the states of all examples
    targets: int  # floats: the outcomes of player 0, then those of player 1 ...
    order: int  # words: the examples in the order in which they come
    compares: int  # whether nothing is learned


def learn_examples(game: Game, work: Fitting) -> int:
    """Learn from `games` examples of the order, beginning with number `first`; how many they were."""
    for g in range(work.games):
        example = int(load(work.order, work.first + g))
        for k in range(len(work.row)):
            work.row[k] = load(work.states, example * len(work.row) + k)
        look_at(game, game.unpack(work.row), 0, work)
        for i in range(work.outputs):
            work.returns[i] = get(work.targets, example * work.outputs + i)
        if work.compares != 0:
            compare(game, work)
        else:
            learn_state(game, 0, work)
        work.played += 1
        if work.stop != 0:
            return g
    return work.games


def compare(game: Game, work: Fitting) -> int:
    """Count what the outputs are wrong by."""
    for k in range(work.outputs):
        wrong = work.returns[player_output(game, 0, k, work)] - get(work.trail, work.activations + k)
        work.error += wrong * wrong
    work.steps += 1
    return work.outputs


# ---- around it ---------------------------------------------------------------------------------


class Fitter:
    """Fits a model to examples, of which some are held out."""

    def __init__(self, game: Game, model: Model, examples: Examples, *, threads: int = 1, interpreted: bool = False):
        self.game, self.model, self.examples, self.threads, self.interpreted = (
            with_model(game, model),
            model,
            examples,
            threads,
            interpreted,
        )
        self._states = words_of(examples.states.ravel(), interpreted)
        self._targets = Floats(examples.targets.size, interpreted)
        self._targets.array[:] = examples.targets.ravel()

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Learn from this many examples, beginning with example `first`, counted through all epochs; fewer if it is stopped."""
        done, error, steps = 0, 0.0, 0
        self._prepare()
        while done < games and not (stop is not None and stop.is_set):
            epoch, at = divmod(first + done, len(self.examples.shown))
            order = np.random.default_rng([seed, epoch]).permutation(self.examples.shown)
            n = min(games - done, len(order) - at)
            with ThreadPoolExecutor(self.threads) as pool:
                runs = [pool.submit(self._run, order, *part, stop, settings) for part in shares(at, n, self.threads)]
            works = [run.result() for run in runs]
            done += sum(int(w.played) for w in works)
            error, steps = error + sum(w.error for w in works), steps + sum(int(w.steps) for w in works)
        return Played(done, 0, 0, error / max(1, steps * self.model.shape.outputs))

    def held_out_error(self) -> float:
        """The mean square of what the outputs are wrong by on the examples that are held out."""
        order = self.examples.held_out
        work = self._run(order, 0, len(order), None, {"compares": 1})
        return float(work.error) / max(1, len(order) * self.model.shape.outputs)

    def _run(self, order: np.ndarray[Any, Any], first: int, games: int, stop: Stop | None, settings: dict[str, float]) -> Fitting:
        shape, run = self.model.shape, self._prepare()
        path, trail = Words(256, self.interpreted), Floats(shape.activations + LANES, self.interpreted)
        places = {"states": self._states, "order": words_of(order, self.interpreted), "path": path}
        memory: dict[str, Words | Floats] = {**places, "targets": self._targets, "trail": trail}
        given: dict[str, Any] = settings | {name: one.table for name, one in memory.items()}
        return run(stop, first=first, games=games, row=[0] * self.game.layout.words, **given)

    def _prepare(self) -> Callable[..., Fitting]:
        """The algorithm, ready to run."""
        return prepare(self.game, learn_examples, Fitting, self.interpreted)


def words_of(values: np.ndarray[Any, Any], interpreted: bool) -> Words:
    """Memory that holds these words."""
    words = Words(len(values), interpreted)
    if interpreted:
        words.table.update(enumerate(map(int, values)))
    else:
        words.array[:] = values
    return words

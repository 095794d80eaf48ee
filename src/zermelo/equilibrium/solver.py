"""Regret minimisation of a game: its memory, and the steps of each method over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ZermeloError, nearest
from ..game import Game
from ..lower.memory import Words
from ..search.prepare import prepare
from . import cfr, mccfr
from .best_response import Responses, average, respond
from .form import LIMIT, Array, SequenceForm, sequence_form

#: how each method is called, and its number in `cfr.py`; None samples
METHODS: dict[str, int | None] = {"cfr": cfr.CFR, "cfr+": cfr.PLUS, "dcfr": cfr.DISCOUNTED, "mccfr": None}


class Solver:
    """A game that is being solved. `run` goes on by some iterations; `nash_conv` and `strategy` are about the average strategy so far."""

    def __init__(self, game: Game, method: str = "cfr+", *, seed: int = 0, limit: int = LIMIT, interpreted: bool = False):
        if method not in METHODS:
            raise ZermeloError(f"there is no method '{method}'{nearest(method, METHODS)}: expected one of {', '.join(METHODS)}")
        self.game, self.method, self.seed, self.interpreted = game, method, seed, interpreted
        self.form = sequence_form(game, has_tree=METHODS[method] is None, limit=limit, interpreted=interpreted)
        self.iteration = 0
        self._memory = self.form.memory(interpreted) | self._tables("regrets", "averages", "values", "sigma", "reach")
        self._responses = Evaluation(game, self.form, interpreted, self._memory)
        self._begin()

    def _tables(self, *names: str) -> dict[str, Words]:
        return {name: Words(self.form.sequences, self.interpreted) for name in names}

    def _begin(self) -> None:
        """Get the native code ready, and the strategies that belong to the regrets."""
        if METHODS[self.method] is None:
            tree, utilities = self.form.tree, self.form.utilities
            assert tree is not None and utilities is not None
            self._memory |= {"nodes": Words.of(tree, self.interpreted), "utilities": Words.of(utilities, self.interpreted)}
            names = ("nodes", "utilities", "regrets", "averages", "values")
            self._step: Callable[..., Any] = prepare(self.game, mccfr.sample, mccfr.Sampling, self.interpreted)
            self._given: dict[str, Any] = {name: self._memory[name].table for name in names} | {"seed": self.seed}
        else:
            self._given = {name: words.table for name, words in self._memory.items()} | {"set_begin": self.form.set_begin.tolist()}
            self._given["method"] = METHODS[self.method]
            prepare(self.game, cfr.begin, cfr.Regrets, self.interpreted)(**self._given)
            self._step = prepare(self.game, cfr.iterate, cfr.Regrets, self.interpreted)

    def run(self, iterations: int) -> None:
        """Go on by this many iterations."""
        self._step(**self._given, iteration=self.iteration, iterations=iterations)
        self.iteration += iterations

    def resume(self, iteration: int, regrets: Array, averages: Array) -> None:
        """Go on from what another run left."""
        self.iteration = iteration
        self._memory |= {"regrets": Words.of(regrets, self.interpreted), "averages": Words.of(averages, self.interpreted)}
        self._responses = Evaluation(self.game, self.form, self.interpreted, self._memory)
        self._begin()

    @property
    def regrets(self) -> Array:
        """The regret of each sequence."""
        return self._read("regrets")

    @property
    def averages(self) -> Array:
        """How often each sequence was played, weighted."""
        return self._read("averages")

    def _read(self, name: str) -> Array:
        return self._memory[name].read(0, self.form.sequences).view(np.float64).copy()

    @property
    def strategy(self) -> Array:
        """The average strategy: how likely each sequence is in its information set."""
        self.evaluate()
        return self._responses.strategy

    def evaluate(self) -> Responses:
        """What the average strategy and best responses to it get; `nash_conv` is how far it is from an equilibrium."""
        return self._responses.of_average()


class Evaluation:
    """Exact values of strategies, and of best responses to them."""

    def __init__(self, game: Game, form: SequenceForm, interpreted: bool = False, memory: dict[str, Words] | None = None):
        self.game, self.form, self.interpreted = game, form, interpreted
        known = memory or form.memory(interpreted)
        self._memory = {name: known[name] for name in ("parents", "firsts", "rows", "pays", "columns")}
        self._memory |= {name: Words(form.sequences, interpreted) for name in ("sigma", "reach", "values")}
        self._averages = known.get("averages")

    def of_average(self) -> Responses:
        """Values of the average strategy of the solver whose memory this is."""
        assert self._averages is not None
        return self._run(average, averages=self._averages.table)

    def of(self, strategy: Array) -> Responses:
        """Values of a strategy: how likely each sequence is in its information set."""
        self._memory["sigma"] = Words.of(np.asarray(strategy, np.float64), self.interpreted)
        return self._run(respond)

    @property
    def strategy(self) -> Array:
        """The strategy that was looked at last."""
        return self._memory["sigma"].read(0, self.form.sequences).view(np.float64).copy()

    def _run(self, function: Any, **more: Any) -> Responses:
        tables = {name: words.table for name, words in self._memory.items()}
        return prepare(self.game, function, Responses, self.interpreted)(**tables, **more, set_begin=self.form.set_begin.tolist())

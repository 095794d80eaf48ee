"""An integer network in training, as Python holds it: its floats, how they are rounded, and what learns them (`nnue_fit.py`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ZermeloError
from ..game import Game
from ..lower.rows import BETA_1, BETA_2, LANES, Floats
from ..lower.short_rows import SHORT_LANES
from ..search.model.any_tuples import most_on
from ..search.model.facts import LARGEST_WEIGHT
from ..search.model.kinds import WITH_PLAYERS
from ..search.model.model import with_model
from ..search.model.network import padded
from ..search.model.nnue import TOP, WEIGHT
from ..search.model.nnue_model import STEEPEST, WIDEST_NNUE, Nnue, NnueShape, nnue_shape
from ..search.prepare import prepare
from ..search.stop import Stop
from ..system.tensors import check_seal, progress_in, write_tensors
from .examples import Examples
from .fit import words_of
from .nnue_fit import NnueFitting, fit_batches
from .self_play import Played

BATCH = 2048  # examples of a step
ROW_SPREAD, OUTPUT_SPREAD = 0.05, 0.04  # of the weights at first
FLOATS, ABOUT = "floats", ("games", "seconds", "steps")
STATE = "training.safetensors"  # beside the model in the folder of a run: what training goes on with
NNUE = "nnue"  # the text of a model


def nnue_sums(text: str) -> int:
    """The sums of a player of a network given as text, 0 if it is no integer network."""
    kind, _, sums = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind != NNUE:
        return 0
    if not (sums.isascii() and sums.isdigit() and len(sums) < 6 and 0 < int(sums) <= WIDEST_NNUE and int(sums) % SHORT_LANES == 0):
        raise ZermeloError(f"expected nnue:SUMS with a multiple of {SHORT_LANES} up to {WIDEST_NNUE:,}, not '{text}'")
    return int(sums)


class TrainedNnue:
    """A network in training: its floats with those of Adam, and how far it is."""

    def __init__(self, shape: NnueShape, floats: Floats, games: int = 0, seconds: float = 0.0, steps: int = 0):
        self.shape, self.floats, self.games, self.seconds, self.steps = shape, floats, games, seconds, steps
        self.kinds: tuple[str, ...] = WITH_PLAYERS  # of states that it has learned from

    @staticmethod
    def new(game: Game, sums: int, seed: int) -> TrainedNnue:
        """A network with small random weights."""
        shape, rng = nnue_shape(game, sums, most_on(game)), np.random.default_rng(seed)
        network = TrainedNnue(shape, Floats(4 * size_of(shape), interpreted=False))
        rows, outputs, _ = network.parts()
        rows[:-1] = rng.normal(0.0, ROW_SPREAD, (shape.inputs, sums))
        outputs[:] = rng.uniform(-OUTPUT_SPREAD, OUTPUT_SPREAD, outputs.shape)
        return network

    @staticmethod
    def of(found: Nnue) -> TrainedNnue:
        """The floats of a network in integers, to go on with."""
        network = TrainedNnue(found.shape, Floats(4 * size_of(found.shape), interpreted=False))
        rows, outputs, biases = network.parts()
        rows[:], outputs[:], biases[:] = found.rows / TOP, found.outputs / WEIGHT, found.biases / (TOP * WEIGHT)
        return network

    @property
    def weights(self) -> Any:
        """What is learned."""
        return self.floats.array[: size_of(self.shape)]

    def parts(self) -> tuple[Any, Any, Any]:
        """Rows with b as the last, the outputs of each phase, their biases."""
        shape, flat = self.shape, self.weights
        outputs = (shape.inputs + 1) * shape.sums
        biases = outputs + 2 * shape.phases * shape.sums
        rows = flat[:outputs].reshape(-1, shape.sums)
        return rows, flat[outputs:biases].reshape(shape.phases, -1), flat[biases : biases + shape.phases]

    def rounded(self) -> Nnue:
        """The network in integers."""
        rows, outputs, biases = self.parts()
        steep = np.clip(np.rint(outputs * WEIGHT), -STEEPEST, STEEPEST)
        exact = np.rint(biases.astype(np.float64) * TOP * WEIGHT).astype(np.int32)
        network = Nnue(self.shape, np.rint(rows * TOP).astype(np.int16), steep.astype(np.int16), exact, self.games, self.seconds)
        network.kinds = self.kinds
        return network

    def save(self, path: Path) -> None:
        """Write the network in integers to this file, and beside it what training goes on with."""
        about = {name: repr(getattr(self, name)) for name in ABOUT}
        write_tensors(path.parent / STATE, {FLOATS: self.floats.array}, about)
        self.rounded().save(path)

    @staticmethod
    def load(path: Path, game: Game, sums: int) -> TrainedNnue:
        """The network in training beside this file; ZermeloError if there is none."""
        from safetensors import SafetensorError, safe_open

        network = TrainedNnue.new(game, sums, 0)
        try:
            check_seal(path.parent / STATE)
            with safe_open(path.parent / STATE, "numpy") as file:
                floats, about = file.get_tensor(FLOATS), file.metadata() or {}
            if floats.shape != network.floats.array.shape or not (np.abs(floats) <= LARGEST_WEIGHT).all():
                raise ValueError
            (network.games, network.seconds), network.steps = progress_in(about), int(about["steps"])
        except (OSError, SafetensorError, KeyError, ValueError):
            raise ZermeloError(f"{path.parent / STATE} is not a network in training of {sums} sums: expected what this run wrote") from None
        network.floats.array[:] = floats
        return network


def size_of(shape: NnueShape) -> int:
    """Floats of a network."""
    return (shape.inputs + 1 + 2 * shape.phases) * shape.sums + padded(shape.phases)


class NnueFitter:
    """Fits a network to examples, of which some are held out."""

    def __init__(self, game: Game, network: TrainedNnue, examples: Examples, *, interpreted: bool = False):
        self.game = with_model(game, network.rounded())  # for its shape: what is learned are the floats
        self.network, self.examples, self.interpreted = network, examples, interpreted
        self._states = words_of(examples.states.ravel(), interpreted)
        self._targets = Floats(examples.targets.size, interpreted)
        self._targets.array[:] = examples.targets.ravel()
        self._order: tuple[tuple[int, int], Any] = ((-1, -1), None)

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Learn from this many examples, beginning with example `first`, counted through all epochs; fewer if it is stopped."""
        done, error, shown = 0, 0.0, self.examples.shown
        self._prepare()
        while done < games and not (stop is not None and stop.is_set):
            epoch, at = divmod(first + done, len(shown))
            if self._order[0] != (seed, epoch):
                self._order = (seed, epoch), words_of(np.random.default_rng([seed, epoch]).permutation(shown), self.interpreted)
            work = self._run(self._order[1], at, min(games - done, len(shown) - at), stop, settings["rate"], 0)
            self.network.steps += int(work.steps)
            done, error = done + int(work.played), error + float(work.error)
        return Played(done, 0, 0, error / max(1, done))

    def held_out_error(self) -> float:
        """The mean square of what the output is wrong by on the examples that are held out."""
        order = words_of(self.examples.held_out, self.interpreted)
        work = self._run(order, 0, len(self.examples.held_out), None, 0.0, 1)
        return float(work.error) / max(1, int(work.played))

    def _run(self, order: Any, first: int, games: int, stop: Stop | None, rate: float, compares: int) -> NnueFitting:
        shape, steps = self.network.shape, self.network.steps
        space = Floats(6 * shape.sums + LANES, self.interpreted)
        weights = Floats.of(self.network.floats.array, self.interpreted)
        return self._prepare()(
            stop,
            first=first,
            games=games,
            batch=BATCH,
            rate=rate,
            compares=compares,
            states=self._states.table,
            targets=self._targets.table,
            order=order.table,
            weights=weights.table,
            size=size_of(shape),
            power_1=BETA_1**steps,
            power_2=BETA_2**steps,
            row=[0] * self.game.layout.words,
            space=space.table,
        )

    def _prepare(self) -> Callable[..., NnueFitting]:
        """The algorithm, ready to run."""
        return prepare(self.game, fit_batches, NnueFitting, self.interpreted)

"""Training: a model learns a game in a run folder, which a later call goes on with.

train("connect4", model="mlp:80", games=100_000, run="runs/first")
train("chess", method="fit", data=["masters.pgn"], run="runs/masters")
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from ..errors import ZermeloError, nearest
from ..game import Game
from ..history import start_of
from ..search.model.model import FILE, Model, shape_for
from ..search.model.rote import ROTE, Rote
from ..search.stop import Stop
from ..settings import OneOf, Range, check_ranges
from ..system.limits import MAX_COUNT
from .alphago.settings import EXPERT, REINFORCE, ExpertTraining, ReinforceTraining
from .examples import Examples, read_examples
from .first_models import first_model, first_nnue, memory_at
from .fit import Fitter
from .look import Look
from .many.settings import BATCH as STATES
from .many.settings import EXPECTED, ON_A_GPU, RATE, SAMPLES, SLOTS
from .many.settings import GAMES as MANY_GAMES
from .model_text import NTUPLE, hidden_layers, rote_states
from .nnue_fitter import BATCH, NnueFitter, TrainedNnue, nnue_sums
from .runs import Run, new_folder
from .score import score_against_random
from .self_play import MAX_GAME_PLIES, METHODS, Learner, Played, kinds_of, refuse
from .zero.settings import ZERO, NetworkTraining, ZeroTraining

if TYPE_CHECKING:  # brings torch
    from .many.learner import ManyGames
    from .nnue_descent import NnueDescent
    from .zero.network_run import NetworkRun

FIT = "fit"
PARTS = 200  # of a run: the rate falls from part to part
LARGEST_PART = 5000  # games
LOOKS = 20  # at the progress
SCORED = 1000  # games against random players at each look
SAVED_EVERY = 10.0  # seconds after which the model is written, if a part is done
DECAY = 0.01  # of the rate, over the run: 0.1 left 0.05 points a game of backgammon behind after a million games
STEP, LINEAR_STEP = 0.67, 0.2  # the rate of a game of one ply: 0.007 for backgammon, where 0.0087 left 0.05 points a game behind
TUPLE_STEP = 150.0  # divided by the weights of a state, too: 0.05 for Othello, where 0.015 and 0.15 were worse by 100 Elo and more
SEARCHED_STEP = 0.3  # times that, for tdleaf and treestrap: one move's search teaches much the same as the next one's
EXAMPLE_STEP, LINEAR_EXAMPLE_STEP = 0.015, 0.004  # the rate of fit
NNUE_STEP = 0.001  # of an integer network, whose steps are Adam's
BATCH_ON_A_GPU = 16384  # examples of its step there
DEEPEST_SEARCH = 16  # plies
DIVERGED = 1e4  # a weight of this size; those of models that learned something are below 100
TRIED = 500  # random games that tell how long they are; by 50 of them rates differed by a quarter from seed to seed
GAMES, EPOCHS, DEPTH = 10_000, 10, 2  # where nothing else is asked for: games, passes over all examples, plies of a search

LEFT_OPEN = ("games", "rate", "epsilon", "depth", "start", "device", "slots", "batch", "samples")  # of a run gone on with: as before


AnyTraining: TypeAlias = "Training | NetworkTraining"
Trained: TypeAlias = "Model | TrainedNnue | Rote"
Learning: TypeAlias = "Learner | ManyGames | Fitter | NnueFitter | NnueDescent"
#: the methods of networks that guide searches
OF_NETWORKS: dict[str, type[NetworkTraining]] = {ZERO: ZeroTraining, EXPERT: ExpertTraining, REINFORCE: ReinforceTraining}


@dataclass(frozen=True, kw_only=True)
class Training:
    """What to train, and how.

    method: how it learns (docs/learning.md lists them); mc is td with lambda = 1. model: linear, ntuple for tables of patterns, mlp:UNITS
    or mlp:UNITS,UNITS for a network with one or two hidden layers, rote:STATES for a memory. games: None for 10,000; for fit the number
    of examples shown, None for ten times all. trace: lambda, of td, traces and tdleaf. rate: falls to 1 % over the run; None for one that
    suits the method and the length of games. epsilon: how often a player takes any action; None for 0 in a game with dice and 0.2 in
    others. depth: plies that tdleaf and treestrap search; None for 2. data: the files that fit reads. random_plies: with how many random
    actions at most half of the games begin.
    start: a run or a file whose model this one begins as. device: cpu or cuda, where td, mc and expected play many games side by
    side, and fit learns an integer network in torch. slots, batch, samples: of games side by side, how many they are, the states of a step
    (of fit on cuda, too), and how often a state is learned from.
    """

    method: Annotated[str, OneOf((*METHODS, EXPECTED, FIT))] = "td"
    model: str = "mlp:80"
    games: Annotated[int | None, Range(1, MAX_COUNT)] = None
    trace: Annotated[float, Range(0, 1)] = 0.7
    rate: Annotated[float | None, Range(0, 100, above=True)] = None
    epsilon: Annotated[float | None, Range(0, 1)] = None
    random_plies: Annotated[int, Range(0, 1000)] = 0
    depth: Annotated[int | None, Range(1, DEEPEST_SEARCH)] = None
    data: tuple[str, ...] = ()
    start: str | None = None
    device: Annotated[str | None, OneOf(("cpu", "cuda", None))] = None
    slots: Annotated[int | None, Range(1, 1 << 20)] = None
    batch: Annotated[int | None, Range(1, 1 << 20)] = None
    samples: Annotated[float | None, Range(1, 100)] = None
    seed: Annotated[int, Range(0, 2**63)] = 0
    threads: Annotated[int, Range(1, 256)] = 1

    def __post_init__(self) -> None:
        check_ranges(self)
        if nnue_sums(self.model) and (self.method != FIT or self.threads > 1):
            raise ZermeloError(f"expected the method fit and one thread for {self.model}, not {self.method} and {self.threads}")
        hidden_layers(self.model)
        if bool(rote_states(self.model)) != (self.method == ROTE) or (self.method == ROTE and self.threads > 1):
            asked = f"{self.method} of {self.model} in {self.threads}"
            raise ZermeloError(f"expected the method rote, a model rote:STATES and one thread together, not {asked}")
        files = (self.data,) if isinstance(self.data, (str, Path)) else self.data
        object.__setattr__(self, "data", tuple(map(str, files)))
        if self.depth is not None and not self.searches:
            *names, last = (name for name, method in METHODS.items() if method.searches)
            raise ZermeloError(f"expected a depth for {', '.join(names)} or {last} alone, not for {self.method}")
        if self.random_plies and self.method not in ON_A_GPU:
            raise ZermeloError(f"expected random plies for {', '.join(ON_A_GPU)} alone, not for {self.method}")
        self._check_many()
        if bool(self.data) != (self.method == FIT):
            raise ZermeloError(f"expected {'files of examples as data' if self.method == FIT else 'no data'} for {self.method}")

    def _check_many(self) -> None:
        """Refuse settings that do not fit games side by side, or those of games side by side where there are none."""
        if self.device == "cuda" and self.method not in ON_A_GPU and not self.is_fitted_on_a_gpu:
            raise ZermeloError(
                f"expected {', '.join(ON_A_GPU)}, or fit of nnue:SUMS, on the device cuda, not {self.method} of {self.model}"
            )
        if self.is_many and (self.threads > 1 or self.model == NTUPLE):
            raise ZermeloError(f"expected linear or mlp:UNITS and one thread for games side by side, not {self.model} and {self.threads}")
        for name in ("slots", "batch", "samples"):
            if getattr(self, name) is not None and not self.is_many and not (name == "batch" and self.is_fitted_on_a_gpu):
                raise ZermeloError(f"expected {name} for {EXPECTED} or the device cuda alone, not for {self.method} on a processor")

    @property
    def searches(self) -> bool:
        """Whether the method searches for moves."""
        return self.method in METHODS and METHODS[self.method].searches

    @property
    def is_many(self) -> bool:
        """Whether many games are played side by side, with the network in torch."""
        return (self.device == "cuda" and self.method != FIT) or self.method == EXPECTED

    @property
    def is_fitted_on_a_gpu(self) -> bool:
        """Whether an integer network is fitted in torch."""
        return self.device == "cuda" and self.method == FIT and nnue_sums(self.model) > 0

    def settings(self, done: int) -> dict[str, float]:
        """The settings of the part of the run that begins after `done` games."""
        return {
            "rate": (self.rate or 0.0) * DECAY ** (done / (self.games or GAMES)),
            "faster": 10.0 if hidden_layers(self.model) else 1.0,  # or the outputs learn long before what they are made of
            "trace": 1.0 if self.method == "mc" else self.trace,
            "epsilon": self.epsilon or 0.0,
            "random_plies": self.random_plies,
        }

    def for_game(self, game: Game, examples: Examples | None) -> Training:
        """The same with what was left open decided for this game."""
        games = self.games or (EPOCHS * len(examples.shown) if examples else GAMES if self.device != "cuda" else MANY_GAMES)
        epsilon = self.epsilon if self.epsilon is not None else 0.0 if game.has_chance or examples else 0.2
        depth = self.depth or (DEPTH if self.searches else None)
        told = replace(self, games=games, epsilon=epsilon, depth=depth, rate=self.rate or self._rate_for(game))
        if self.is_fitted_on_a_gpu:
            return replace(told, batch=self.batch or BATCH_ON_A_GPU)
        if not self.is_many:
            return told
        is_whole = self.method == EXPECTED
        where = (self.device or "cpu", is_whole)
        return replace(told, slots=self.slots or SLOTS[where], batch=self.batch or STATES[where], samples=self.samples or SAMPLES[is_whole])

    def _rate_for(self, game: Game) -> float:
        """A rate that suits the method and the game.

        What was learned from a game is a sum over its states, made with weights that stood still: the longer the games, the
        smaller the steps.
        """
        step = STEP if hidden_layers(self.model) else LINEAR_STEP
        if self.is_many:
            return RATE[self.method == EXPECTED]
        if self.method == FIT:
            return NNUE_STEP if nnue_sums(self.model) else EXAMPLE_STEP if hidden_layers(self.model) else LINEAR_EXAMPLE_STEP
        if self.method == ROTE:
            return 1.0  # what was remembered is forgotten
        if self.model == NTUPLE:
            step = TUPLE_STEP / shape_for(game, 0, is_tuples=True).patterns
        step *= SEARCHED_STEP if self.searches else 1.0
        played = Learner(game, Model.new(game)).learn(TRIED, 0, self.seed, {"epsilon": 1.0})  # any action: that learns nothing
        return float(f"{step * played.games / max(1, played.plies):.2g}")


def train(
    game: Game,
    *,
    run: str | Path | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[Look], None] | None = None,
    **settings: Any,
) -> Run:
    """Train a model of this game and return its run. A run that is there already is gone on with.

    `settings` are those of Training, or of ZeroTraining, ExpertTraining and ReinforceTraining with their methods. `on_progress` gets each
    look at the progress.
    """
    training = training_of(settings)
    place = place_for(game, training, run)
    for look in steps(game, training, place, stop or Stop()):
        if on_progress:
            on_progress(look)
    return place


def training_of(settings: dict[str, Any]) -> AnyTraining:
    """What these settings ask for."""
    kind: type[AnyTraining] = OF_NETWORKS.get(settings.get("method", ""), Training)
    takes = [f.name for f in fields(kind)]
    if wrong := next((name for name in settings if name not in takes), None):
        method = "" if kind is Training else f" by {settings['method']}"
        raise ZermeloError(f"train{method} has no setting '{wrong}'{nearest(wrong, takes)}: it takes {', '.join(takes)}")
    return kind(**settings)


def place_for(game: Game, training: AnyTraining, run: str | Path | None) -> Run:
    """The run of this folder, or of a new one."""
    if not isinstance(training, Training):
        _require_torch(f"the method {training.method}")
    return Run(Path(run) if run is not None else new_folder(f"{game.name}-{training.method}"))


def steps(game: Game, training: AnyTraining, place: Run, stop: Stop) -> Iterator[Look]:
    """Train, and yield each look at the progress; when it ends, or is stopped, all that was learned is in the folder."""
    try:
        yield from _steps(game, training, place, stop)
    finally:
        place.end()


def _steps(game: Game, training: AnyTraining, place: Run, stop: Stop) -> Iterator[Look]:
    if not isinstance(training, Training):
        yield from _network_steps(game, training, place, stop)
        return
    at = _begin(place, game, training)
    while at.model.games < at.games and not stop.is_set:
        at.learn_part(stop)
        if at.is_time_to_look:
            yield at.look()
    at.save()


def _network_steps(game: Game, training: NetworkTraining, place: Run, stop: Stop) -> Iterator[Look]:
    """The same for networks that guide searches, which need torch."""
    if game.is_terminal(start_of(game, None, "train")):
        raise ZermeloError(f"{game!r} is over at the start: expected a game to learn from")
    yield from _network_run(game, training, place).steps(stop)


def _require_torch(what: str) -> None:
    if find_spec("torch") is None:
        raise ZermeloError(f"{what} needs torch: install zermelo with its extra, pip install 'zermelo[learn]'")


def _network_run(game: Game, training: NetworkTraining, place: Run) -> NetworkRun:
    """The run of this method."""
    if isinstance(training, ZeroTraining):
        from .zero.training import Zero

        return Zero(game, training, place)
    if isinstance(training, ExpertTraining):
        from .alphago.expert import Expert

        return Expert(game, training, place)
    from .alphago.reinforce import Reinforce

    assert isinstance(training, ReinforceTraining)
    return Reinforce(game, training, place)


class _Progress:
    """A run as it goes on."""

    def __init__(self, place: Run, game: Game, training: Training, model: Trained, examples: Examples | None):
        self.place, self.game, self.training, self.model = place, game, training, model
        self.games = training.games or GAMES
        largest = self.games if training.is_many else LARGEST_PART
        self.part = max(1, min(largest, self.games // PARTS))  # parts begin at multiples of this, whenever they are begun
        if isinstance(model, TrainedNnue):
            batch = training.batch or BATCH
            self.part = max(1, self.games // PARTS // batch) * batch
        model.kinds = examples.kinds if examples else kinds_of(training.method, training.depth or 0)
        self.learner = _learner(game, training, model, examples)
        self.learner.learn(0, 0, 0, training.settings(0))  # compiling is not learning
        self.played = Played(0, 0, 0, 0.0)
        self._looked, self._saved = (model.games, model.seconds), time.monotonic()

    def learn_part(self, stop: Stop | None) -> None:
        """Play and learn to the end of a part, and write the model now and then."""
        model, done = self.model, self.model.games % self.part
        games = min(self.part - done, self.games - model.games)
        settings = self.training.settings(model.games - done)
        began = time.monotonic()
        self.played = self.learner.learn(games, model.games, self.training.seed, settings, stop)
        if self.played.unfinished == self.played.games > 0:
            raise ZermeloError(
                f"none of {self.played.games:,} games of {self.game!r} ended within {MAX_GAME_PLIES:,} actions: nothing to learn from"
            )
        model.seconds += time.monotonic() - began
        if not np.abs(model.weights).max() < DIVERGED:  # also where it is NaN
            raise ZermeloError(f"the run diverged after {model.games:,} games: expected a rate below {settings['rate']:g}")
        model.games += self.played.games
        if time.monotonic() - self._saved > SAVED_EVERY:
            self.save()

    def save(self) -> None:
        self.model.save(self.place.folder / FILE)
        self._saved = time.monotonic()

    @property
    def is_time_to_look(self) -> bool:
        between = self.part * max(1, self.games // self.part // LOOKS)
        return self.model.games >= self.games or self.model.games // between > self._looked[0] // between

    def look(self) -> Look:
        """Score the model, and write it and the look into the folder."""
        model, played = self.model, self.played
        player = model.rounded() if isinstance(model, TrainedNnue) else model
        score = score_against_random(self.game, player, SCORED, self.training.seed)
        games, seconds = self._looked
        speed = (model.games - games) / max(1e-9, model.seconds - seconds)
        self._looked = (model.games, model.seconds)
        plies = played.plies / max(1, played.games)
        held_out = getattr(self.learner, "held_out_error", None)  # of those that learn from examples
        error = played.error if held_out is None else held_out()
        look = Look(model.games, model.seconds, speed, error, plies, played.unfinished, score.mean, score.error)
        self.save()
        self.place.add(look)
        return look


def _learner(game: Game, training: Training, model: Trained, examples: Examples | None) -> Learning:
    """What learns by this method."""
    if isinstance(model, TrainedNnue):
        assert examples is not None
        if not training.is_fitted_on_a_gpu:
            return NnueFitter(game, model, examples)
        from .nnue_descent import NnueDescent

        return NnueDescent(game, model, examples, "cuda", training.batch or BATCH_ON_A_GPU)
    if examples is not None and isinstance(model, Model):
        return Fitter(game, model, examples, threads=training.threads)
    if training.is_many and isinstance(model, Model):
        from .many.learner import ManyGames

        is_whole, sizes = training.method == EXPECTED, {name: int(getattr(training, name)) for name in ("slots", "batch", "samples")}
        return ManyGames(game, model, where=training.device or "cpu", is_whole=is_whole, **sizes)
    return Learner(game, model, method=training.method, depth=training.depth or 0, threads=training.threads)


def _begin(place: Run, game: Game, training: Training) -> _Progress:
    """A new run in a new folder, or one that was asked for in the same words, gone on with."""
    if game.is_terminal(start_of(game, None, "train")):
        raise ZermeloError(f"{game!r} is over at the start: expected a game to learn from")
    if not place.is_new:
        training = _as_before(place, game, training)
    examples = None
    if training.is_fitted_on_a_gpu:
        _require_torch("to fit a network on a GPU")
        from .zero.network_run import require_gpu

        require_gpu()
    if training.method == FIT:
        examples = read_examples(game, shape_for(game, 0), training.data, training.seed, training.trace)
    elif training.is_many:
        _require_torch("to play games side by side")
    else:
        refuse(training.method, game)
    training = training.for_game(game, examples)
    kinds = examples.kinds if examples else kinds_of(training.method, training.depth or 0)
    place.begin({"game": repr(game), **asdict(training), "kinds": kinds})
    if sums := nnue_sums(training.model):
        if not (place.folder / FILE).exists():
            return _Progress(place, game, training, first_nnue(game, training.model, training.start, training.seed), examples)
        return _Progress(place, game, training, TrainedNnue.load(place.folder / FILE, game, sums), examples)
    if states := rote_states(training.model):
        return _Progress(place, game, training, memory_at(place.folder / FILE, game, states), examples)
    hidden, second = (*hidden_layers(training.model), 0, 0)[:2]
    if not (place.folder / FILE).exists():
        return _Progress(place, game, training, first_model(game, training.model, training.start, training.seed), examples)
    model = Model.load(place.folder / FILE)
    model.check_game(game)
    shape = model.shape
    is_kind = (shape.hidden, shape.second) == (hidden, second) and shape.is_tuples == (training.model == NTUPLE)
    if not is_kind or not 0 <= model.games <= MAX_COUNT:
        raise ZermeloError(f"{place.folder / FILE} is not the model of this run: expected {training.model}")
    return _Progress(place, game, training, model, examples)


def _as_before(place: Run, game: Game, training: Training) -> Training:
    """What a run was begun with, where it is left open now; ZermeloError if it was begun with something else."""
    found = place.agreed({"game": repr(game), **asdict(training)}, free=("games", "threads"))
    known: dict[str, Any] = {name: found.get(name) for name in LEFT_OPEN if getattr(training, name) is None}
    return replace(training, **known)

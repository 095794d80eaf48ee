"""A learned model as Python holds it: its shape, its floats, and its file.

The file is in the format safetensors: numbers and text, nothing that is executed. Its metadata say for which game it is.
"""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ...lower.rows import LANES, Array, Floats
from ...system.limits import shown
from ...system.tensors import check_seal, progress_in, write_tensors
from ..kept import Kept
from .any_tuples import BITS, tuples_of
from .facts import LARGEST_VALUE, LARGEST_WEIGHT, MOST_INPUTS, MOST_PLANES, planes_of, range_of
from .kinds import AFTER_PLAYERS, read_kinds, unseen_of
from .network import HEADER, MOST_OUTCOMES, OFFSET, PLANE, SHARE, WORTH, model_value, padded
from .nnue import state_value
from .nnue_model import NNUE_FORMAT, Nnue
from .rote import ROTE_FORMAT, Rote, rote_value

AnyModel: TypeAlias = "Model | Nnue | Rote"
FORMAT = "zermelo model 1"
RUNS, FILE = Path("runs"), "model.safetensors"  # where runs are kept if nobody says otherwise, and the model in the folder of a run
MAX_FILE_BYTES = 1 << 30  # bytes of a file
MAX_HIDDEN_UNITS = 4096  # hidden units
MOST_WEIGHTS, MOST_PHASES = 1 << 26, 255
INITIAL_WEIGHT = 0.1  # the largest weight of a network that has learned nothing
WEIGHTS = "weights"
LEARNED = "learned"  # the model that comes with a game
OWN = "own"  # another that comes with some, and has learned from nobody but this program: a file beside it


@dataclass(frozen=True)
class Shape:
    """What the floats of a model mean: enough to tell whether a model fits a game."""

    game: str
    players: int
    planes: tuple[tuple[int, int, float], ...]  # as `Game.plane_inputs`
    hidden: int  # units of the hidden layer, or of the first of two; 0 for a linear model
    outcomes: tuple[float, ...]  # worth of each output of a player
    low: float  # utilities from low to low + span are outputs from 0 to 1
    span: float
    phases: int = 1  # each with a network
    patterns: int = 0  # of a state, in an n-tuple network
    pattern_weights: int = 0  # from which they choose
    tuples: tuple[tuple[int, ...], ...] = ()  # the bits of each pattern, as `any_tuples.py` numbers them; () if the game names patterns
    second: int = 0  # units of a second hidden layer

    @property
    def inputs(self) -> int:
        return 0 if self.is_tuples else max((first + 63 * step + 1 for first, step, _ in self.planes), default=0)

    @property
    def is_linear(self) -> bool:
        """Whether this is a linear model of who wins a game of two: its sums are logarithms of odds."""
        return self.hidden == 0 and not self.is_tuples and self.outputs == self.players == 2

    @property
    def is_tuples(self) -> bool:
        """Whether this is an n-tuple network."""
        return self.patterns > 0

    @property
    def words(self) -> int:
        """Words that describe a state: planes, or patterns that the game names."""
        return len(self.planes) or self.patterns

    @property
    def outputs(self) -> int:
        return self.players * len(self.outcomes)

    @property
    def offset(self) -> float:
        """What is added to the worth of outputs: in a game of two, in which the utilities have one sum, half of that."""
        return self.low if self.players != 2 else self.low + self.span / 2

    @property
    def width(self) -> int:
        """Floats of a row of the first layer."""
        return padded(max(1, self.hidden))

    @property
    def activations(self) -> int:
        """Floats of the activations of a state."""
        return self.width + padded(self.second)

    @property
    def first_row(self) -> int:
        """Where the first layer begins."""
        return HEADER + padded(len(self.tuples) * BITS if self.is_tuples else PLANE * len(self.planes))

    @property
    def weight_floats(self) -> int:
        """Floats of a weight of an n-tuple network."""
        return 1 if self.outputs == 2 and self.players == 2 else self.outputs

    @property
    def network_size(self) -> int:
        """Floats of a network."""
        layers = sum(rows * width + padded(rows) for rows, width in self.layers)
        return (self.inputs + 1) * self.width + layers + padded(self.pattern_weights * self.weight_floats)

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Rows and floats of a row of the layers after the first, each with biases behind it."""
        if not self.hidden:
            return ()
        second = padded(self.second)
        return ((second, self.width), (self.outputs, second)) if second else ((self.outputs, self.width),)

    def matrices(self, network: Array) -> list[Array]:
        """The rows of each layer of a network, of the first with its biases."""
        end = (self.inputs + 1) * self.width
        found = [network[:end].reshape(-1, self.width)]
        for rows, width in self.layers:
            found.append(network[end : end + rows * width].reshape(rows, width))
            end += rows * width + padded(rows)
        return found

    @property
    def size(self) -> int:
        """Floats in all."""
        return self.first_row + self.phases * self.network_size

    @property
    def scratch(self) -> int:
        """Floats that computing with the model takes."""
        return 2 * self.width + 2 * self.activations + 2 * LANES


class Model:
    """A model of the value of a game's states."""

    def __init__(self, shape: Shape, weights: np.ndarray[Any, Any] | None = None, games: int = 0, seconds: float = 0.0):
        self.shape, self.games, self.seconds = shape, games, seconds  # of training
        self.kinds: tuple[str, ...] = AFTER_PLAYERS  # of states that it has learned from
        self.array = Floats(shape.size, interpreted=True).array
        if weights is not None:
            self.array[:] = weights
        self._write_header()

    def _write_header(self) -> None:
        shape, group = self.shape, len(self.shape.outcomes)
        header = np.zeros(shape.first_row, np.float32)
        is_even = shape.players == 2  # what one gets the other loses
        header[[OFFSET, SHARE]] = shape.offset, float(is_even)
        header[WORTH : WORTH + group] = shape.outcomes
        header[HEADER : HEADER + BITS * len(shape.tuples)] = [bit for one in shape.tuples for bit in one]
        for k, plane in enumerate(shape.planes if not shape.is_tuples else ()):
            header[HEADER + PLANE * k : HEADER + PLANE * (k + 1)] = plane
        self.array[: shape.first_row] = header

    @staticmethod
    def new(game: Game, hidden: int = 0, seed: int = 0, is_tuples: bool = False, second: int = 0) -> Model:
        """An untrained model: linear, an n-tuple network, or a network with this many hidden units and small random weights."""
        shape = shape_for(game, hidden, is_tuples, second=second)
        model = Model(shape)
        if hidden:
            rng = np.random.default_rng(seed)
            for network in model.weights.reshape(shape.phases, -1):
                first, *others = shape.matrices(network)
                first[:, :hidden] = rng.uniform(-INITIAL_WEIGHT, INITIAL_WEIGHT, (len(first), hidden))
                if second:  # as far as Glorot and Bengio (2010) say for sigmoids: with smaller ones all units stay alike for long
                    far = 4 * (6 / (hidden + second)) ** 0.5
                    others[0][:second, :hidden] = rng.uniform(-far, far, (second, hidden))
                others[-1][:, : second or hidden] = rng.uniform(-INITIAL_WEIGHT, INITIAL_WEIGHT, (shape.outputs, second or hidden))
        return model

    @property
    def weights(self) -> Array:
        """What is learned."""
        return self.array[self.shape.first_row :]

    def memory(self, interpreted: bool, plies: int) -> dict[str, Floats]:
        """The memory that an algorithm needs to ask the model, by the names of fields: its floats, and others to compute with."""
        return {"model": Floats.of(self.array, interpreted), "scratch": Floats(self.shape.scratch, interpreted)}

    @cached_property
    def sizes(self) -> dict[str, int]:
        """What an algorithm must know to find its way in that memory, by the names of fields."""
        shape = self.shape
        layer = {"hidden": padded(shape.hidden), "width": shape.width, "first_row": shape.first_row, "bias_row": shape.inputs}
        layer |= {"second": padded(shape.second), "activations": shape.activations}
        tables = {"patterns": shape.patterns, "pattern_weights": shape.pattern_weights, "weight_floats": shape.weight_floats}
        layer |= {"networks": shape.first_row, "network_size": shape.network_size}
        return layer | tables | {"outputs": shape.outputs, "group": len(shape.outcomes), "plane_count": shape.words}

    def check_game(self, game: Game) -> None:
        """Refuse a game that the model is not for."""
        wanted = shape_for(game, self.shape.hidden, self.shape.is_tuples, self.shape.tuples, self.shape.second)
        if self.shape.game != wanted.game:
            raise ZermeloError(f"the model is of {self.shape.game}: expected one of {game!r}")
        if self.shape != wanted:
            raise ZermeloError(
                f"the model is of other planes, patterns, phases, outcomes or values than {game!r} has now: expected one trained since"
            )

    # ---- its file --------------------------------------------------------------------------------

    def save(self, path: Path, is_half: bool = False) -> None:
        """Write the model to a file, all at once; with floats of 16 bits if `is_half`, for a model that learns no more."""
        about = {"format": FORMAT, "shape": json.dumps(asdict(self.shape)), "games": str(self.games), "seconds": str(self.seconds)}
        about["kinds"] = " ".join(self.kinds)
        write_tensors(path, {WEIGHTS: np.ascontiguousarray(self.array, np.float16 if is_half else np.float32)}, about)

    @staticmethod
    def load(path: Path) -> Model:
        """The model in a file; ZermeloError if there is none."""
        model = load_model(path)
        if not isinstance(model, Model):
            raise ZermeloError(f"{path} is an integer network or a memory: expected a model of floats")
        return model

    @staticmethod
    def of_file(path: Path, file: Any, about: dict[str, str]) -> Model:
        """The model in an open file; an error of the kinds that `load_model` expects if there is none."""
        weights = file.get_tensor(WEIGHTS)
        shape, (games, seconds) = _read_shape(about), progress_in(about)
        if weights.dtype not in (np.float32, np.float16) or weights.shape != (shape.size,):
            raise ZermeloError(f"{path} has weights of another shape: expected {shape.size:,} floats of 32 or 16 bits")
        if not (np.abs(weights.astype(np.float32)) <= LARGEST_WEIGHT).all():  # nor where one is NaN
            raise ZermeloError(f"{path} has weights that are too large, or no numbers: expected a model that did not diverge")
        model = Model(shape, weights, games, seconds)
        model.kinds = read_kinds(about.get("kinds"))
        return model


def load_model(path: Path) -> AnyModel:
    """The model, the integer network or the memory in a file; ZermeloError if there is none."""
    from safetensors import SafetensorError, safe_open

    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ZermeloError(f"{path} has {path.stat().st_size:,} bytes: expected a model of at most {MAX_FILE_BYTES:,}")
        check_seal(path)
        with safe_open(path, "numpy") as file:
            about = file.metadata() or {}
            if about.get("format") == ROTE_FORMAT:
                return Rote.of_file(file, about)
            return Nnue.of_file(file, about) if about.get("format") == NNUE_FORMAT else Model.of_file(path, file, about)
    except (OSError, SafetensorError, ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ZermeloError(f"{path} is not a model of ours ({type(error).__name__}): expected a file that zermelo train wrote") from None


def _read_shape(about: dict[str, str]) -> Shape:
    """The shape that a file tells, in bounds."""
    told = json.loads(about["shape"])
    if about["format"] != FORMAT:
        raise ValueError(about["format"])
    planes = tuple((int(first), int(step), float(scale)) for first, step, scale in told.pop("planes"))
    outcomes, tuples = tuple(map(float, told.pop("outcomes"))), tuple(tuple(one) for one in told.pop("tuples", ()))
    shape = Shape(planes=planes, outcomes=outcomes, tuples=tuples, **told)
    numbers = (shape.players, shape.hidden, shape.second, *(n for plane in planes for n in plane[:2]))
    floats = (shape.low, shape.span, *outcomes, *(plane[2] for plane in planes))
    is_sound = all(type(n) is int and 0 <= n <= MOST_INPUTS for n in numbers) and all(abs(x) <= LARGEST_VALUE for x in floats)
    is_sound = is_sound and type(shape.phases) is int and 1 <= shape.phases <= MOST_PHASES
    is_small = (
        max(shape.hidden, shape.second) <= MAX_HIDDEN_UNITS
        and (shape.hidden > 0 or shape.second == 0)
        and 1 <= shape.outputs <= LANES
        and len(outcomes) <= MOST_OUTCOMES
        and 1 <= shape.words <= MOST_PLANES
    )
    if not (is_sound and is_small and _are_patterns_sound(shape) and type(shape.game) is str):
        raise ValueError("shape")
    return shape


def _are_patterns_sound(shape: Shape) -> bool:
    """Whether what is said of an n-tuple network can be, if the model is one."""
    numbers = (shape.patterns, shape.pattern_weights, *(bit for one in shape.tuples for bit in one))
    if not all(type(n) is int and 0 <= n <= MOST_WEIGHTS for n in numbers) or (shape.is_tuples and shape.hidden):
        return False
    if not shape.tuples:
        return not (shape.is_tuples and shape.planes)
    is_whole = all(len(one) == BITS and max(one) < 64 * len(shape.planes) for one in shape.tuples)
    return is_whole and shape.patterns == len(shape.tuples) and shape.pattern_weights == len(shape.tuples) << BITS


def room_for_planes(game: Game) -> int:
    """Words that a record has for the planes of this game: a power of two."""
    return 1 << (game.model.shape.words - 1).bit_length() if game.has_model else 1  # type: ignore[attr-defined]


def patterns_of(game: Game, tuples: tuple[tuple[int, ...], ...]) -> dict[str, Any]:
    """What an n-tuple network sees of a state, as fields of its shape: the game's patterns, or tuples of bits, these if they are given."""
    if not game.has_patterns:
        tuples = tuples or tuples_of(game)
        return {"planes": planes_of(game), "patterns": len(tuples), "pattern_weights": len(tuples) << BITS, "tuples": tuples}
    n, weights = sum(1 for _ in game.patterns(game.initial(), 0)), game.pattern_weights
    if not 1 <= n <= MOST_PLANES or type(weights) is not int or not 1 <= weights <= MOST_WEIGHTS:
        expected = f"1 to {MOST_PLANES} patterns, and pattern_weights from 1 to {MOST_WEIGHTS:,}"
        raise ZermeloError(f"{game!r} has {n:,} patterns and pattern_weights {weights!r}: expected {expected}")
    return {"planes": (), "patterns": n, "pattern_weights": weights}


def shape_for(game: Game, hidden: int, is_tuples: bool = False, tuples: tuple[tuple[int, ...], ...] = (), second: int = 0) -> Shape:
    """The shape of a model of this game; of an n-tuple network of a game without patterns with these tuples, if they are given."""
    seen = (patterns_of(game, tuples) if is_tuples else {"planes": planes_of(game)}) | {"second": second}
    low, high = range_of(game)
    if not (type(game.phases) is int and 1 <= game.phases <= MOST_PHASES):
        raise ZermeloError(f"{game!r}: expected phases to be 1 to {MOST_PHASES}, not {game.phases!r}")
    if game.has_outcomes:
        outcomes = _outcomes_of(game)
        return Shape(
            game.model_game or repr(game), game.players, hidden=hidden, outcomes=outcomes, low=-1.0, span=2.0, phases=game.phases, **seen
        )  # worth nothing by themselves
    outcomes = ((high - low) / 2,) if game.players == 2 else (high - low,)
    if game.players * len(outcomes) > LANES or len(outcomes) > MOST_OUTCOMES:
        raise ZermeloError(f"{game!r} has {game.players} players of {len(outcomes)} outcomes: expected at most {LANES} outputs of a model")
    return Shape(repr(game), game.players, hidden=hidden, outcomes=outcomes, low=low, span=high - low, phases=game.phases, **seen)


def find_model(text: str, game: Game | None = None) -> AnyModel:
    """The model of a run, by its folder or its name below `runs`, of a file, or one that comes with the game ("learned", "own").

    It is read once as long as the file stays the same.
    """
    places = [Path(text), RUNS / text]
    if text == LEARNED and game is not None:
        if game.learned is None:
            raise ZermeloError(f"{game!r} comes without a learned model: expected a folder or a file that zermelo train wrote")
        places = [game.learned]
    elif text == OWN and game is not None and game.learned is not None:
        places.append(game.learned.with_name(f"{OWN}.safetensors"))
    with suppress(OSError, ValueError):  # a name that no file can have
        for path in places:
            file = path / FILE if path.is_dir() else path
            if file.is_file():
                about = file.stat()
                return _read(file.resolve(), about.st_mtime_ns, about.st_size)
    raise ZermeloError(f"there is no run or model {shown(text)}: expected a folder or a file that zermelo train wrote")


@lru_cache(maxsize=16)
def _read(path: Path, *version: int) -> AnyModel:
    return load_model(path)


def _outcomes_of(game: Game) -> tuple[float, ...]:
    """What each outcome is worth."""
    values = game.outcome_values
    if game.players != 2:
        raise ZermeloError(f"{game!r}: expected outcomes in a game of two players alone, not {game.players}")
    is_row = isinstance(values, tuple) and 1 <= len(values) <= MOST_OUTCOMES
    if not is_row or not all(isinstance(x, (int, float)) and abs(x) <= LARGEST_VALUE for x in values):
        raise ZermeloError(
            f"{game!r}: expected outcome_values to be 1 to {MOST_OUTCOMES} numbers, one for each of the outcomes, not {values!r}"
        )
    return tuple(map(float, values))


# ---- a game with a model -----------------------------------------------------------------------

_with_models = Kept[tuple[AnyModel, Game]]()


def model_values(game: Game, s: State) -> tuple[float, ...]:
    """What the model of this game says that s is worth to each player."""
    model: AnyModel = game.model  # type: ignore[attr-defined]
    memory = {name: one.table for name, one in model.memory(interpreted=True, plies=1).items()}
    record: Any = SimpleNamespace(planes=[0] * room_for_planes(game), **model.sizes, **memory)
    ask = state_value if game.sum_count else rote_value if game.has_rote else model_value
    return tuple(ask(game, s, p, record) for p in range(game.players))


def with_model(game: Game, model: AnyModel, *, in_shares: bool = False) -> Game:
    """The game in which the model values states: the same object for the same game and model.

    Where a search has margins, an integer network and a linear model give values in units of `evaluate`; with `in_shares` a linear model
    gives shares of the range of utilities there, too, and there are no margins, as with other models.
    """
    known, name = _with_models.of(game), (id(model), in_shares, model.kinds)
    if name not in known:
        model.check_game(game)
        judged = copy.copy(game)
        judged.has_model, judged.has_tuples = True, model.shape.is_tuples
        judged.unseen_kinds = unseen_of(game, model.kinds)
        judged.value_scale = game.value_scale or 0.0  # a number for native code, whether it is asked for or not
        if isinstance(model, Nnue):
            judged.sum_count = model.shape.sums
        elif isinstance(model, Rote):
            judged.has_rote = True
        elif in_shares or not (model.shape.is_linear and game.value_scale):
            judged.quiet_margin = 0.0
        judged.model = model  # type: ignore[attr-defined]
        known[name] = (model, judged)
    return known[name][1]

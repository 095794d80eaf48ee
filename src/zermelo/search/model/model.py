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
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ...lower.rows import LANES, Array, Floats
from ...system.files import write_bytes
from ...system.limits import shown
from .network import HEADER, MOST_OUTCOMES, OFFSET, PLANE, SHARE, WORTH, model_value, padded

FORMAT = "zermelo model 1"
RUNS, FILE = Path("runs"), "model.safetensors"  # where runs are kept if nobody says otherwise, and the model in the folder of a run
LARGEST = 1 << 30  # bytes of a file
WIDEST = 4096  # hidden units
MOST_PLANES, MOST_INPUTS, MOST_PHASES = 255, 1 << 20, 255
LARGEST_VALUE = 1e9  # of anything that a value is made of
WEIGHTS = "weights"


@dataclass(frozen=True)
class Shape:
    """What the floats of a model mean: enough to tell whether a model fits a game."""

    game: str
    players: int
    planes: tuple[tuple[int, int, float], ...]  # as `Game.plane_inputs`
    hidden: int  # units, 0 for a linear model
    outcomes: tuple[float, ...]  # worth of each output of a player
    low: float  # utilities from low to low + span are outputs from 0 to 1
    span: float
    phases: int = 1  # each with a network

    @property
    def inputs(self) -> int:
        return max((first + 63 * step + 1 for first, step, _ in self.planes), default=0)

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
    def first_row(self) -> int:
        """Where the first layer begins."""
        return HEADER + padded(PLANE * len(self.planes))

    @property
    def network_size(self) -> int:
        """Floats of a network."""
        return (self.inputs + 1) * self.width + (self.outputs * self.width + LANES if self.hidden else 0)

    @property
    def size(self) -> int:
        """Floats in all."""
        return self.first_row + self.phases * self.network_size

    @property
    def scratch(self) -> int:
        """Floats that computing with the model takes."""
        return 4 * self.width + 2 * LANES


class Model:
    """A model of the value of a game's states."""

    def __init__(self, shape: Shape, weights: np.ndarray[Any, Any] | None = None, games: int = 0, seconds: float = 0.0):
        self.shape, self.games, self.seconds = shape, games, seconds  # of training
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
        for k, plane in enumerate(shape.planes):
            header[HEADER + PLANE * k : HEADER + PLANE * (k + 1)] = plane
        self.array[: shape.first_row] = header

    @staticmethod
    def new(game: Game, hidden: int = 0, seed: int = 0) -> Model:
        """An untrained model: linear, or a network with this many hidden units and small random weights."""
        shape = shape_for(game, hidden)
        model = Model(shape)
        if hidden:
            rng = np.random.default_rng(seed)
            for network in model.weights.reshape(shape.phases, -1):
                rows = network[:-LANES].reshape(-1, shape.width)
                rows[:, :hidden] = rng.uniform(-0.1, 0.1, (len(rows), hidden))
        return model

    @property
    def weights(self) -> Array:
        """What is learned."""
        return self.array[self.shape.first_row :]

    def memory(self, interpreted: bool) -> dict[str, Floats]:
        """The memory that an algorithm needs to ask the model, by the names of fields: its floats, and others to compute with."""
        return {"model": Floats.of(self.array, interpreted), "scratch": Floats(self.shape.scratch, interpreted)}

    @cached_property
    def sizes(self) -> dict[str, int]:
        """What an algorithm must know to find its way in that memory, by the names of fields."""
        shape = self.shape
        layer = {"hidden": padded(shape.hidden), "width": shape.width, "first_row": shape.first_row, "bias_row": shape.inputs}
        layer |= {"networks": shape.first_row, "network_size": shape.network_size}
        return layer | {"outputs": shape.outputs, "group": len(shape.outcomes), "plane_count": len(shape.planes)}

    def check_game(self, game: Game) -> None:
        """Refuse a game that the model is not for."""
        wanted = shape_for(game, self.shape.hidden)
        if self.shape.game != wanted.game:
            raise ZermeloError(f"the model is of {self.shape.game}: expected one of {game!r}")
        if self.shape != wanted:
            raise ZermeloError(
                f"the model is of other planes, phases, outcomes or values than {game!r} has now: expected one trained since"
            )

    # ---- its file --------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the model to a file, all at once."""
        from safetensors.numpy import save

        about = {"format": FORMAT, "shape": json.dumps(asdict(self.shape)), "games": str(self.games), "seconds": str(self.seconds)}
        write_bytes(path, save({WEIGHTS: np.ascontiguousarray(self.array)}, about))

    @staticmethod
    def load(path: Path) -> Model:
        """The model in a file; ZermeloError if there is none."""
        from safetensors import SafetensorError, safe_open

        try:
            if path.stat().st_size > LARGEST:
                raise ZermeloError(f"{path} has {path.stat().st_size:,} bytes: expected a model of at most {LARGEST:,}")
            with safe_open(path, "numpy") as file:
                about, weights = file.metadata() or {}, file.get_tensor(WEIGHTS)
            shape, games, seconds = _read_shape(about), int(about["games"]), float(about["seconds"])
        except (OSError, SafetensorError, ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise ZermeloError(
                f"{path} is not a model of ours ({type(error).__name__}): expected a file that zermelo train wrote"
            ) from None
        if weights.dtype != np.float32 or weights.shape != (shape.size,):
            raise ZermeloError(f"{path} has weights of another shape: expected {shape.size:,} floats of 32 bits")
        if not np.isfinite(weights).all():
            raise ZermeloError(f"{path} has weights that are no numbers: expected a model that did not diverge")
        return Model(shape, weights, games, seconds)


def _read_shape(about: dict[str, str]) -> Shape:
    """The shape that a file tells, in bounds."""
    told = json.loads(about["shape"])
    if about["format"] != FORMAT:
        raise ValueError(about["format"])
    planes = tuple((int(first), int(step), float(scale)) for first, step, scale in told.pop("planes"))
    outcomes = tuple(map(float, told.pop("outcomes")))
    shape = Shape(planes=planes, outcomes=outcomes, **told)
    numbers = (shape.players, shape.hidden, *(n for plane in planes for n in plane[:2]))
    floats = (shape.low, shape.span, *outcomes, *(plane[2] for plane in planes))
    is_sound = all(type(n) is int and 0 <= n <= MOST_INPUTS for n in numbers) and all(abs(x) <= LARGEST_VALUE for x in floats)
    is_sound = is_sound and type(shape.phases) is int and 1 <= shape.phases <= MOST_PHASES
    is_small = shape.hidden <= WIDEST and 1 <= shape.outputs <= LANES and len(outcomes) <= MOST_OUTCOMES and 1 <= len(planes) <= MOST_PLANES
    if not (is_sound and is_small and type(shape.game) is str):
        raise ValueError("shape")
    return shape


def planes_of(game: Game) -> tuple[tuple[int, int, float], ...]:
    """The inputs that each plane of the game has; of a game without planes: every bit of the packed state, and who looks and moves."""
    n = sum(1 for _ in game.planes(game.initial(), 0)) if game.has_planes else game.layout.words + 1
    if n > MOST_PLANES:
        raise ZermeloError(f"{game!r} has states of {n:,} words: expected at most {MOST_PLANES}, or planes that say what matters of them")
    if not game.plane_inputs:
        return tuple((64 * k, 1, 1.0) for k in range(n))
    if not game.has_planes or len(game.plane_inputs) != n or not all(map(_is_plane, game.plane_inputs)):
        expected = f"a tuple of {n} (first, step, scale), a line for each plane: whole numbers of 0 to {MOST_INPUTS:,} and a float"
        raise ZermeloError(f"{game!r}: expected plane_inputs to be {expected}")
    return tuple((int(first), int(step), float(scale)) for first, step, scale in game.plane_inputs)


def _is_plane(line: Any) -> bool:
    """Whether this is how the bits of a plane are inputs."""
    if not isinstance(line, tuple) or len(line) != PLANE or not all(type(n) is int and n >= 0 for n in line[:2]):
        return False
    is_number = isinstance(line[2], (int, float)) and abs(line[2]) <= LARGEST_VALUE
    return is_number and line[0] + 63 * line[1] < MOST_INPUTS


def room_for_planes(game: Game) -> int:
    """Words that a record has for the planes of this game: a power of two."""
    return 1 << (len(planes_of(game)) - 1).bit_length() if game.has_model else 1


def shape_for(game: Game, hidden: int) -> Shape:
    """The shape of a model of this game."""
    low, high = _range_of(game)
    if not (type(game.phases) is int and 1 <= game.phases <= MOST_PHASES):
        raise ZermeloError(f"{game!r}: expected phases to be 1 to {MOST_PHASES}, not {game.phases!r}")
    if game.has_outcomes:
        outcomes = _outcomes_of(game)
        return Shape(repr(game), game.players, planes_of(game), hidden, outcomes, -1.0, 2.0, game.phases)  # worth nothing by themselves
    outcomes = ((high - low) / 2,) if game.players == 2 else (high - low,)
    if game.players * len(outcomes) > LANES or len(outcomes) > MOST_OUTCOMES:
        raise ZermeloError(f"{game!r} has {game.players} players of {len(outcomes)} outcomes: expected at most {LANES} outputs of a model")
    return Shape(repr(game), game.players, planes_of(game), hidden, outcomes, low, high - low, game.phases)


def find_model(text: str) -> Model:
    """The model of a run, by its folder or its name below `runs`, or of a file; read once as long as the file stays the same."""
    with suppress(OSError, ValueError):  # a name that no file can have
        for path in (Path(text), RUNS / text):
            file = path / FILE if path.is_dir() else path
            if file.is_file():
                about = file.stat()
                return _read(file.resolve(), about.st_mtime_ns, about.st_size)
    raise ZermeloError(f"there is no run or model {shown(text)}: expected a folder or a file that zermelo train wrote")


@lru_cache(maxsize=16)
def _read(path: Path, *version: int) -> Model:
    return Model.load(path)


def _range_of(game: Game) -> tuple[float, float]:
    """The least and the greatest utility."""
    given = (-1.0, 1.0) if game.value_range is None else game.value_range
    is_pair = isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, (int, float)) and abs(x) <= LARGEST_VALUE for x in given)
    if not is_pair or not given[0] < given[1]:
        raise ZermeloError(f"{game!r}: expected value_range to be two numbers, the least and the greatest utility, not {given!r}")
    return float(given[0]), float(given[1])


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

_with_models: WeakKeyDictionary[Game, dict[int, tuple[Model, Game]]] = WeakKeyDictionary()


def model_values(game: Game, s: State) -> tuple[float, ...]:
    """What the model of this game says that s is worth to each player."""
    model: Model = game.model  # type: ignore[attr-defined]
    memory = {name: floats.table for name, floats in model.memory(interpreted=True).items()}
    work = SimpleNamespace(planes=[0] * room_for_planes(game), **model.sizes, **memory)
    return tuple(model_value(game, s, p, work) for p in range(game.players))  # type: ignore[arg-type]


def with_model(game: Game, model: Model) -> Game:
    """The game in which the model values states: the same object for the same game and model."""
    known = _with_models.setdefault(game, {})
    if id(model) not in known:
        model.check_game(game)
        judged = copy.copy(game)
        judged.has_model, judged.quiet_margin = True, 0.0  # a margin is in units of `evaluate`
        judged.model = model  # type: ignore[attr-defined]
        known[id(model)] = (model, judged)
    return known[id(model)][1]

"""An integer network (`nnue.py`) as Python holds it: its shape, its 16-bit weights, and its file.

The file is in the format safetensors, as that of other models: numbers and text, nothing that is executed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ...lower.memory import Words
from ...lower.rows import LANES, Floats
from ...lower.short_rows import SHORT_LANES, Shorts
from ...system.tensors import progress_in, write_tensors
from .facts import LARGEST_VALUE, MOST_INPUTS, MOST_PLANES, MOST_ROWS, planes_of, range_of
from .kinds import AFTER_PLAYERS, read_kinds
from .nnue import COUNT_PHASES, LISTED, ONE, PHASE_BITS, PLANES_AT, TOP

NNUE_FORMAT = "zermelo nnue 1"
ROWS, OUTPUTS, BIASES = "rows", "outputs", "biases"
WIDEST_NNUE = 1024  # sums of a player: more could wrap around
STEEPEST = 32767 // TOP  # the largest weight of an output, whose product with a clipped sum must fit 16 bits
LARGEST_BIAS = 1 << 29
MAX_ESTIMATE = 0.9  # times the range of utilities, for values that are not shares of it: proven values exceed every estimate
Shorts16 = np.ndarray[Any, np.dtype[np.int16]]


@dataclass(frozen=True)
class NnueShape:
    """What the integers of a network mean: enough to tell whether it fits a game."""

    game: str
    planes: int  # words that describe a state
    sums: int  # of each player
    phases: int  # each with outputs of its own
    most_on: int  # inputs that are on, at the most
    is_linear: bool  # whether a value is the output times `unit`, else a share of the range
    unit: float  # what sigmoid(1) is worth
    low: float  # the range of utilities
    span: float
    views: int = 0  # as `Game.plane_views`

    is_tuples = False

    @property
    def inputs(self) -> int:
        return self.views or 64 * self.planes

    @property
    def words(self) -> int:
        return self.planes

    @property
    def size(self) -> int:
        """Integers in all: rows, b, two rows for the outputs of each phase, their biases in two parts each."""
        return (self.inputs + 1 + 2 * self.phases) * self.sums + -(-2 * self.phases // SHORT_LANES) * SHORT_LANES


def check_scale(game: Game) -> None:
    """Refuse units of values that are none."""
    margin, scale = game.quiet_margin, game.value_scale
    if not isinstance(margin, (int, float)) or not 0.0 <= margin <= LARGEST_VALUE:
        raise ZermeloError(f"{game!r}: expected quiet_margin from 0 to {LARGEST_VALUE:g}, not {margin!r}")
    if scale is not None and not (isinstance(scale, (int, float)) and 0.0 < scale <= LARGEST_VALUE):
        raise ZermeloError(f"{game!r}: expected value_scale above 0 and at most {LARGEST_VALUE:g}, or None, not {scale!r}")


def nnue_shape(game: Game, sums: int, most_on: int) -> NnueShape:
    """The shape of a network of this game; ZermeloError if it can have none."""
    if game.players != 2 or game.has_outcomes:
        raise ZermeloError(f"{game!r}: expected a game of two players and one outcome for an integer network: use mlp")
    if any(step != 1 or scale != 1.0 or first != 64 * k for k, (first, step, scale) in enumerate(planes_of(game))):
        raise ZermeloError(f"{game!r} has plane_inputs of its own: expected planes whose bits are the inputs, or use mlp")
    least, views = 64 * len(planes_of(game)), game.plane_views
    if type(views) is not int or not (views == 0 or least <= views <= MOST_ROWS):
        raise ZermeloError(f"{game!r}: expected plane_views to be 0, or from {least:,}, the planes' bits, to {MOST_ROWS:,}, not {views!r}")
    if not least:
        raise ZermeloError(f"{game!r} has planes without a word: expected one or more")
    low, high = range_of(game)
    check_scale(game)
    unit, is_linear = game.value_scale or game.quiet_margin, game.quiet_margin > 0
    return NnueShape(
        repr(game),
        len(planes_of(game)),
        sums,
        game.phases if game.has_phases else COUNT_PHASES,
        most_on,
        is_linear,
        float(unit) if is_linear else 1.0,
        low,
        high - low,
        views,
    )


class Nnue:
    """An integer network of a game."""

    def __init__(self, shape: NnueShape, rows: Shorts16, outputs: Shorts16, biases: Any, games: int = 0, seconds: float = 0.0):
        self.shape, self.games, self.seconds = shape, games, seconds  # of training
        self.kinds: tuple[str, ...] = AFTER_PLAYERS  # of states that it has learned from
        self.rows, self.outputs, self.biases = rows, outputs, biases
        self._shorts = Shorts(shape.size, interpreted=False)
        parts = np.array([[b >> 15, b & 0x7FFF] for b in map(int, biases)], np.int16)
        whole = np.concatenate([rows.ravel(), outputs.ravel(), parts.ravel()])
        self._shorts.array[: len(whole)] = whole

    def memory(self, interpreted: bool, plies: int) -> dict[str, Any]:
        """The memory that an algorithm needs to ask the network, by the names of fields: the weights, which threads share, and its own."""
        plies = max(plies, 1) + 2
        line = PLANES_AT + 2 * (1 << (self.shape.words - 1).bit_length())
        return {
            "net_rows": Shorts.of(self._shorts, interpreted),
            "net_sums": Shorts(2 * plies * self.shape.sums, interpreted),
            "net_plies": Words(plies * line, interpreted),
            "net_changes": Words(LISTED + self.shape.inputs, interpreted),
            "scratch": Floats(LANES, interpreted),
        }

    @cached_property
    def sizes(self) -> dict[str, Any]:
        """What an algorithm must know to find its way in that memory, by the names of fields."""
        shape = self.shape
        return {
            "bias_row": shape.inputs,
            "plane_count": shape.planes,
            "phase_share": (COUNT_PHASES << PHASE_BITS) // (shape.most_on + 1) + 1,
            "phase_count": shape.phases,
            "value_unit": shape.unit / ONE,
            "value_limit": (MAX_ESTIMATE if shape.is_linear else 1.0) * shape.span / 2,
            "value_offset": shape.low + shape.span / 2,
        }

    def check_game(self, game: Game) -> None:
        """Refuse a game that the network is not for."""
        wanted = nnue_shape(game, self.shape.sums, self.shape.most_on)
        if self.shape.game != wanted.game:
            raise ZermeloError(f"the network is of {self.shape.game}: expected one of {game!r}")
        if self.shape != wanted:
            raise ZermeloError(f"the network is of other planes, phases or values than {game!r} has now: expected one trained since")

    # ---- its file --------------------------------------------------------------------------------

    def save(self, path: Path, is_half: bool = False) -> None:
        """Write the network to a file, all at once; it is as small as can be in any case."""
        about = {"format": NNUE_FORMAT, "shape": json.dumps(asdict(self.shape)), "games": str(self.games), "seconds": str(self.seconds)}
        about["kinds"] = " ".join(self.kinds)
        tensors = {ROWS: self.rows, OUTPUTS: self.outputs, BIASES: np.asarray(self.biases, np.int32)}
        write_tensors(path, {name: np.ascontiguousarray(x) for name, x in tensors.items()}, about)

    @staticmethod
    def of_file(file: Any, about: dict[str, str]) -> Nnue:
        """The network in an open file; ValueError, KeyError or TypeError if it is none."""
        shape = NnueShape(**json.loads(about["shape"]))
        rows, outputs, biases = (file.get_tensor(name) for name in (ROWS, OUTPUTS, BIASES))
        numbers = (shape.planes, shape.sums, shape.phases, shape.most_on)
        is_sound = all(type(n) is int and 1 <= n <= MOST_INPUTS for n in numbers) and type(shape.game) is str
        is_sound = is_sound and all(abs(float(x)) <= LARGEST_VALUE for x in (shape.unit, shape.low, shape.span))
        is_sound = is_sound and type(shape.views) is int and 0 <= shape.views <= MOST_ROWS
        is_sound = is_sound and shape.planes <= MOST_PLANES and shape.sums <= WIDEST_NNUE and shape.sums % SHORT_LANES == 0
        kinds = [x.dtype for x in (rows, outputs, biases)]
        shapes = [x.shape for x in (rows, outputs, biases)]
        wanted = [(shape.inputs + 1, shape.sums), (shape.phases, 2 * shape.sums), (shape.phases,)]
        if not is_sound or kinds != [np.int16, np.int16, np.int32] or shapes != wanted:
            raise ValueError("shape")
        if np.abs(outputs.astype(np.int32)).max() > STEEPEST or np.abs(biases.astype(np.int64)).max() > LARGEST_BIAS:
            raise ValueError("weights")
        network = Nnue(shape, rows, outputs, biases, *progress_in(about))
        network.kinds = read_kinds(about.get("kinds"))
        return network

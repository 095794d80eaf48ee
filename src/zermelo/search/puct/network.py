"""A network from a file, as it plays: computed by onnxruntime, without torch.

The file is a safetensors file of weights, whose metadata are the shape. The tower of a network for a board is computed in 8 bits, for
which its activations in some states are measured when it is loaded.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ...system.limits import MAX_COUNT, shown
from ...system.tensors import check_seal, write_tensors
from ..model.facts import LARGEST_WEIGHT
from ..model.model import LEARNED, RUNS
from .graph import Activation, activation_names, graph_of
from .layers import multiplications, weight_shapes
from .samples import sample_inputs
from .shape import MOST_INPUTS, MOST_OUTPUTS, NetworkShape, shape_for

Array = np.ndarray[Any, Any]

FILE = "network.safetensors"
FORMAT = "zermelo network 1"
MOST_BLOCKS, MOST_FILTERS = 64, 2048
MAX_FILE_BYTES = 1 << 30  # bytes of a file
MOST_WHOLE = 1 << 22  # weights that are written in 32 bits; of more, 16 bits each
LEAST_WORK = 1 << 21  # multiplications of a tower from which on it is computed in 8 bits
SAMPLES = 32  # states that are looked at for that
TOO_LARGE = "the network's weights are too large: expected activations that are numbers"

# ---- files -----------------------------------------------------------------------------------


def save(path: Path, shape: NetworkShape, weights: dict[str, Array], about: dict[str, float]) -> None:
    """Write a network; `about` are numbers that tell how it came about."""
    told = {"format": FORMAT, "shape": json.dumps(asdict(shape)), "about": json.dumps(about)}
    kind = np.float16 if sum(tensor.size for tensor in weights.values()) > MOST_WHOLE else np.float32
    write_tensors(path, {name: np.ascontiguousarray(tensor, kind) for name, tensor in weights.items()}, told)


def load(path: Path) -> tuple[NetworkShape, dict[str, Array], dict[str, float]]:
    """The shape, the weights and what is told of them; ZermeloError if this is not a network's file."""
    from safetensors import SafetensorError, safe_open

    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ZermeloError(f"{path} is larger than a network: expected at most {MAX_FILE_BYTES >> 20:,} MiB")
        check_seal(path)
        with safe_open(path, "np") as file:
            told = file.metadata() or {}
            shape = _read_shape(told)
            expected = weight_shapes(shape)
            if set(file.keys()) != set(expected):
                raise ValueError("names")
            weights = {name: file.get_tensor(name).astype(np.float32) for name in expected}
            about = {str(name): float(x) for name, x in json.loads(told.get("about", "{}")).items()}
            if not all(0 <= x <= MAX_COUNT for x in about.values()):
                raise ValueError("about")
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise ZermeloError(f"{path} is not a network, or is damaged: expected a file that zermelo train --method zero wrote") from None
    for name, tensor in weights.items():
        if tensor.shape != expected[name] or not (np.abs(tensor) <= LARGEST_WEIGHT).all():
            told = f"expected {expected[name]} for {name}"
            raise ZermeloError(f"{path} has weights of another shape, or some that are too large or no numbers: {told}")
    return shape, weights, about


def _read_shape(told: dict[str, str]) -> NetworkShape:
    """The shape that a file tells, in bounds."""
    if told["format"] != FORMAT:
        raise ValueError(told["format"])
    shape = NetworkShape(**json.loads(told["shape"]))
    whole = [getattr(shape, f.name) for f in fields(shape) if f.type == "int"]
    if not all(type(n) is int and n >= 0 for n in whole) or type(shape.game) is not str:
        raise ValueError("shape")
    is_small = 1 <= shape.inputs <= MOST_INPUTS and 1 <= shape.policy <= MOST_OUTPUTS and 1 <= shape.values <= MOST_OUTPUTS
    if not is_small or shape.blocks > MOST_BLOCKS or not 1 <= shape.filters <= MOST_FILTERS:
        raise ValueError("shape")
    if bool(shape.height) != bool(shape.width) or (shape.height and shape.inputs % (shape.height * shape.width)):
        raise ValueError("shape")
    return shape


def load_for(game: Game, text: str) -> tuple[NetworkShape, OnnxNetwork]:
    """The network of a run, by its folder or its name below `runs`, of a file, or the one that comes with the game ("learned").

    It is read once as long as the file stays the same.
    """
    if text == LEARNED and game.network is None:
        raise ZermeloError(f"{game!r} comes without a network: expected the folder of a run of zermelo train --method zero")
    for path in (Path(text), RUNS / text) if text != LEARNED or game.network is None else (game.network,):
        file = path / FILE if path.is_dir() else path
        if file.is_file():
            about = file.stat()
            return _loaded(_Version(file.resolve(), about.st_mtime_ns, about.st_size, shape_for(game, 0, 0), game))
    raise ZermeloError(f"there is no network {text}: expected the folder of a run of zermelo train --method zero, or its file {FILE}")


def check_fit(path: Path | str, shape: NetworkShape, game: Game) -> None:
    """ZermeloError if a network is not for this game as it is now."""
    wanted = shape_for(game, shape.blocks, shape.filters)
    if shape.game != wanted.game:
        raise ZermeloError(f"{path} is a network of {shape.game}: expected one of {wanted.game}")
    for name in (f.name for f in fields(shape)):
        had, has = getattr(shape, name), getattr(wanted, name)
        if had != has:
            raise ZermeloError(f"{path} is a network of {shape.game} with {name} = {shown(had)}: expected {has}, as its rules say now")


@dataclass(frozen=True)
class _Version:
    """A file as it is now, for a game."""

    path: Path
    changed: int
    size: int
    fitting: NetworkShape  # but for the size of its tower
    game: Game = field(compare=False)


@lru_cache(maxsize=8)
def _loaded(version: _Version) -> tuple[NetworkShape, OnnxNetwork]:
    shape, weights, _ = load(version.path)
    check_fit(version.path, shape, version.game)
    is_large = shape.height > 0 and multiplications(shape) >= LEAST_WORK
    return shape, OnnxNetwork(shape, weights, sample_inputs(version.game, shape, SAMPLES) if is_large else None)


# ---- computing -------------------------------------------------------------------------------


class OnnxNetwork:
    """A network computed by onnxruntime on one core; given the inputs of some states, with a tower of 8 bits that suits those."""

    def __init__(self, shape: NetworkShape, weights: dict[str, Array], samples: Array | None = None):
        try:
            import onnx  # noqa: F401
            import onnxruntime  # noqa: F401
        except ImportError:
            raise ZermeloError("a network needs onnx and onnxruntime: install zermelo with its extra, pip install 'zermelo[net]'") from None
        seen = None if samples is None else measured_activations(shape, weights, samples)
        self._session = _session(graph_of(shape, weights, seen))

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """Logits and values of inputs [batch, floats]."""
        logits, values = self._session.run(None, {"inputs": inputs})
        if not math.isfinite(logits.sum() + values.sum()):
            raise ZermeloError(TOO_LARGE)
        return logits, values


def measured_activations(shape: NetworkShape, weights: dict[str, Array], inputs: Array) -> dict[str, Activation]:
    """What the activations of the tower are for these inputs; one state at a time, for they may be many."""
    names = activation_names(shape)
    session = _session(graph_of(shape, weights, shown=names))
    largest, means = dict.fromkeys(names, 1e-6), dict.fromkeys(names, np.zeros(shape.filters))
    for row in inputs:
        for name, x in zip(names, session.run(names, {"inputs": row[None]}), strict=True):
            largest[name] = max(largest[name], float(np.abs(x).max()))
            means[name] = means[name] + x.mean((0, 2, 3)) / len(inputs)
    if not np.isfinite(list(largest.values())).all():
        raise ZermeloError(TOO_LARGE)
    return {name: Activation(largest[name], means[name]) for name in names}


def _session(graph: Any) -> Any:
    """onnxruntime, ready to compute a graph on one core."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph.SerializeToString(), options, ["CPUExecutionProvider"])

"""A network from a file, as it plays: its layers as a graph of ONNX, computed by onnxruntime.

The file is a safetensors file of weights, whose metadata are the shape. The graph is built here when it is loaded.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ...system.files import write_bytes
from ..model.model import LEARNED, RUNS
from .shape import MOST_INPUTS, MOST_OUTPUTS, NetworkShape

Array = np.ndarray[Any, Any]

FILE = "network.safetensors"
FORMAT = "zermelo network 1"
HEAD, HIDDEN = 16, 64  # channels before the last layer of a board, hidden units of the values
MOST_BLOCKS, MOST_FILTERS = 64, 2048
LARGEST = 1 << 30  # bytes of a file
MOST_WHOLE = 1 << 22  # weights that are written in 32 bits; of more, 16 bits each


def layers_of(shape: NetworkShape) -> list[tuple[int, int, int]]:
    """The layers of the tower: floats in, floats out (of a cell, on a board), and the side of a convolution's square."""
    side, n = (3, shape.channels) if shape.height else (1, shape.inputs)
    tower = [(n, shape.filters, side)] + [(shape.filters, shape.filters, side)] * (2 * shape.blocks)
    return [*tower, (shape.filters, HEAD if shape.height else shape.filters, 1)]


def weight_shapes(shape: NetworkShape) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a file."""
    found: dict[str, tuple[int, ...]] = {}
    for i, (n, m, side) in enumerate(layers_of(shape)):
        found[f"layer{i}.weight"] = (m, n, side, side) if shape.height else (m, n)
        found[f"layer{i}.bias"] = (m,)
    last = HEAD * shape.height * shape.width if shape.height else shape.filters
    found |= {"out.weight": (shape.policy + HIDDEN, last), "out.bias": (shape.policy + HIDDEN,)}
    return found | {"value.weight": (shape.values, HIDDEN), "value.bias": (shape.values,)}


# ---- files -----------------------------------------------------------------------------------


def save(path: Path, shape: NetworkShape, weights: dict[str, Array], about: dict[str, float]) -> None:
    """Write a network; `about` are numbers that tell how it came about."""
    from safetensors.numpy import save as to_bytes

    told = {"format": FORMAT, "shape": json.dumps(asdict(shape)), "about": json.dumps(about)}
    kind = np.float16 if sum(tensor.size for tensor in weights.values()) > MOST_WHOLE else np.float32
    write_bytes(path, to_bytes({name: np.ascontiguousarray(tensor, kind) for name, tensor in weights.items()}, told))


def load(path: Path) -> tuple[NetworkShape, dict[str, Array], dict[str, float]]:
    """The shape, the weights and what is told of them; ZermeloError if this is not a network's file."""
    from safetensors import SafetensorError, safe_open

    try:
        if path.stat().st_size > LARGEST:
            raise ZermeloError(f"{path} is larger than a network: expected at most {LARGEST >> 20:,} MiB")
        with safe_open(path, "np") as file:
            told = file.metadata() or {}
            shape = _read_shape(told)
            expected = weight_shapes(shape)
            if set(file.keys()) != set(expected):
                raise ValueError("names")
            weights = {name: file.get_tensor(name).astype(np.float32) for name in expected}
            about = {str(name): float(x) for name, x in json.loads(told.get("about", "{}")).items()}
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
    except (SafetensorError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise ZermeloError(f"{path} is not a network, or is damaged: expected a file that zermelo train --method zero wrote") from None
    for name, tensor in weights.items():
        if tensor.shape != expected[name] or not np.isfinite(tensor).all():
            raise ZermeloError(f"{path} has weights of another shape, or some that are no numbers: expected {expected[name]} for {name}")
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
    if not is_small or shape.blocks > MOST_BLOCKS or not 1 <= shape.filters <= MOST_FILTERS or not shape.low < shape.high:
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
            shape, network = _loaded(file.resolve(), about.st_mtime_ns, about.st_size)
            if shape.game != repr(game):
                raise ZermeloError(f"{file} is a network of {shape.game}: expected one of {game!r}")
            return shape, network
    raise ZermeloError(f"there is no network {text}: expected the folder of a run of zermelo train --method zero, or its file {FILE}")


@lru_cache(maxsize=8)
def _loaded(path: Path, changed: int, size: int) -> tuple[NetworkShape, OnnxNetwork]:
    shape, weights, _ = load(path)
    return shape, OnnxNetwork(shape, weights)


# ---- computing -------------------------------------------------------------------------------


class OnnxNetwork:
    """A network computed by onnxruntime on one core."""

    def __init__(self, shape: NetworkShape, weights: dict[str, Array]):
        try:
            import onnx  # noqa: F401
            import onnxruntime
        except ImportError:
            raise ZermeloError("a network needs onnx and onnxruntime: install zermelo with its extra, pip install 'zermelo[net]'") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(graph_of(shape, weights).SerializeToString(), options, ["CPUExecutionProvider"])

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """Logits and values of inputs [batch, floats]."""
        logits, values = self._session.run(None, {"inputs": inputs})
        return logits, values


def graph_of(shape: NetworkShape, weights: dict[str, Array]) -> Any:
    """The network as a model of ONNX."""
    from onnx import TensorProto, helper, numpy_helper

    nodes: list[Any] = []

    def add(kind: str, *given: str, **settings: Any) -> str:
        name = f"x{len(nodes)}"
        nodes.append(helper.make_node(kind, list(given), [name], **settings))
        return name

    def layer(x: str, i: int) -> str:
        names = (f"layer{i}.weight", f"layer{i}.bias")
        if not shape.height:
            return add("Gemm", x, *names, transB=1)
        side = layers_of(shape)[i][2]
        return add("Conv", x, *names, kernel_shape=[side, side], pads=[side // 2] * 4)

    x = "inputs"
    if shape.height:
        x = add("Transpose", add("Reshape", x, "picture"), perm=[0, 3, 1, 2])
    x = add("Relu", layer(x, 0))
    last = len(layers_of(shape)) - 1
    for i in range(1, last, 2):
        x = add("Relu", add("Add", layer(add("Relu", layer(x, i)), i + 1), x))
    x = add("Relu", layer(x, last))
    if shape.height:
        x = add("Flatten", add("Transpose", x, perm=[0, 2, 3, 1]))
    y = add("Gemm", x, "out.weight", "out.bias", transB=1)
    nodes.append(helper.make_node("Split", [y, "parts"], ["logits", "hidden"], axis=1))
    nodes.append(helper.make_node("Tanh", [add("Gemm", add("Relu", "hidden"), "value.weight", "value.bias", transB=1)], ["values"]))
    constants = weights | {
        "picture": np.array([-1, shape.height, shape.width, shape.channels], np.int64),
        "parts": np.array([shape.policy, HIDDEN], np.int64),
    }
    tensors = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in constants.items()]
    described = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", n]) for name, n in described.items()]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

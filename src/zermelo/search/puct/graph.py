"""A network as a graph of ONNX, and the same with a tower of 8-bit numbers.

A float x of the tower becomes the whole number nearest to x / scale: of activations, scale is the largest that was seen / 255 (127 where
they have a sign); of weights, each output's largest / 64. onnxruntime multiplies the whole numbers and adds up in 32 bits. What the
rounded weights of an output are short of, times the mean activations, goes into its bias: without that, values are wrong by half as much
again. The first layer and those behind the tower stay floats: they are a twentieth of the work, and most of what would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .layers import HIDDEN, layers_of
from .shape import NetworkShape

Array = np.ndarray[Any, Any]

OPSET, IR = 17, 8
UNSIGNED, SIGNED = np.uint8, np.int8
#: steps of a weight on either side of 0. Older processors add two products of 8 bits up in 16: 2 * 255 * 64 still fits
WEIGHT_STEPS = 64
LARGEST_SUM = 1 << 29  # of a bias, which is a whole number of 32 bits


@dataclass(frozen=True)
class Activation:
    """What was seen of an activation in some states."""

    largest: float  # without its sign
    means: Array  # of each filter


def activation_names(shape: NetworkShape) -> list[str]:
    """The activations that a tower of 8 bits rounds, by their names in the graph: "sum2" is what layer 2 adds to its block."""
    names = ["active0"]
    for i in range(1, 2 * shape.blocks, 2):
        names += [f"active{i}", f"sum{i + 1}", f"active{i + 1}"]
    return names


def graph_of(shape: NetworkShape, weights: dict[str, Array], seen: dict[str, Activation] | None = None, shown: Sequence[str] = ()) -> Any:
    """The network as a model of ONNX; its tower in 8 bits, given what was seen of each activation. `shown` are outputs besides its own."""
    from onnx import TensorProto, helper

    graph = _Graph(weights, seen or {})
    x = "inputs"
    if shape.height:
        cells = graph.constant("picture", np.array([-1, shape.height, shape.width, shape.channels], np.int64))
        x = graph.add("Transpose", graph.add("Reshape", x, cells), perm=[0, 3, 1, 2])
    layers = layers_of(shape)
    last = len(layers) - 1
    x = graph.rounded("active0", graph.add("Relu", graph.layer(x, 0, layers[0][2] if shape.height else 0)))
    for i in range(1, last, 2):
        side = layers[i][2] if shape.height else 0
        y = graph.rounded(f"active{i}", graph.add("Relu", graph.layer(x, i, side)))
        y = graph.rounded(f"sum{i + 1}", graph.layer(y, i + 1, side), SIGNED)
        x = graph.rounded(f"active{i + 1}", graph.add("Relu", graph.add("Add", y, x)))
    x = graph.add("Relu", graph.layer(x, last, 1 if shape.height else 0))
    if shape.height:
        x = graph.add("Flatten", graph.add("Transpose", x, perm=[0, 2, 3, 1]))
    out = graph.add("Gemm", x, "out.weight", "out.bias", transB=1)
    parts = graph.constant("parts", np.array([shape.policy, HIDDEN], np.int64))
    graph.nodes.append(helper.make_node("Split", [out, parts], ["logits", "hidden"], axis=1))
    value = graph.add("Gemm", graph.add("Relu", "hidden"), "value.weight", "value.bias", transB=1)
    graph.nodes.append(helper.make_node("Tanh", [value], ["values"]))
    described = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", n]) for name, n in described.items()]
    ends += [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in shown]
    made = helper.make_graph(graph.nodes, "network", ends[:1], ends[1:], graph.tensors())
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)


class _Graph:
    """Nodes as they are added, and the constants that they use."""

    def __init__(self, weights: dict[str, Array], seen: dict[str, Activation]):
        self.nodes: list[Any] = []
        self._constants = dict(weights)
        self._seen = seen
        self._steps: dict[str, tuple[np.float32, Array]] = {}  # of the results that are rounded: the step, and the means

    def add(self, kind: str, *given: str, **settings: Any) -> str:
        """A node; the name of its result."""
        from onnx import helper

        name = f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(given), [name], **settings))
        return name

    def constant(self, name: str, value: Any) -> str:
        self._constants[name] = value
        return name

    def tensors(self) -> list[Any]:
        """The constants that a node uses."""
        from onnx import numpy_helper

        used = {name for node in self.nodes for name in node.input}
        return [numpy_helper.from_array(np.array(value, order="C"), name) for name, value in self._constants.items() if name in used]

    def layer(self, x: str, i: int, side: int) -> str:
        """Layer i of the tower: a convolution with a square of this side, or a matrix (0).

        It is in 8 bits if what it is given is rounded, and its square is more than a cell.
        """
        names = [f"layer{i}.weight", f"layer{i}.bias"]
        if x in self._steps and side > 1:
            names = self._whole_weights(names, *self._steps[x])
        if side == 0:
            return self.add("Gemm", x, *names, transB=1)
        return self.add("Conv", x, *names, kernel_shape=[side, side], pads=[side // 2] * 4)

    def rounded(self, name: str, x: str, kind: type[np.integer[Any]] = UNSIGNED) -> str:
        """The activation x under this name, rounded to 8 bits if something is known of it."""
        if name not in self._seen:
            self.nodes[-1].output[0] = name  # x is the result of the last node
            return name
        step = np.float32(self._seen[name].largest / np.iinfo(kind).max)
        scale, zero = self.constant(f"{name}.scale", step), self.constant(f"{name}.zero", kind(0))
        found = self.add("DequantizeLinear", self.add("QuantizeLinear", x, scale, zero), scale, zero)
        self._steps[found] = step, self._seen[name].means
        return found

    def _whole_weights(self, names: list[str], step: np.float32, means: Array) -> list[str]:
        """Weights and biases as whole numbers, for activations that are multiples of `step`, with these means."""
        weight, bias = (self._constants[name] for name in names)
        outputs = len(weight)
        scale = np.abs(weight).reshape(outputs, -1).max(1) / WEIGHT_STEPS
        scale = np.maximum(scale, np.abs(bias) / step / LARGEST_SUM + 1e-12).astype(np.float32)  # of an output without weights, too
        whole = np.rint(weight / scale.reshape(outputs, 1, 1, 1)).astype(np.int8)
        short = (weight - whole * scale.reshape(outputs, 1, 1, 1)).sum((2, 3)) @ means
        sums = np.rint((bias + short) / (scale * step)).astype(np.int32)
        return [self._scaled(names[0], whole, scale), self._scaled(names[1], sums, scale * step)]

    def _scaled(self, name: str, whole: Array, scale: Array) -> str:
        """Whole numbers times the scale of their output."""
        made = {"whole": whole, "scale": scale, "zero": np.zeros(len(scale), whole.dtype)}
        return self.add("DequantizeLinear", *(self.constant(f"{name}.{part}", value) for part, value in made.items()), axis=0)

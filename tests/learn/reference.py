"""The formulas of a network in plain numpy and 64 bits, written apart from ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.search.model.any_tuples import tuples_of
from zermelo.search.model.model import Model, planes_of


def inputs(game: Any, s: Any, p: int, is_tuples: bool = False) -> np.ndarray:
    """What each input is; of an n-tuple network, how often each weight counts."""
    if is_tuples:
        return tuple_inputs(game, s, p)
    planes = planes_of(game)
    words = list(game.planes(s, p)) if game.has_planes else [*game.layout.pack(s), 1 << p | 2 << (game.players + game.to_move(s))]
    x = np.zeros(max(first + 63 * step + 1 for first, step, _ in planes))
    for (first, step, scale), word in zip(planes, words, strict=True):
        for bit in range(64):
            if word >> bit & 1:
                x[first + bit * step] += scale
    return x


def tuple_inputs(game: Any, s: Any, p: int) -> np.ndarray:
    """How often each weight of an n-tuple network counts: those that the game names, or one of each tuple of bits."""
    if game.has_patterns:
        return np.bincount(list(game.patterns(s, p)), minlength=game.pattern_weights).astype(float)
    words = list(game.planes(s, p)) if game.has_planes else [*game.layout.pack(s), 1 << p | 2 << (game.players + game.to_move(s))]
    tuples = tuples_of(game)
    x = np.zeros((len(tuples), 4096))
    for k, bits in enumerate(tuples):
        x[k, sum((words[bit // 64] >> bit % 64 & 1) << j for j, bit in enumerate(bits))] = 1
    return x.reshape(-1)


def parts(model: Model, phase: int = 0, floats: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The weights of a phase's network as matrices."""
    shape = model.shape
    if shape.patterns:
        return tuple_parts(shape, np.asarray(model.array if floats is None else floats, float))
    flat = np.asarray(model.array if floats is None else floats, float)[shape.first_row :]
    flat = flat.reshape(shape.phases, -1)[phase]
    end = (shape.inputs + 1) * shape.width
    rows = flat[:end].reshape(-1, shape.width)
    found = {"w": rows[:-1], "b": rows[-1]}
    width = shape.width
    if shape.second:
        units = -(-shape.second // 16) * 16
        found["u"] = flat[end : end + units * width].reshape(-1, width)
        found["d"] = flat[end + units * width :][:units]
        end, width = end + units * width + units, units
    if shape.hidden:
        found["v"] = flat[end : end + shape.outputs * width].reshape(-1, width)
        found["c"] = flat[end + shape.outputs * width :][: shape.outputs]
    return found


def tuple_parts(shape: Any, flat: np.ndarray) -> dict[str, np.ndarray]:
    """The weights of an n-tuple network: in a game of two with one outcome, those of the second output are the opposite of the first's."""
    first = shape.first_row + shape.width
    flat = flat[: first + shape.pattern_weights * shape.weight_floats]
    if shape.players == 2 and len(shape.outcomes) == 1:
        w, b = flat[first:, None], flat[shape.first_row]
        return {"w": np.hstack([w, -w]), "b": np.array([b, -b])}
    return {"w": flat[first:].reshape(-1, shape.outputs), "b": flat[shape.first_row :][: shape.outputs]}


def outputs(model: Model, x: np.ndarray, phase: int = 0, floats: np.ndarray | None = None) -> np.ndarray:
    """What the network of a phase gives for these inputs."""
    at = parts(model, phase, floats)
    h = at["b"] + x @ at["w"]
    if not model.shape.hidden:
        return sigmoid(h[: model.shape.outputs])
    a = sigmoid(h)
    if model.shape.second:
        a = sigmoid(at["d"] + at["u"] @ a)
    return sigmoid(at["c"] + at["v"] @ a)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def loss(model: Model, x: np.ndarray, targets: np.ndarray, phase: int, floats: np.ndarray) -> float:
    """The cross entropy."""
    o = outputs(model, x, phase, floats)
    return float(-(targets * np.log(o) + (1 - targets) * np.log(1 - o)).sum())

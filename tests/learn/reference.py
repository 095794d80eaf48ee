"""The formulas of a network in plain numpy and 64 bits, written apart from ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.search.model.model import Model, planes_of


def inputs(game: Any, s: Any, p: int) -> np.ndarray:
    """What each input is."""
    planes = planes_of(game)
    words = list(game.planes(s, p)) if game.has_planes else [*game.layout.pack(s), 1 << p | 2 << (game.players + game.to_move(s))]
    x = np.zeros(max(first + 63 * step + 1 for first, step, _ in planes))
    for (first, step, scale), word in zip(planes, words, strict=True):
        for bit in range(64):
            if word >> bit & 1:
                x[first + bit * step] += scale
    return x


def parts(model: Model, phase: int = 0, floats: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The weights of a phase's network as matrices."""
    shape = model.shape
    flat = np.asarray(model.array if floats is None else floats, float)[shape.first_row :]
    flat = flat.reshape(shape.phases, -1)[phase]
    end = (shape.inputs + 1) * shape.width
    rows = flat[:end].reshape(-1, shape.width)
    found = {"w": rows[:-1], "b": rows[-1]}
    if shape.hidden:
        found["v"] = flat[end : end + shape.outputs * shape.width].reshape(-1, shape.width)
        found["c"] = flat[end + shape.outputs * shape.width :][: shape.outputs]
    return found


def outputs(model: Model, x: np.ndarray, phase: int = 0, floats: np.ndarray | None = None) -> np.ndarray:
    """What the network of a phase gives for these inputs."""
    at = parts(model, phase, floats)
    h = at["b"] + x @ at["w"]
    if not model.shape.hidden:
        return sigmoid(h[: model.shape.outputs])
    return sigmoid(at["c"] + at["v"] @ sigmoid(h))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def loss(model: Model, x: np.ndarray, targets: np.ndarray, phase: int, floats: np.ndarray) -> float:
    """The cross entropy."""
    o = outputs(model, x, phase, floats)
    return float(-(targets * np.log(o) + (1 - targets) * np.log(1 - o)).sum())

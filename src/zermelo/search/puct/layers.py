"""The layers of a network that guides searches, and the tensors of their weights."""

from __future__ import annotations

from .shape import NetworkShape

HEAD, HIDDEN = 16, 64  # channels before the last layer of a board, hidden units of the values


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


def multiplications(shape: NetworkShape) -> int:
    """About how many the tower needs for a state."""
    return max(1, shape.height * shape.width) * sum(n * m * side * side for n, m, side in layers_of(shape))

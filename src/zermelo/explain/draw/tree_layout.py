"""The layout of a tree: nodes as close together as possible, parents centred, without overlaps.

After Reingold and Tilford, with Buchheim's even spacing of small subtrees between large ones; nodes have different widths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Reach = tuple[float, float]  # how far something extends to the left and to the right of a node
Contour = list[Reach]  # of a subtree, two for each row: the nodes, and the words below them


@dataclass
class Box:
    """The space a node needs on each side of its centre, and below it (for words, if it has no children)."""

    left: float
    right: float
    below: float = 0.0  # to each side
    children: list[int] = field(default_factory=list)


def tidy(boxes: Mapping[int, Box], root: int, gap: float, lean: Sequence[float]) -> dict[int, float]:
    """The x coordinate of each node's centre; children stand from left to right, at least `gap` apart.

    Edges are straight. `lean[row]` is the share of its horizontal distance that an edge has covered when it leaves the
    zone of the words below that row, so that no edge crosses the words of a neighbour.
    """
    order = _downwards(boxes, root)
    contours: dict[int, Contour] = {}
    offset: dict[int, float] = {root: 0.0}
    for id, row in reversed(order):
        box = boxes[id]
        below = [contours.pop(child) for child in box.children]
        places = _side_by_side(below, gap)
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        places = [x - middle for x in places]
        offset.update(zip(box.children, places))
        hanging = (min(places) * lean[row], max(places) * lean[row]) if places else (-box.below, box.below)
        contours[id] = [(-box.left, box.right), hanging, *_hull(below, places)]
    x: dict[int, float] = {root: 0.0}
    for id, _ in order:
        for child in boxes[id].children:
            x[child] = x[id] + offset[child]
    return x


def _downwards(boxes: Mapping[int, Box], root: int) -> list[tuple[int, int]]:
    """Nodes and their rows, parents first."""
    order = [(root, 0)]
    for id, depth in order:
        order.extend((child, depth + 1) for child in boxes[id].children)
    return order


def _side_by_side(subtrees: list[Contour], gap: float) -> list[float]:
    """Positions of subtrees, each as far left as possible; small ones between two large ones are spaced evenly."""
    places: list[float] = []
    for i, contour in enumerate(subtrees):
        needed = [places[j] + _apart(subtrees[j], contour, gap) for j in range(i)]
        places.append(max(needed, default=0.0))
        if i < 2 or needed[-1] == places[i]:
            continue
        j = needed.index(places[i])
        slack = places[i] - needed[-1]
        for k in range(i - 1, j, -1):
            room = min(places[m] - _apart(subtrees[k], subtrees[m], gap) for m in range(k + 1, i + 1))
            places[k] = min(places[k] + slack * (k - j) / (i - j), room)
    return places


def _apart(left: Contour, right: Contour, gap: float) -> float:
    return max(a[1] - b[0] for a, b in zip(left, right)) + gap


def _hull(subtrees: list[Contour], places: list[float]) -> Contour:
    rows = max(map(len, subtrees), default=0)
    hull = []
    for row in range(rows):
        here = [(x + c[row][0], x + c[row][1]) for c, x in zip(subtrees, places) if row < len(c)]
        hull.append((min(a for a, _ in here), max(b for _, b in here)))
    return hull

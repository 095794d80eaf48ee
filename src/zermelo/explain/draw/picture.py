"""The picture of a search: the position of each node, edge and label of a story, for SVG and TikZ alike.

Rows go from the root down. A row has a zone for the labels on its incoming edges, a zone for the shapes
and the labels beside them, and a zone for the labels below nodes without children; edges fan out
between rows. Zones do not overlap, and within a zone `tidy` keeps the boxes apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ..search_tree import Node, Story
from ..trim import trimmed
from .captions import Captions, captions, visited
from .labels import Labels, Scribe, Words, is_leaf, is_unseen
from .tree_layout import Box, tidy

MAX_PICTURE_WIDTH = 2400.0  # a wider picture is illegible: the story is trimmed until it fits, or down to the last of
SMALLER = (120, 80, 55, 40, 30)  # nodes
FAMILY = 7  # children of a node in a trimmed story
UNSEEN = 3  # unseen siblings that are drawn; the others are only counted

TRIANGLE = (36.0, 32.0)
CIRCLE = (30.0, 30.0)
BOX = (26.0, 22.0)
APART = 12.0  # between neighbours
ABOVE = 2.0  # between an edge, its labels, and the shape it leads to
BESIDE = 3.0  # between a shape and the labels beside it
FAN = 40.0  # minimum height of the edges between two rows
STEEP = 0.2  # minimum slope of an edge, within FAN_LIMIT
FAN_LIMIT = 190.0
STRUCK = 0.62  # where along an edge the strike-through stands

Point = tuple[float, float]


@dataclass(frozen=True)
class Label:
    """A line of words centred at a point; (width, height) is the space reserved, `start` whether they are left-aligned in it."""

    words: str
    role: str
    x: float
    y: float
    width: float
    height: float
    start: bool


@dataclass(frozen=True)
class Mark:
    """A node: its shape (max, min, chance, player, leaf, or more for children that are only counted) centred at a point."""

    id: int
    shape: str
    player: int
    x: float
    y: float
    width: float
    height: float
    labels: tuple[Label, ...]
    faded: bool
    bold: bool
    description: str


@dataclass(frozen=True)
class Edge:
    """A polyline from a parent to a child. `weight` is its thickness relative to a normal line."""

    parent: int
    child: int
    points: tuple[Point, ...]
    struck: bool
    bold: bool
    weight: float


@dataclass(frozen=True)
class Picture:
    """A drawn search: marks row by row, each after its parent, in a frame that begins at (0, 0)."""

    captions: Captions
    marks: tuple[Mark, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float


@dataclass
class _Draft:
    """A node before it has a position. Without a node of the story it stands for children that are only counted."""

    id: int
    parent: int | None
    shape: str
    size: tuple[float, float]
    labels: Labels
    faded: bool
    node: Node | None
    children: list[int] = field(default_factory=list)

    @property
    def beside(self) -> float:
        """The width of the labels beside the shape."""
        return BESIDE + _widest(self.labels.beside) if self.children and self.labels.beside else 0.0

    @property
    def head(self) -> float:
        """How far the shape and the labels on the edge rise above its centre; wide labels stay clear of tall ones beside it."""
        if not self.labels.above:
            return self.size[1] / 2
        over = self.beside > 0 and _widest(self.labels.above) / 2 > self.size[0] / 2
        return max(self.size[1] / 2, self.shoulder if over else 0.0) + 2 * ABOVE + _tall(self.labels.above)

    @property
    def shoulder(self) -> float:
        """How far the labels beside the shape rise above its centre: they are centred, but do not reach below the shape."""
        return max(_tall(self.labels.beside) / 2, _tall(self.labels.beside) - self.size[1] / 2) if self.children else 0.0

    def box(self) -> Box:
        half = max(self.size[0], _widest(self.labels.above)) / 2
        below = 0.0 if self.children else _widest(self.labels.beside) / 2
        return Box(half, max(half, self.size[0] / 2 + self.beside), below, self.children)


def picture_of(story: Story, nodes: int | None = None) -> Picture:
    """The picture of a story: its most visited `nodes`, or as many as are easy to read; the rest is counted."""
    size, whole = len(story.nodes), visited(story)
    if nodes is not None:
        return _Layout(trimmed(story, nodes) if size > nodes else story, whole).picture()
    if size <= SMALLER[0]:
        picture = _Layout(story, whole).picture()
        if picture.width <= MAX_PICTURE_WIDTH or size <= SMALLER[-1]:
            return picture
    for most in SMALLER:
        story = trimmed(story, most, FAMILY)
        picture = _Layout(story, whole).picture()
        if picture.width <= MAX_PICTURE_WIDTH:
            break
    return picture


class _Layout:
    """The drafts of a story's nodes by rows, and their positions."""

    def __init__(self, story: Story, whole: int):
        self.story = story
        self.whole = whole
        self.scribe = Scribe(story)
        self.drafts: dict[int, _Draft] = {}
        self.rows: list[list[_Draft]] = []
        row = [self._draft(story.root, None)]
        while row:
            self.rows.append(row)
            row = [child for draft in row for child in self._below(draft)]

    def picture(self) -> Picture:
        boxes = {id: draft.box() for id, draft in self.drafts.items()}
        fans = [max(FAN, self._hanging(row) + APART) for row in self.rows]
        for _ in range(2):  # a wide fan makes its row taller, so that the rows below can move closer together
            lean = [self._hanging(row) / fan for row, fan in zip(self.rows, fans)]
            x = tidy(boxes, self.story.root, APART, lean)
            wide = [max((abs(x[c] - x[d.id]) for d in row for c in d.children), default=0.0) for row in self.rows]
            fans = [max(fan, min(FAN_LIMIT, STEEP * aside)) for fan, aside in zip(fans, wide)]
        left = min(x[id] - box.left for id, box in boxes.items())
        left = min(left, *(x[id] - box.below for id, box in boxes.items()))
        right = max(x[id] + max(box.right, box.below) for id, box in boxes.items())
        marks, edges = self._drawn({id: at - left for id, at in x.items()}, fans)
        last = self.rows[-1]
        height = marks[-1].y + TRIANGLE[1] / 2 + self._hanging(last)
        words = captions(self.story, self.whole, {draft.shape for draft in self.drafts.values()}, self.scribe.marked)
        return Picture(words, tuple(marks), tuple(edges), right - left, height)

    def _draft(self, id: int, parent: int | None) -> _Draft:
        node = self.story.nodes[id]
        labels = self.scribe.labels(node)
        if is_leaf(node):
            shape, size = "leaf", (max(BOX[0], (labels.inside.width if labels.inside else 0) + 10), BOX[1])
        else:
            shape, size = node.kind, CIRCLE if node.kind == "chance" else TRIANGLE
        self.drafts[id] = _Draft(id, parent, shape, size, labels, is_unseen(node), node)
        return self.drafts[id]

    def _below(self, draft: _Draft) -> Iterator[_Draft]:
        """The children that are drawn, then counts of those that are not: searched ones, and unseen ones."""
        if draft.node is None:
            return
        unseen = [id for id in draft.node.children if self._is_bare(id)]
        hidden = set(unseen[UNSEEN:]) if len(unseen) > UNSEEN + 1 else set()
        for id in draft.node.children:
            if id not in hidden:
                draft.children.append(id)
                yield self._draft(id, draft.id)
        if draft.node.more and not draft.children:
            draft.labels.beside.append(Words(f"+{draft.node.more}", "visits"))
            return
        pruned = min(draft.node.more, self._pruned_elsewhere(draft.node))
        for count, faded in ((draft.node.more - pruned, draft.faded), (pruned + len(hidden), True)):
            if count:
                words = Words(f"+{count}", "more")
                id = -1 - len(self.drafts)  # ids of the story are not negative
                self.drafts[id] = _Draft(id, draft.id, "more", (words.width + 10, 20.0), Labels(words), faded, None)
                draft.children.append(id)
                yield self.drafts[id]

    def _pruned_elsewhere(self, node: Node) -> int:
        """The number of a node's pruned children that are no longer in the story."""
        there = sum(self.story.nodes[child].status == "unseen" for child in node.children)
        return max(0, node.cut.unseen - there) if node.cut is not None else 0

    def _is_bare(self, id: int) -> bool:
        node = self.story.nodes[id]
        return is_unseen(node) and not node.children and not is_leaf(node)

    def _hanging(self, row: list[_Draft]) -> float:
        """How far the labels of a row's childless nodes reach below its shapes."""
        reach = [d.size[1] / 2 + BESIDE + _tall(d.labels.beside) for d in row if not d.children and d.labels.beside]
        return max(0.0, max(reach, default=0.0) - TRIANGLE[1] / 2)

    def _drawn(self, x: dict[int, float], fans: list[float]) -> tuple[list[Mark], list[Edge]]:
        marks: dict[int, Mark] = {}
        edges: list[Edge] = []
        top = 0.0  # of the row
        path = set(self.story.path)
        for row, fan in zip(self.rows, fans):
            y = top + max(max(draft.head, draft.shoulder) for draft in row)
            for draft in row:
                marks[draft.id] = self._mark(draft, x[draft.id], y, draft.id in path)
            edges += self._edges(row, marks, top)
            top = y + TRIANGLE[1] / 2 + fan
        return list(marks.values()), edges

    def _edges(self, row: list[_Draft], marks: dict[int, Mark], top: float) -> Iterator[Edge]:
        """Straight edges from parent to child; with a bend at the top if one of the siblings' edges would cross a neighbour."""
        tops = {d.id: marks[d.id].y - d.head for d in row}
        blocks = [block for d in row for block in _blocks(d, marks[d.id])]
        for parent, family in groupby(row, key=lambda d: d.parent):
            if parent is None:
                return
            above = marks[parent]
            start = (above.x, above.y + above.height / 2)
            children = [marks[draft.id] for draft in family]
            free = all(_is_free(start, (mark.x, tops[mark.id]), blocks) for mark in children)
            for mark in children:
                knee = () if free or tops[mark.id] - top < 1 else ((mark.x, top),)
                points = (start, *knee, (mark.x, tops[mark.id]))
                yield Edge(above.id, mark.id, points, mark.faded, mark.bold and above.bold, self._weight(self.drafts[mark.id]))

    def _mark(self, draft: _Draft, x: float, y: float, bold: bool) -> Mark:
        wide, high = draft.size
        labels: list[Label] = []
        if draft.labels.inside is not None:
            sink = {"max": 0.17, "player": 0.17, "min": -0.17}.get(draft.shape, 0.0)  # the space inside a triangle is off its centre
            labels += _stacked([draft.labels.inside], x, y + sink * high - draft.labels.inside.height / 2)
        labels += _stacked(draft.labels.above, x, y - draft.head + ABOVE)
        lines = draft.labels.beside
        if draft.children:
            labels += _stacked(lines, x + wide / 2 + BESIDE, y - draft.shoulder, True)
        else:
            labels += _stacked(lines, x, y + high / 2 + BESIDE)
        player = draft.node.mover if draft.node else 0
        description = self.scribe.describe(draft.node) if draft.node else "children that are not drawn"
        return Mark(draft.id, draft.shape, player, x, y, wide, high, tuple(labels), draft.faded, bold, description)

    def _weight(self, draft: _Draft) -> float:
        if self.story.algorithm != "mcts" or draft.node is None:
            return 1.0
        return 1 + 5 * math.sqrt(draft.node.visits / max(1, self.story.nodes[self.story.root].visits))


def strokes(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """The two short lines that strike through an edge, near its end, where the edges of a fan are apart."""
    along = (end[0] - start[0], end[1] - start[1])
    length = max(1.0, math.hypot(*along))
    u, v = along[0] / length, along[1] / length
    for shift in (-2.2, 2.2):
        x, y = start[0] + along[0] * STRUCK + u * shift, start[1] + along[1] * STRUCK + v * shift
        yield (x - v * 6 - u * 2, y + u * 6 - v * 2), (x + v * 6 + u * 2, y - u * 6 + v * 2)


def _blocks(draft: _Draft, mark: Mark) -> Iterator[tuple[float, float, float]]:
    """Left, right and top of what an edge must not cross: the shape with the labels above it, and the labels beside it."""
    half = max(mark.width, _widest(draft.labels.above)) / 2 - 0.01
    yield mark.x - half, mark.x + half, mark.y - draft.head
    if draft.beside:
        yield mark.x + mark.width / 2, mark.x + mark.width / 2 + draft.beside, mark.y - draft.shoulder


def _is_free(start: Point, end: Point, blocks: list[tuple[float, float, float]]) -> bool:
    """Whether a line to the top of one block passes above all others."""
    aside, down = end[0] - start[0], end[1] - start[1]
    for left, right, top in blocks:
        near = min(max(end[0], left), right)  # where the line is lowest above the block
        if near == end[0]:
            low = end[1] - 2.01  # its own
        elif min(start[0], end[0]) < near < max(start[0], end[0]):
            low = start[1] + down * (near - start[0]) / aside
        else:
            continue
        if low > top - 2:
            return False
    return True


def _stacked(lines: list[Words], x: float, top: float, start: bool = False) -> Iterator[Label]:
    for words in lines:
        at = x + words.width / 2 if start else x
        yield Label(words.text, words.role, at, top + words.height / 2, words.width, words.height, start)
        top += words.height


def _widest(lines: list[Words]) -> float:
    return max((words.width for words in lines), default=0.0)


def _tall(lines: list[Words]) -> float:
    return sum(words.height for words in lines)

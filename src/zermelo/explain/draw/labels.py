"""The labels of a node of a search tree: its name, value, bounds and status."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..events import Quiet
from ..search_tree import Node, Story
from .text_metrics import chance, clipped, number, printable, vector, width

#: the font of each role: size, and whether it is bold
SIZES = {
    "value": (13.0, True),
    "name": (12.0, False),
    "number": (12.0, True),  # of a player
    "probability": (11.0, False),
    "bounds": (10.5, False),
    "visits": (10.5, False),
    "mark": (10.5, False),
    "order": (9.5, True),
    "more": (11.0, True),
}
#: marks on nodes that were not searched in the ordinary way, and their meanings
MARKS = {
    "table": "value from the table",
    "repeated": "repeats an earlier position",
    "futile": "left out: it cannot reach the bound",
    "stopped": "the search ended here",
    "quiet": "only tactical actions from here on",
    "again": "searched again, with another window",
}


@dataclass(frozen=True)
class Words:
    """A line of a label, and its role, which determines the font."""

    text: str
    role: str

    @property
    def width(self) -> float:
        size, bold = SIZES[self.role]
        room = width(self.text, size, bold)
        return max(room + 7, 15) if self.role == "order" else room  # drawn in a ring

    @property
    def height(self) -> float:
        return SIZES[self.role][0] * 1.25 + (5 if self.role == "order" else 0)


@dataclass
class Labels:
    """The lines at a node: inside its shape, above it on the incoming edge, beside it or (without children) below."""

    inside: Words | None = None
    above: list[Words] = field(default_factory=list)
    beside: list[Words] = field(default_factory=list)


class Scribe:
    """Writes the labels of one story; short names of nodes go inside the shapes, other names onto the edges."""

    def __init__(self, story: Story):
        self.story = story
        self.marked: set[str] = set()  # the marks written so far
        self.quiet = {event.node for event in story.steps if isinstance(event, Quiet)}
        shapes = [node for node in story.nodes.values() if not is_leaf(node)]
        short = all(width(node.name, SIZES["name"][0]) <= 17 and node.kind != "player" for node in shapes)
        self.names_inside = short and story.nodes[story.root].name != "start"

    def labels(self, node: Node) -> Labels:
        labels = Labels()
        name = Words(clipped(node.name), "name")
        worth = self.worth(node)
        if node.probability is not None:
            labels.above.append(Words(chance(node.probability), "probability"))
        if not self.names_inside:
            labels.above.insert(0, name)
        labels.above += _bounds(node)
        if is_leaf(node):
            labels.inside = Words(worth or "?", "value")
            labels.beside += [name] if self.names_inside else []
        else:
            if node.kind == "player":
                labels.inside = Words(str(node.mover), "number")
            elif self.names_inside:
                labels.inside = name
            labels.beside += [Words(worth, "value")] if worth else []
        if self.story.algorithm == "mcts" and node.status != "unseen":
            labels.beside.append(Words(f"n {node.visits}", "visits"))
            labels.beside += [Words(f"p {node.prior:.2f}", "visits")] if node.prior is not None else []
        labels.beside += [Words(mark, "mark") for mark in self.marks(node)]
        self.marked.update(self.marks(node))
        if node.order is not None:
            labels.beside.append(Words(str(node.order), "order"))
        return labels

    def worth(self, node: Node) -> str:
        """The value as far as it is known: 3, ≥ 3, (1, 2, 6); "" if it is unknown."""
        if self.story.algorithm == "mcts" and node.mean is not None:
            return f"{node.mean:.2f}"
        if node.values and self.story.players != 2:
            return vector(node.values)
        if node.value is None:
            return ""
        return {"at least": "≥ ", "at most": "≤ "}.get(node.bound, "") + number(node.value)

    def marks(self, node: Node) -> list[str]:
        marks = [node.status] if node.status in MARKS else []
        marks += ["quiet"] if node.id in self.quiet else []
        marks += ["again"] if node.again else []
        if node.cut is not None:
            by = self.story.nodes.get(node.cut.by) if node.cut.by is not None else None
            marks.append(
                f"cut by {clipped(by.name)}" if self.names_inside and by is not None else "cut"
            )  # an action does not identify a node
        return marks

    def describe(self, node: Node) -> str:
        """The node in one line, for a tooltip."""
        player = {"player": f"player {node.mover}"}.get(node.kind, node.kind)
        said = [printable(node.name), "end of the game" if is_leaf(node) else f"{player} moves"]
        if is_unseen(node):
            return ", ".join([*said, "never looked at" if node.status == "unseen" else "left out as futile"])
        worth = self.worth(node)
        said += [f"{'mean' if self.story.algorithm == 'mcts' else 'value'} {worth}"] if worth else []
        said += [words.text for words in _bounds(node)]
        said += [f"{node.visits} visits"] if self.story.algorithm == "mcts" else []
        if node.cut is not None and node.cut.by is not None and node.cut.by in self.story.nodes:
            said.append(f"cut by the {number(node.cut.bound)} of {printable(self.story.nodes[node.cut.by].name)}")
        else:
            said += self.marks(node)
        return ", ".join(said)


def is_leaf(node: Node) -> bool:
    """Whether the node is an end of the game, drawn as a box with its utility; also if it was never looked at but its value is known."""
    is_known = node.value is not None or bool(node.values)
    return node.status == "leaf" or (node.status == "unseen" and is_known and not node.children)


def is_unseen(node: Node) -> bool:
    """Whether the node was never looked at: pruned, or futile before it was entered (later, it would have a value)."""
    return node.status == "unseen" or (node.status == "futile" and node.value is None)


def _bounds(node: Node) -> list[Words]:
    """The finite ones of alpha and beta at entry."""
    if is_unseen(node):
        return []
    low, high = number(node.alpha), number(node.beta)
    if low == high:
        return [Words(f"α,β={low}", "bounds")]  # a null window
    bounds = [("α", node.alpha, low), ("β", node.beta, high)]
    return [Words(f"{letter}={written}", "bounds") for letter, x, written in bounds if math.isfinite(x)]

"""What is known about a value: is it a word or a number, a scalar, a tuple, a state?

Knowledge is unified: two expressions that must be of one kind share a node, and what is learnt of one
is known of the other, whichever comes first in the text. A literal or a constant of the game knows
nothing of itself and takes the kind of what it meets.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Clash(Exception):
    """Two values that meet cannot be of one kind; the message says why, in half a sentence."""


class Node:
    """A class of values that share one kind ('word', 'number', or not known yet) and one shape."""

    __slots__ = ("_next", "kind", "parts", "scalar", "shape", "why")

    def __init__(self, kind: str | None = None, why: str = "", shape: str | None = None, parts: list[Node] | None = None):
        self._next: Node | None = None
        self.kind, self.why, self.shape, self.parts = kind, why, shape, parts
        self.scalar = kind is not None  # known to be one value, if not yet of which kind

    def find(self) -> Node:
        node = self
        while node._next is not None:
            node = node._next
        return node

    @property
    def is_word(self) -> bool:
        return self.find().kind == "word"

    @property
    def what(self) -> str | None:
        """The value in a word: its shape, its kind, 'number' for one value of any kind; None if nothing is known."""
        node = self.find()
        return node.shape or node.kind or ("number" if node.scalar else None)

    def __str__(self) -> str:
        """The value in a message."""
        return "an array" if self.what == "array" else f"a {self.what or 'value'}"

    @property
    def length(self) -> int | None:
        """How many elements a tuple has; None for everything else."""
        node = self.find()
        return len(node.parts or []) if node.shape == "tuple" else None

    @property
    def innermost(self) -> Node:
        """What the elements of a tuple or an array are, or those of their elements; the value itself if it has none."""
        node = self.find()
        while node.parts:
            node = node.parts[0].find()
        return node

    @property
    def elements(self) -> list[Node]:
        return self.find().parts or []


def word(why: str) -> Node:
    return Node("word", why)


def number(why: str) -> Node:
    return Node("number", why)


def scalar() -> Node:
    """One value that takes the kind of what it meets: a literal, a truth."""
    node = Node()
    node.scalar = True
    return node


def tuple_of(parts: list[Node]) -> Node:
    return Node(shape="tuple", parts=parts)


def array_of(element: Node) -> Node:
    return Node(shape="array", parts=[element])


def unify(a: Node, b: Node) -> None:
    """From now on a and b are one; Clash if they cannot be."""
    a, b = a.find(), b.find()
    if a is b:
        return
    if a.kind and b.kind and a.kind != b.kind:
        w, n = (a, b) if a.kind == "word" else (b, a)
        raise Clash(f"{w.why} is a word (u64) and {n.why} is a number")
    if a.shape and b.shape and a.shape != b.shape:
        raise Clash(f"{a} meets {b}")
    for one, other in ((a, b), (b, a)):
        if one.scalar and other.shape:
            raise Clash(f"{one.why or 'a number'} meets {other}")
    pairs: list[tuple[Node, Node]] = []
    if a.parts is not None and b.parts is not None:
        if len(a.parts) != len(b.parts):
            raise Clash(f"a tuple of {len(a.parts)} meets a tuple of {len(b.parts)}")
        pairs = list(zip(a.parts, b.parts, strict=True))
    b._next = a
    a.scalar = a.scalar or b.scalar
    if b.kind and not a.kind:
        a.kind, a.why = b.kind, b.why
    if b.shape and not a.shape:
        a.shape, a.parts = b.shape, b.parts
    for x, y in pairs:
        unify(x, y)


def of_value(value: Any, label: str) -> Node | None:
    """What is known of a constant of the game; None if it is of no use in lowered code."""
    if isinstance(value, (bool, np.bool_)):
        return scalar()
    if isinstance(value, (int, np.integer)):
        if not -(1 << 63) <= int(value) < 1 << 64:
            return None
        return word(label) if int(value) >= 1 << 63 or isinstance(value, np.uint64) else scalar()
    if isinstance(value, (float, np.floating)):
        return None if np.isnan(value) else number(label)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "iufb" or value.ndim == 0:
            return None
        node = array_of(word(label) if value.dtype == np.uint64 else number(label) if value.dtype.kind == "f" else scalar())
        for _ in range(value.ndim - 1):
            node = array_of(node)
        return node
    if isinstance(value, tuple) and value:
        parts = [of_value(x, label) for x in value]
        first = parts[0]
        if first is None or any(p is None for p in parts):
            return None
        for p in parts[1:]:
            assert p is not None
            try:
                unify(first, p)
            except Clash:
                return None
        return tuple_of([first] * len(parts))
    return None


def of_dtype(dtype: np.dtype[Any], label: str) -> Node:
    """What is known of a field of a work record."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        node = of_dtype(base, label)
        for _ in shape:
            node = array_of(node)
        return node
    if dtype.names:
        return Node(shape="record")
    return word(label) if dtype == np.uint64 else number(label)

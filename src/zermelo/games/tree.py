"""A game written down as a tree: who moves where, and what each leaf is worth.

A tree is a file of lines, one for each node; the first is the root, and `#` begins a comment:

    max A: B C D                  # player 0 moves, and wants a high value
    min B: E F                    # player 1 moves, and wants a low one
    E = 2                         # a leaf and its value: 2 for player 0, -2 for player 1
    max F ~ 3: K L                # an inner node with a static value: what `evaluate` says of it
    chance X: Y 1/4, Z 0.75       # a child of chance is followed by its probability
    player 2 P: Q R               # players are counted from 0; max is player 0, min is player 1
    Q = 3 -1 2                    # with other than two players, or another sum than 0: what each one gets

Names are words without any of `:=,~#`. Children are separated by blanks or commas. Every node but the
root is the child of exactly one other. A file whose name ends in `.json` holds the same as one object,
whose first entry is the root:

    {
      "A": {"max": ["B", "C", "D"]},
      "B": {"min": ["E", "F"]},
      "E": 2,
      "F": {"max": ["K", "L"], "static": 3},
      "X": {"chance": {"Y": 0.25, "Z": 0.75}},
      "P": {"player": 2, "children": ["Q", "R"]},
      "Q": [3, -1, 2]
    }
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..bits import i32
from ..drawing import TreeNode
from ..errors import ZermeloError, nearest
from ..game import CHANCE, Game
from . import TREES

SHIPPED = {path.stem: path for path in sorted(TREES.glob("*.tree"))}


class State(NamedTuple):
    """Where the game is."""

    node: i32


class Tree(Game):
    """The tree in `file`: the name of a shipped example or the path of a file; an action is the index of a child.

    Nodes are numbered level by level, so that the children of one are neighbours: child a of node n
    is `first[n] + a`. `names` are the nodes' names by number.
    """

    ends_without_actions = True

    def __init__(self, file: str | Path = "recitation"):
        nodes = _ordered(_read(file))
        payoffs = _payoffs(nodes)
        self.players = len(payoffs[0])
        self.is_zero_sum = all(abs(sum(told)) < 1e-9 for node, told in zip(nodes, payoffs, strict=True) if not node.children)
        self.names = tuple(node.name for node in nodes)
        self.kinds = tuple(node.kind for node in nodes)
        self.told = tuple(node.values for node in nodes)
        self.mover = np.array([node.mover for node in nodes], np.int32)
        self.has_chance = any(node.mover == CHANCE for node in nodes)
        self.many = np.array([len(node.children) for node in nodes], np.int32)
        self.first = (1 + np.cumsum(self.many) - self.many).astype(np.int32)
        self.weight = np.array([0.0, *(w for node in nodes for w in node.weights or [0.0] * len(node.children))])
        self.value = np.array(payoffs, np.float64).reshape(-1)  # a leaf's utility or an inner node's static value

    def initial(self) -> State:
        return State(0)

    def to_move(self, s: State) -> int:
        return int(self.mover[s.node])

    def actions(self, s: State) -> Iterator[int]:
        for a in range(int(self.many[s.node])):
            yield a

    def result(self, s: State, a: int) -> State:
        return State(int(self.first[s.node]) + a)

    def is_terminal(self, s: State) -> bool:
        return int(self.many[s.node]) == 0

    def utility(self, s: State, p: int) -> float:
        return float(self.value[s.node * self.players + p])

    def probability(self, s: State, a: int) -> float:
        return float(self.weight[int(self.first[s.node]) + a])

    def count(self, s: State) -> int:
        return int(self.many[s.node])

    def evaluate(self, s: State, p: int) -> float:
        """The static value that the file gives the node, 0 where it gives none."""
        return self.utility(s, p)

    @property
    def title(self) -> str:
        """The file without its folder and ending: it says which tree this is."""
        return Path(self.parameters["file"]).stem

    def tree_node(self, s: State) -> TreeNode:
        """The node as its line tells it."""
        return TreeNode(self.names[s.node], self.kinds[s.node].split(" ")[0], self.told[s.node])

    def write_action(self, s: State, a: int) -> str:
        """The name of the child."""
        return self.names[self.result(s, a).node]

    def write_state(self, s: State) -> str:
        """The name of the node."""
        return self.names[s.node]

    def read_state(self, text: str) -> State:
        name = text.strip()
        if name not in self.names:
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected the name of a node{nearest(name, self.names)}")
        return State(self.names.index(name))

    def show(self, s: State) -> str:
        """The tree below the node, children under their parent and further in, as they are written in a file."""
        lines, todo = [], [(s, "", "")]
        while todo:
            s, margin, likely = todo.pop()
            kind, told = self.kinds[s.node], " ".join(f"{v:g}" for v in self.told[s.node])
            mark = " ~ " if kind else " = "
            lines.append(margin + likely + f"{kind} {self.names[s.node]}".strip() + (mark + told if told else ""))
            for a in reversed(range(self.count(s))):
                todo.append((self.result(s, a), margin + "  ", f"{self.probability(s, a):g} " if kind == "chance" else ""))
        return "\n".join(lines)


# ---- reading -------------------------------------------------------------------------------------

NAME = re.compile(r"[^\s:=,~#]+")
LEAF = re.compile(rf"({NAME.pattern})\s*=(.*)")
INNER = re.compile(rf"(max|min|chance|player\s+[0-9]{{1,3}})\s+({NAME.pattern})\s*(?:~([^:]*))?:(.*)")
NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)
FRACTION = re.compile(r"([0-9]{1,9})/([1-9][0-9]{0,8})")
BLANK = re.compile(r"[ \t\r\n]*")


@dataclass
class _Node:
    """A node as its line or entry tells it."""

    file: str
    line: int
    name: str
    kind: str = ""  # max, min, chance or player N; nothing for a leaf
    mover: int = 0
    children: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()  # of the children of chance
    values: tuple[float, ...] = ()  # of a leaf, or the static ones

    def fault(self, what: str) -> NoReturn:
        _fault(self.file, self.line, what)


def _fault(file: str, line: int, what: str) -> NoReturn:
    raise ZermeloError(f"{file}, line {line}: {what}") from None


def _read(file: str | Path) -> list[_Node]:
    """The nodes of a shipped tree or of a file, in the order in which they are written."""
    try:
        data = SHIPPED.get(str(file), Path(file)).read_bytes()
    except (OSError, ValueError, TypeError) as error:
        why = getattr(error, "strerror", None) or "that is not a path"
        raise ZermeloError(f"tree: cannot read {str(file)!r} ({why}): expected a file or one of {', '.join(SHIPPED)}") from None
    file = str(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _fault(file, data[: error.start].count(b"\n") + 1, "expected text in UTF-8")
    nodes = list(_read_json(file, text) if file.endswith(".json") else _read_lines(file, text))
    if not nodes:
        _fault(file, 1, "expected a tree, but the file is empty")
    return nodes


def _read_lines(file: str, text: str) -> Iterator[_Node]:
    for at, line in enumerate(text.split("\n"), 1):
        line = line.partition("#")[0].strip()
        if leaf := LEAF.fullmatch(line):
            node = _Node(file, at, leaf[1])
            node.values = _numbers(node, _words(leaf[2]))
            _name(node, node.name)
            yield node
        elif inner := INNER.fullmatch(line):
            node = _Node(file, at, inner[2], *_kind(inner[1]))
            node.values = () if inner[3] is None else _numbers(node, _words(inner[3]))
            words = _words(inner[4])
            if node.mover == CHANCE:
                if len(words) % 2:
                    node.fault(f"expected a probability after each child of {node.name}")
                node.weights = tuple(_weight(node, word) for word in words[1::2])
                words = words[::2]
            node.children = tuple(_name(node, word) for word in words)
            _name(node, node.name)
            yield node
        elif line:
            _fault(file, at, "expected NAME = VALUE or KIND NAME: CHILDREN, where KIND is max, min, chance or player and its number")


def _read_json(file: str, text: str) -> Iterator[_Node]:
    """The entries of the outer object, decoded one by one: so the line of each is known, and a name that comes twice is seen."""
    decoder, at = json.JSONDecoder(), 0

    def line() -> int:
        return text.count("\n", 0, at) + 1

    def skip(mark: str) -> bool:
        """Go over blanks, and over the mark if it is there."""
        nonlocal at
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        found = text.startswith(mark, at)
        at += len(mark) * found
        return found

    def expect(mark: str) -> None:
        if not skip(mark):
            _fault(file, line(), f"expected {mark} in a JSON object that has an entry for each node")

    def value() -> Any:
        nonlocal at
        skip("")
        try:
            found, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            _fault(file, error.lineno, f"expected JSON, but: {error.msg}")
        except (ValueError, RecursionError):
            _fault(file, line(), "expected JSON without such long numbers or deep nesting")
        return found

    skip("")
    if at == len(text):
        return
    expect("{")
    more = not skip("}")
    while more:
        skip("")
        node = _Node(file, line(), "")
        node.name = _name(node, value())
        expect(":")
        yield _entry(node, value())
        more = skip(",")
        if not more:
            expect("}")
    skip("")
    if at < len(text):
        _fault(file, line(), "expected nothing after the JSON object")


def _entry(node: _Node, entry: Any) -> _Node:
    """The node, completed from what JSON says of it."""
    if not isinstance(entry, dict):
        node.values = _numbers(node, entry)
        return node
    kinds = entry.keys() & {"max", "min", "chance", "player"}
    kind = min(kinds, default="")
    children = entry.get("children" if kind == "player" else kind)
    if len(kinds) != 1 or entry.keys() - {kind, "static", "children" if kind == "player" else kind}:
        node.fault(f'expected {node.name} to have "max", "min", "chance", or "player" and "children", and perhaps "static", but no more')
    if kind == "player" and entry["player"] not in range(1000):
        node.fault(f"expected the number of the player at {node.name}, counted from 0")
    node.kind, node.mover = _kind(f"player {int(entry['player'])}" if kind == "player" else kind)
    if kind == "chance" and isinstance(children, dict):
        node.weights = tuple(_weight(node, str(p)) for p in children.values())
    elif kind == "chance" or not isinstance(children, list):
        node.fault(f"expected the children of {node.name} as {'an object of probabilities' if kind == 'chance' else 'a list of names'}")
    node.children = tuple(_name(node, child) for child in children)
    node.values = _numbers(node, entry["static"]) if "static" in entry else ()
    return node


def _kind(text: str) -> tuple[str, int]:
    """How a kind of inner node is written, and who moves there."""
    kind = " ".join(text.split())
    return kind, {"max": 0, "min": 1, "chance": CHANCE}[kind] if kind in ("max", "min", "chance") else int(kind.split()[1])


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _name(node: _Node, name: Any) -> str:
    if not isinstance(name, str) or not NAME.fullmatch(name) or not name.isprintable():
        node.fault(f"expected the name of a node, a word without any of :=,~#, not {name!r}")
    return name


def _numbers(node: _Node, values: Any) -> tuple[float, ...]:
    """The values of a leaf or an inner node: one number or a list of them."""
    words = [str(x) for x in values] if isinstance(values, list) else [str(values)]
    for word in words:
        if not NUMBER.fullmatch(word) or not math.isfinite(float(word)):
            node.fault(f"expected a number for {node.name}, not {word!r}")
    if not words:
        node.fault(f"{node.name} has no value: expected a number, or one for each player")
    return tuple(float(word) for word in words)


def _weight(node: _Node, word: str) -> float:
    """A probability, written as a decimal number or as a fraction."""
    if fraction := FRACTION.fullmatch(word):
        weight = int(fraction[1]) / int(fraction[2])
    else:
        weight = float(word) if NUMBER.fullmatch(word) else 0.0
    if not 0 < weight <= 1:
        node.fault(f"expected a probability above 0 and at most 1 below {node.name}, not {word!r}")
    return weight


# ---- checking ------------------------------------------------------------------------------------


def _ordered(nodes: list[_Node]) -> list[_Node]:
    """The nodes level by level from the root, which is the first; ZermeloError if they are not a tree."""
    known: dict[str, _Node] = {}
    for node in nodes:
        if node.name in known:
            node.fault(f"{node.name} is defined twice, first in line {known[node.name].line}")
        known[node.name] = node
    root, parent = nodes[0], _parents(nodes, known)
    ordered = [root]
    for node in ordered:
        ordered.extend(known[name] for name in node.children)
    for node in nodes:
        if node.name not in parent and node is not root:
            node.fault(f"{node.name} cannot be reached: it is not a child of any node, and {root.name} is the root, being first")
    lost = known.keys() - {node.name for node in ordered}
    for node in nodes:
        if node.name in lost:  # with a parent that is lost too, and so on: climb until surely on the cycle
            for _ in nodes:
                node = parent[node.name]
            node.fault(f"{node.name} is in a cycle: it lies below itself, and cannot be reached from the root {root.name}")
    return ordered


def _parents(nodes: list[_Node], known: dict[str, _Node]) -> dict[str, _Node]:
    """The parent of every node that has one; ZermeloError if children or probabilities are amiss."""
    parent: dict[str, _Node] = {}
    for node in nodes:
        if node.kind and not node.children:
            node.fault(f"{node.name} has no children: expected at least one")
        for name in node.children:
            if name not in known:
                node.fault(f"{name} is not defined{nearest(name, known)}: expected its value if it is a leaf, or else its children")
            if known[name] is nodes[0]:
                node.fault(f"{name} is in a cycle: it is the root, being first, and cannot be a child of {node.name}")
            if name in parent:
                node.fault(f"{name} has two parents: it is a child of {parent[name].name} in line {parent[name].line} already")
            parent[name] = node
        if node.mover == CHANCE and abs(sum(node.weights) - 1) > 1e-9:
            node.fault(f"the probabilities below {node.name} sum to {sum(node.weights):g}, not to 1")
    return parent


def _payoffs(nodes: list[_Node]) -> list[tuple[float, ...]]:
    """What each player gets at each node, 0 where nothing is told."""
    longest = max((node for node in nodes if node.values), key=lambda node: len(node.values))
    players = max(2, len(longest.values))
    payoffs = []
    for node in nodes:
        values = node.values or (0.0,) * players
        if len(values) == 1 and players == 2:
            values = (values[0], 0.0 - values[0])
        if len(values) != players:
            node.fault(f"{node.name} has a value for {len(values)} of the {players} players that {longest.name} in line {longest.line} has")
        if node.mover >= players:
            node.fault(
                f"player {node.mover} gets nothing: expected values of {node.mover + 1} numbers at the leaves, not of {len(longest.values)}"
            )
        if node.kind in ("max", "min") and players != 2:
            node.fault(f"max and min are two players, but there are {players}: expected player 0 to player {players - 1} at {node.name}")
        payoffs.append(values)
    named = [node for node in nodes if node.kind in ("max", "min")]
    for node, values in zip(nodes, payoffs, strict=True):
        if named and sum(values) != 0:
            node.fault(
                f"the values of {node.name} do not sum to 0, which {named[0].kind} in line {named[0].line} expects: write player there"
            )
    return payoffs

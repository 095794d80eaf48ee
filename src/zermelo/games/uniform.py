"""A uniform tree: every state has equally many actions, every game is equally long, and every leaf has a random value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8, i16, i64, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below, draw, unit


class State(NamedTuple):
    """A node and all that the tree below it follows from: one native code serves every tree."""

    node: i64  # among those of its ply, counted from the left
    left: i8  # plies to the leaves
    turn: i8
    branching: i16
    tree: u64  # from which the leaves draw their values


class Uniform(Game):
    """The tree with this branching and depth whose leaves are drawn by this seed, each from [-1, 1) for player 0.

    Players take turns; an action is the index of a child.
    """

    ends_without_actions, is_zero_sum = True, True

    def __init__(self, branching: int = 3, depth: int = 6, seed: int = 0):
        for name, value, least, most in (("branching", branching, 1, 1024), ("depth", depth, 1, 62), ("seed", seed, 0, 2**64 - 1)):
            if type(value) is not int or not least <= value <= most:
                raise ZermeloError(f"uniform: expected {name} from {least} to {most}, not {value!r}")
        if branching**depth > 2**62:
            raise ZermeloError(f"uniform: expected at most 2**62 leaves, not {branching}**{depth}")
        self.branching, self.depth, self.seed = branching, depth, seed

    def initial(self) -> State:
        return State(0, self.depth, 0, self.branching, self.seed)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.left > 0:
            for a in range(s.branching):
                yield a

    def result(self, s: State, a: int) -> State:
        return State(s.node * s.branching + a, s.left - 1, 1 - s.turn, s.branching, s.tree)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        value = self.leaf(s)
        return value if p == 0 else -value

    def leaf(self, s: State) -> float:
        """What the leaf s is worth to player 0."""
        return 2.0 * unit(draw(s.tree, u64(s.node))) - 1.0

    def count(self, s: State) -> int:
        return s.branching if s.left > 0 else 0

    def sample(self, s: State, random: u64) -> int:
        return below(random, s.branching)

    def write_state(self, s: State) -> str:
        """The actions that lead to the node, joined by '.': 0.2.1, or root."""
        path, node = list[str](), s.node
        for _ in range(self.depth - s.left):
            path.append(str(node % self.branching))
            node //= self.branching
        return ".".join(reversed(path)) or "root"

    def read_state(self, text: str) -> State:
        name, s = text.strip(), self.initial()
        path = [] if name == "root" else name.split(".")
        numbers = all(re.fullmatch(r"0|[1-9][0-9]{0,3}", a) and int(a) < self.branching for a in path)
        if len(path) > self.depth or not numbers:
            expected = f"root, or up to {self.depth} actions from 0 to {self.branching - 1} joined by '.'"
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")
        for a in path:
            s = self.result(s, int(a))
        return s

    def show(self, s: State) -> str:
        """The path to the node, and what it is: whose turn, or the leaf's value."""
        what = (
            f"a leaf of {self.leaf(s):+.4f}"
            if self.is_terminal(s)
            else f"{('max', 'min')[s.turn]} to move, {s.left} {'ply' if s.left == 1 else 'plies'} to the leaves"
        )
        return f"{self.write_state(s)}: {what}"

"""The ordering experiment: how many leaves alpha-beta looks at, by the order of the children.

    best         the best child of every state first           b^ceil(d/2) + b^floor(d/2) - 1
    evaluated    children ordered by a noisy static value
    random       children in random order                      about ((b - 1 + sqrt(b^2 + 14 b + 1)) / 4)^d
    worst        the worst child of every state first          at most b^d
    uncut        leaves arranged so that nothing is cut off    b^d

The trees are those of the game `uniform`, the search is `AlphaBeta.plain` itself. From four plies on the worst order need not
reach b^d: a bound from far above (a deep cutoff) prunes something in most trees, however their children are ordered.
The formula for the random order describes how the number of leaves grows with the depth, not the number itself: its
d-th root comes within a few percent of the base, from above.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..bits import i8, u64
from ..errors import ZermeloError
from ..game import Game
from ..lower.memory import load, to_real
from ..rng import draw, split
from ..search.alphabeta.searcher import AlphaBeta

ORDERS = ("best", "evaluated", "random", "worst", "uncut")
NOISE = 0.5  # standard deviation of the error of a static value, in standard deviations of the values at that ply
LEAVES = 1 << 22  # of the largest tree

Leaves = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Measured:
    """The number of leaves looked at in each tree."""

    branching: int
    depth: int
    order: str
    leaves: tuple[int, ...]

    @property
    def mean(self) -> float:
        return sum(self.leaves) / len(self.leaves)

    @property
    def formulas(self) -> dict[str, float]:
        """The expected numbers, by formula."""
        return {text: value for (text, order), value in formulas(self.branching, self.depth).items() if order == self.order}


def formulas(b: int, d: int) -> dict[tuple[str, str], float]:
    """The values of the lectures' formulas, by formula and order."""
    found = {
        ("b^ceil(d/2) + b^floor(d/2) - 1", "best"): float(b ** ((d + 1) // 2) + b ** (d // 2) - 1),
        ("((b - 1 + sqrt(b^2 + 14 b + 1)) / 4)^d", "random"): ((b - 1 + sqrt(b * b + 14 * b + 1)) / 4) ** d,
        ("b^d", "uncut"): float(b**d),
    }
    return found | ({("b^(3d/4)", "random"): b ** (3 * d / 4)} if b == 2 else {})


def measure(branching: int = 3, depth: int = 8, trees: int = 20, seed: int = 0) -> Iterator[Measured]:
    """Search `trees` random trees of each depth up to `depth`, in every order; ZermeloError if that is too much."""
    for name, value, least, most in (("branching", branching, 2, 64), ("depth", depth, 1, 22), ("trees", trees, 1, 100_000)):
        if not least <= value <= most:
            raise ZermeloError(f"ordering: expected {name} from {least} to {most:,}, not {value:,}")
    if branching**depth > LEAVES:
        raise ZermeloError(f"ordering: expected trees of at most {LEAVES:,} leaves, not {branching}^{depth}")
    if not 0 <= seed < 2**64:
        raise ZermeloError(f"ordering: expected a seed from 0 to {2**64 - 1}, not {seed}")
    return _measure(branching, depth, trees, seed)


def _measure(branching: int, depth: int, trees: int, seed: int) -> Iterator[Measured]:
    game = InMemory(branching, depth)
    for d in range(1, depth + 1):
        counts: dict[str, list[int]] = {order: [] for order in ORDERS}
        for i in range(trees):
            leaves, noise = drawn(branching, d, split(split(seed, d), i)), np.random.default_rng([seed, d, i])
            for order in ORDERS:
                counts[order].append(looked_at(game, arranged(leaves, branching, d, order, noise)))
        yield from (Measured(branching, d, order, tuple(counts[order])) for order in ORDERS)


# ---- trees in memory ---------------------------------------------------------------------------


class State(NamedTuple):
    """A node of a uniform tree, and where the values of the leaves are."""

    node: u64  # among those of its ply, counted from the left
    left: i8  # plies to the leaves
    turn: i8
    leaves: u64  # the address of the first one


class InMemory(Game):
    """Uniform trees up to a depth whose states hold the address of their leaves: one native code searches them all."""

    is_zero_sum = True

    def __init__(self, branching: int, depth: int):
        self.branching, self.depth = branching, depth

    def initial(self) -> State:
        return State(0, self.depth, 0, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.left > 0:
            for a in range(self.branching):
                yield a

    def result(self, s: State, a: int) -> State:
        return State(s.node * u64(self.branching) + u64(a), s.left - 1, 1 - s.turn, s.leaves)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        value = to_real(load(s.leaves, s.node))
        return value if p == 0 else -value

    def at(self, leaves: Leaves) -> State:
        """The root of the tree with these leaves, which must outlive the search."""
        depth = next(d for d in range(self.depth + 1) if self.branching**d == len(leaves))
        assert leaves.dtype == np.float64 and leaves.flags.c_contiguous
        return self.initial()._replace(left=depth, leaves=leaves.ctypes.data)


def looked_at(game: InMemory, leaves: Leaves) -> int:
    """The number of these leaves that plain alpha-beta evaluates."""
    return AlphaBeta.plain().search(game, game.at(leaves)).evaluations


def drawn(branching: int, depth: int, seed: int) -> Leaves:
    """The leaves of the game `uniform` with this seed, from left to right."""
    words: Any = draw(seed, np.arange(branching**depth, dtype=np.uint64))  # type: ignore[arg-type]
    return 2.0 * ((words >> np.uint64(11)) * 2.0**-53) - 1.0  # type: ignore[no-any-return]


def arranged(leaves: Leaves, b: int, depth: int, order: str, noise: np.random.Generator) -> Leaves:
    """The same tree with the children of every state in this order (uncut: another tree of the same leaves)."""
    if order == "random":
        return leaves
    if order == "uncut":
        return _uncut(leaves, b, depth)
    values, below = leaves, leaves.reshape(-1, 1)  # for each state of a ply: its value, and a row of the leaves below it
    for ply in reversed(range(depth)):
        is_max = ply % 2 == 0
        children = values.reshape(-1, b)
        promise = children if is_max else -children
        if order == "worst":
            promise = -promise
        elif order == "evaluated":
            promise = promise + NOISE * children.std() * noise.standard_normal(children.shape)
        sort = np.argsort(-promise, axis=1, kind="stable")
        below = np.take_along_axis(below.reshape(len(children), b, -1), sort[:, :, None], axis=1).reshape(len(children), -1)
        values = children.max(axis=1) if is_max else children.min(axis=1)
    return np.ascontiguousarray(below.reshape(-1))


def _uncut(leaves: Leaves, b: int, depth: int) -> Leaves:
    """Leaves such that all below a child are better for the player to move than all below earlier siblings: nothing is cut off."""
    index = np.arange(len(leaves))
    rank = np.zeros_like(index)
    for ply in range(depth):
        child = index // b ** (depth - 1 - ply) % b
        rank = rank * b + (child if ply % 2 == 0 else b - 1 - child)
    return np.sort(leaves)[rank]


# ---- the plot ----------------------------------------------------------------------------------


def can_plot(file: Path) -> None:
    """Refuse a plot that could not be written; called before anything is measured."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise ZermeloError(f"ordering: expected the plot in a file that ends in .png or .svg, not '{file}'")
    if not file.parent.is_dir():
        raise ZermeloError(f"ordering: expected a folder for the plot, and there is no folder {file.parent}")
    if importlib.util.find_spec("matplotlib") is None:
        raise ZermeloError("ordering: a plot needs matplotlib: install zermelo[plots]")


def plot(results: list[Measured], file: Path) -> None:
    """Plot the measurements against the formulas, and write the file whole or not at all."""
    can_plot(file)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    b, depths = results[0].branching, sorted({r.depth for r in results})
    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.add_subplot()
    colours = {order: f"C{i}" for i, order in enumerate(ORDERS)}
    for order in ORDERS:
        row = {r.depth: r.mean for r in results if r.order == order}
        axes.plot(list(row), list(row.values()), "o", color=colours[order], label=f"{order}, measured")
    for text, order in formulas(b, 1):
        style = ":" if "3d/4" in text else "--"  # two formulas describe the random order
        axes.plot(depths, [formulas(b, d)[text, order] for d in depths], style, color=colours[order], linewidth=1, label=text)
    axes.set(yscale="log", xlabel="depth d in plies", ylabel="leaves looked at", xticks=depths)
    axes.set_title(f"Alpha-beta on uniform random trees, b = {b}, {len(results[0].leaves)} of each depth")
    axes.legend(fontsize="small")
    kind = file.suffix.lower()[1:]
    with tempfile.TemporaryDirectory(dir=file.parent) as draft, rc_context({"svg.hashsalt": "zermelo"}):
        figure.savefig(Path(draft) / file.name, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
        os.replace(Path(draft) / file.name, file)

"""Best-first search against alpha-beta at equal nodes: the quality of single choices, and matches.

    python -m bench.bestfirst [--trees 200] [--pairs 100] [--write FILE]

Choices: on random trees whose edges have random values, and whose leaves are worth the sum of the edges above them; the sum so far
is the evaluation. The loss of a choice is the exact value of the root minus that of the chosen action. Matches: pairs of games from
random openings, with sides exchanged. Both are given with their standard error.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import zermelo
from zermelo import Game, draw, i8, i64, u64
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.bestfirst import BestFirst
from zermelo.search.searcher import Searcher

from . import report

NODES = (100, 300, 1000, 3000)
TREES = ((3, 12), (6, 8))  # branches and plies
MATCHES = ("kalah", "connect4", "othello")
OPENING = 4  # random plies before a match game
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")


class Place(NamedTuple):
    """A node: the seed of the tree below it, and the sum of the edges above it."""

    node: u64
    sum: i64
    left: i8
    turn: i8


class Incremental(Game):
    """A tree of uniform branching and depth whose edges are worth -3 to 3 to player 0."""

    def __init__(self, branching: int, depth: int, seed: int):
        self.branching, self.depth, self.seed = branching, depth, seed

    def initial(self) -> Place:
        return Place(draw(self.seed, 0), 0, self.depth, 0)

    def to_move(self, s: Place) -> int:
        return s.turn

    def actions(self, s: Place) -> Iterator[int]:
        if s.left > 0:
            for a in range(self.branching):
                yield a

    def result(self, s: Place, a: int) -> Place:
        node = draw(s.node, u64(a + 1))
        return Place(node, s.sum + i64(node >> 40) % 7 - 3, s.left - 1, 1 - s.turn)

    def is_terminal(self, s: Place) -> bool:
        return s.left == 0

    def utility(self, s: Place, p: int) -> float:
        return float(s.sum if p == 0 else -s.sum)

    def evaluate(self, s: Place, p: int) -> float:
        return float(s.sum if p == 0 else -s.sum)


def searches(nodes: int, reach: float) -> dict[str, Searcher]:
    """The two searches that are compared."""
    return {"BestFirst": BestFirst(nodes=nodes, reach=reach, memory=16), "AlphaBeta": AlphaBeta(nodes=nodes, table=1)}


def losses(branching: int, depth: int, trees: int, nodes: int) -> dict[str, list[float]]:
    """The loss of each search on each tree; the trees are one game with different initial states, so that it is compiled once."""
    game = Incremental(branching, depth, 0)
    lost: dict[str, list[float]] = {name: [] for name in searches(nodes, 3.0)}
    for seed in range(trees):
        s = Place(draw(1, seed), 0, depth, 0)
        exact = {a: AlphaBeta.plain().search(game, game.result(s, a)).values[0] for a in game.actions(s)}
        for name, search in searches(nodes, 3.0).items():
            action = search.search(game, s).action
            assert action is not None
            lost[name].append(max(exact.values()) - exact[action])
    return lost


def points(game: Game, pairs: int, nodes: int) -> list[float]:
    """The points of BestFirst in each pair of games: 1 if it won both, 0 if it lost both."""
    chance, made = random.Random(nodes), []
    by = searches(nodes, 1.0)
    while len(made) < pairs:
        start = game.initial()
        for _ in range(OPENING):
            if not game.is_terminal(start):
                start = game.result(start, chance.choice(list(game.actions(start))))
        if game.is_terminal(start):
            continue
        made.append(fmean(_points(game, start, by["BestFirst"], by["AlphaBeta"], side) for side in (0, 1)))
    return made


def _points(game: Game, s: object, ours: Searcher, other: Searcher, side: int) -> float:
    while not game.is_terminal(s):
        s = game.result(s, (ours if game.to_move(s) == side else other).search(game, s).action or 0)
    u = game.utility(s, side)
    return 1.0 if u > 0 else 0.0 if u < 0 else 0.5


def told(values: Sequence[float]) -> str:
    """The mean and its standard error."""
    return f"{fmean(values):.3f} ± {stdev(values) / math.sqrt(len(values)):.3f}" if len(values) > 1 else f"{fmean(values):.3f}"


def choices(trees: int) -> str:
    lines = [
        "| branches, plies | nodes | BestFirst loses | AlphaBeta loses | BestFirst less AlphaBeta |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for branching, depth in TREES:
        for nodes in NODES:
            report.tell(f"choices: {branching} branches, {nodes} nodes")
            lost = losses(branching, depth, trees, nodes)
            both = [x - y for x, y in zip(lost["BestFirst"], lost["AlphaBeta"], strict=True)]
            lines.append(f"| {branching}, {depth} | {nodes:,} | {told(lost['BestFirst'])} | {told(lost['AlphaBeta'])} | {told(both)} |")
    return "\n".join([f"## Choices on {trees} random trees (less is better)", "", *lines, ""])


def matches(pairs: int) -> str:
    lines = ["| game | nodes | points of BestFirst, of 1 |", "| --- | ---: | ---: |"]
    for name in MATCHES:
        if name in zermelo.names():
            for nodes in NODES:
                report.tell(f"matches: {name}, {nodes} nodes")
                lines.append(f"| {name} | {nodes:,} | {told(points(zermelo.game(name), pairs, nodes))} |")
    return "\n".join([f"## Matches of {2 * pairs} games (0.5 is even)", "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.bestfirst", description="Best-first search against alpha-beta.")
    parser.add_argument("--trees", type=int, default=200, help="random trees (200)")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games of a match (100)")
    report.options(parser, rounds=1)
    given = parser.parse_args()
    if given.trees < 1 or given.pairs < 1:
        parser.error(f"expected at least 1 tree and 1 pair, not {given.trees} and {given.pairs}")
    text = report.header(" ".join(["python -m bench.bestfirst", *sys.argv[1:]]), 1, PACKAGES)
    for part, times in ((choices, given.trees), (matches, given.pairs)):
        table = part(times)
        report.tell("")
        print(table, flush=True)
        text += "\n" + table
    if given.write:
        report.write(given.write, text)


if __name__ == "__main__":
    main()

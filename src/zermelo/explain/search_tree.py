"""A search told as a tree: what was looked at, what was not, and why. Words and pictures are made from this alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .events import Cut, Event, Return

#: what became of a node; `static` was evaluated because the depth was spent, `unseen` was never looked at
STATUS = ("inner", "leaf", "static", "table", "repeated", "unseen", "futile", "stopped")


@dataclass
class Node:
    """A visit, or a child that was never visited (status "unseen" or "futile"). Values are player 0's in games of two players."""

    id: int
    parent: int | None
    action: int | None
    name: str  # a tree's own name of the node; else the action in the game's notation, "start" at the root
    mover: int  # CHANCE, or the player who moves; at the end of a game who would
    ply: int
    kind: str  # how it is drawn: max, min, chance, or player (of a game with other than two)
    depth: int | None = None  # what was left; None without a limit
    alpha: float = -math.inf  # the bounds at entry
    beta: float = math.inf
    value: float | None = None
    values: tuple[float, ...] = ()  # for each player, where there are other than two
    bound: str = "exact"  # what `value` is of the true one: exact, at least, at most
    status: str = "inner"
    children: list[int] = field(default_factory=list)  # in the order searched, then those not looked at
    cut: Cut | None = None  # made here
    best: int | None = None  # the child that the value comes from
    visits: int = 1  # MCTS: simulations through it; else nodes searched below, with itself
    mean: float | None = None  # MCTS, of player 0 in a game of two
    prior: float | None = None
    ucb: float | None = None
    probability: float | None = None  # of a child of chance
    order: int | None = None  # its place among the static evaluations, from 1
    more: int = 0  # children that a trimmed story leaves out
    again: bool = False  # a re-search of a child searched before (the older visit is listed before it)


@dataclass
class Story:
    """One iteration of a search. `nodes` by their ids; unseen nodes have ids after all visits."""

    game: str
    searcher: str
    algorithm: str  # minimax, alphabeta, expectiminimax, maxn or mcts
    players: int
    depth: int | None
    nodes: dict[int, Node]
    root: int
    path: list[int]  # the optimal path, from the root
    value: float | None
    values: tuple[float, ...]
    evaluated: list[int]  # in order
    pruned: list[int]  # leaves never looked at that minimax would have (in trees; else the unseen children)
    cuts: list[Cut]
    #: nodes, evaluations, cuts, table_hits, researches; saved, minimax (evaluations) and ideal where they are known
    counts: dict[str, int | None]
    steps: list[Event]  # the events of this iteration
    reached: bool = False  # the trace was full: what came after is not here
    title: str = ""  # what stands above a picture; "" for the game

    @property
    def is_complete(self) -> bool:
        """Whether the iteration came to its end, and the trace with it."""
        return any(isinstance(step, Return) and step.node == self.root for step in self.steps[-2:])

    def name(self, id: int) -> str:
        return self.nodes[id].name

    def names(self, ids: list[int]) -> list[str]:
        return [self.nodes[i].name for i in ids]

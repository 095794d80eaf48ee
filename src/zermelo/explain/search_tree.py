"""A search as a tree: what was looked at, what was not, and why. Text and pictures are made from this alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .events import Cut, Event, Return


@dataclass
class Node:
    """A visit, or a child that was never visited (status "unseen" or "futile"). With two players, values are those of player 0."""

    id: int
    parent: int | None
    action: int | None
    name: str  # the node's own name in a tree; else the action in the game's notation, "start" at the root
    mover: int  # CHANCE, or the player to move, even if the game is over
    ply: int
    kind: str  # how it is drawn: max, min, chance, or player (unless there are two)
    depth: int | None = None  # remaining; None without a limit
    alpha: float = -math.inf  # the bounds at entry
    beta: float = math.inf
    value: float | None = None
    values: tuple[float, ...] = ()  # for each player, unless there are two
    bound: str = "exact"  # exact, at least, at most: how `value` relates to the true value
    status: str = "inner"  # inner, leaf, static (at the depth limit), table, repeated, unseen, futile, stopped
    children: list[int] = field(default_factory=list)  # in the order searched, then those not looked at
    cut: Cut | None = None  # the cutoff at this node
    best: int | None = None  # the child whose value it has
    visits: int = 1  # MCTS: simulations through it; else the size of its subtree
    mean: float | None = None  # MCTS; of player 0 if there are two
    prior: float | None = None
    ucb: float | None = None
    probability: float | None = None  # of an outcome of chance
    order: int | None = None  # its number among the static evaluations, from 1
    more: int = 0  # children that a trimmed story leaves out
    known: bool = False  # from an endgame table
    again: bool = False  # a re-search; the earlier visit is listed before it


@dataclass
class Story:
    """One iteration of a search. `nodes` are keyed by id; ids of unseen nodes follow those of all visits."""

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
    pruned: list[int]  # leaves that minimax would have looked at (in trees; else the unseen children)
    cuts: list[Cut]
    #: nodes, evaluations, cuts, table_hits, researches; saved, minimax (evaluations) and ideal if they are known
    counts: dict[str, int | None]
    steps: list[Event]  # the events of this iteration
    reached: bool = False  # the limit of the trace was reached: the rest is missing
    title: str = ""  # what stands above a picture; "" for the game

    @property
    def is_complete(self) -> bool:
        """Whether the iteration finished within the trace."""
        return any(isinstance(step, Return) and step.node == self.root for step in self.steps[-2:])

    def name(self, id: int) -> str:
        return self.nodes[id].name

    def names(self, ids: list[int]) -> list[str]:
        return [self.nodes[i].name for i in ids]

"""Counterfactual regret minimisation step by step: what is regretted in each information set, and the strategy that follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..equilibrium.form import Array
from ..equilibrium.solver import METHODS, Solver
from ..errors import ZermeloError, nearest
from .information_sets import GameTree

MOST_ITERATIONS = 1000
HEADS = ("set", "player", "knows", "action", "strategy", "regret", "sum", "next", "average")


@dataclass(frozen=True)
class Choice:
    """An action of an information set in one iteration."""

    action: str
    strategy: float  # how likely it was in this iteration
    regret: float  # what it would have earned more than the strategy, weighted by how likely the others lead here
    total: float  # the sum of the regrets, as the method keeps it
    next: float  # how likely it will be
    average: float  # how likely it is in the average strategy


@dataclass(frozen=True)
class Iteration:
    """What one iteration did: the choices of each information set, and how good the average strategy is."""

    number: int
    nash_conv: float
    values: tuple[float, ...]
    choices: tuple[tuple[Choice, ...], ...]


def iterations(tree: GameTree, method: str, count: int) -> Iterator[Iteration]:
    """Yield the first `count` iterations."""
    if METHODS.get(method) is None:
        known = [name for name, number in METHODS.items() if number is not None]
        raise ZermeloError(f"there is no method '{method}'{nearest(method, known)}: expected one of {', '.join(known)}")
    if not 1 <= count <= MOST_ITERATIONS:
        raise ZermeloError(f"expected 1 to {MOST_ITERATIONS:,} iterations, not {count:,}")
    solver = Solver(tree.game, method, interpreted=True)
    total, strategy = solver.regrets, matched(tree, solver.regrets)
    for number in range(1, count + 1):
        solver.run(1)
        after, average, found = solver.regrets, solver.strategy, solver.evaluate()
        following = matched(tree, after)
        rows = np.stack([strategy, after - total, after, following, average], axis=1)
        choices = []
        for i, names in enumerate(tree.actions):
            begin = tree.form.firsts[i]
            choices.append(tuple(Choice(a, *map(float, rows[begin + k])) for k, a in enumerate(names)))
        yield Iteration(number, float(found.nash_conv), tuple(map(float, found.expected)), tuple(choices))
        total, strategy = after, following


def matched(tree: GameTree, regrets: Array) -> Array:
    """Regret matching: each action in proportion to its regret above 0, all alike if none is."""
    strategy = np.ones(len(regrets))
    for begin, end in zip(tree.form.firsts[:-1], tree.form.firsts[1:], strict=True):
        above = np.maximum(regrets[begin:end], 0.0)
        strategy[begin:end] = above / above.sum() if above.sum() > 0 else 1 / (end - begin)
    return strategy


def table(tree: GameTree, one: Iteration) -> list[list[str]]:
    """The rows of an iteration, under HEADS."""
    found = []
    for i, choices in enumerate(one.choices):
        for k, c in enumerate(choices):
            head = [str(i + 1), tree.game.player_name(tree.owner(i)), tree.knows[i]] if k == 0 else ["", "", ""]
            share = [f"{100 * x:.1f} %" for x in (c.strategy, c.next, c.average)]
            found.append([*head, c.action, share[0], signed(c.regret), signed(c.total), *share[1:]])
    return found


def signed(x: float) -> str:
    """A number with its sign; a zero, also one that rounding has left something of, is positive."""
    return f"{round(x, 4) + 0.0:+.4f}"


def average_of(tree: GameTree, one: Iteration) -> Array:
    """The average strategy after an iteration: how likely each sequence is in its information set."""
    found = np.ones(tree.form.sequences)
    for i, choices in enumerate(one.choices):
        found[tree.form.firsts[i] : tree.form.firsts[i + 1]] = [choice.average for choice in choices]
    return found


def as_object(tree: GameTree, method: str, done: list[Iteration]) -> dict[str, Any]:
    """All iterations as JSON has them."""
    owners = [tree.game.player_name(tree.owner(i)) for i in range(tree.form.sets)]
    known = zip(owners, tree.knows, tree.actions, strict=True)
    sets = [{"player": owner, "knows": knows, "actions": list(actions)} for owner, knows, actions in known]
    told = [asdict(one) for one in done]
    return {"game": repr(tree.game), "method": method, "nodes": len(tree.nodes), "sets": sets, "iterations": told}

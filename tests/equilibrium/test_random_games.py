"""Small random games with hidden information and chance: strategies that were solved for, against every pure strategy."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from plain_cfr import best_value, policy_of, values

from zermelo import CHANCE, Game, i32
from zermelo.equilibrium.solver import METHODS, Solver

DEEPEST, LARGEST = 4, 40  # plies, and nodes of a game
MOST_STRATEGIES = 200  # pure ones of a player
FEW, MANY = 2, 200


class State(NamedTuple):
    """A node of the tree."""

    node: i32


@dataclass
class Node:
    """What happens in a node: who moves, what that player knows of it, and where its actions lead; at an end, what it pays."""

    mover: int
    known: tuple[int, ...] = ()
    odds: list[float] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    pay: float = 0.0


class RandomGame(Game):
    """A tree that follows from the seed. A player knows what he did and when, and some of what chance did: so nobody forgets anything."""

    has_chance = True

    def __init__(self, seed: int = 0):
        self.seed, self.draw, self.nodes = seed, random.Random(seed), list[Node]()
        self.sizes = dict[tuple[int, ...], int]()  # of information sets
        self.grow(0, ((), ()))

    def grow(self, depth, known):
        """Add the nodes below one, in which the players know this much; its number."""
        draw, at = self.draw, len(self.nodes)
        mover = draw.choice((CHANCE, 0, 1)) if depth else CHANCE
        self.nodes.append(Node(mover, pay=draw.choice((-2.0, -1.0, 0.0, 1.0, 2.0, draw.uniform(-2, 2)))))
        if depth == DEEPEST or (depth > 1 and (draw.random() < 0.3 or len(self.nodes) > LARGEST)):
            return at
        self.nodes[at].known = (mover, depth, *known[mover]) if mover >= 0 else ()
        size = draw.choice((2, 2, 3)) if mover < 0 else self.sizes.setdefault(self.nodes[at].known, draw.choice((2, 2, 3)))
        weights = [draw.choice((1, 1, 2, 5)) for _ in range(size)]
        self.nodes[at].odds = [w / sum(weights) for w in weights]
        told = draw.choice((0, 1, 2))  # whom chance lets see what it does
        for k in range(size):
            event = 10 * depth + 2 * k + (1 if mover < 0 else 2)
            seen = [(*what, event) if p == (mover if mover >= 0 else told) else what for p, what in enumerate(known)]
            self.nodes[at].children.append(self.grow(depth + 1, tuple(seen)))
        return at

    def initial(self):
        return State(0)

    def to_move(self, s):
        return self.nodes[s.node].mover

    def actions(self, s):
        yield from range(len(self.nodes[s.node].children))

    def result(self, s, a):
        return State(self.nodes[s.node].children[a])

    def is_terminal(self, s):
        return not self.nodes[s.node].children

    def utility(self, s, p):
        return self.nodes[s.node].pay if p == 0 else -self.nodes[s.node].pay

    def probability(self, s, a):
        return self.nodes[s.node].odds[a]

    def observe(self, s, p):
        known = self.nodes[s.node].known if self.nodes[s.node].mover == p else ()
        return (*known, *[0] * (DEEPEST + 4 - len(known)))

    def strategies(self, p):
        """How many pure strategies a player has."""
        count = 1
        for known, size in self.sizes.items():
            count *= size if known[0] == p else 1
        return count


def games(count, first=0):
    """Random games in which both players choose, and pure strategies can be counted."""
    seed = first
    while count:
        game = RandomGame(seed)
        if all(1 < game.strategies(p) <= MOST_STRATEGIES for p in range(2)):
            count -= 1
            yield game
        seed += 1


def check(game, method, iterations, nearly):
    """What the solver says of its strategy is so, and nobody gains more than little against it: so the game is worth what it says."""
    solver = Solver(game, method, seed=1, interpreted=True)
    solver.run(iterations)
    found = solver.evaluate()
    policy = policy_of(game, solver.form, solver.strategy)
    gains = [best_value(game, policy, p) - value for p, value in enumerate(values(game, policy))]
    assert min(gains) > -1e-12 and sum(gains) == pytest.approx(found.nash_conv, abs=1e-9), game.seed
    assert sum(gains) < nearly, (game.seed, method, sum(gains))
    return sum(gains)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "mccfr"])
def test_a_few_random_games(method):
    for game in games(FEW):
        check(game, method, 200, 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_two_hundred_random_games(method, capsys):
    iterations, nearly = {"mccfr": (3000, 0.5), "cfr": (300, 0.1)}.get(method, (300, 0.05))
    worst = max(check(game, method, iterations, nearly) for game in games(MANY, 1000))
    with capsys.disabled():
        print(f"| {method} | {iterations:,} | {worst:.4f} |")

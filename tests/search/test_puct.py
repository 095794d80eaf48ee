"""PUCT: the same visits interpreted and natively, and as a plain search over dictionaries finds them; inputs and symmetries of boards."""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.search.puct.exponential import exponential
from zermelo.search.puct.gumbel import SHARES, GumbelTree, advance_gumbel, final_edge, improve
from zermelo.search.puct.puct import advance, begin
from zermelo.search.puct.record import NO_LEAF
from zermelo.search.puct.shape import shape_for
from zermelo.search.puct.trees import Trees

SIMULATIONS, EXPLORATION = 60, 1.5


def opinion(inputs: np.ndarray, policy: int, values: int) -> tuple[np.ndarray, np.ndarray]:
    """What stands for a network: whole numbers made of the inputs."""
    h = (inputs * (np.arange(inputs.shape[1]) % 97 + 1)).sum(1).astype(np.int64)[:, None]
    return (h * 31 + np.arange(policy) * 17) % 64 / 16, ((h + np.arange(values) * 5) % 33 - 16) / 16


def searched(game: Any, states: list[Any], interpreted: bool, **fields: Any) -> Trees:
    shape = shape_for(game, 1, 8)
    trees = Trees(game, shape, len(states), interpreted=interpreted, nodes=4 * SIMULATIONS + 2)
    trees.give(**{"simulations": SIMULATIONS, "exploration": EXPLORATION} | fields)
    trees.set("start", [game.layout.pack(s) for s in states])
    trees.set("random", range(1, len(states) + 1))
    trees.run(begin)
    while (trees.get("leaf") != NO_LEAF).any():
        trees.logits[:], trees.values[:] = opinion(trees.inputs, shape.policy, shape.values)
        trees.run(advance)
    trees.check_width()
    return trees


def some_states(game: Any, count: int) -> list[Any]:
    chance, found = random.Random(7), []
    while len(found) < count:
        s = game.initial()
        for _ in range(chance.randrange(6)):
            t = game.result(s, chance.choice(list(game.actions(s))))
            s = s if game.is_terminal(t) else t
        while game.to_move(s) < 0:
            s = game.result(s, chance.choice(list(game.actions(s))))
        found.append(s)
    return found


@pytest.mark.parametrize("name", ["pig", "trio", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tictactoe", "checkers"))])
def test_visits_are_the_same_interpreted_and_natively(name):
    game = zermelo.game(name)  # two players, chance, three players, actions that are words
    states = some_states(game, 3)
    native, slow = searched(game, states, False), searched(game, states, True)
    assert (native.get("visits")[:, 0] == slow.get("visits")[:, 0]).all()
    assert (native.get("total")[:, 0] == slow.get("total")[:, 0]).all()
    assert (native.get("visits")[:, 0].sum(1) == SIMULATIONS).all()


class Plain:
    """The same search, written from its formula over dictionaries."""

    def __init__(self, game: Any):
        self.game, self.nodes = game, {}
        self.trees = Trees(game, shape_for(game, 1, 8), 1, interpreted=True, nodes=2)

    def simulate(self, s: Any, path: tuple[int, ...] = ()) -> float:
        """The value of s, to which this path leads, to its mover."""
        game = self.game
        if game.is_terminal(s):
            return float(game.utility(s, game.to_move(s)))
        if path not in self.nodes:
            self.trees.set("start", [game.layout.pack(s)])
            self.trees.run(begin)
            logits, values = opinion(self.trees.inputs, self.trees.shape.policy, 1)
            actions = list(game.actions(s))
            weights = [math.exp(np.float32(logits[0, a])) for a in actions]
            self.nodes[path] = {a: [w / sum(weights), 0, 0.0] for a, w in zip(actions, weights, strict=True)}
            return float(np.float32(values[0, 0]))
        edges = self.nodes[path]
        n = sum(visits for _, visits, _ in edges.values())

        def bound(a: int) -> float:
            prior, visits, total = edges[a]
            return (total / visits if visits else 0.0) + EXPLORATION * prior * math.sqrt(1 + n) / (1 + visits)

        best = max(edges, key=bound)
        value = -self.simulate(game.result(s, best), (*path, best))
        edges[best][1] += 1
        edges[best][2] += value
        return value


def test_visits_are_those_of_the_formula():
    game = zermelo.game("tictactoe")
    states = [game.initial(), game.result(game.initial(), 2)]
    found = searched(game, states, True).get("visits")[:, 0]
    for s, visits in zip(states, found, strict=True):
        plain = Plain(game)
        for _ in range(SIMULATIONS + 1):  # the first asks about the root
            plain.simulate(s)
        expected = [visits for _, visits, _ in plain.nodes[()].values()]
        assert sum(expected) == SIMULATIONS
        assert visits[: len(expected)].tolist() == expected


def test_what_may_not_be_taken_is_never_tried():
    game = zermelo.game("tictactoe")
    free = searched(game, [game.initial()], False).get("visits")[0, 0]
    best = int(np.argmax(free))
    barred = [int(k == best) for k in range(16)]
    assert searched(game, [game.initial()], False, forbidden=barred).get("visits")[0, 0][best] == 0


def test_waiting_for_others_changes_nothing():
    game = zermelo.game("tictactoe")
    states = some_states(game, 4)
    visits = [searched(game, states, False, most_ends=n).get("visits")[:, 0] for n in (0, 1)]
    assert (visits[0] == visits[1]).all()


def test_exponential():
    xs = [-x / 7 for x in range(180)]
    assert max(abs(exponential(x) / math.exp(x) - 1) for x in xs) < 1e-10
    assert exponential(0.0) == 1.0
    assert exponential(-1e300) == 2.0**-40


# ---- Gumbel's root ---------------------------------------------------------------------------


def planned(considered: int, simulations: int) -> list[int]:
    """How often the action of each simulation was tried before, by sequential halving, written over a list of visits."""
    visits, left, found = [0] * considered, considered, list[int]()
    while len(found) < simulations:
        for _ in range(max(1, int(simulations / (max(1, math.ceil(math.log2(considered))) * left)))):
            found += visits[:left]
            visits[:left] = [n + 1 for n in visits[:left]]
        left = max(min(2, considered), left // 2)
    return found[:simulations]


@functools.cache
def exact(game: Any, s: Any) -> float:
    """What s is worth to who moves."""
    if game.is_terminal(s):
        return float(game.utility(s, game.to_move(s)))
    return max(-exact(game, game.result(s, a)) for a in game.actions(s))


def halved(game: Any, states: list[Any], interpreted: bool, considered: int, simulations: int) -> Trees:
    """Searches with Gumbel's root, whose network knows the exact values and likes actions at random."""
    shape = shape_for(game, 1, 8)
    trees = Trees(game, shape, len(states), GumbelTree, interpreted, nodes=32)
    trees.give(simulations=simulations, exploration=EXPLORATION, considered=considered, most_ends=1)
    trees.set("start", [game.layout.pack(s) for s in states])
    trees.set("luck", range(1, len(states) + 1))
    trees.run(begin)
    while (trees.get("leaf") != NO_LEAF).any():
        trees.logits[:] = opinion(trees.inputs, shape.policy, 1)[0]
        for i, n in enumerate(trees.get("leaf")):
            if n >= 0:
                trees.values[i] = exact(game, game.layout.unpack(trees.get("states")[i][n].tolist()))
        trees.run(advance_gumbel)
    return trees


def test_gumbel_tries_actions_by_halving():
    game = zermelo.game("tictactoe")
    for considered, simulations in ((4, 16), (9, 12), (16, 20), (1, 5), (3, 7)):
        trees = halved(game, [game.initial()], True, considered, simulations)
        left = min(considered, 9)
        assert trees.get("plan")[0][:simulations].tolist() == planned(left, simulations)
        visits = trees.get("visits")[0, 0][:9]
        expected = [0] * 9
        for before in planned(left, simulations):  # of those tried so often, one more is tried: which one does not matter here
            expected[expected.index(before)] += 1
        assert sorted(visits) == sorted(expected)


def test_gumbel_improves_on_the_policy():
    """Interpreted as natively. With each of seven actions tried once, the best is taken; with four, one better than the policy's."""
    game = zermelo.game("tictactoe")
    s = game.result(game.result(game.initial(), 0), 1)  # three of seven actions win, the others draw
    actions = list(game.actions(s))
    worth = np.array([-exact(game, game.result(s, a)) for a in actions])
    for considered, simulations in ((7, 7), (4, 4)):
        trees, slow = (halved(game, [s] * 64, mode, considered, simulations) for mode in (False, True))
        for name in ("visits", "total", "drawn"):
            assert (trees.get(name) == slow.get(name)).all(), name
        taken = [final_edge(row) for row in slow.rows]
        if simulations == 7:
            assert all(worth[k] == worth.max() for k in taken)
        policy = np.array(slow.rows[0].root_prior[:7])
        assert worth[taken].mean() > (policy * worth).sum() + 0.1
        improve(slow.rows[0])
        shares = np.array(slow.rows[0].visits[0][:7]) / SHARES
        assert shares.sum() == pytest.approx(1, abs=1e-3)
        assert (shares * worth).sum() > (policy * worth).sum()


# ---- boards ----------------------------------------------------------------------------------

BOARDS = ["connect4", "connect4:width=5,height=4", "tictactoe", "mnk:width=4,height=3,line=3", "othello", "hex:size=5", "go:size=5", "go"]


@pytest.mark.parametrize("name", BOARDS)
def test_symmetries_of_boards(name):
    """A game and its image, played side by side, look to the network as the symmetry says."""
    game, chance = zermelo.game(name), random.Random(3)
    shape = shape_for(game, 1, 8)
    trees = Trees(game, shape, 2, interpreted=True, nodes=2)

    def is_image(s: Any, t: Any, cells: tuple[int, ...]) -> bool:
        trees.set("start", [game.layout.pack(s), game.layout.pack(t)])
        trees.run(begin)
        here, there = trees.inputs.reshape(2, len(cells), shape.channels)
        return bool((there == here[list(cells)]).all())

    for cells, policy in game.board_symmetries():
        s = game.initial()
        t = next(t for t in (s, *game.symmetries(s)) if is_image(s, t, cells))
        for _ in range(20):
            a = chance.choice(list(game.actions(s)))
            # the action of t whose place in the policy is the one that comes from a's
            (b,) = [b for b in game.actions(t) if policy[game.policy_index(t, b)] == game.policy_index(s, a)]
            u, v = game.result(s, a), game.result(t, b)
            if game.is_terminal(u):
                break
            s, t = u, v
            assert is_image(s, t, cells)


@pytest.mark.parametrize("name", BOARDS)
def test_policies_tell_actions_apart(name):
    game, chance = zermelo.game(name), random.Random(5)
    s = game.initial()
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        places = [game.policy_index(s, a) for a in actions]
        assert len(set(places)) == len(places)
        assert all(0 <= i < game.policy_size for i in places)
        s = game.result(s, chance.choice(actions))


def test_hex_looks_the_same_to_both_players():
    game = zermelo.game("hex:size=4")
    trees = Trees(game, shape_for(game, 1, 8), 2, interpreted=True, nodes=2)
    # Black in one corner of the long diagonal and White to move; and the mirror image of that with a stone of White's and Black to move
    s = game.result(game.initial(), 1)
    t = game.result(game.result(game.initial(), 15), 4)
    trees.set("start", [game.layout.pack(s), game.layout.pack(t)])
    trees.run(begin)
    seen = trees.inputs.reshape(2, 16, 8)
    assert np.argwhere(seen[0][:, 1]).ravel().tolist() == [4]  # the other's stone, mirrored
    assert np.argwhere(seen[1][:, 1]).ravel().tolist() == [4]
    assert game.policy_index(s, 6) == 9
    assert game.policy_index(t, 6) == 6

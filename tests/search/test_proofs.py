"""Proofs in the tree of PUCT: what is known is what brute force says, in games of any shape, interpreted as natively."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import CHANCE, MCTS, Game, i8, u64
from zermelo.rng import below, draw, mix
from zermelo.search.puct import search as search_module
from zermelo.search.puct.kept_tree import KeptTree
from zermelo.search.puct.puct import advance, begin
from zermelo.search.puct.record import NEVER, NO_LEAF, NOBODY
from zermelo.search.puct.search import edge_to_take
from zermelo.search.puct.shape import shape_for
from zermelo.search.puct.trees import Trees

VALUE = 1e-9


class Node(NamedTuple):
    word: u64
    ply: i8


class Bush(Game):
    """A tree drawn by a seed: who moves is drawn, too, and a game may end early. `is_fair`: one player's gain is the other's loss."""

    max_actions = 4

    def __init__(self, seed: int = 1, plies: int = 6, chance: int = 0, is_fair: bool = True):
        self.seed, self.plies, self.chance, self.is_fair = seed, plies, chance, is_fair

    def initial(self) -> Node:
        return Node(mix(u64(self.seed)), 0)

    def to_move(self, s: Node) -> int:
        return CHANCE if s.ply > 0 and below(draw(s.word, u64(1)), 100) < self.chance else below(draw(s.word, u64(2)), 2)

    def actions(self, s: Node) -> Iterator[int]:
        for a in range(1 + below(draw(s.word, u64(3)), 4)):
            yield a

    def result(self, s: Node, a: int) -> Node:
        return Node(mix(s.word ^ u64(a + 1)), s.ply + 1)

    def probability(self, s: Node, a: int) -> float:
        return 1.0 / (1 + below(draw(s.word, u64(3)), 4))

    def is_terminal(self, s: Node) -> bool:
        return s.ply >= self.plies or (s.ply > 1 and below(draw(s.word, u64(4)), 6) == 0)

    def utility(self, s: Node, p: int) -> float:
        value = (below(draw(s.word, u64(5)), 5) - 2) / 2.0
        if not self.is_fair and below(draw(s.word, u64(6)), 3) == 0:
            return 0.5 if p == 0 else value
        return value if p == 0 else -value


@functools.cache
def exact(game: Bush, s: Node) -> float:
    """What s is worth to player 0."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    children = [exact(game, game.result(s, a)) for a in game.actions(s)]
    if (p := game.to_move(s)) == CHANCE:
        return sum(children) / len(children)
    return max(children) if p == 0 else min(children)


def opinion(inputs: np.ndarray, policy: int) -> tuple[np.ndarray, np.ndarray]:
    """What stands for a network."""
    h = (inputs * (np.arange(inputs.shape[1]) % 97 + 1)).sum(1).astype(np.int64)[:, None]
    return (h * 31 + np.arange(policy) * 17) % 64 / 16, (h % 33 - 16) / 17


def searched(game: Game, states: list[Any], simulations: int, interpreted: bool, **fields: Any) -> Trees:
    shape = shape_for(game, 1, 8)
    trees = Trees(game, shape, len(states), interpreted=interpreted, nodes=1024)
    trees.give(**{"simulations": simulations, "exploration": 1.5, "proves": 1} | fields)
    trees.set("start", [game.layout.pack(s) for s in states])
    trees.set("random", range(1, len(states) + 1))
    trees.run(begin)
    while (trees.get("leaf") != NO_LEAF).any():
        trees.logits[:], trees.values[:] = opinion(trees.inputs, shape.policy)
        trees.run(advance)
    return trees


def bushes(count: int, **settings: Any) -> list[Bush]:
    """Bushes in whose first state a player moves: all of one native code, but for their seed."""
    made = (Bush(seed, **settings) for seed in range(1, 10 * count))
    return [game for game in made if not game.is_terminal(game.initial())][:count]


def settled(game: Bush, trees: Trees) -> dict[Node, tuple[list[float], bool]]:
    """What the first tree says of the nodes that are settled, and whether they are the ends of games."""
    used, count, worth = int(trees.get("used")[0]), trees.get("count")[0], trees.get("worth")[0]
    mover, states = trees.get("mover")[0], trees.get("states")[0]
    nodes = [n for n in range(used) if mover[n] == NOBODY]
    return {game.layout.unpack(states[n].tolist()): (worth[n].tolist(), count[n] == 0) for n in nodes}


@pytest.mark.parametrize("chance", [0, 25])
def test_what_is_known_is_exact(chance):
    """Of nodes all over the tree; where chance moves nothing is proven above it, and what is proven below it is right."""
    roots, proven = 0, 0
    for game in bushes(120, chance=chance):
        trees = searched(game, [game.initial()], 300, True)
        for s, (worth, is_over) in settled(game, trees).items():
            assert worth == pytest.approx([exact(game, s), -exact(game, s)], abs=VALUE)
            assert is_over == game.is_terminal(s)
            assert is_over or game.to_move(s) != CHANCE
            proven += not is_over
        if trees.get("known")[0]:
            roots += 1
            assert trees.get("worth")[0][0][0] == pytest.approx(exact(game, game.initial()), abs=VALUE)
            taken = edge_to_take(trees.get("visits")[0][0][: trees.get("count")[0][0]], trees.get("prior")[0][0])
            after = game.result(game.initial(), list(game.actions(game.initial()))[taken])
            assert exact(game, after) == pytest.approx(exact(game, game.initial()), abs=VALUE)
    assert proven > 500
    assert roots > 15


def test_interpreted_is_native():
    game = Bush(3)
    states = [game.result(game.initial(), a) for a in game.actions(game.initial())]
    states = [s for s in states if not game.is_terminal(s)]
    for simulations in (3, 10, 40):
        native, slow = (searched(game, states, simulations, mode) for mode in (False, True))
        for name in ("visits", "total", "prior", "mover", "worth", "known", "used"):
            assert (native.get(name) == slow.get(name)).all(), name


def test_gains_that_are_nobodys_loss_prove_nothing():
    """A node whose value depends on which of two equal actions is taken is not known."""
    general = 0
    for game in bushes(120, is_fair=False):
        trees = searched(game, [game.initial()], 300, True)
        for worth, is_over in settled(game, trees).values():
            if not is_over:
                assert sum(worth) == pytest.approx(0, abs=VALUE)
            elif sum(worth) != pytest.approx(0, abs=VALUE):
                general += 1
        assert not trees.get("known")[0] or sum(trees.get("worth")[0][0]) == pytest.approx(0, abs=VALUE)
    assert general > 100


def test_no_simulation_goes_below_what_is_known_and_no_loss_is_tried_again():
    for game in bushes(40):
        before = searched(game, [game.initial()], 12, True)
        after = searched(game, [game.initial()], 24, True)
        mover, prior, count = (before.get(name)[0] for name in ("mover", "prior", "count"))
        for n in range(int(before.get("used")[0])):
            if mover[n] == NOBODY:
                assert (before.get("visits")[0][n] == after.get("visits")[0][n]).all()
            elif any(prior[n][k] > NEVER for k in range(count[n])):
                for k in np.flatnonzero(prior[n][: count[n]] == NEVER):
                    assert before.get("visits")[0][n][k] == after.get("visits")[0][n][k]


def test_actions_that_may_not_be_taken_are_not_needed_for_a_proof():
    known = 0
    for game in bushes(60):
        s = game.initial()
        values = [exact(game, game.result(s, a)) * (1 if game.to_move(s) == 0 else -1) for a in game.actions(s)]
        if len(values) < 2:
            continue
        best = int(np.argmax(values))
        trees = searched(game, [s], 400, True, forbidden=[int(k == best) for k in range(4)])
        if trees.get("known")[0]:
            known += 1
            assert trees.get("worth")[0][0][game.to_move(s)] == max(v for k, v in enumerate(values) if k != best)
    assert known > 15


# ---- players ---------------------------------------------------------------------------------


@pytest.fixture
def judged(monkeypatch):
    """Searches ask the opinion above, and no file."""

    def load_for(game: Game, text: str) -> Any:
        shape = shape_for(game, 1, 8)
        return shape, lambda inputs: tuple(x.astype(np.float32) for x in opinion(inputs, shape.policy))

    monkeypatch.setattr(search_module, "load_for", load_for)


def some_states(game: Game, count: int, plies: int) -> list[Any]:
    chance, found = random.Random(plies), []
    while len(found) < count:
        s = game.initial()
        for _ in range(plies):
            t = game.result(s, chance.choice(list(game.actions(s))))
            s = s if game.is_terminal(t) else t
        found.append(s)
    return found


@pytest.mark.parametrize(("name", "plies"), [("connect4:width=4,height=4", 9), ("tictactoe", 3)])
def test_a_search_ends_with_the_exact_value(judged, name, plies):
    game, solver, exact = zermelo.game(name), zermelo.AlphaBeta(), 0
    for s in some_states(game, 12, plies):
        found = MCTS(net="any", simulations=4000).search(game, s)
        if found.exact:
            right = solver.solution(game, s, all_moves=True)
            exact += 1
            assert found.nodes < 4000
            assert found.value == right.value == right.scores[found.action][0]
            for a, v in found.scores.items():
                assert right.scores[a][0] <= v if a in found.bounds else right.scores[a][0] == v
        blind = MCTS(net="any", simulations=4000, solver=False).search(game, s)
        assert not blind.exact
        assert blind.nodes == 4000
    assert exact > 3


def test_a_proven_state_that_comes_up_is_still_known(judged):
    """A tree that is kept from move to move answers at once, with an action that keeps the value."""
    game, solver = zermelo.game("connect4:width=4,height=4"), zermelo.AlphaBeta()
    searcher, known = MCTS(net="any", simulations=3000), 0
    for s in some_states(game, 12, 9):
        kept = KeptTree()
        while not game.is_terminal(s):
            *_, found = searcher._deepen(game, s, None, kept)
            if found.exact:
                right = solver.solution(game, s, all_moves=True)
                assert found.value == right.value == right.scores[found.action][0]
                known += found.nodes == 0
            s = game.result(s, found.action)
    assert known > 20


def test_where_chance_moves_nothing_is_claimed(judged):
    found = MCTS(net="any", simulations=50).search(zermelo.game("pig"))
    assert not found.exact
    assert found.nodes == 50

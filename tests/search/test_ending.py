"""The end of a game, solved before a network is asked: exact where it claims to be, and left to the network elsewhere."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import MCTS, Game, i8
from zermelo.search.puct.layers import weight_shapes
from zermelo.search.puct.network import FILE, save
from zermelo.search.puct.shape import shape_for

pytest.importorskip("onnxruntime")


def endings(left, count, seed=1):
    """States of Othello in which so many moves are left."""
    game, rng, found = zermelo.game("othello"), random.Random(seed), []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s) and game.moves_left(s) > left:
            s = game.result(s, rng.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            found.append(s)
    return game, found


def test_what_is_won_or_drawn_is_known():
    game, states = endings(9, 40)
    searcher, known = MCTS(net="learned", simulations=60), {-1.0: 0, 0.0: 0, 1.0: 0}
    for s in states:
        found, right = searcher.search(game, s), zermelo.AlphaBeta().solution(game, s, all_moves=True)
        known[right.value] += 1
        assert found.exact or right.value == -1.0
        if found.exact:
            assert found.value == right.value == right.scores[found.action][0]
            end = s
            for a in found.line:
                end = game.result(end, a)
            assert game.is_terminal(end)
            assert game.utility(end, game.to_move(s)) == found.value
    assert min(known[-1.0], known[1.0]) > 5


def test_interpreted_is_native():
    game, states = endings(5, 6, seed=2)
    for s in states:
        native, plain = (MCTS(net="learned", simulations=20, interpreted=x).search(game, s) for x in (False, True))
        assert (native.action, native.value, native.exact) == (plain.action, plain.value, plain.exact)


def test_the_policy_alone_and_states_with_more_moves_left_are_the_networks():
    game, (s,) = endings(9, 1, seed=3)
    assert not MCTS(net="learned", simulations=1).search(game, s).exact
    game, (s,) = endings(23, 1, seed=3)
    assert not MCTS(net="learned", simulations=20).search(game, s).exact


def test_an_ending_that_takes_too_long_leaves_time_to_the_network():
    """With a part of the seconds spent in vain, the other is searched; a lost state is never told as solved."""
    game, states = endings(22, 3, seed=4)
    for s in states:
        found = MCTS(net="learned", seconds=0.02).search(game, s)
        assert found.action in list(game.actions(s))
        assert found.exact or found.nodes >= 1


class Heap(NamedTuple):
    left: i8
    turn: i8


class Shared(Game):
    """Take one or two; whoever takes the last wins 1, and the other loses nothing."""

    value_range = (-1.0, 1.0)

    def initial(self):
        return Heap(7, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for n in (1, 2):
            if n <= s.left:
                yield n

    def result(self, s, a):
        return Heap(s.left - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return 0.0 if p == s.turn else 1.0

    def moves_left(self, s):
        return int(s.left)


def test_gains_that_are_nobodys_loss_are_not_told_as_exact(tmp_path):
    game, rng = Shared(), np.random.default_rng(1)
    shape = shape_for(game, 1, 8)
    save(tmp_path / FILE, shape, {name: rng.normal(size=size).astype(np.float32) for name, size in weight_shapes(shape).items()}, {})
    found = MCTS(net=str(tmp_path), simulations=30).search(game)
    assert not found.exact
    assert found.nodes == 30

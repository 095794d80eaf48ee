"""Networks from files: which ones a game takes, and what a search says by them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo import MCTS, MaxN
from zermelo.errors import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.search.puct.inputs import output_of
from zermelo.search.puct.layers import weight_shapes
from zermelo.search.puct.network import OnnxNetwork, load, load_for, save
from zermelo.search.puct.record import Tree
from zermelo.search.puct.search import MOST_BYTES, room_for
from zermelo.search.puct.shape import actions_of, record_for, shape_for

pytest.importorskip("onnxruntime")


def write(path, shape, seed=1, **given):
    """A network of this shape whose weights are drawn, but for those that are given."""
    rng = np.random.default_rng(seed)
    weights = {name: rng.normal(0, 0.3, size).astype(np.float32) for name, size in weight_shapes(shape).items()}
    for name, value in given.items():
        weights[name.replace("_", ".")][:] = value
    save(path, shape, weights, {})
    return str(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"height": 5, "inputs": 5 * 7 * 8},
        {"height": 1, "width": 1, "inputs": 8},
        {"height": 19, "width": 19, "inputs": 19 * 19 * 8},
        {"height": 0, "width": 0, "inputs": 10},
        {"policy": 1},
        {"policy": 64},
        {"values": 3},
        {"players": 5},
        {"low": float("-inf")},
        {"high": float("nan")},
        {"low": "-1"},
    ],
)
def test_a_network_of_other_rules_is_refused(tmp_path, changed):
    """Native code would write what the rules say into arrays as long as the file says."""
    game = zermelo.game("connect4")
    file = write(tmp_path / "other.safetensors", replace(shape_for(game, 1, 8), **changed))
    with pytest.raises(ZermeloError, match=f"is a network of connect4 with {next(iter(changed))} = .*: expected .*, as its rules say now"):
        load_for(game, file)


def test_rules_that_change_while_a_network_is_loaded(tmp_path):
    game = zermelo.game("connect4")
    file = write(tmp_path / "a.safetensors", shape_for(game, 1, 8))
    load_for(game, file)
    game.policy_size = 9
    with pytest.raises(ZermeloError, match="with policy = 7: expected 9"):
        load_for(game, file)


def test_weights_beyond_all_numbers_are_refused(tmp_path):
    game = zermelo.game("connect4")
    shape = shape_for(game, 1, 8)
    file = write(tmp_path / "large.safetensors", shape, out_weight=3e38)
    with pytest.raises(ZermeloError, match="some that are too large or no numbers"):
        load_for(game, file)
    _, weights, _ = load(Path(write(tmp_path / "usual.safetensors", shape)))
    weights["out.weight"][:] = 3e38
    with pytest.raises(ZermeloError, match="too large: expected activations that are numbers"):
        OnnxNetwork(shape, weights)(np.ones((1, shape.inputs), np.float32))


class Misnumbered(ConnectFour):
    """A game whose actions have outputs that are not there."""

    policy_size = 7

    def policy_index(self, s, a):
        return a + 1000


def test_outputs_that_are_not_there_are_refused_and_touch_no_memory(tmp_path):
    with pytest.raises(ZermeloError, match=r"policy_index gives 10\d\d .*: expected 0 to 6, as policy_size says"):
        shape_for(Misnumbered(), 1, 8)
    game = Misnumbered()
    assert [output_of(game, game.initial(), a, k) for k, a in enumerate(game.actions(game.initial()))] == [0] * 7


@pytest.mark.parametrize("name", ["connect4", "go", "go:size=19", "backgammon"])
def test_a_tree_fits_in_memory(name):
    game = zermelo.game(name)
    nodes = room_for(game, Tree, 1 << 40)
    assert record_for(game, Tree, width=actions_of(game), nodes=nodes).itemsize < 1.01 * MOST_BYTES
    assert nodes >= 1 << 14
    assert room_for(game, Tree, 100) == 128


@pytest.mark.slow
def test_a_large_board_is_searched_by_the_clock():
    found = MCTS(net="learned", seconds=0.05).search(zermelo.game("go:size=19"))
    assert found.action is not None
    assert found.nodes >= 1


def test_values_of_three_players(tmp_path):
    """Of states that are almost over: who moves on the way knows his own values, and the end those of all."""
    game = zermelo.game("trio:width=3,height=3")
    file = write(tmp_path / "trio.safetensors", shape_for(game, 1, 8))
    told = 0
    for seed in range(12):
        s = game.initial()
        while not game.is_terminal(s) and len(list(game.actions(s))) > 3:
            s = game.result(s, game.sample(s, zermelo.rng.draw(seed, len(list(game.actions(s))))))
        if game.is_terminal(s):
            continue
        exact, found = MaxN().search(game, s), MCTS(net=file, simulations=400).search(game, s)
        assert found.values[game.to_move(s)] == pytest.approx(found.value)
        end = s
        for a in found.line:
            end = game.result(end, a)
        if game.is_terminal(end) and len(found.line) == 1:
            assert found.values == pytest.approx([game.utility(end, p) for p in range(3)], abs=1e-6)
            assert found.value == pytest.approx(exact.value)
            told += 1
    assert told

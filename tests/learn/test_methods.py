"""The methods beside TD: traces against the forward view, searches against minimax, interpreted against native code."""

from __future__ import annotations

import numpy as np
import pytest
from reference import inputs, outputs, parts, sigmoid
from small_games import BearOff, Race, TicTacToe

import zermelo
from zermelo.errors import ZermeloError
from zermelo.learn import self_play, tdleaf, traces, treestrap
from zermelo.learn.self_play import Learner
from zermelo.lower import rows
from zermelo.lower.rows import Floats
from zermelo.search.model import network
from zermelo.search.model.model import Model, model_values, with_model
from zermelo.search.table import EXACT, LOWER, UPPER

BEAR_OFF, TICTACTOE = BearOff(), TicTacToe()
SETTINGS = {"rate": 0.05, "trace": 0.7, "epsilon": 0.2, "faster": 10.0}


# ---- traces and the forward view -------------------------------------------------------------


class Offline(Learner):
    """Traces whose steps change a copy of the weights, which stand still."""

    def _memory(self):
        self.copy = self.model.array.copy()
        return super()._memory() | {"learned": Floats.of(self.copy, self.interpreted)}


@pytest.fixture
def in_64_bits(monkeypatch):
    """The interpreter computes with floats of 64 bits."""

    def sigmoids(n, u, j, t, i):
        t[i : i + n] = sigmoid(u[j : j + n])
        return n

    monkeypatch.setattr(rows, "_F32", np.float64)
    monkeypatch.setattr(network, "sigmoids", sigmoids)


def random_model(game, hidden, second=0, seed=4):
    model = Model.new(game, hidden, second=second)
    model.weights[:] = np.random.default_rng(seed).normal(size=len(model.weights)) * 0.3
    return model


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("game", [BEAR_OFF, Race()], ids=["bear-off", "race"])
def test_offline_traces_are_the_forward_view_of_td(game, trace, in_64_bits):
    """Of a linear model, whose gradient does not depend on its weights: each game of both from the same ones."""
    for g in range(5):
        forward, backward = random_model(game, 0), random_model(game, 0)
        before = forward.array.copy()
        Learner(game, forward, interpreted=True).learn(1, g, 3, SETTINGS | {"trace": trace})
        learner = Offline(game, backward, method="traces", interpreted=True)
        learner.learn(1, g, 3, SETTINGS | {"trace": trace})
        assert np.abs(forward.array - learner.copy).max() < 1e-9 < np.abs(forward.array - before).max()
        assert np.array_equal(backward.array, before)


@pytest.mark.parametrize(("hidden", "second"), [(0, 0), (20, 0), (20, 17)])
@pytest.mark.parametrize("game", [BEAR_OFF, Race()], ids=["bear-off", "race"])
def test_offline_traces_are_the_forward_view_of_numpy(game, hidden, second, in_64_bits, monkeypatch):
    """Of any model: the lambda-returns of the states that a game met, and gradients written apart from ours."""
    states, model = [], random_model(game, hidden, second)
    look_at, fill_returns = traces.look_at, traces.fill_returns
    monkeypatch.setattr(traces, "look_at", lambda g, s, n, work: states.append(s) or look_at(g, s, n, work))
    monkeypatch.setattr(traces, "fill_returns", lambda g, s, work: states.append(s) or fill_returns(g, s, work))
    learner = Offline(game, model, method="traces", interpreted=True)
    learner.learn(1, 0, 3, SETTINGS)
    *met, end = states
    low, span, players = model.shape.low, model.shape.span, game.players
    wanted = np.zeros(model.shape.size)
    g = np.array([(game.utility(end, p) - low) / span for p in range(players)])
    for s in reversed(met):
        view = game.perspective(s)
        o = outputs(model, inputs(game, s, view))
        seen = np.roll(o, view)  # player by player
        for k in range(players):
            p = (view + k) % players
            wanted += SETTINGS["rate"] * (g[p] - seen[p]) * gradient(model, inputs(game, s, view), k)
        g = 0.7 * g + 0.3 * seen
    assert len(met) > 3 and np.abs(learner.copy - model.array - wanted).max() < 1e-9 < np.abs(wanted).max()


def gradient(model, x, k):
    """The gradient of output k before its sigmoid, by the floats of the model; ten times as large in the hidden layers."""
    found = np.zeros(model.shape.size)
    at = parts(model, floats=found)  # views of it
    if not model.shape.hidden:
        at["b"][k], at["w"][:, k] = 10, 10 * x
        return found
    now = parts(model)
    a = sigmoid(now["b"] + x @ now["w"])
    if model.shape.second:
        z = sigmoid(now["d"] + now["u"] @ a)
        at["c"][k], at["v"][k] = 1, z
        above = now["v"][k] * z * (1 - z)
        at["d"][:], at["u"][:] = 10 * above, 10 * np.outer(above, a)
        slope = (above @ now["u"]) * a * (1 - a)
    else:
        at["c"][k], at["v"][k] = 1, a
        slope = now["v"][k] * a * (1 - a)
    at["b"][:], at["w"][:] = 10 * slope, 10 * np.outer(x, slope)
    return found


def test_native_traces_are_the_forward_view_to_32_bits():
    for g in range(20):
        forward, backward = random_model(BEAR_OFF, 0), random_model(BEAR_OFF, 0)
        Learner(BEAR_OFF, forward).learn(1, g, 3, SETTINGS)
        learner = Offline(BEAR_OFF, backward, method="traces")
        learner.learn(1, g, 3, SETTINGS)
        assert np.abs(forward.array - learner.copy).max() < 2e-6


# ---- searches --------------------------------------------------------------------------------


def minimax(game, s, depth, me):
    """What a search of s to this depth gives to `me`, by brute force."""
    if game.is_terminal(s):
        return game.utility(s, me)
    if depth == 0:
        return model_values(game, s)[me]
    scores = [minimax(game, game.result(s, a), depth - 1, me) for a in game.actions(s)]
    return max(scores) if game.to_move(s) == me else min(scores)


def test_treestrap_learns_what_minimax_backs_up(monkeypatch):
    """Exact values are minimax values and bounds are bounds, of the root and of nodes below it."""
    game, depth, seen = with_model(TICTACTOE, random_model(TICTACTOE, 16)), 3, []
    monkeypatch.setattr(treestrap, "learn_node", lambda g, s, v, bound, work: seen.append((g.unpack(work.start), s, v, bound)) or 0)
    Learner(TICTACTOE, game.model, method="treestrap", depth=depth, interpreted=True).learn(1, 0, 5, SETTINGS)
    for root, s, v, bound in seen:
        ply = ((s.mine | s.theirs) ^ (root.mine | root.theirs)).bit_count()
        true = minimax(game, s, depth - ply, game.to_move(root))
        kept = {EXACT: v == pytest.approx(true), LOWER: v <= true + 1e-9, UPPER: v >= true - 1e-9}
        assert kept[bound] and (bound == EXACT or s != root)
    assert {bound for *_, bound in seen} == {EXACT, LOWER, UPPER} and len(seen) > 100


def test_the_leaf_of_tdleaf_has_the_value_of_the_search(monkeypatch):
    game, found = with_model(TICTACTOE, random_model(TICTACTOE, 16)), []
    remember_leaf = tdleaf.remember_leaf

    def spy(g, s, n, work):
        t = s
        for k in range(work.lines[0][0]):
            t = g.result(t, work.lines[0][k + 1])
        found.append((s, t))
        return remember_leaf(g, s, n, work)

    monkeypatch.setattr(tdleaf, "remember_leaf", spy)
    Learner(TICTACTOE, game.model, method="tdleaf", depth=3, interpreted=True).learn(2, 0, 5, SETTINGS | {"rate": 0.0})
    assert len(found) > 10
    for s, leaf in found:
        me = game.to_move(s)
        assert minimax(game, leaf, 0, me) == pytest.approx(minimax(game, s, 3, me))


def test_tdleaf_of_one_ply_is_td():
    """The leaf of such a search is the state after the action."""
    models = [random_model(TICTACTOE, 16) for _ in range(2)]
    settings = SETTINGS | {"epsilon": 0.0, "rate": 0.01}
    Learner(TICTACTOE, models[0], interpreted=True).learn(5, 0, 3, settings)
    Learner(TICTACTOE, models[1], method="tdleaf", depth=1, interpreted=True).learn(5, 0, 3, settings)
    assert np.allclose(models[0].array, models[1].array, atol=1e-5)
    assert not np.allclose(models[0].array, random_model(TICTACTOE, 16).array, atol=1e-4)


# ---- interpreted and native ------------------------------------------------------------------


@pytest.mark.parametrize("second", [0, 9])
@pytest.mark.parametrize(
    ("game", "method"),
    [(BEAR_OFF, "td"), (BEAR_OFF, "traces"), (BEAR_OFF, "q"), (BEAR_OFF, "sarsa"), (TICTACTOE, "tdleaf"), (TICTACTOE, "treestrap")],
    ids=lambda x: x if isinstance(x, str) else type(x).__name__,
)
def test_interpreted_learning_leaves_the_weights_of_native_learning(game, method, second):
    """Also if it is broken off after three games and gone on with."""
    models = [Model.new(game, 16, seed=2, second=second) for _ in range(2)]
    Learner(game, models[0], method=method, depth=2).learn(4, 0, 7, SETTINGS)
    for first, games in ((0, 3), (3, 1)):
        Learner(game, models[1], method=method, depth=2, interpreted=True).learn(games, first, 7, SETTINGS)
    before = Model.new(game, 16, seed=2, second=second)
    assert models[0].array.tobytes() == models[1].array.tobytes() != before.array.tobytes()
    assert all((now != old).any() for now, old in zip(weights(models[0]), weights(before), strict=True))  # every layer has learned


def weights(model):
    return parts(model).values()


def test_a_game_that_did_not_fit_is_learned_from_once(monkeypatch):
    """Weights change within a game: where a state has more actions than there was room for, all is learned again from the start."""
    models = [Model.new(BEAR_OFF, 16, seed=2) for _ in range(2)]
    Learner(BEAR_OFF, models[0], method="q", interpreted=True).learn(5, 0, 7, SETTINGS)
    small = Learner(BEAR_OFF, models[1], method="q", interpreted=True)
    small.width = 2  # the die has three faces
    small.learn(5, 0, 7, SETTINGS)
    assert small.width >= 3 and models[0].array.tobytes() == models[1].array.tobytes()


# ---- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("trio", {"method": "tdleaf"}, "tdleaf: expected a game of two players, and trio has 3: use td"),
        ("trio", {"method": "treestrap"}, "treestrap: expected a game of two players, and trio has 3: use td"),
        ("pig", {"method": "tdleaf"}, "tdleaf: expected a game without chance"),
        ("backgammon", {"method": "treestrap"}, "treestrap: expected a game without outcomes"),
        ("tictactoe", {"method": "q", "depth": 3}, "expected a depth for tdleaf, treestrap or rote alone, not for q"),
        ("tictactoe", {"method": "tdleaf", "depth": 99}, "expected depth of at most 16, not 99"),
        ("tictactoe", {"data": ["games.json"]}, "expected no data for td"),
        ("tictactoe", {"method": "fit"}, "expected files of examples as data for fit"),
    ],
)
def test_methods_that_a_game_cannot_serve_are_refused(name, settings, sentence, tmp_path):
    with pytest.raises(ZermeloError) as error:
        zermelo.train(zermelo.game(name), run=tmp_path / "run", model="linear", games=5, **settings)
    assert sentence in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_every_method_is_in_the_documentation():
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    assert all(f"`--method {name}`" in text for name in [*self_play.METHODS, "fit"])

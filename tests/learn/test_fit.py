"""Fitting to examples: against logistic regression in numpy, from every kind of file, stopped and gone on with, refused in one sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest
from reference import inputs, outputs, sigmoid

import zermelo
from zermelo.arena.records.record_formats import write
from zermelo.errors import ZermeloError
from zermelo.history import History, written_down
from zermelo.learn.examples import read_examples
from zermelo.learn.fit import Fitter
from zermelo.search.model.model import Model, shape_for
from zermelo.search.stop import Stop

TICTACTOE = zermelo.game("tictactoe")
SHAPE = shape_for(TICTACTOE, 0)


def played(seed, game=TICTACTOE):
    """A random game as a sheet, and its history."""
    rng, history = np.random.default_rng(seed), History(game)
    while not history.is_over:
        history.do(int(rng.choice(list(history.actions()))))
    result = [history.utility(p) for p in range(game.players)]
    return written_down(history, ["a", "b"], {}, result), history


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Two hundred random games in a file of ours."""
    path = tmp_path_factory.mktemp("games") / "games.json"
    path.write_text(write("json", [played(seed)[0] for seed in range(200)]))
    return path


@pytest.fixture(scope="module")
def examples(records):
    return read_examples(TICTACTOE, SHAPE, [records], 1)


# ---- reading ---------------------------------------------------------------------------------


def test_examples_are_the_states_after_actions_with_the_result(records, examples):
    histories = [played(seed)[1] for seed in range(200)]
    wanted = [(s, h.utility(0)) for h in histories for s in h.states[1:] if not TICTACTOE.is_terminal(s)]
    found = [TICTACTOE.layout.pack(s) for s, _ in wanted]
    assert np.array_equal(examples.states, np.array(found, np.uint64))
    assert np.array_equal(examples.targets, [[(1 + u) / 2, (1 - u) / 2] for _, u in wanted])
    assert sorted([*examples.shown, *examples.held_out]) == list(range(len(wanted)))


def test_whole_games_are_held_out(examples):
    lengths = [sum(not TICTACTOE.is_terminal(s) for s in played(seed)[1].states[1:]) for seed in range(200)]
    game_of = np.repeat(np.arange(200), lengths)
    held = set(game_of[examples.held_out])
    assert len(held) == 20 and not held & set(game_of[examples.shown])


def test_lines_of_json_are_read(tmp_path):
    """A number is for the player who moves, a list for each player."""
    path = tmp_path / "states.jsonl"
    path.write_text(
        '{"state": ".../.X./...", "value": 0.5}\n{"state": ".../.../...", "value": [-1, 1]}\n{"state": ".../.../...", "value": 1}\n'
    )
    found = read_examples(TICTACTOE, SHAPE, [path], 0)
    assert found.targets.tolist() == [[0.25, 0.75], [0, 1], [1, 0]]  # O moves in the first
    assert len(found.held_out) == 1


def test_master_games_are_read(tmp_path):
    """Of chess as PGN; a game without a result teaches nothing."""
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 1/2-1/2\n\n1. c4 *\n")
    game = zermelo.game("chess")
    found = read_examples(game, shape_for(game, 0), [path], 0)
    assert found.targets.tolist() == [[1, 0]] * 3 + [[0.5, 0.5]] * 2


def test_outcomes_of_backgammon_are_read(tmp_path):
    path = tmp_path / "states.jsonl"
    game = zermelo.game("backgammon")
    text = game.write_state(game.initial())
    row = [0.5, 0.1, 0, 0.5, 0.2, 0.05]
    path.write_text(2 * (json.dumps({"state": text, "value": row}) + "\n"))
    assert read_examples(game, shape_for(game, 0), [path], 0).targets[0].tolist() == pytest.approx(row)
    path.write_text(json.dumps({"state": text, "value": 0.5}))
    with pytest.raises(ZermeloError, match="line 1: expected a list of 6 numbers as value"):
        read_examples(game, shape_for(game, 0), [path], 0)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", "", "there are 0 games or states with a value"),
        ("a.jsonl", "hello", 'line 1: expected {"state": TEXT, "value": X}'),
        ("a.jsonl", "[" * 99999, "line 1: expected"),
        ("a.jsonl", '{"state": "...", "value": 1}', "line 1: "),
        ("a.jsonl", '{"state": 5, "value": 1}', "line 1: expected a state as text"),
        ("a.jsonl", '{"state": ".../.../...", "value": 7}', "expected values from -1 to 1"),
        ("a.jsonl", '{"state": ".../.../...", "value": NaN}', "expected values from -1 to 1"),
        ("a.jsonl", '{"state": ".../.../...", "value": "good"}', "line 1: expected a number, or a list of 2 numbers as value"),
        ("a.jsonl", '{"state": "XXX/OO./...", "value": 1}', "line 1: expected a state in which the game goes on"),
        ("a.json", "{}", "a.json: expected an object"),
        ("a.xyz", "", "there is no format 'xyz'"),
        ("a.pgn", "1. e4 e5 1-0", "is of chess"),
    ],
)
def test_files_that_are_none_are_refused_in_one_sentence(name, text, sentence, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(ZermeloError) as error:
        zermelo.train(TICTACTOE, method="fit", data=[tmp_path / name], model="linear", run=tmp_path / "run")
    assert sentence in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


# ---- fitting ---------------------------------------------------------------------------------


def logistic_regression(x, y):
    """The weights with the least cross entropy, by Newton's method with a slight pull to 0."""
    w = np.zeros(x.shape[1])
    for _ in range(20):
        o = sigmoid(x @ w)
        w += np.linalg.solve((x * (o * (1 - o))[:, None]).T @ x + 1e-3 * np.eye(len(w)), x.T @ (y - o) - 1e-3 * w)
    return w


def test_a_linear_fit_is_logistic_regression(examples):
    """What the model says of the states that were shown is what Newton's method finds, and the error held out is the same."""
    model = Model.new(TICTACTOE)
    fitter = Fitter(TICTACTOE, model, examples)
    n = len(examples.shown)
    for k in range(150):
        fitter.learn(n, n * k, 3, {"rate": 0.1 * 0.002 ** (k / 149), "faster": 1.0})
    states = [TICTACTOE.layout.unpack(row) for row in examples.states.tolist()]
    x = np.array([[*inputs(TICTACTOE, s, TICTACTOE.perspective(s)), 1.0] for s in states])
    ours = np.array([outputs(model, row[:-1])[0] for row in x])
    views = np.array([TICTACTOE.perspective(s) for s in states])
    y = examples.targets[np.arange(len(states)), views]  # of the player who looks
    x = x[:, x.any(0)]
    w = logistic_regression(x[examples.shown], y[examples.shown])
    assert np.abs(ours - sigmoid(x @ w)).mean() < 0.01
    held = examples.held_out
    assert fitter.held_out_error() == pytest.approx(np.mean((ours[held] - y[held]) ** 2), rel=0.02)


@pytest.mark.parametrize("second", [0, 9])
def test_interpreted_fitting_leaves_the_weights_of_native_fitting(examples, second):
    models = [Model.new(TICTACTOE, 16, seed=2, second=second) for _ in range(2)]
    errors = []
    for model, interpreted in zip(models, (False, True), strict=True):
        fitter = Fitter(TICTACTOE, model, examples, interpreted=interpreted)
        assert fitter.learn(100, len(examples.shown) - 50, 7, {"rate": 0.05, "faster": 10.0}).games == 100
        errors.append(fitter.held_out_error())
    assert models[0].array.tobytes() == models[1].array.tobytes() != Model.new(TICTACTOE, 16, seed=2, second=second).array.tobytes()
    assert errors[0] == errors[1]


def test_stopped_and_gone_on_with_it_learns_the_same(records, tmp_path):
    asked = {"method": "fit", "data": records, "model": "mlp:16", "seed": 3}
    whole = zermelo.train(TICTACTOE, run=tmp_path / "whole", **asked)
    stop = Stop()
    first = zermelo.train(TICTACTOE, run=tmp_path / "stopped", stop=stop, on_progress=lambda look: stop.set(), **asked)
    assert 0 < first.model.games < whole.model.games
    again = zermelo.train(TICTACTOE, run=tmp_path / "stopped", **asked)
    assert again.model.array.tobytes() == whole.model.array.tobytes()
    assert whole.model.games == whole.configuration["games"] > 9 * 1000 and whole.configuration["data"] == [str(records)]
    assert whole.looks()[-1].error < 0.25 and whole.looks()[-1].score > 0.3
    with pytest.raises(ZermeloError, match="is a run with data"):
        zermelo.train(TICTACTOE, run=tmp_path / "whole", **(asked | {"data": [tmp_path / "others.json"]}))

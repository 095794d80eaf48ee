"""Fitting integer networks: against the same formulas in numpy and 64 bits, native against interpreted, and what becomes of the labels."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers_cli import called, refusal
from test_nnue import Planed, states_of

import zermelo
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.learn.examples import Examples, read_examples
from zermelo.learn.labelling import Labeller, label, read_labels, write_part
from zermelo.learn.labels import UNKNOWN
from zermelo.learn.neighbours import neighbours_of
from zermelo.learn.nnue_fit import LIMIT
from zermelo.learn.nnue_fitter import BATCH, NnueFitter, TrainedNnue
from zermelo.learn.nnue_rows import rows_of
from zermelo.learn.player_games import PlayerLabeller, label_by_player, play_game
from zermelo.learn.relabelling import Relabeller, relabel
from zermelo.search.evaluation import estimates
from zermelo.search.model.model import shape_for, with_model
from zermelo.search.stop import Stop

GAME = Planed(3, 3, 3)
SUMS, RATE, SHOWN = 32, 0.01, 40


def some_examples() -> Examples:
    states, rng = states_of(GAME, SHOWN), np.random.default_rng(1)
    mine = rng.random(SHOWN)
    words = np.array([GAME.layout.pack(s) for s in states], np.uint64)
    return Examples(words, np.stack([mine, 1 - mine], 1).astype(np.float32), np.arange(SHOWN), np.arange(0, SHOWN, 4))


def fitted(interpreted: bool) -> tuple[NnueFitter, TrainedNnue]:
    network = TrainedNnue.new(GAME, SUMS, seed=3)
    fitter = NnueFitter(GAME, network, some_examples(), interpreted=interpreted)
    for part in range(3):
        fitter.learn(SHOWN, part * SHOWN, 5, {"rate": RATE})
    return fitter, network


def inputs(s, p: int) -> list[int]:
    return [64 * k + b for k, word in enumerate(GAME.planes(s, p)) for b in range(64) if word >> b & 1]


def share(s, rows, outputs, biases, most_on: int) -> tuple[float, tuple]:
    """What the formulas give, and what the gradient needs of it."""
    view = GAME.to_move(s)
    seen = [inputs(s, view), inputs(s, 1 - view)]
    h = np.concatenate([rows[-1] + rows[i].sum(0) for i in seen])
    phase = min(7, len(seen[0]) * 8 // (most_on + 1))
    c = np.clip(h, 0, 1)
    return 1 / (1 + np.exp(-(outputs[phase] @ c**2 + biases[phase]))), (seen, h, c, phase)


def reference() -> list[np.ndarray]:
    """Three steps of Adam in 64 bits, of the mean cross entropy of all examples."""
    network, examples = TrainedNnue.new(GAME, SUMS, seed=3), some_examples()
    weights = [np.array(part, np.float64) for part in network.parts()]
    means, squares = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    states = [GAME.layout.unpack(row.tolist()) for row in examples.states]
    for t in (1, 2, 3):
        gradients = [np.zeros_like(w) for w in weights]
        for s, targets in zip(states, examples.targets.astype(float), strict=True):
            o, (seen, h, c, phase) = share(s, *weights, network.shape.most_on)
            delta = (o - targets[GAME.to_move(s)]) / SHOWN
            back = delta * weights[1][phase] * 2 * h * ((h > 0) & (h < 1))
            for k, on in enumerate(seen):
                np.add.at(gradients[0], [*on, -1], back[k * SUMS : (k + 1) * SUMS])
            gradients[1][phase] += delta * c**2
            gradients[2][phase] += delta
        for w, g, m, v in zip(weights, gradients, means, squares, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= RATE * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8 / np.sqrt(1 - 0.999**t))
            np.clip(w, -LIMIT, LIMIT, out=w)
    return weights


def test_three_steps_are_those_of_the_formulas():
    _, network = fitted(interpreted=False)
    for found, wanted in zip(network.parts(), reference(), strict=True):
        assert np.abs(found - wanted).max() < 2e-4


def test_steps_in_torch_are_those_of_the_formulas_and_go_on_where_the_others_ended(tmp_path):
    pytest.importorskip("torch")
    from zermelo.learn.nnue_descent import NnueDescent

    alone, mixed = (TrainedNnue.new(GAME, SUMS, seed=3) for _ in range(2))
    fitters = [NnueDescent(GAME, alone, some_examples(), "cpu", batch=SHOWN), NnueFitter(GAME, mixed, some_examples())]
    for part in range(2):
        for fitter in fitters:
            assert fitter.learn(SHOWN, part * SHOWN, 5, {"rate": RATE}).games == SHOWN
    assert abs(fitters[0].held_out_error() - fitters[1].held_out_error()) < 1e-5
    mixed.save(tmp_path / "model.safetensors")
    mixed = TrainedNnue.load(tmp_path / "model.safetensors", GAME, SUMS)
    fitters[1] = NnueDescent(GAME, mixed, some_examples(), "cpu", batch=SHOWN)
    for fitter in fitters:
        fitter.learn(SHOWN, 2 * SHOWN, 5, {"rate": RATE})
    assert alone.steps == mixed.steps == 3
    for *found, wanted in zip(alone.parts(), mixed.parts(), reference(), strict=True):
        assert max(np.abs(one - wanted).max() for one in found) < 2e-4


@pytest.mark.parametrize("games", [24, 100])
def test_in_torch_each_example_is_shown_once_in_an_epoch_whatever_the_parts(games):
    pytest.importorskip("torch")
    from zermelo.learn.nnue_descent import NnueDescent

    networks = [TrainedNnue.new(GAME, SUMS, seed=3) for _ in range(2)]
    whole, parts = (NnueDescent(GAME, network, some_examples(), "cpu", batch=8) for network in networks)
    whole.learn(games, 0, 5, {"rate": RATE})
    for first in range(0, games, 8):
        parts.learn(min(8, games - first), first, 5, {"rate": RATE})
    assert networks[0].steps == networks[1].steps
    assert networks[0].floats.array.tobytes() == networks[1].floats.array.tobytes()
    assert sorted(whole._order.tolist()) == list(range(SHOWN))


@pytest.mark.parametrize("game", [GAME, zermelo.game("othello"), zermelo.game("chess")], ids=repr)
def test_rows_are_the_inputs_of_both_sides_native_and_interpreted(game):
    states = states_of(game, 30)
    network = TrainedNnue.new(game, SUMS, seed=3)
    judged, packed = with_model(game, network.rounded()), np.array([game.layout.pack(s) for s in states], np.uint64)
    lines = rows_of(judged, packed, 5)  # too few for most of them
    assert (lines == rows_of(judged, packed, 5, interpreted=True)).all()
    for s, (first, *words) in zip(states, lines.tolist(), strict=True):
        assert first & 1 == game.perspective(s)
        rows = [word >> 16 * k & 0xFFFF for word in words for k in range(4)]
        for p, side in zip((first & 1, 1 - first & 1), np.array_split(rows, 2), strict=True):
            view = game.plane_view(s, p) if game.has_plane_view else 0
            planes = game.planes(s, 0 if game.has_plane_view else p)
            on = [(64 * k + b) ^ view for k, word in enumerate(planes) for b in range(64) if word >> b & 1]
            assert sorted(on) == sorted(i for i in side if i != network.shape.inputs)


def test_the_formulas_have_this_gradient():
    """The reference's gradient against finite differences of the cross entropy, where no sum is clipped just there."""
    network, s, y = TrainedNnue.new(GAME, SUMS, seed=3), states_of(GAME, 3)[2], 0.3
    weights = [np.array(part, np.float64) for part in network.parts()]

    def loss() -> float:
        o, _ = share(s, *weights, network.shape.most_on)
        return -y * np.log(o) - (1 - y) * np.log(1 - o)

    o, (seen, h, c, phase) = share(s, *weights, network.shape.most_on)
    back = (o - y) * weights[1][phase] * 2 * h * ((h > 0) & (h < 1))
    for k in range(SUMS):
        for array, place, slope in (
            (weights[0], (seen[0][0], k), back[k] + (back[SUMS + k] if seen[0][0] in seen[1] else 0)),
            (weights[1], (phase, k), (o - y) * c[k] ** 2),
        ):
            array[place] += 1e-6
            above = loss()
            array[place] -= 2e-6
            assert abs((above - loss()) / 2e-6 - slope) < 1e-5
            array[place] += 1e-6


def test_native_and_interpreted_learning_have_the_same_bits():
    (native, one), (plain, other) = fitted(interpreted=False), fitted(interpreted=True)
    assert one.floats.array.tobytes() == other.floats.array.tobytes()
    assert native.held_out_error() == plain.held_out_error()
    assert one.steps == 3


def test_integers_say_what_the_floats_say():
    fitter, network = fitted(interpreted=False)
    judged = with_model(GAME, network.rounded())
    weights = [np.array(part, np.float64) for part in network.parts()]
    for s in states_of(GAME, 20):
        o, _ = share(s, *weights, network.shape.most_on)
        assert abs((estimates(judged, s)[GAME.to_move(s)] + 1) / 2 - o) < 0.01
    assert fitter.learn(0, 0, 5, {"rate": RATE}).games == 0


# ---- labels --------------------------------------------------------------------------------------

SETTINGS = {"positions": 300, "nodes": 30, "random_plies": 2, "seed": 4}


def test_labels_are_the_same_native_and_interpreted_and_when_gone_on_with(tmp_path):
    game = zermelo.game("tictactoe")
    for name, interpreted in (("native", False), ("plain", True)):
        *_, done = label(game, Labeller(**SETTINGS), tmp_path / name, interpreted=interpreted)
        assert done >= 300
    native, plain = (read_labels(game, tmp_path / name) for name in ("native", "plain"))
    assert (native.states == plain.states).all()
    assert (native.values == plain.values).all()
    assert (native.results == plain.results).all()
    for positions in (1, 300):
        *_, done = label(game, Labeller(**SETTINGS | {"positions": positions}), tmp_path / "twice", threads=2)
    assert (read_labels(game, tmp_path / "twice").states[: len(native.states)] == native.states).all()
    with pytest.raises(ZermeloError, match="has labels with nodes 30"):
        next(label(game, Labeller(**SETTINGS | {"nodes": 31}), tmp_path / "native"))
    with pytest.raises(ZermeloError, match="expected some of"):
        read_labels(zermelo.game("mnk"), tmp_path / "native")


def test_labels_are_what_searches_and_games_say(tmp_path):
    """A search of tic-tac-toe with enough nodes sees the end: its values are exact, and its games go as it says."""
    game = zermelo.game("tictactoe")
    *_, _ = label(game, Labeller(positions=400, nodes=100_000, random_plies=4, epsilon=0.0, seed=1), tmp_path / "labels")
    found = read_labels(game, tmp_path / "labels")
    assert {-1.0, 0.0, 1.0} >= set(np.round(found.values).tolist())
    exact = zermelo.searcher("minimax")
    for row, mover, value, result in list(zip(found.states.tolist(), found.movers, found.values, found.results, strict=True))[:60:4]:
        s = game.layout.unpack(row)
        assert game.to_move(s) == mover
        assert exact.search(game, s).value == round(value) == result
    examples = read_examples(game, shape_for(game, 0), [tmp_path / "labels"], 1, 0.25)
    assert np.allclose(examples.targets.sum(1), 1.0)
    assert len(examples.shown) + len(examples.held_out) == len(found.states)


def test_commands_label_and_train_and_go_on(tmp_path, capsys):
    labels, run = str(tmp_path / "labels"), str(tmp_path / "run")
    assert called(capsys, "label", "tictactoe", labels, "--positions", "600", "--nodes", "50", "--json").code == 0
    fit = ("train", "tictactoe", "--method", "fit", "--model", "nnue:32", "--data", labels, "--lambda", "0.5", "--run", run, "--json")
    done = called(capsys, *fit, "--games", str(20 * BATCH))
    assert done.code == 0, done.err
    looks = [json.loads(line) for line in done.out.splitlines()]
    assert looks[-2]["error"] < looks[0]["error"]
    assert looks[-1]["games"] == 20 * BATCH
    assert called(capsys, "search", "tictactoe", "--depth", "2", "--set", f"eval={run}").code == 0
    assert "multiple of 32" in refusal(called(capsys, "train", "tictactoe", "--model", "nnue:33"))
    assert "the method fit" in refusal(called(capsys, "train", "tictactoe", "--model", "nnue:32"))
    again = called(capsys, *fit, "--games", str(30 * BATCH))
    assert json.loads(again.out.splitlines()[-1])["games"] == 30 * BATCH


def test_another_player_values_labelled_states(tmp_path):
    """A search that sees the end gives every state its exact value, but says nothing where there is one action alone; results stay."""
    game = zermelo.game("tictactoe")
    *_, _ = label(game, Labeller(positions=100, nodes=1, random_plies=5, seed=1), tmp_path / "labels")
    for _ in range(2):
        *_, done = relabel(game, Relabeller(by="minimax", positions=10**6), tmp_path / "labels", tmp_path / "exact", threads=2)
    before, after = (read_labels(game, tmp_path / name) for name in ("labels", "exact"))
    kept = [k for k, row in enumerate(before.states.tolist()) if game.count(game.layout.unpack(row)) > 1]
    assert done == len(kept) == len(after.states)
    assert (before.states[kept] == after.states).all()
    assert (before.results[kept] == after.results).all()
    exact = zermelo.searcher("minimax")
    for row, value in list(zip(after.states.tolist(), after.values, strict=True))[::40]:
        assert value == exact.search(game, game.layout.unpack(row)).value


def test_any_player_labels_its_own_games(tmp_path):
    """Perfect play from random beginnings: what a state is worth is what becomes of it; the same again, gone on with, side by side."""
    game, exact = zermelo.game("tictactoe"), zermelo.searcher("minimax")
    asked = PlayerLabeller(by="minimax", positions=150, random_plies=4, epsilon=0.0, seed=1)
    for threads in (1, 2):
        *_, done = label_by_player(game, asked, tmp_path / f"labels{threads}", threads=threads)
    found, again = (read_labels(game, tmp_path / f"labels{threads}") for threads in (1, 2))
    assert done == len(again.values) >= len(found.values) >= 150
    assert (again.states[: len(found.values)] == found.states).all() and (found.values == found.results).all()
    assert set(found.movers.tolist()) == {0, 1} and set(found.values.tolist()) == {-1.0, 0.0, 1.0}
    for row, value in list(zip(found.states.tolist(), found.values, strict=True))[::10]:
        assert value == exact.search(game, game.layout.unpack(row)).value
    *_, more = label_by_player(game, replace(asked, positions=done + 1), tmp_path / "labels1")
    assert more > done
    with pytest.raises(ZermeloError, match="has labels with by minimax"):
        next(label_by_player(game, replace(asked, by="random"), tmp_path / "labels1"))
    with pytest.raises(ZermeloError, match="or a player that says values"):
        list(label_by_player(game, replace(asked, by="random"), tmp_path / "nothing"))
    with pytest.raises(ZermeloError, match="there is no player 'nobody'"):
        list(label_by_player(game, replace(asked, by="nobody"), tmp_path / "fresh"))
    assert not (tmp_path / "fresh").exists()
    with pytest.raises(ZermeloError, match="values states by results"):
        list(label_by_player(zermelo.game("chess"), replace(asked, by="mcts:simulations=10"), tmp_path / "fresh"))
    with pytest.raises(ZermeloError, match="64 games of tictactoe have no quiet state to label: expected fewer random plies"):
        list(label(game, Labeller(positions=10, random_plies=40), tmp_path / "short"))


def test_labels_that_are_no_numbers_or_beyond_the_game_are_refused(tmp_path):
    game = zermelo.game("tictactoe")
    *_, _ = label(game, Labeller(positions=100, nodes=30, seed=1), tmp_path / "labels")
    part = np.load(tmp_path / "labels" / "part-00000.npy")
    for column, value, said in ((-2, np.nan, "values that are no numbers"), (-1, 3.0, "a utility outside -1 to 1: write value_range")):
        wrong = part.copy()
        wrong[0, column] = np.float64(value).view(np.uint64)
        write_part(tmp_path / "labels" / "part-00000.npy", wrong)
        with pytest.raises(ZermeloError, match=said):
            read_examples(game, shape_for(game, 0), [tmp_path / "labels"], 1, 0.5)


def test_a_stop_ends_a_game_that_a_player_plays(tmp_path):
    game, stop = zermelo.game("tictactoe"), Stop()
    asked = PlayerLabeller(by="minimax", positions=1000, random_plies=0, epsilon=0.0)
    found = label_by_player(game, asked, tmp_path / "labels", stop=stop)
    assert next(found) == 0
    stop.set()
    assert list(found) == [] and not list((tmp_path / "labels").glob("part-*"))
    kept, results = play_game(game, asked, player("minimax"), 1, stop)
    assert not kept and results == (UNKNOWN, UNKNOWN)


def test_a_network_begins_as_another_one():
    _, network = fitted(interpreted=False)
    again = TrainedNnue.of(network.rounded())
    assert again.steps == 0 and not again.floats.array[len(again.weights) :].any()
    for found, wanted, step in zip(again.parts(), network.parts(), (1 / 255, 1 / 64, 1 / 255 / 64), strict=True):
        assert np.abs(found - wanted).max() <= step / 2 + 1e-6


def test_neighbours_are_children_of_states_and_of_their_children(tmp_path):
    game = zermelo.game("tictactoe")
    *_, _ = label(game, Labeller(positions=100, nodes=1, random_plies=3, seed=1), tmp_path / "labels")
    part = np.load(tmp_path / "labels" / "part-00000.npy")[:40]
    rows, parents = neighbours_of(game, part, 5, 7)
    for found, wanted in zip(neighbours_of(game, part, 5, 7, interpreted=True), (rows, parents), strict=True):
        assert (found == wanted).all()
    assert (parents[::2] == part[:, :-2]).all()
    assert len(rows) > 100 and set((rows[:, -2] % 2).tolist()) == {0, 1}
    for *packed, number, a in rows.tolist():
        s, parent = game.layout.unpack(packed), game.layout.unpack(parents[number].tolist())
        assert s == game.result(parent, a) and not game.is_terminal(s)
    *_, done = relabel(game, Relabeller(by="minimax", positions=1, neighbours=5, seed=7), tmp_path / "labels", tmp_path / "near")
    near, exact = read_labels(game, tmp_path / "near"), zermelo.searcher("minimax")
    assert done == len(near.states) > len(rows) and np.isnan(near.results).all()
    for row, value in list(zip(near.states.tolist(), near.values, strict=True))[::100]:
        assert value == exact.search(game, game.layout.unpack(row)).value


def test_neighbours_are_quiet():
    """White may leave the queen where a pawn takes it; those states are not kept, nor is a check, and what is kept hangs nothing."""
    game = zermelo.game("chess")
    s = game.read_state("6k1/5ppp/8/2p5/3Q4/8/5PPP/6K1 w - - 0 1")
    part = np.array([[*game.layout.pack(s), 0, 0]], np.uint64)
    rows, _ = neighbours_of(game, part, 40, 1, interpreted=True)
    first = [game.write_action(s, a) for *_, number, a in rows.tolist() if number == 0]
    assert first and all(text.startswith("Q") and "+" not in text for text in first)

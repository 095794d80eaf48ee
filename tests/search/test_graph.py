"""Networks as graphs of ONNX: their towers of 8 bits against the same arithmetic in numpy, and against floats."""

from __future__ import annotations

import random

import numpy as np
import pytest

import zermelo
from zermelo.search.puct.graph import WEIGHT_STEPS, activation_names, graph_of
from zermelo.search.puct.layers import HIDDEN, layers_of, weight_shapes
from zermelo.search.puct.network import OnnxNetwork, load, load_for, measured_activations
from zermelo.search.puct.samples import sample_inputs
from zermelo.search.puct.shape import shape_for

pytest.importorskip("onnxruntime")


def convolved(x, weight, bias):
    """Pictures [batch, channels, height, width] convolved with squares, with zeros beyond the board."""
    reach = weight.shape[2] // 2
    wide = np.pad(x, ((0, 0), (0, 0), (reach, reach), (reach, reach)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, weight.shape[2:], axis=(2, 3))
    return np.einsum("bcyxij,ocij->boyx", windows, weight, optimize=True) + bias.reshape(1, -1, 1, 1)


def in_numpy(shape, weights, inputs, seen):
    """The network with a tower of whole numbers, or of floats if nothing is known of its activations."""
    weights = {name: w.astype(np.float64) for name, w in weights.items()}

    def rounded(name, x, steps):
        if not seen:
            return x
        step = seen[name].largest / steps
        return np.clip(np.rint(x / step), 0 if steps == 255 else -128, steps) * step

    def whole(i, x):
        weight, bias = weights[f"layer{i}.weight"], weights[f"layer{i}.bias"]
        if seen:
            scale = np.abs(weight).max((1, 2, 3), keepdims=True) / WEIGHT_STEPS
            given, exact = seen[f"active{i - 1}"], weight
            one = scale.flatten() * given.largest / 255
            weight = np.rint(weight / scale) * scale
            bias = np.rint((bias + (exact - weight).sum((2, 3)) @ given.means) / one) * one
        return convolved(x, weight, bias)

    last = len(layers_of(shape)) - 1
    x = inputs.reshape(-1, shape.height, shape.width, shape.channels).transpose(0, 3, 1, 2)
    x = rounded("active0", np.maximum(convolved(x, weights["layer0.weight"], weights["layer0.bias"]), 0), 255)
    for i in range(1, last, 2):
        y = rounded(f"active{i}", np.maximum(whole(i, x), 0), 255)
        y = rounded(f"sum{i + 1}", whole(i + 1, y), 127)
        x = rounded(f"active{i + 1}", np.maximum(x + y, 0), 255)
    x = np.maximum(convolved(x, weights[f"layer{last}.weight"], weights[f"layer{last}.bias"]), 0)
    out = x.transpose(0, 2, 3, 1).reshape(len(x), -1) @ weights["out.weight"].T + weights["out.bias"]
    hidden = np.maximum(out[:, -HIDDEN:], 0)
    return out[:, :-HIDDEN], np.tanh(hidden @ weights["value.weight"].T + weights["value.bias"])


def made_up(game, blocks, filters, seed):
    """A network whose weights are drawn."""
    rng, shape = np.random.default_rng(seed), shape_for(game, blocks, filters)
    spread = {name: (2 / max(1, np.prod(size[1:]))) ** 0.5 for name, size in weight_shapes(shape).items()}
    return shape, {name: rng.normal(0, spread[name], size).astype(np.float32) for name, size in weight_shapes(shape).items()}


@pytest.mark.parametrize(("name", "blocks", "filters"), [("connect4", 3, 32), ("hex:size=5", 1, 48), ("othello", 2, 17), ("mnk", 0, 32)])
def test_graphs_are_the_formula(name, blocks, filters):
    """A float that lies just between two whole numbers may become either on another processor, so not every state must be the same."""
    game = zermelo.game(name)
    shape, weights = made_up(game, blocks, filters, 1)
    samples = sample_inputs(game, shape, 16)
    seen = measured_activations(shape, weights, samples)
    assert list(seen) == activation_names(shape)
    for given, known in ((None, {}), (samples, seen)):
        found, expected = OnnxNetwork(shape, weights, given)(samples), in_numpy(shape, weights, samples, known)
        for a, b in zip(found, expected, strict=True):
            assert np.median(np.abs(a - b).max(1)) < 1e-4, (name, bool(known))


def test_outputs_without_weights_keep_their_biases():
    """A filter that died has no weights and a bias, which is no whole number of steps that are 0."""
    game = zermelo.game("connect4")
    shape, weights = made_up(game, 1, 32, 5)
    for i in (1, 2):
        weights[f"layer{i}.weight"][:7] = 0.0
        weights[f"layer{i}.bias"][:7] = np.linspace(-2, 2, 7)
    samples = sample_inputs(game, shape, 8)
    floats, whole = OnnxNetwork(shape, weights)(samples), OnnxNetwork(shape, weights, samples)(samples)
    assert np.abs(floats[0] - whole[0]).max() < 0.1 * floats[0].std()


def test_weights_beyond_all_numbers_are_refused():
    game = zermelo.game("connect4")
    shape, weights = made_up(game, 1, 32, 5)
    weights["layer0.weight"][:] = 3e38
    with pytest.raises(zermelo.ZermeloError, match="too large: expected activations that are numbers"):
        OnnxNetwork(shape, weights, sample_inputs(game, shape, 2))


def test_sums_of_two_products_fit_in_16_bits():
    """Some processors add two products of 8 bits up in 16 bits, and cut off what is more."""
    game = zermelo.game("connect4")
    shape, weights = made_up(game, 2, 32, 2)
    seen = measured_activations(shape, weights, sample_inputs(game, shape, 8))
    from onnx import numpy_helper

    tensors = {t.name: numpy_helper.to_array(t) for t in graph_of(shape, weights, seen).graph.initializer}
    whole = [tensor for name, tensor in tensors.items() if name.endswith(".weight.whole")]
    assert len(whole) == 2 * shape.blocks
    assert all(2 * 255 * int(np.abs(tensor.astype(int)).max()) < 1 << 15 for tensor in whole)
    assert "layer0.weight" in tensors
    assert "layer1.weight" not in tensors


@pytest.mark.parametrize("name", ["connect4", "hex", "othello", "go"])
def test_eight_bits_say_what_floats_say(name):
    """Of networks that come with games: on states that they were not measured on, policies and values are nearly the same."""
    game = zermelo.game(name)
    shape, weights, _ = load(game.network)
    _, network = load_for(game, "learned")
    chosen = random.Random(3).sample(range(400), 64)
    inputs = sample_inputs(game, shape, 400)[chosen]
    (logits, values), (whole_logits, whole_values) = OnnxNetwork(shape, weights)(inputs), network(inputs)
    assert not np.array_equal(logits, whole_logits)
    p, q = (np.exp(x - x.max(1, keepdims=True)) for x in (logits, whole_logits))
    p, q = p / p.sum(1, keepdims=True), q / q.sum(1, keepdims=True)
    assert (p * np.log((p + 1e-9) / (q + 1e-9))).sum(1).mean() < 0.02
    assert np.sqrt(((values - whole_values) ** 2).mean()) < 0.08


def test_a_small_network_stays_as_it_is(tmp_path):
    """In 8 bits nothing would be won: its answers are the floats'."""
    from zermelo.search.puct.network import FILE, save

    game = zermelo.game("tictactoe")
    shape, weights = made_up(game, 1, 16, 3)
    save(tmp_path / FILE, shape, weights, {})
    inputs = sample_inputs(game, shape, 4)
    _, network = load_for(game, str(tmp_path))
    assert all(np.array_equal(a, b) for a, b in zip(network(inputs), OnnxNetwork(shape, weights)(inputs), strict=True))

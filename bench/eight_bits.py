"""Networks that come with the games, in floats and with towers of 8 bits, on one core: `python -m bench.eight_bits [GAME ...]`.

Milliseconds of onnxruntime for a state, one at a time and (batch_ms) as many at once as a search by the clock asks about, in turns; how far
policies (divergence) and values (root mean square) of 8 bits are from floats on states of games that the policy played.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from typing import Any

import numpy as np

import zermelo
from zermelo.search.puct.inputs import output_of
from zermelo.search.puct.leaf_batch import LEAVES
from zermelo.search.puct.network import OnnxNetwork, load, load_for
from zermelo.search.puct.puct import begin
from zermelo.search.puct.trees import Trees

GAMES = ("connect4", "othello", "hex", "go", "go:size=19")
PLAYED, PLIES = 4, 60  # games by the policy, and plies of each
ROUNDS, EACH = 7, 20  # of timing


def inputs_of(game: Any, shape: Any, states: list[Any]) -> np.ndarray:
    trees = Trees(game, shape, len(states), interpreted=True, nodes=2)
    trees.set("start", [game.layout.pack(s) for s in states])
    trees.run(begin)
    return trees.inputs


def states_of(game: Any, shape: Any, network: Any) -> list[Any]:
    """States of games in which actions are drawn from the policy."""
    chance, found, states = random.Random(1), [], [game.initial()] * PLAYED
    for _ in range(PLIES):
        states = [s for s in states if not game.is_terminal(s)]
        if not states:
            break
        found += states
        logits, _ = network(inputs_of(game, shape, states))
        for i, s in enumerate(states):
            actions = list(game.actions(s))
            liked = np.array([logits[i][output_of(game, s, a, k)] for k, a in enumerate(actions)])
            states[i] = game.result(s, chance.choices(actions, np.exp(liked - liked.max()))[0])
    return found


def timed(network: Any, inputs: np.ndarray, at_once: int = 1) -> float:
    """Milliseconds of a state."""
    began = time.perf_counter()
    for i in range(EACH):
        first = i % (len(inputs) - at_once)
        network(inputs[first : first + at_once])
    return (time.perf_counter() - began) / EACH / at_once * 1e3


def compare(name: str) -> dict[str, Any]:
    game = zermelo.game(name)
    shape, weights, _ = load(game.network)
    whole, floats = load_for(game, "learned")[1], OnnxNetwork(shape, weights)
    inputs = inputs_of(game, shape, states_of(game, shape, floats))
    times = [(timed(floats, inputs), timed(whole, inputs), timed(whole, inputs, LEAVES)) for _ in range(ROUNDS)]
    ms = [statistics.median(column) for column in zip(*times, strict=True)]
    (logits, values), (other, others) = floats(inputs), whole(inputs)
    p, q = (np.exp(x - x.max(1, keepdims=True)) for x in (logits, other))
    p, q = p / p.sum(1, keepdims=True), q / q.sum(1, keepdims=True)
    divergence = float((p * np.log((p + 1e-9) / (q + 1e-9))).sum(1).mean())
    error = float(np.sqrt(((values - others) ** 2).mean()))
    told = {"game": name, "states": len(inputs), "float_ms": round(ms[0], 3), "ms": round(ms[1], 3), "ratio": round(ms[0] / ms[1], 2)}
    told["batch_ms"] = round(ms[2], 3)
    return told | {"divergence": round(divergence, 4), "value_error": round(error, 4)}


if __name__ == "__main__":
    for asked in sys.argv[1:] or GAMES:
        print(json.dumps(compare(asked)), flush=True)

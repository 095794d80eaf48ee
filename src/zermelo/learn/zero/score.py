"""How well a network plays by its policy alone: games in which one player takes the action it likes best, the others any."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...game import CHANCE, Game, State
from ...rng import below, split, step, unit
from ...search.puct.inputs import output_of
from ...search.puct.puct import begin
from ...search.puct.record import Tree
from ...search.puct.shape import NetworkShape
from ...search.puct.trees import Trees

Array = np.ndarray[Any, Any]
Opinion = tuple[Array, Array]  # logits and values
MAX_GAME_ACTIONS = 2000  # actions of a game, which then counts as 0


class Score(NamedTuple):
    """What the network gets in a game on average, and the standard error of that."""

    mean: float
    error: float


def preferred(game: Game, s: State, logits: Array) -> int:
    """The action whose logit is largest."""
    actions = list(game.actions(s))
    places = [output_of(game, s, a, k) for k, a in enumerate(actions)]
    return actions[int(np.argmax(logits[places]))]


def score_against_random(game: Game, shape: NetworkShape, network: Callable[[Array], Opinion], games: int, seed: int) -> Score:
    """Play so many games at once, the network in each seat in turn."""
    trees = Trees(game, shape, games, Tree, nodes=2)
    states, random = [game.initial()] * games, [split(seed, i // game.players) | 1 for i in range(games)]
    for _ in range(MAX_GAME_ACTIONS):
        live = [i for i, s in enumerate(states) if not game.is_terminal(s)]
        if not live:
            break
        asked = [i for i in live if game.to_move(states[i]) == i % game.players]
        if asked:
            trees.set("start", [game.layout.pack(s) for s in states])
            trees.run(begin)
            logits = network(trees.inputs)[0]
        for i in live:
            random[i] = step(random[i])
            a = preferred(game, states[i], logits[i]) if i in asked else _drawn(game, states[i], random[i])
            states[i] = game.result(states[i], a)
    got = np.array([float(game.utility(s, i % game.players)) if game.is_terminal(s) else 0.0 for i, s in enumerate(states)])
    return Score(float(got.mean()), float(got.std(ddof=1) / math.sqrt(games)) if games > 1 else 0.0)


def _drawn(game: Game, s: State, random: int) -> int:
    """Any action, or by its probability where chance moves."""
    actions = list(game.actions(s))
    if game.to_move(s) == CHANCE:
        x = unit(random)
        for a in actions[:-1]:
            x -= game.probability(s, a)
            if x < 0:
                return a
        return actions[-1]
    return actions[below(random, len(actions))]

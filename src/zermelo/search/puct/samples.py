"""Sample inputs, on which the activations of a network are measured."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from ...game import Game
from .inputs import draw_inputs
from .record import Tree
from .shape import NetworkShape, random_game
from .trees import Trees

GAMES, PLIES = 8, 100  # random games that the states are of, and the plies of each that are played


def sample_inputs(game: Game, shape: NetworkShape, count: int) -> np.ndarray[Any, Any]:
    """Network inputs for `count` states, taken evenly from the plies of some random games."""
    met = [s for i in range(GAMES) for s, _ in islice(random_game(game, i), PLIES) if game.to_move(s) >= 0]
    taken = [met[i * len(met) // count] for i in range(count)]
    trees = Trees(game, shape, count, interpreted=True, nodes=2)
    trees.set("start", [game.layout.pack(s) for s in taken])
    trees.run(_draw_start)
    return trees.inputs


def _draw_start(game: Game, work: Tree) -> int:
    return draw_inputs(game, game.unpack(work.start), work)

"""A network that sees boards from all sides: what it says of a state and of its images differs a little, and averages out in a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...game import Game
from ...rng import below, draw
from .shape import NetworkShape
from .trees import Network

Array = np.ndarray[Any, Any]


def symmetries_of(game: Game, shape: NetworkShape) -> tuple[Array, Array]:
    """For each symmetry of the board, which cell comes to each cell, and which output of the policy to each; the first changes nothing."""
    same = (tuple(range(shape.height * shape.width)), tuple(range(shape.policy)))
    cells, policies = zip(same, *(game.board_symmetries() if shape.height else ()), strict=True)
    return np.array(cells), np.array(policies)


class Turned:
    """A network that is asked about boards turned by a symmetry, drawn anew each time; the first time about the boards as they are."""

    def __init__(self, game: Game, shape: NetworkShape, network: Network, seed: int):
        self._network, self._channels, self._seed = network, shape.channels, seed
        self._cells, policies = symmetries_of(game, shape)
        self._places = policies.argsort(1)
        self._asked = 0

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """Logits and values of inputs [batch, floats]."""
        turn = below(draw(self._seed, self._asked), len(self._cells)) if self._asked else 0
        self._asked += 1
        if turn == 0:
            return self._network(inputs)
        boards = inputs.reshape(len(inputs), -1, self._channels)[:, self._cells[turn]]
        logits, values = self._network(boards.reshape(len(inputs), -1))
        return logits[:, self._places[turn]], values

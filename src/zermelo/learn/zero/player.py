"""Self-play: the network and the games in turn. On a GPU both are one graph, and no byte goes to the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ...game import Game
from ...search.puct.shape import NetworkShape, nodes_for
from .gumbel_play import GumbelPlay, play_gumbel
from .network import Folded
from .self_play import SelfPlay, play
from .slots import Slots

MOST_ENDS = 4  # terminal simulations of a game in one call on a GPU, after which it waits for the others
CONSIDERED = 16  # actions among which Gumbel's root decides


class Player:
    """Games that are played by a network against itself."""

    algorithm: Callable[[Game, Any], int] = staticmethod(play)
    record: type[SelfPlay] = SelfPlay

    def __init__(self, game: Game, shape: NetworkShape, folded: Folded, slots: int, keep: int, where: str, settings: dict[str, Any]):
        floats = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
        self.simulations = settings["full"]
        nodes = nodes_for(game, self.simulations)
        self.slots = Slots(game, shape, self.record, slots, where, floats, nodes=nodes, keep=keep)
        self.folded = folded
        self._graph: Any = None
        settings = {"slots": slots, "leaf": -1, "most_ends": MOST_ENDS if where == "cuda" else 0} | settings
        for name, value in settings.items():
            self.slots.give(name, value)
        self.slots.field("number").copy_(torch.arange(slots))

    def play_round(self) -> None:
        """A move of every game, more or less."""
        for _ in range(self.simulations + 1):
            self.step()

    def step(self) -> None:
        """Ask the network about a leaf of every game, and go on to the next."""
        if self.slots.where == "cpu":
            self._step()
            return
        if self._graph is None:
            self._capture()
        self._graph.replay()

    def _step(self) -> None:
        floats = self.slots.floats
        logits, values = self._ask(floats["inputs"])
        floats["logits"].copy_(logits)
        floats["values"].copy_(values)
        self.slots.run(self.algorithm)

    def _ask(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of the leaves."""
        return self.folded(inputs)

    def _capture(self) -> None:
        torch.cuda.synchronize()
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                self._step()
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, capture_error_mode="relaxed"):
            self._step()

    def count(self, name: str) -> int:
        """The sum of a field over all games."""
        return int(self.slots.field(name).sum())


class GumbelPlayer(Player):
    """Games in which Gumbel's root decides."""

    algorithm = staticmethod(play_gumbel)
    record = GumbelPlay

    def __init__(self, game: Game, shape: NetworkShape, folded: Folded, slots: int, keep: int, where: str, settings: dict[str, Any]):
        settings = settings | {"considered": CONSIDERED, "most_ends": 1}  # the root decides before every simulation
        super().__init__(game, shape, folded, slots, keep, where, settings)

"""Records of searches that a network guides, with the floats through which each speaks with it."""

from __future__ import annotations

import torch

from ...errors import ZermeloError
from ...game import Game
from ...search.puct.shape import NetworkShape, actions_of, given
from ...search.records import Record
from .. import slots
from ..slots import MOST_LANES, zeros


class Slots(slots.Slots):
    """`count` records of one kind; `floats` gives how many floats of each name belong to a record."""

    def __init__(self, game: Game, shape: NetworkShape, record: type[Record], count: int, where: str, floats: dict[str, int], **sizes: int):
        self.shape, self.width = shape, actions_of(game)
        super().__init__(game, record, count, where, min(MOST_LANES, self.width), given(game, shape), width=self.width, **sizes)
        self.floats = {name: zeros(count, n, torch.float32, where) for name, n in floats.items()}
        for name, tensor in self.floats.items():
            self.field(name).copy_(torch.arange(count) * tensor.shape[1] * 4 + tensor.data_ptr())

    def check_width(self) -> None:
        """ZermeloError if a state had more actions than there is room for."""
        if widest := int(self.field("widest").max()):
            raise ZermeloError(f"{self.game!r} has a state of {widest:,} actions: expected at most max_actions, which is {self.width:,}")

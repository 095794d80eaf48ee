"""Learning from self-play: states that were remembered, each in a symmetry at random, and the network moved towards what became of them.

loss = - sum over actions of (share of its visits) * log policy  +  mean square of (outcome - value)
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F

from ...game import Game
from .descent import Descent, Symmetries
from .example import Example, encode
from .network import Network
from .slots import Slots


class Trainer(Descent):
    """Learns from samples of the last `window` states of each slot."""

    encode: Callable[[Game, Example], int] = staticmethod(encode)

    def __init__(self, slots: Slots, network: Network, batch: int):
        super().__init__(network, slots.where, batch, network.tower)
        self.slots, shape = slots, slots.shape
        self.examples = Slots(slots.game, shape, Example, batch, slots.where, {"inputs": shape.inputs, "target": shape.policy})
        self.examples.give("policy", shape.policy)
        self.symmetries = Symmetries(slots.game, shape, slots.where)
        self.window = torch.tensor(1, device=slots.where)

    def learn(self, steps: int, rate: float, window: int) -> None:
        """Take this many steps."""
        self.window.fill_(window)
        self.take_steps(steps, rate)

    def _drawn(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The slots and the places of a batch of states, any of the last ones."""
        g = torch.randint(self.slots.count, (self.batch,), device=self.where)
        kept = self.slots.field("kept")[g]
        back = (torch.rand(self.batch, device=self.where) * torch.minimum(kept, self.window)).long()
        return g, (kept - 1 - back) % self.slots.field("kept_mover").shape[1]

    def _examples(self, g: torch.Tensor, at: torch.Tensor, turn: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Inputs, targets of the policy, outcomes and weights of the states at these places, each in a symmetry."""
        slots, shape = self.slots, self.slots.shape
        self.examples.field("start").copy_(slots.field("kept_states")[g, at])
        self.examples.field("visits").copy_(slots.field("kept_visits")[g, at])
        self.examples.run(self.encode)
        mover, outcome = slots.field("kept_mover")[g, at], slots.field("kept_outcome")[g, at].float()
        seats = (mover[:, None] + torch.arange(shape.values, device=self.where)) % shape.players
        known = (slots.field("is_known")[g, at] * (slots.field("kept")[g] > 0)).float()
        inputs = self.symmetries.turned(self.examples.floats["inputs"], turn)
        target = self.examples.floats["target"].gather(1, self.symmetries.policies[turn])
        return inputs, target, outcome.gather(1, seats), known / known.sum().clamp(min=1)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, target, outcome, weight = self._examples(*self._drawn(), self.symmetries.drawn(self.batch))
        logits, values = self.answers(inputs)
        policy = (-(target * F.log_softmax(logits, 1)).sum(1) * weight).sum()
        return policy, (((values - outcome) ** 2).mean(1) * weight).sum()

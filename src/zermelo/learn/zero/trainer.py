"""Learning from self-play: states that were remembered, each in a symmetry at random, and the network moved towards what became of them.

loss = - sum over actions of (share of its visits) * log policy  +  mean square of (outcome - value)
"""

from __future__ import annotations

import torch
from torch.nn import functional as F

from .descent import Descent, Symmetries
from .example import Example, encode
from .network import Network
from .slots import Slots


class Trainer(Descent):
    """Learns from samples of the last `window` states of each slot."""

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

    def _sample(self) -> tuple[torch.Tensor, ...]:
        """Inputs, shares of visits, outcomes and weights of a batch of states."""
        slots, n, where, shape = self.slots, self.batch, self.where, self.slots.shape
        g = torch.randint(slots.count, (n,), device=where)
        kept = slots.field("kept")[g]
        keep = slots.field("kept_mover").shape[1]
        back = (torch.rand(n, device=where) * torch.minimum(kept, self.window)).long()
        at = (kept - 1 - back) % keep
        self.examples.field("start").copy_(slots.field("kept_states")[g, at])
        self.examples.field("visits").copy_(slots.field("kept_visits")[g, at])
        self.examples.run(encode)
        mover, outcome = slots.field("kept_mover")[g, at], slots.field("kept_outcome")[g, at].float()
        seats = (mover[:, None] + torch.arange(shape.values, device=where)) % shape.players
        known = (slots.field("is_known")[g, at] * (kept > 0)).float()
        turn = self.symmetries.drawn(n)
        inputs = self.symmetries.turned(self.examples.floats["inputs"], turn)
        target = self.examples.floats["target"].gather(1, self.symmetries.policies[turn])
        return inputs, target, outcome.gather(1, seats), known / known.sum().clamp(min=1)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, target, outcome, weight = self._sample()
        logits, values = self.answers(inputs)
        policy = (-(target * F.log_softmax(logits, 1)).sum(1) * weight).sum()
        return policy, (((values - outcome) ** 2).mean(1) * weight).sum()

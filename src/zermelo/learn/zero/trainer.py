"""Steps of learning: states that were remembered, each in a symmetry at random, and the network moved towards what became of them.

loss = - sum over actions of (share of its visits) * log policy  +  mean square of (outcome - value)
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F

from .example import Example, encode
from .network import Network
from .slots import Slots

DECAY = 1e-4  # of weights


class Trainer:
    """AdamW on samples of the last `window` states of each slot. On a GPU a whole step is one graph."""

    def __init__(self, slots: Slots, network: Network, batch: int):
        self.slots, self.network, self.batch, where = slots, network, batch, slots.where
        shape = slots.shape
        self.examples = Slots(slots.game, shape, Example, batch, where, {"inputs": shape.inputs, "target": shape.policy})
        self.examples.give("policy", shape.policy)
        self.cells, self.policies = _symmetries(slots)
        self.window = torch.tensor(1, device=where)
        self.rate = torch.tensor(0.0, device=where)
        on_gpu = where == "cuda"
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=self.rate, weight_decay=DECAY, fused=on_gpu, capturable=on_gpu)
        self.losses = torch.zeros(2, device=where)
        self._graph: Any = None

    def learn(self, steps: int, rate: float, window: int) -> None:
        """Take so many steps."""
        self.rate.fill_(rate)
        self.window.fill_(window)
        if self.slots.where == "cuda" and self._graph is None and steps:
            self._capture()
        for _ in range(steps):
            if self._graph is None:
                self._step()
            else:
                self._graph.replay()

    def resume(self, state: dict[int, dict[str, torch.Tensor]]) -> None:
        """Go on with what the optimiser knew of each weight."""
        self.optimizer.load_state_dict({"state": state, "param_groups": self.optimizer.state_dict()["param_groups"]})
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate  # and not a copy of it, which would stay what it is
        for p, known in self.optimizer.state.items():  # laid out in memory as the weights are
            known |= {name: torch.empty_like(p).copy_(t) for name, t in known.items() if t.shape == p.shape}

    def _sample(self) -> tuple[torch.Tensor, ...]:
        """Inputs, shares of visits, outcomes and weights of a batch of states."""
        slots, n, where, shape = self.slots, self.batch, self.slots.where, self.slots.shape
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
        inputs, target = self.examples.floats["inputs"], self.examples.floats["target"]
        turn = torch.randint(len(self.cells), (n,), device=where)
        if shape.height:
            cells = self.cells[turn][:, :, None].expand(-1, -1, shape.channels)
            inputs = inputs.view(n, -1, shape.channels).gather(1, cells).flatten(1)
            target = target.gather(1, self.policies[turn])
        return inputs, target, outcome.gather(1, seats), known / known.sum().clamp(min=1)

    def _step(self) -> None:
        inputs, target, outcome, weight = self._sample()
        on_gpu = self.slots.where == "cuda"
        with torch.autocast(self.slots.where, torch.bfloat16, enabled=on_gpu, cache_enabled=False):
            logits, values = self.network(inputs)
        policy = (-(target * F.log_softmax(logits.float(), 1)).sum(1) * weight).sum()
        error = (((values.float() - outcome) ** 2).mean(1) * weight).sum()
        self.optimizer.zero_grad(set_to_none=True)
        (policy + error).backward()
        self.optimizer.step()
        self.losses.copy_(torch.stack([policy.detach(), error.detach()]))

    def _capture(self) -> None:
        """Record a step as a graph; a graph needs some steps before it, in which torch finds its algorithms."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self._graph, capture_error_mode="relaxed"):
            self._step()


def _symmetries(slots: Slots) -> tuple[torch.Tensor, torch.Tensor]:
    """The symmetries of the board, with the one that changes nothing: of cells and of the policy."""
    shape = slots.shape
    same = (tuple(range(shape.height * shape.width)), tuple(range(shape.policy)))
    pairs = [same, *slots.game.board_symmetries()] if shape.height else [same]
    cells, policies = zip(*pairs, strict=True)
    return torch.tensor(cells, device=slots.where), torch.tensor(policies, device=slots.where)

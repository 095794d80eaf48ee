"""Steps of learning on one batch of states after another: Muon for a tower, AdamW for the rest. On a GPU a whole step is one graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from ...game import Game
from ...search.puct.shape import NetworkShape
from ...search.puct.turned import symmetries_of
from .muon import Muon

DECAY = 1e-4  # of weights


class StepGraph:
    """Steps of learning, each a call of `_step`, with a rate that lies where they are computed."""

    def __init__(self, where: str):
        self.where = where
        self.rate = torch.tensor(0.0, device=where)
        self._graph: Any = None

    def _step(self) -> None:
        raise NotImplementedError

    def _clear(self) -> None:
        """Forget what a step leaves behind in memory that a graph shall have for itself."""

    def take_steps(self, steps: int, rate: float) -> None:
        """Take this many steps."""
        self.rate.fill_(rate)
        if self.where == "cuda" and self._graph is None and steps:
            self._capture()
        for _ in range(steps):
            if self._graph is None:
                self._step()
            else:
                self._graph.replay()

    def _capture(self) -> None:
        """Record a step as a graph; a graph needs some steps before it, in which torch finds its algorithms."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self._clear()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, capture_error_mode="relaxed"):
            self._step()


class Descent(StepGraph):
    """Moves a network down the slope of what `_losses` says; what that was is kept in `losses`.

    tower: those of its weights that are matrices of one shape, or convolutions.
    """

    def __init__(self, network: nn.Module, where: str, batch: int, tower: Sequence[nn.Parameter] = ()):
        super().__init__(where)
        self.network, self.batch = network, batch
        on_gpu = where == "cuda"
        rest = [w for w in network.parameters() if not any(w is matrix for matrix in tower)]
        self.optimizers: dict[str, torch.optim.Optimizer] = {
            "adamw": torch.optim.AdamW(rest, lr=self.rate, weight_decay=DECAY, fused=on_gpu, capturable=on_gpu)
        }
        if tower:
            self.optimizers["muon"] = Muon(list(tower), lr=self.rate, weight_decay=DECAY)
        self.losses = torch.zeros(2, device=where)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The losses of the policy and of the values on a batch, of which the network learns the sum."""
        raise NotImplementedError

    def answers(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values as the network computes them while it learns."""
        with torch.autocast(self.where, torch.bfloat16, enabled=self.where == "cuda", cache_enabled=False):
            logits, values = self.network(inputs)
        return logits.float(), values.float()

    def state(self) -> dict[str, torch.Tensor]:
        """What the optimisers know of each weight."""
        return {
            f"{kind}.{i}.{name}": tensor
            for kind, optimizer in self.optimizers.items()
            for i, known in optimizer.state_dict()["state"].items()
            for name, tensor in known.items()
        }

    def resume(self, found: dict[str, torch.Tensor]) -> None:
        """Go on with what the optimisers knew; one of which nothing is found begins anew."""
        for kind, optimizer in self.optimizers.items():
            state: dict[int, dict[str, torch.Tensor]] = {}
            for key, tensor in found.items():
                if key.startswith(f"{kind}."):
                    _, i, name = key.split(".")
                    state.setdefault(int(i), {})[name] = tensor
            if state:
                self._resume(optimizer, state)

    def _resume(self, optimizer: torch.optim.Optimizer, state: dict[int, dict[str, torch.Tensor]]) -> None:
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
        for group in optimizer.param_groups:
            group["lr"] = self.rate  # and not a copy of it, which would stay what it is
        for p, known in optimizer.state.items():  # laid out in memory as the weights are
            known |= {name: torch.empty_like(p).copy_(t) for name, t in known.items() if t.shape == p.shape}

    def _step(self) -> None:
        policy, error = self._losses()
        self._clear()
        (policy + error).backward()
        for optimizer in self.optimizers.values():
            optimizer.step()
        self.losses.copy_(torch.stack([policy.detach(), error.detach()]))

    def _clear(self) -> None:
        for optimizer in self.optimizers.values():
            optimizer.zero_grad(set_to_none=True)


class Symmetries:
    """The symmetries of a board, one at random for each state of a batch; of a game without a board, the one that changes nothing."""

    def __init__(self, game: Game, shape: NetworkShape, where: str):
        self.shape, self.where = shape, where
        self.cells, self.policies = (torch.from_numpy(columns).to(where) for columns in symmetries_of(game, shape))
        self.places = self.policies.argsort(1)  # where an output goes

    def drawn(self, count: int) -> torch.Tensor:
        """A symmetry for each state of a batch."""
        return torch.randint(len(self.cells), (count,), device=self.where)

    def turned(self, inputs: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        """The inputs as they are after the symmetry of each."""
        if not self.shape.height:
            return inputs
        cells = self.cells[turn][:, :, None].expand(-1, -1, self.shape.channels)
        return inputs.view(len(inputs), -1, self.shape.channels).gather(1, cells).flatten(1)

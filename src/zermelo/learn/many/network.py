"""The network of a model in torch: the function of `search/model/network.py`, for rows of inputs."""

from __future__ import annotations

import torch
from torch import nn

from ...lower.rows import LANES
from ...search.model.model import Model


class Network(nn.Module):
    """The weights of a model as one tensor, as they lie in its memory: for each phase W with b as its last row, V, c."""

    def __init__(self, model: Model, where: str):
        super().__init__()
        self.shape = model.shape
        self.weights = nn.Parameter(torch.from_numpy(model.weights.copy()).view(model.shape.phases, -1).to(where))

    def logits(self, rows: torch.Tensor, phase: int) -> torch.Tensor:
        """What the outputs are before the last sigmoid: h = b + rows W, then c + sigmoid(h) V, or h itself of a linear model."""
        shape, weights = self.shape, self.weights[phase]
        n, width, outputs = shape.inputs, shape.width, shape.outputs
        h = torch.addmm(weights[n * width : (n + 1) * width], rows, weights[: n * width].view(n, width))
        if not shape.hidden:
            return h[:, :outputs]
        v = weights[(n + 1) * width : (n + 1 + outputs) * width].view(outputs, width)
        return torch.addmm(weights[-LANES:][:outputs], h.sigmoid_(), v.t())

    def logits_by_phase(self, rows: torch.Tensor, phases: torch.Tensor) -> torch.Tensor:
        """The same for rows of different phases."""
        found = self.logits(rows, 0)
        for p in range(1, self.shape.phases):
            found = torch.where(phases[:, None] == p, self.logits(rows, p), found)
        return found

    @torch.no_grad()
    def take_back(self, model: Model) -> None:
        """Let the model be what the network is."""
        model.weights[:] = self.weights.detach().cpu().numpy().ravel()

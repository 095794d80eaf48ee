"""The network of a model in torch: the function of `search/model/network.py`, for rows of inputs."""

from __future__ import annotations

import torch
from torch import nn

from ...search.model.model import Model
from ...search.model.network import padded


class Network(nn.Module):
    """The weights of a model as one tensor, as they lie in its memory: for each phase W with b as its last row, then the other layers."""

    def __init__(self, model: Model, where: str):
        super().__init__()
        self.shape = model.shape
        self.weights = nn.Parameter(torch.from_numpy(model.weights.copy()).view(model.shape.phases, -1).to(where))

    def logits(self, rows: torch.Tensor, phase: int) -> torch.Tensor:
        """What the outputs are before the last sigmoid: b + rows W, then of each layer the matrix by the sigmoids of these, and biases."""
        shape, weights = self.shape, self.weights[phase]
        end = shape.inputs * shape.width
        sums = torch.addmm(weights[end : end + shape.width], rows, weights[:end].view(-1, shape.width))
        end += shape.width
        for units, width in shape.layers:
            matrix, bias = weights[end : end + units * width].view(units, width), end + units * width
            sums = torch.addmm(weights[bias : bias + units], sums.sigmoid_(), matrix.t())
            end = bias + padded(units)
        return sums[:, : shape.outputs]

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

"""The network: a tower of residual blocks, a policy and values.

    x = relu(norm(conv(inputs)))                                       of a game without a board: linear layers in place of conv
    x = relu(norm(conv(relu(norm(conv(x))))) + x)                      in each block
    policy, h = linear(relu(norm(conv1x1(x))))                         logits, and the hidden units of the values
    values = tanh(linear(relu(h)))

It is trained with norms over a batch; `Folded` is the same function with the norms folded into the layers before them, in tensors that stay
where they are, so that a graph of it plays on with new weights. That is also what a file holds and what other players compute.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ...search.puct.layers import HEAD, HIDDEN, layers_of
from ...search.puct.shape import NetworkShape
from .tower import Tower


class Network(nn.Module):
    """The network as it is trained."""

    def __init__(self, shape: NetworkShape):
        super().__init__()
        self.shape = shape
        layers = layers_of(shape)
        if shape.height:
            self.layers = nn.ModuleList(nn.Conv2d(n, m, k, padding=k // 2, bias=False) for n, m, k in layers)
            self.norms = nn.ModuleList(nn.BatchNorm2d(m) for _, m, _ in layers)
        else:
            self.layers = nn.ModuleList(nn.Linear(n, m, bias=False) for n, m, _ in layers)
            self.norms = nn.ModuleList(nn.BatchNorm1d(m) for _, m, _ in layers)
        self.out = nn.Linear(HEAD * shape.height * shape.width if shape.height else layers[-1][1], shape.policy + HIDDEN)
        self.value = nn.Linear(HIDDEN, shape.values)

    @property
    def tower(self) -> list[nn.Parameter]:
        """The weights of the blocks, which are matrices of one shape."""
        return [layer.weight for layer in self.layers[1:-1]]

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of inputs [batch, floats]."""
        x = pictured(inputs, self.shape)
        x = F.relu(self.norms[0](self.layers[0](x)))
        for i in range(1, len(self.layers) - 1, 2):
            y = F.relu(self.norms[i](self.layers[i](x)))
            x = F.relu(self.norms[i + 1](self.layers[i + 1](y)) + x)
        x = F.relu(self.norms[-1](self.layers[-1](x)))
        y = self.out(flat(x))
        hidden = F.relu(y[:, self.shape.policy :])
        return y[:, : self.shape.policy], torch.tanh(self.value(hidden))


def pictured(inputs: torch.Tensor, shape: NetworkShape) -> torch.Tensor:
    """Inputs as pictures of a board, if there is one."""
    if not shape.height:
        return inputs
    return inputs.view(-1, shape.height, shape.width, shape.channels).permute(0, 3, 1, 2)


def flat(x: torch.Tensor) -> torch.Tensor:
    """What the last layer is given: cell by cell."""
    return x.permute(0, 2, 3, 1).flatten(1) if x.ndim == 4 else x


class Folded:
    """The network as it plays: on a GPU in bfloat16, its tower one kernel, or layers that add the bias and cut off at 0 themselves."""

    def __init__(self, shape: NetworkShape, weights: dict[str, torch.Tensor]):
        self.shape = shape
        on_gpu = weights["out.weight"].is_cuda
        self.is_fused = on_gpu and bool(shape.height)
        self.kind = torch.bfloat16 if on_gpu else torch.float32
        self.weights = {name: tensor.to(self.kind).clone() for name, tensor in weights.items()}
        if self.is_fused:
            self.weights = {n: t.to(memory_format=torch.channels_last) if t.ndim == 4 else t for n, t in self.weights.items()}
        self.tower = Tower(shape, self.weights) if on_gpu and Tower.fits(shape) else None

    @staticmethod
    def of(shape: NetworkShape, weights: dict[str, np.ndarray[Any, Any]], where: str) -> Folded:
        """The network of a file."""
        return Folded(shape, {name: torch.from_numpy(tensor).to(where) for name, tensor in weights.items()})

    @torch.no_grad()
    def update(self, weights: dict[str, torch.Tensor]) -> None:
        """Take over other weights."""
        for name, tensor in weights.items():
            self.weights[name].copy_(tensor)
        if self.tower is not None:
            self.tower.update(self.weights)

    @torch.no_grad()
    def __call__(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of inputs [batch, floats]."""
        x = self.tower_of(inputs) if self.tower is None else self.tower(inputs)
        y = F.linear(x, self.weights["out.weight"], self.weights["out.bias"])
        hidden = F.relu(y[:, self.shape.policy :])
        values = F.linear(hidden, self.weights["value.weight"], self.weights["value.bias"])
        return y[:, : self.shape.policy].float(), torch.tanh(values.float())

    @torch.no_grad()
    def tower_of(self, inputs: torch.Tensor) -> torch.Tensor:
        """What the last layers are given of inputs [batch, floats]: layer by layer."""
        last = len(layers_of(self.shape)) - 1
        x = self._layer(pictured(inputs.to(self.kind), self.shape), 0)
        for i in range(1, last, 2):
            x = self._layer(self._layer(x, i), i + 1, x)
        return flat(self._layer(x, last))

    def _layer(self, x: torch.Tensor, i: int, added: torch.Tensor | None = None) -> torch.Tensor:
        """Layer i of x, with something added, cut off at 0."""
        w, b = self.weights[f"layer{i}.weight"], self.weights[f"layer{i}.bias"]
        if self.is_fused:  # twice as quick as a convolution and then the rest
            pad = (w.shape[2] // 2,) * 2
            if added is None:
                return torch.cudnn_convolution_relu(x, w, b, (1, 1), pad, (1, 1), 1)
            return torch.cudnn_convolution_add_relu(x, w, added, 1.0, b, (1, 1), pad, (1, 1), 1)
        y = F.conv2d(x, w, b, padding=w.shape[2] // 2) if w.ndim == 4 else F.linear(x, w, b)
        return F.relu(y if added is None else y + added)


@torch.no_grad()
def unfold(network: Network, weights: dict[str, np.ndarray[Any, Any]]) -> None:
    """Let the network be the function of a file: its norms, which the file has folded into the layers, do nothing but add the bias."""
    for i, (layer, norm) in enumerate(zip(network.layers, network.norms, strict=True)):
        layer.weight.copy_(torch.from_numpy(weights[f"layer{i}.weight"]))
        norm.weight.fill_(1.0)
        norm.bias.copy_(torch.from_numpy(weights[f"layer{i}.bias"]))
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0 - norm.eps)
    for name in ("out", "value"):
        getattr(network, name).weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
        getattr(network, name).bias.copy_(torch.from_numpy(weights[f"{name}.bias"]))


@torch.no_grad()
def folded(network: Network) -> dict[str, torch.Tensor]:
    """The weights without norms, by the names that a file has for them."""
    made = {}
    for i, (layer, norm) in enumerate(zip(network.layers, network.norms, strict=True)):
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        made[f"layer{i}.weight"] = layer.weight * scale.view(-1, *[1] * (layer.weight.ndim - 1))
        made[f"layer{i}.bias"] = norm.bias - norm.running_mean * scale
    for name in ("out", "value"):
        made[f"{name}.weight"] = getattr(network, name).weight
        made[f"{name}.bias"] = getattr(network, name).bias
    return {name: tensor.detach() for name, tensor in made.items()}

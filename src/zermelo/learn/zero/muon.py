"""Muon (Jordan and others, 2024): steps for the layers of a tower, each of which is a matrix.

    m = MOMENTUM * m + g                                    g: the slope of the loss by a matrix w
    w = w - rate * size * orthogonal(g + MOMENTUM * m)

`orthogonal` is the nearest matrix whose rows, or columns if there are fewer, are orthogonal and of length 1: no direction of a step is
much longer than another, as the few strongest are in AdamW's. It is found by iterations of Newton and Schulz, by which
each singular value x becomes A x + B x^3 + C x^5; with these coefficients five of them bring all but the smallest close to 1.
"""

from __future__ import annotations

import math
from typing import Any

import torch

MOMENTUM = 0.95
A, B, C, ITERATIONS = 3.4445, -4.7750, 2.0315, 5
#: root mean square of a step's changes, in rates. AdamW's is about 0.2; of 0.2, 0.6 and 1.2 the latter two learned Connect Four soonest
SIZE = 0.6


class Muon(torch.optim.Optimizer):
    """Steps of weights of equal shapes, convolutions taken as matrices with a row for each output."""

    def __init__(self, weights: list[torch.nn.Parameter], lr: torch.Tensor, weight_decay: float):
        super().__init__(weights, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        """Take a step along the slopes that are known."""
        for group in self.param_groups:
            weights, rate = group["params"], group["lr"]
            slopes = [w.grad for w in weights]
            momenta = [self._momentum(w) for w in weights]
            torch._foreach_mul_(momenta, MOMENTUM)
            torch._foreach_add_(momenta, slopes)
            ahead = torch._foreach_add(slopes, momenta, alpha=MOMENTUM)
            turned = orthogonal(torch.stack([x.flatten(1) for x in ahead]))
            torch._foreach_mul_(weights, 1 - rate * group["weight_decay"])
            for w, change in zip(weights, turned * (rate * SIZE * math.sqrt(max(turned.shape[1:]))), strict=True):
                w.sub_(change.view(w.shape))

    def _momentum(self, w: torch.nn.Parameter) -> torch.Tensor:
        """What is kept of the slopes by these weights."""
        known = self.state[w]
        if "momentum" not in known:
            known["momentum"] = torch.zeros_like(w)
        return known["momentum"]


def orthogonal(matrices: torch.Tensor) -> torch.Tensor:
    """About the nearest orthogonal matrix to each of these, for which half precision is enough on a GPU."""
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.bfloat16() if matrices.is_cuda else matrices
    x = x.mT if is_tall else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(ITERATIONS):
        squares = x @ x.mT
        x = A * x + (B * squares + C * squares @ squares) @ x
    return (x.mT if is_tall else x).to(matrices.dtype)

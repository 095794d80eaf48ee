"""Fitting an integer network in torch, on a GPU: the same steps as `nnue_fit.py`, of larger batches.

    h  <-  b + the rows of W that are on, for both sides: a product of W with zeros and ones
    o  <-  V min(max(h, 0), 1)^2 + bias, of the state's phase
    a step of Adam down the slope of the cross entropy of sigmoid(o) and what the state is worth

All examples lie in the card's memory, as lists of rows (`nnue_rows.py`), and a whole step is one graph.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

from ..game import Game
from ..lower.rows import BETA_1, BETA_2, EPSILON
from ..search.model.model import with_model
from ..search.model.network import padded
from ..search.stop import Stop
from .examples import Examples
from .nnue_fit import LIMIT
from .nnue_fitter import TrainedNnue, size_of
from .nnue_rows import BITS, IN_A_WORD, rows_of
from .self_play import Played
from .zero.descent import StepGraph

IN_A_ROW = 64  # steps between looks at whether to stop
ROW = (1 << BITS) - 1  # the bits of a row's number


class NnueDescent(StepGraph):
    """Fits a network to examples, of which some are held out."""

    def __init__(self, game: Game, network: TrainedNnue, examples: Examples, where: str, batch: int):
        super().__init__(where)
        shape, self.network, self.batch = network.shape, network, batch
        if where == "cuda":
            torch.set_float32_matmul_precision("high")  # zeros and ones are exact; a weight keeps 11 bits, and 9 when it is rounded
        lines = rows_of(with_model(game, network.rounded()), examples.states, shape.most_on)
        self._lines = torch.from_numpy(lines.view(np.int64)).to(where)
        self._targets = torch.from_numpy(examples.targets).to(where)
        self._shown, self._held_out = (torch.from_numpy(x).to(where) for x in (examples.shown, examples.held_out))
        self._shifts = torch.arange(IN_A_WORD, device=where) * BITS
        self._order, self._epoch = self._shown.clone(), (-1, -1)
        self._at = torch.zeros((), dtype=torch.int64, device=where)
        self._error = torch.zeros((), dtype=torch.float64, device=where)
        floats = torch.from_numpy(network.floats.array).view(4, -1).to(where, copy=True)
        self._weights, self._means, self._squares = floats[0].requires_grad_(), floats[2].clone(), floats[3].clone()
        self._betas = torch.tensor([BETA_1, BETA_2], dtype=torch.float64, device=where)  # a graph must not copy them from the host
        self._powers = self._betas**network.steps

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Learn from this many examples, beginning with example `first`, counted through all epochs; fewer if it is stopped."""
        done, steps = 0, 0
        self._error.zero_()
        while done < games and not (stop is not None and stop.is_set):
            epoch, at = divmod(first + done, len(self._shown))
            self._shuffle(seed, epoch)
            self._at.fill_(at)
            n = min(games - done, len(self._shown) - at, IN_A_ROW * self.batch)
            whole, rest = divmod(n, self.batch)
            self.take_steps(whole, settings["rate"])
            if rest:
                self._step_of(rest)
            done, steps = done + n, steps + whole + (rest > 0)
        self._give_back(steps)
        return Played(done, 0, 0, float(self._error) / max(1, done))

    def held_out_error(self) -> float:
        """The mean square of what the output is wrong by on the examples that are held out."""
        total = 0.0
        with torch.no_grad():
            for some in self._held_out.split(self.batch):
                o, target = self._answers(some)
                total += float(((torch.sigmoid(o) - target) ** 2).sum())
        return total / max(1, len(self._held_out))

    def _shuffle(self, seed: int, epoch: int) -> None:
        """Bring what is shown into the order of an epoch."""
        if self._epoch != (seed, epoch):
            key = int(np.random.SeedSequence([seed, epoch]).generate_state(1, np.uint64)[0] >> 1)
            chance = torch.Generator(self.where).manual_seed(key)
            self._order.copy_(self._shown[torch.randperm(len(self._shown), generator=chance, device=self.where)])
            self._epoch = seed, epoch

    def _answers(self, examples: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The outputs of these examples, and what they should be, as a share of the points."""
        shape, lines = self.network.shape, self._lines[examples]
        outputs_at, biases_at = (shape.inputs + 1) * shape.sums, (shape.inputs + 1 + 2 * shape.phases) * shape.sums
        rows = (lines[:, 1:, None] >> self._shifts & ROW).view(2 * len(lines), -1)
        on = torch.zeros((len(rows), padded(shape.inputs + 1)), device=self.where).scatter_(1, rows, 1.0)  # tensor cores want it aligned
        weights = self._weights[:outputs_at].view(-1, shape.sums)
        h = torch.addmm(weights[-1], on[:, : shape.inputs], weights[:-1])  # the bias's row is on in any case
        c = h.clamp(0.0, 1.0).square().view(len(lines), -1)
        every = F.linear(c, self._weights[outputs_at:biases_at].view(shape.phases, -1), self._weights[biases_at : biases_at + shape.phases])
        phase, view = lines[:, :1] >> 1, lines[:, :1] & 1
        return every.gather(1, phase)[:, 0], self._targets[examples].gather(1, view)[:, 0]

    def _step(self) -> None:
        self._step_of(self.batch)

    def _step_of(self, count: int) -> None:
        """A step on the next `count` examples."""
        o, target = self._answers(self._order[self._at + torch.arange(count, device=self.where)])
        (slope,) = torch.autograd.grad(F.binary_cross_entropy_with_logits(o, target), self._weights)
        with torch.no_grad():
            self._error += ((torch.sigmoid(o) - target) ** 2).sum()
            self._at += count
            self._powers *= self._betas
            self._means.lerp_(slope, 1 - BETA_1)
            self._squares.lerp_(slope.square(), 1 - BETA_2)
            rate = self.rate * (torch.sqrt(1 - self._powers[1]) / (1 - self._powers[0]))
            self._weights -= rate.float() * self._means / (self._squares.sqrt() + EPSILON)
            self._weights.clamp_(-LIMIT, LIMIT)

    def _capture(self) -> None:
        """Record a step; those that torch needs before it are taken back."""
        state = (self._weights, self._means, self._squares, self._powers, self._at, self._error)
        with torch.no_grad():
            before = [one.clone() for one in state]
            with torch.enable_grad():
                super()._capture()
            for one, was in zip(state, before, strict=True):
                one.copy_(was)

    def _give_back(self, steps: int) -> None:
        """Let the network that is written be what was learned."""
        self.network.steps += steps
        size = size_of(self.network.shape)
        for k, tensor in ((0, self._weights), (2, self._means), (3, self._squares)):
            self.network.floats.array[k * size : (k + 1) * size] = tensor.detach().cpu().numpy()

"""A policy made better by its own games (REINFORCE), against a pool of its earlier selves; and values that learn who wins them.

loss = - (outcome - value) * log policy(what was played)  +  mean square of (outcome - value)
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from ...game import Game
from ...search.puct.network import FILE, check_fit, load
from ..runs import Run
from ..zero.games_run import GamesRun, plies_of
from ..zero.network import Folded, folded, unfold
from ..zero.network_run import agreed
from ..zero.trainer import Trainer
from .policy_play import PolicyPlayer
from .settings import ReinforceTraining

KEEP = 512  # states of a slot that are remembered, at most
PLIES = 16  # that are played between two rounds of learning
ROUNDS = 50  # after which the network joins the pool, and another opponent is drawn
MOST_SELVES = 64


class PolicyGradient(Trainer):
    """Learns from the last moves of games that are over."""

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, target, outcome, weight = self._sample()
        logits, values = self.answers(inputs)
        better = (outcome - values.detach())[:, 0]  # than was expected
        policy = (-better * (target * F.log_softmax(logits, 1)).sum(1) * weight).sum()
        return policy, (((values - outcome) ** 2).mean(1) * weight).sum()


class Reinforce(GamesRun):
    """A run as it goes on."""

    training: ReinforceTraining
    trainer: PolicyGradient

    def __init__(self, game: Game, training: ReinforceTraining, place: Run):
        shape, weights, _ = load(_file_of(training.start))
        check_fit(training.start, shape, game)
        model = f"resnet:{shape.blocks}x{shape.filters}"
        super().__init__(game, agreed(game, replace(training, model=model), place, free=("slots",)), place)
        unfold(self.network, weights)
        self.network.eval()  # what a batch looks like does not matter: the norms are those of the start
        self.folded.update(self.network)
        self.pool, self.other = [folded(self.network)], Folded(self.shape, folded(self.network))
        slots, settings = self.training.slots or 1, self.training.playing(plies_of(game))
        self.player = PolicyPlayer(game, self.shape, self.folded, self.other, slots, KEEP, self.where, settings)
        self.trainer = PolicyGradient(self.player.slots, self.network, self.training.batch or 1)
        self.go_on()
        self._rounds = 0
        self.player.slots.field("number").add_(self._earlier)  # other games than those before
        self._chance = np.random.default_rng([self.training.seed, self._earlier])

    def learn(self) -> None:
        """Some plies of all games, and as many steps of learning as the states that are new are worth."""
        began = time.monotonic()
        for _ in range(PLIES):
            self.player.step()
        steps = self.owed_steps(1.0)
        if self.player.count("games"):
            self.trainer.learn(steps, self.rate(), self._window())
            self.take_over()
            self.learned += steps
            self._rounds += 1
            if self._rounds % ROUNDS == 0:
                self._change_opponent()
        self.seconds += time.monotonic() - began
        self.save_now_and_then()

    def _window(self) -> int:
        """The states of the last game of a slot, and of the one that is being played: those before are of another policy."""
        games = self.player.count("games") + self.player.slots.count
        return max(4, -(-2 * self._states // games))

    def _change_opponent(self) -> None:
        """Take the network into the pool, and draw who is played against."""
        self.pool = [*self.pool[-MOST_SELVES + 1 :], {name: tensor.clone() for name, tensor in folded(self.network).items()}]
        for name, tensor in self.pool[int(self._chance.integers(len(self.pool)))].items():
            self.other.weights[name].copy_(tensor)


def _file_of(text: str) -> Path:
    """The file of a network, by its own name or that of its run."""
    path = Path(text)
    return path / FILE if path.is_dir() else path

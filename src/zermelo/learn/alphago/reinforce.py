"""A policy made better by its own games (REINFORCE), against a pool of its earlier selves; and values that learn who wins them.

    better = outcome - value
    ratio = policy(what was played) as it is now / as it was then
    loss = - min(ratio * better, clip(ratio, 1 - CLIP, 1 + CLIP) * better)  +  mean square of better

Where the policy is still what it was, that moves it as REINFORCE does, by better * log policy. But until a long game is over it learns from
others. Without the ratio, what it no longer plays would be made less likely for ever; its bounds are those of PPO (Schulman and others,
2017).
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from ...errors import ZermeloError
from ...game import Game
from ...search.puct.network import FILE, check_fit, load
from ..runs import Run
from ..zero.example import encode_choice
from ..zero.games_run import GamesRun
from ..zero.network import Folded, folded, unfold
from ..zero.network_run import agreed
from ..zero.trainer import Trainer
from .policy_play import PolicyPlayer
from .settings import ReinforceTraining

CLIP = 0.2  # a share by which an action becomes more or less likely before it is played again
MIN_CHANCE = 1e-9  # chance of what was played: of a slot without states it would be 0
KEEP = 512  # states of a slot that are remembered, at most
PLIES = 16  # that are played between two rounds of learning
ROUNDS = 50  # after which the network joins the pool, and another opponent is drawn
MOST_SELVES = 64


class PolicyGradient(Trainer):
    """Learns from the last moves of games that are over."""

    encode = staticmethod(encode_choice)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        g, at = self._drawn()
        inputs, target, outcome, weight = self._examples(g, at, torch.zeros_like(g))  # not turned: as it was played
        logits, values = self.answers(inputs)
        is_none = (target == 0) & (weight > 0)[:, None]  # of the state's actions
        log_policy = logits.masked_fill(is_none, -math.inf).log_softmax(1).gather(1, target.argmax(1, keepdim=True))[:, 0]
        ratio = torch.exp(log_policy - self.slots.field("kept_chance")[g, at].float().clamp(min=MIN_CHANCE).log())
        better = (outcome - values.detach())[:, 0]
        gain = torch.minimum(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better)
        return -(gain * weight).sum(), (((values - outcome) ** 2).mean(1) * weight).sum()


class Reinforce(GamesRun):
    """A run as it goes on."""

    training: ReinforceTraining
    trainer: PolicyGradient

    def __init__(self, game: Game, training: ReinforceTraining, place: Run):
        shape, weights, _ = load(_file_of(training.start))
        check_fit(training.start, shape, game)
        model = f"resnet:{shape.blocks}x{shape.filters}"
        if training.model not in (None, model):
            raise ZermeloError(f"{training.start} is a network of {model}: expected no other model, not {training.model}")
        super().__init__(game, agreed(game, replace(training, model=model), place, free=("start", "slots", "random_plies")), place)
        unfold(self.network, weights)
        self.network.eval()  # what a batch looks like does not matter: the norms are those of the start
        self.folded.update(folded(self.network))
        self.pool, self.other = [folded(self.network)], Folded(self.shape, folded(self.network))
        slots, settings = self.training.slots or 1, self.training.playing(self.plies)
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
        is_learning = self.have_games_ended()
        if is_learning:
            self.trainer.learn(steps, self.rate(), self._window())
            self.take_over()
            self.learned += steps
            self._rounds += 1
            if self._rounds % ROUNDS == 0:
                self._change_opponent()
        self.spend(time.monotonic() - began, "learning" if is_learning and steps else "playing")
        self.save_now_and_then()

    def _window(self) -> int:
        """The states of the last game of a slot, and of the one that is being played: those before are of another policy."""
        games = self.player.count("games") + self.player.slots.count
        return max(4, -(-2 * self._states // games))

    def _change_opponent(self) -> None:
        """Take the network into the pool, and draw who is played against."""
        self.pool = [*self.pool[-MOST_SELVES + 1 :], {name: tensor.clone() for name, tensor in folded(self.network).items()}]
        self.other.update(self.pool[int(self._chance.integers(len(self.pool)))])


def _file_of(text: str) -> Path:
    """The file of a network, by its own name or that of its run."""
    path = Path(text)
    return path / FILE if path.is_dir() else path

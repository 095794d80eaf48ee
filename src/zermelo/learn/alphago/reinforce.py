"""A policy made better by its own games (REINFORCE), against a pool of its earlier selves; and values that learn who wins them.

loss = - (outcome - value) * log policy(what was played)  +  mean square of (outcome - value)
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from ...errors import ZermeloError
from ...game import Game
from ...search.puct.network import FILE, load
from ...search.stop import Stop
from ..look import Look
from ..runs import Run
from ..zero.network import Folded, folded, unfold
from ..zero.network_run import NetworkRun, agreed
from ..zero.score import score_against_random
from ..zero.trainer import Trainer
from ..zero.training import plies_of
from .policy_play import PolicyPlayer
from .settings import ReinforceTraining

KEEP = 512  # states of a slot that are remembered, at most
PLIES = 16  # that are played between two rounds of learning
ROUNDS = 50  # after which the network joins the pool, and another opponent is drawn
MOST_SELVES = 64
SCORED = 64  # games against random players at each look
SAVED_EVERY = 15.0  # seconds


class PolicyGradient(Trainer):
    """Learns from the last moves of games that are over."""

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        inputs, target, outcome, weight = self._sample()
        logits, values = self.answers(inputs)
        better = (outcome - values.detach())[:, 0]  # than was expected
        policy = (-better * (target * F.log_softmax(logits, 1)).sum(1) * weight).sum()
        return policy, (((values - outcome) ** 2).mean(1) * weight).sum()


class Reinforce(NetworkRun):
    """A run as it goes on."""

    training: ReinforceTraining
    trainer: PolicyGradient

    def __init__(self, game: Game, training: ReinforceTraining, place: Run):
        shape, weights, _ = load(_file_of(training.start))
        if shape.game != repr(game):
            raise ZermeloError(f"{training.start} is a network of {shape.game}: expected one of {game!r}")
        model = f"resnet:{shape.blocks}x{shape.filters}"
        super().__init__(game, agreed(game, replace(training, model=model), place, free=("slots",)), place)
        unfold(self.network, weights)
        self.network.eval()  # what a batch looks like does not matter: the norms are those of the start
        self.folded.update(self.network)
        self.pool, self.other = [folded(self.network)], Folded(self.shape, folded(self.network))
        slots, settings = self.training.slots or 1, self.training.playing(plies_of(game))
        self.player = PolicyPlayer(game, self.shape, self.folded, self.other, slots, KEEP, self.where, settings)
        self.trainer = PolicyGradient(self.player.slots, self.network, self.training.batch or 1)
        self._earlier, self._rounds = self.load(), 0
        self.player.slots.field("number").add_(self._earlier)  # other games than those before
        self._chance = np.random.default_rng([self.training.seed, self._earlier])
        self._states, self._debt = 0, 0.0
        self._looked_at, self._looked = self.progress, (self.done, self.seconds)

    @property
    def done(self) -> int:
        """Games that were played to their end."""
        return self._earlier + self.player.count("games")

    def play_and_learn(self) -> None:
        """Some plies of all games, and as many steps of learning as the states that are new are worth."""
        began = time.monotonic()
        for _ in range(PLIES):
            self.player.step()
        states = self.player.count("kept")
        self._debt += (states - self._states) / self.trainer.batch
        self._states, count = states, int(self._debt)
        if self.player.count("games"):
            self.trainer.learn(count, self.rate(), self._window())
            self.take_over()
            self.learned += count
            self._rounds += 1
            if self._rounds % ROUNDS == 0:
                self._change_opponent()
        self._debt -= count
        self.seconds += time.monotonic() - began
        if time.monotonic() - self._saved > SAVED_EVERY:
            self.save()

    def _window(self) -> int:
        """The states of the last game of a slot, and of the one that is being played: those before are of another policy."""
        games = self.player.count("games") + self.player.slots.count
        return max(4, -(-2 * self._states // games))

    def _change_opponent(self) -> None:
        """Take the network into the pool, and draw who is played against."""
        self.pool = [*self.pool[-MOST_SELVES + 1 :], {name: tensor.clone() for name, tensor in folded(self.network).items()}]
        for name, tensor in self.pool[int(self._chance.integers(len(self.pool)))].items():
            self.other.weights[name].copy_(tensor)

    def look(self) -> Look:
        """Score the network, and write it and the look into the folder."""
        (before, then), (policy, error) = self._looked, self.trainer.losses.tolist()
        ended, games = max(1, self.player.count("games")), self.done
        score = score_against_random(self.game, self.shape, self.opinion, SCORED, self.training.seed)
        speed = (games - before) / max(1e-9, self.seconds - then)
        self._looked_at, self._looked = self.progress, (games, self.seconds)
        plies, unfinished = self.player.count("plies") / ended, self.player.count("unfinished")
        look = Look(games, self.seconds, speed, error, plies, unfinished, score.mean, score.error, policy)
        self.save()
        self.place.add(look)
        return look


def _file_of(text: str) -> Path:
    """The file of a network, by its own name or that of its run."""
    path = Path(text)
    return path / FILE if path.is_dir() else path


def steps(game: Game, training: ReinforceTraining, place: Run, stop: Stop) -> Iterator[Look]:
    """Train, and yield each look at the progress; when it ends, or is stopped, all that was learned is in the folder."""
    at = Reinforce(game, training, place)
    while at.progress < 1 and not stop.is_set:
        at.play_and_learn()
        if at.is_time_to_look:
            yield at.look()
    at.save()

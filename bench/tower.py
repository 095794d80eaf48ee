"""How soon a tower learns what another network says of Connect Four: by AdamW alone, and with Muon for its layers.

python -m bench.tower [--steps 600]        from random states and the answers of the network that comes with the game

Told are, on states that were not learned from, the divergence of the policy from the teacher's and the mean square of the difference of
their values. Values are learned from games: 1 or -1, drawn by what the teacher expects.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import torch

import zermelo
from zermelo.learn.zero.descent import DECAY, Descent
from zermelo.learn.zero.network import Folded, Network
from zermelo.learn.zero.slots import Slots
from zermelo.search.puct.network import load
from zermelo.search.puct.puct import begin
from zermelo.search.puct.record import Tree

from .alphago import say

STATES, HELD_OUT, PLIES = 100_000, 8_192, (3, 28)
BLOCKS, FILTERS, BATCH, RATE = 3, 32, 512, 2e-3


def states_of(game: Any, count: int) -> np.ndarray:
    """Packed states of random games, no two alike."""
    chance, found = random.Random(1), dict[Any, None]()
    while len(found) < count:
        s = game.initial()
        for _ in range(chance.randint(*PLIES)):
            t = game.result(s, chance.choice(list(game.actions(s))))
            if game.is_terminal(t):
                break
            s = t
        found[s] = None
    return np.array([game.layout.pack(s) for s in found], np.uint64)


def inputs_of(game: Any, shape: Any, states: np.ndarray) -> torch.Tensor:
    """What a network is given of states."""
    floats = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
    slots = Slots(game, shape, Tree, len(states), "cpu", floats, nodes=3)
    slots.give("simulations", 1)
    slots.field("start").copy_(torch.from_numpy(states.view(np.int64)))
    slots.run(begin)
    return slots.floats["inputs"].clone()


class Pupil(Descent):
    """A network that learns the teacher's answers."""

    def __init__(self, network: Network, inputs: torch.Tensor, policy: torch.Tensor, values: torch.Tensor, by: str):
        super().__init__(network, "cpu", BATCH, network.tower)
        self.inputs, self.policy, self.values = inputs, policy, values
        self.chance = torch.Generator().manual_seed(2)
        if by == "adamw":
            self.optimizers = {by: torch.optim.AdamW(network.parameters(), lr=self.rate, weight_decay=DECAY)}

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        at = torch.randint(len(self.inputs) - HELD_OUT, (self.batch,), generator=self.chance)
        logits, values = self.answers(self.inputs[at])
        outcome = torch.where(torch.rand((self.batch, 1), generator=self.chance) < (1 + self.values[at]) / 2, 1.0, -1.0)
        return -(self.policy[at] * logits.log_softmax(1)).sum(1).mean(), ((values - outcome) ** 2).mean()

    @torch.no_grad()
    def judged(self) -> tuple[float, float]:
        """How far its policy and values are from the teacher's where it has not learned."""
        self.network.eval()
        logits, values = self.network(self.inputs[-HELD_OUT:])
        self.network.train()
        policy = self.policy[-HELD_OUT:]
        apart = (policy * (policy.clamp(min=1e-6).log() - logits.log_softmax(1))).sum(1).mean()
        return float(apart), float(((values - self.values[-HELD_OUT:]) ** 2).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    game = zermelo.game("connect4")
    assert game.network is not None
    shape, weights, _ = load(game.network)
    inputs = inputs_of(game, shape, states_of(game, STATES))
    teacher = Folded.of(shape, weights, "cpu")
    told = [teacher(part) for part in inputs.split(4096)]
    policy, values = torch.cat([logits.softmax(1) for logits, _ in told]), torch.cat([values for _, values in told])
    for by in ("adamw", "muon"):
        torch.manual_seed(1)
        pupil = Pupil(Network(replace(shape, blocks=BLOCKS, filters=FILTERS)), inputs, policy, values, by)
        for step in range(steps):
            left = min(1.0, 2 * (1 - step / steps))
            pupil.take_steps(1, RATE * left * math.sqrt(left))
        apart, error = pupil.judged()
        say(by=by, steps=steps, divergence=round(apart, 4), value_error=round(error, 4))


if __name__ == "__main__":
    main()

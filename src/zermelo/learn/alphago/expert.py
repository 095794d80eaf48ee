"""A run that learns from games of experts: a policy that says what they play, and values that say who won.

loss = - log policy(what was played)  +  VALUE_SHARE * mean square of (outcome - value)
"""

from __future__ import annotations

import time

import torch
from torch.nn import functional as F

from ...game import Game
from ...search.puct.inputs import draw_inputs
from ...search.puct.record import Asking
from ...search.puct.shape import shape_for
from ..look import Look
from ..runs import Run
from ..zero.descent import Descent, Symmetries
from ..zero.network import Folded, Network
from ..zero.network_run import NetworkRun, agreed
from ..zero.slots import Slots
from .positions import Positions, read_positions
from .settings import EPOCHS, ExpertTraining

VALUE_SHARE = 0.1  # states of one game have one outcome, which a network learns by heart where it counts as much as the moves
STEPS = 16  # of a part, after which the run looks at the clock
COMPARED = 1 << 16  # states held out that the policy is compared with, at most


def describe(game: Game, work: Asking) -> int:
    """Write the inputs of the network for the state; how many planes it has."""
    return draw_inputs(game, game.unpack(work.start), work)


class Library:
    """Positions as tensors, on the CPU or on a GPU, with the inputs of a batch of them."""

    def __init__(self, game: Game, network: Network, positions: Positions, batch: int, where: str):
        shape = network.shape
        self.examples = Slots(game, shape, Asking, batch, where, {"inputs": shape.inputs})
        self.states, self.movers, self.played, self.outcomes = (
            torch.from_numpy(rows).to(where)
            for rows in (positions.states.view("i8"), positions.movers, positions.played, positions.outcomes)
        )
        self._seats = torch.arange(shape.values, device=where)

    def inputs(self, at: torch.Tensor) -> torch.Tensor:
        """The inputs of these states, as many as a batch has."""
        self.examples.field("start").copy_(self.states[at])
        self.examples.run(describe)
        return self.examples.floats["inputs"]

    def outcome(self, at: torch.Tensor) -> torch.Tensor:
        """What became of these states, for the player who moves and those after him."""
        outcomes = self.outcomes[at]
        return outcomes.gather(1, (self.movers[at].long()[:, None] + self._seats) % outcomes.shape[1])


class ExpertTrainer(Descent):
    """Learns from positions at random, each in a symmetry at random."""

    def __init__(self, game: Game, network: Network, positions: Positions, batch: int, where: str):
        super().__init__(network, where, batch, network.tower)
        self.library = Library(game, network, positions, batch, where)
        self.symmetries = Symmetries(game, network.shape, where)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        at = torch.randint(len(self.library.states), (self.batch,), device=self.where)
        turn = self.symmetries.drawn(self.batch)
        logits, values = self.answers(self.symmetries.turned(self.library.inputs(at), turn))
        played = self.symmetries.places[turn, self.library.played[at].long()]
        return F.cross_entropy(logits, played), VALUE_SHARE * F.mse_loss(values, self.library.outcome(at))


def agreement(game: Game, network: Folded, learned: Network, positions: Positions, batch: int, where: str) -> tuple[float, float]:
    """How often the policy likes best what was played, and the mean square of what the values are wrong by."""
    library, right, wrong, count = Library(game, learned, positions, batch, where), 0.0, 0.0, min(len(positions), COMPARED)
    order = torch.randperm(len(positions), generator=torch.Generator().manual_seed(0))[:count].to(where)
    for first in range(0, count, batch):
        at = order[first : first + batch]
        whole = F.pad(at, (0, batch - len(at)))  # the last batch is filled up
        logits, values = network(library.inputs(whole))
        best = logits[: len(at)].argmax(1)
        right += float((best == library.played[at]).sum())
        wrong += float(((values[: len(at)] - library.outcome(at)) ** 2).mean(1).sum())
    return right / count, wrong / count


class Expert(NetworkRun):
    """A run as it goes on."""

    training: ExpertTraining
    trainer: ExpertTrainer

    def __init__(self, game: Game, training: ExpertTraining, place: Run):
        positions = read_positions(game, shape_for(game, 0, 1), training.data)  # before there is a run, in case that they are no games
        super().__init__(game, agreed(game, training, place, free=()), place)
        shown, self.held_out = positions.split(self.training.seed)
        self.wanted = self.training.games or EPOCHS * len(shown)
        self.trainer = ExpertTrainer(game, self.network, shown, self.training.batch or 1, self.where)
        self._done = self.load()
        self.find_last_look()

    @property
    def done(self) -> int:
        """States that were learned from."""
        return self._done

    def learn(self) -> None:
        """Some steps."""
        began, batch = time.monotonic(), self.trainer.batch
        steps = max(1, min(STEPS, -(-(self.wanted - self.done) // batch)))
        self.network.train()
        self.trainer.take_steps(steps, self.rate())
        self.take_over()
        self.learned += steps
        self._done += steps * batch
        self.spend(time.monotonic() - began, "learning")
        self.save_now_and_then()

    def look(self) -> Look:
        """Compare the network with games that it has not seen, and write it and the look into the folder."""
        (before, then), (policy, _) = self._looked, self.trainer.losses.tolist()
        right, error = agreement(self.game, self.folded, self.network, self.held_out, self.trainer.batch, self.where)
        speed = (self.done - before) / max(1e-9, self.seconds - then)
        self._looked_at, self._looked = self.progress, (self.done, self.seconds)
        return self.noted(Look(self.done, self.seconds, speed, error, 0.0, 0, 0.0, 0.0, policy, right))

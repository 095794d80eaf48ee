"""TD(lambda) with many games side by side, as Python drives it: kernels and the network in turn, and a step of Adam for each batch.

    GO ON, DELIVER                     all games, by the answers of the network
    states and returns of games that are over are remembered
    SHOW, answers = network(rows)      the leaves of all games, phase by phase
    for each batch of new states: a step down the cross entropy of the outputs and the returns

Games go on from call to call, so what is learned depends on how many there are side by side; on a GPU it may differ from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.nn import functional as F

from ...errors import ZermeloError
from ...game import Game
from ...lower import device
from ...search.model.model import Model
from ...search.model.network import MOST_OUTCOMES
from ...search.puct.shape import actions_of
from ...search.stop import Stop
from ..self_play import Played
from ..slots import Slots, zeros
from ..zero.descent import Descent
from .describing import Example, encode, planes_for
from .network import Network
from .playing import ENDED, NEW, Playing, deliver, go_on, show

MAX_GAME_PLIES = 1024  # plies of a game that is learned from
WHOLE_LEAVES = 8192  # of a state and all that chance may do, of which each thing has its share
LANES, WHOLE_LANES = 16, 32  # threads of a GPU for a game
NEW_STATES = 64  # for each slot, that games may bring at once; of more the last ones are left out
AGE = 32  # batches after which a state is learned from again
COUNTED = ("played", "plies", "unfinished", "steps", "error")
SPARE = 1.25  # more room than is needed now


class Memory:
    """States and returns in a ring, each of which is learned from `samples` times: when it is new, and again when it is older."""

    def __init__(self, words: int, outputs: int, where: str, slots: int, batch: int, samples: int):
        self.batch, self.samples, self.lag, self.most = batch, samples, AGE * batch, MAX_GAME_PLIES + NEW_STATES * slots
        self.size = (samples - 1) * self.lag + batch + self.most
        self.states, self.returns = zeros(self.size, words, torch.int64, where), zeros(self.size, outputs, torch.float32, where)
        self.places = torch.arange(max(self.most, batch), device=where)
        self.count = self.learned = 0  # states that ever came, and those of them that were learned from

    def add(self, slots: Slots, lengths: torch.Tensor) -> None:
        """Copy the first `lengths[g]` states of each game g into the ring."""
        game = torch.repeat_interleave(torch.arange(slots.count, device=slots.where), lengths)[: self.most]  # waits for the card
        ply = self.places[: len(game)] - (lengths.cumsum(0) - lengths)[game]
        at = (self.places[: len(game)] + self.count) % self.size
        self.states[at] = slots.field("kept_states")[game, ply]
        self.returns[at] = slots.field("kept_returns")[game, ply].float()
        self.count += len(game)

    def batches(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """The batches that are to be learned from now."""
        while self.count - self.learned >= self.batch:
            for k in range(self.samples):
                if (first := self.learned - k * self.lag) >= 0:
                    at = (self.places[: self.batch] + first) % self.size
                    yield self.states[at], self.returns[at]
            self.learned += self.batch


class Steps(Descent):
    """Steps of learning, each from a batch of states and returns."""

    def __init__(self, game: Game, network: Network, where: str, batch: int):
        super().__init__(network, where, batch)
        self.shape = shape = network.shape
        given = planes_for(game) | {"input_count": shape.inputs}
        self.examples = Slots(game, Example, batch, where, 1, given)
        self.rows, self.returns = zeros(batch, shape.inputs, torch.float32, where), zeros(batch, shape.outputs, torch.float32, where)
        self.examples.give("inputs", self.rows.data_ptr())
        self.examples.field("row").copy_(torch.arange(batch))
        self.places = torch.arange(shape.outputs, device=where)

    def learn(self, states: torch.Tensor, returns: torch.Tensor, rate: float) -> None:
        """Take a step."""
        self.examples.field("state").copy_(states)
        self.returns.copy_(returns)
        self.take_steps(1, rate)

    def _losses(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The cross entropy, and the mean square of what the outputs are wrong by, which nothing is learned from."""
        self.rows.zero_()
        self.examples.run(encode)
        shape, view = self.shape, self.examples.field("view")
        first = view[:, None] * len(shape.outcomes)
        targets = self.returns.gather(1, (first + self.places) % shape.outputs)
        assert isinstance(self.network, Network)
        logits = self.network.logits_by_phase(self.rows, self.examples.field("phase"))
        entropy = F.binary_cross_entropy_with_logits(logits, targets, reduction="sum") / self.batch
        return entropy, ((logits.detach().sigmoid() - targets) ** 2).mean()


class ManyGames:
    """Plays games against itself side by side and improves a model by them."""

    def __init__(self, game: Game, model: Model, *, where: str, slots: int, batch: int, samples: int = 1, is_whole: bool = False):
        if model.shape.is_tuples:
            raise ZermeloError("expected a model linear or mlp:UNITS for games side by side, not ntuple")
        if where == "cuda":
            device.require_gpu()
            torch.set_float32_matmul_precision("high")  # 11 bits of each factor, the sums of 32
        self.game, self.model, self.where, self.batch = game, model, where, batch
        self.network = Network(model, where)
        shape = model.shape
        width = actions_of(game)
        sizes = {"width": width, "keep": MAX_GAME_PLIES, "phases": shape.phases, "outputs": shape.outputs}
        sizes["leaves"] = max(WHOLE_LEAVES, width) if is_whole else width
        lanes = WHOLE_LANES if is_whole else LANES
        self.slots = Slots(game, Playing, slots, where, lanes, self._given(is_whole, slots), **sizes)
        self.steps = Steps(game, self.network, where, batch)
        self.memory = Memory(game.layout.words, shape.outputs, where, slots, batch, samples)
        self.rows = self.answers = zeros(0, 1, torch.float32, where)
        self._has_begun = False

    def _given(self, is_whole: bool, slots: int) -> dict[str, Any]:
        """What the records hold from the start."""
        game, shape = self.game, self.model.shape
        worth = [*shape.outcomes, *[0.0] * (MOST_OUTCOMES - len(shape.outcomes))]
        header = {
            "offset": shape.offset,
            "share": 1.0 if shape.players == 2 else 0.0,
            "worth": worth,
            "lowest": shape.low,
            "span": shape.span,
        }
        sizes = {"input_count": shape.inputs, "outputs": shape.outputs, "group": len(shape.outcomes), "slots": slots}
        return planes_for(game) | header | sizes | {"start": game.layout.pack(game.initial()), "is_whole": int(is_whole), "over": NEW}

    def learn(self, games: int, first: int, seed: int, settings: dict[str, float], stop: Stop | None = None) -> Played:
        """Play on until about `games` more games have ended, and learn from them; fewer if it is stopped.

        `first` is the number of the first game, when games are begun.
        """
        slots = self.slots
        for name in ("trace", "epsilon", "random_plies"):
            slots.give(name, settings[name])
        if not self._has_begun:
            self._begin(first, seed)
            self._has_begun = games > 0
        if games == 0:
            self.play_ply(0.0)  # which compiles: the games are begun again
        before = self._counted()
        while int(slots.field("played").sum()) - before["played"] < games and not (stop is not None and stop.is_set):
            self.play_ply(settings["rate"])
        self.network.take_back(self.model)
        done = {name: count - before[name] for name, count in self._counted().items()}
        outputs = max(1, done["steps"] * self.model.shape.outputs)
        return Played(int(done["played"]), int(done["plies"]), int(done["unfinished"]), done["error"] / outputs)

    def _begin(self, first: int, seed: int) -> None:
        """Begin with the game of this number in all slots anew."""
        for name, value in (("seed", seed), ("over", NEW), *((name, 0) for name in COUNTED)):
            self.slots.give(name, value)
        self.slots.field("number").copy_(torch.arange(self.slots.count) + first - self.slots.count)

    def _counted(self) -> dict[str, float]:
        return {name: self.slots.field(name).sum().item() for name in COUNTED}

    def play_ply(self, rate: float) -> None:
        """A ply of every game, and the steps of learning that the states of games that ended are worth."""
        slots = self.slots
        slots.run(go_on)
        lengths = slots.field("length") * (slots.field("over") == ENDED)
        slots.run(deliver)
        self.memory.add(slots, lengths)
        self._ask()
        for states, returns in self.memory.batches():
            self.steps.learn(states, returns, rate)

    @torch.no_grad()
    def _ask(self) -> None:
        """Let the network answer about the leaves of all games."""
        slots, shape = self.slots, self.model.shape
        counts = slots.field("leaf_count").t()
        ends = counts.reshape(-1).cumsum(0).view(shape.phases, -1)
        slots.field("first_row").copy_((ends - counts).t())
        totals = [0, *ends[:, -1].tolist()]  # waits for the card
        if totals[-1] > len(self.rows):
            self.rows = self.answers = zeros(0, 1, torch.float32, self.where)  # given back first
            self.rows = zeros(int(SPARE * totals[-1]), shape.inputs, torch.float32, self.where)
            self.answers = zeros(len(self.rows), shape.outputs, torch.float32, self.where)
            slots.give("inputs", self.rows.data_ptr())
            slots.give("answers", self.answers.data_ptr())
        self.rows[: totals[-1]].zero_()
        slots.run(show)
        for p in range(shape.phases):
            part = slice(totals[p], totals[p + 1])
            self.answers[part] = self.network.logits(self.rows[part], p).sigmoid_()

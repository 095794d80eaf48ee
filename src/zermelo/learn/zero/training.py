"""A run of self-play with a guided search: rounds of playing and learning, kept in a folder that a later call goes on with.

RUN/network.safetensors    the network as it plays
RUN/trainer.safetensors    the network and the optimiser as they learn, and how far the run is
RUN/games.safetensors      the games that are being played and the states that are remembered; without it they are played anew
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import torch

from ...errors import ZermeloError
from ...game import Game
from ...lower import device
from ...search.puct.network import FILE, save
from ...search.puct.shape import random_games, shape_for
from ...search.stop import Stop
from ...system.files import write_bytes
from ..look import Look
from ..runs import Run
from .network import Folded, Network, folded
from .player import Player
from .score import Opinion, score_against_random
from .settings import SAMPLES, STATES, ZeroTraining, tower_of
from .trainer import Trainer

TRAINER, GAMES_FILE = "trainer.safetensors", "games.safetensors"
LOOKS = 20
SCORED = 64  # games against random players at each look
SAVED_EVERY = 15.0  # seconds after which the network is written
GAMES_EVERY = {"cpu": 15.0, "cuda": 240.0}  # and the games, which are much more
FIRST_STATES = 8  # batches of states that are there before anything is learned
LEAST_RATE = 0.02  # of the rate, at the end
WINDOW = 96  # states of a slot that are learned from at first; one more with each round
KEPT_FIELDS = ("number", "ply", "games", "unfinished", "plies", "kept", "fresh", "start")
RING = ("kept_states", "kept_visits", "kept_mover", "kept_outcome", "is_known")


def steps(game: Game, training: ZeroTraining, place: Run, stop: Stop) -> Iterator[Look]:
    """Train, and yield each look at the progress; when it ends, or is stopped, all that was learned is in the folder."""
    at = Zero(game, training, place)
    while at.progress < 1 and not stop.is_set:
        at.play_and_learn()
        if at.is_time_to_look:
            yield at.look()
    at.save(with_games=True)


class Zero:
    """A run as it goes on."""

    def __init__(self, game: Game, training: ZeroTraining, place: Run):
        self.game, self.place = game, place
        self.training = training = _agreed(game, training, place)
        self.where, self.wanted = training.device or "cpu", training.games or 1
        torch.manual_seed(training.seed)
        if self.where == "cuda":
            torch.backends.cudnn.benchmark = True
        self.shape = shape_for(game, *tower_of(training.model or ""))
        self.network = Network(self.shape).to(self.where)
        if self.where == "cuda":
            self.network = self.network.to(memory_format=torch.channels_last)
        self.folded = Folded(self.shape, folded(self.network))
        slots = training.slots or 1
        keep = max(64, STATES[self.where] // slots)
        self.player = Player(game, self.shape, self.folded, slots, keep, self.where, training.playing(game, _plies_of(game)))
        self.trainer = Trainer(self.player.slots, self.network, training.batch or 1)
        self.seconds, self.spent, self.rounds, self.learned = 0.0, {"playing": 0.0, "learning": 0.0}, 0, 0
        self._earlier = 0  # games of which nothing is remembered
        self._load()
        self._looked_at = self.progress
        self._looked, self._saved, self._games_saved = (self.games, self.seconds), time.monotonic(), time.monotonic()
        self._states = self.player.count("kept")
        self._debt = 0.0

    @property
    def games(self) -> int:
        """Games that were played to their end."""
        return self._earlier + self.player.count("games")

    @property
    def progress(self) -> float:
        """How much of the run is done, from 0 to 1."""
        limit = self.training.seconds
        return min(1.0, max(self.games / self.wanted, 0.0 if limit is None else self.seconds / limit))

    # ---- a round -----------------------------------------------------------------------------

    def play_and_learn(self) -> None:
        """A move of every game, and as many steps of learning as the states that are new are worth."""
        began = time.monotonic()
        self.player.play_round()
        states = self.player.count("kept")  # waits for the card
        played = time.monotonic()
        self._debt += (states - self._states) * SAMPLES / self.trainer.batch
        self._states = states
        if states >= FIRST_STATES * self.trainer.batch:
            count = int(self._debt)
            self.network.train()
            self.trainer.learn(count, self._rate(), WINDOW + self.rounds)
            self.folded.update(self.network)
            self._debt -= count
            self.learned += count
            self.rounds += 1
            losses = self.trainer.losses.tolist()  # waits, too
            if not all(map(math.isfinite, losses)):
                raise ZermeloError(f"the run diverged after {self.games:,} games: expected a rate below {self.training.rate:g}")
        else:
            self._debt = min(self._debt, 1.0)
        now = time.monotonic()
        self.spent["playing"] += played - began
        self.spent["learning"] += now - played
        self.seconds += now - began
        if now - self._saved > SAVED_EVERY:
            self.player.slots.check_width()
            self.save(with_games=now - self._games_saved > GAMES_EVERY[self.where])

    def _rate(self) -> float:
        """The rate: constant for half of the run, then falling."""
        left = 1 - self.progress
        return (self.training.rate or 0.0) * (LEAST_RATE + (1 - LEAST_RATE) * min(1.0, 2 * left) ** 1.5)

    # ---- looks -------------------------------------------------------------------------------

    @property
    def is_time_to_look(self) -> bool:
        return self.progress - self._looked_at >= 1 / LOOKS or self.progress == 1

    def look(self) -> Look:
        """Score the network, and write it and the look into the folder."""
        games, ended, (before, then) = self.games, max(1, self.player.count("games")), self._looked
        policy, error = self.trainer.losses.tolist()
        if self.learned and self.player.count("games") == 0 and self.player.count("unfinished") > self.player.slots.count:
            raise ZermeloError(f"no game of {self.game!r} comes to an end: there is nothing to learn from")
        score = score_against_random(self.game, self.shape, self._opinion, SCORED, self.training.seed)
        speed = (games - before) / max(1e-9, self.seconds - then)
        self._looked, self._looked_at = (games, self.seconds), self.progress
        plies, unfinished = self.player.count("plies") / ended, self.player.count("unfinished")
        look = Look(games, self.seconds, speed, error, plies, unfinished, score.mean, score.error, policy)
        self.save(with_games=False)
        self.place.add(look)
        return look

    def _opinion(self, inputs: Any) -> Opinion:
        logits, values = self.folded(torch.from_numpy(inputs).to(self.where))
        return logits.cpu().numpy(), values.cpu().numpy()

    # ---- files -------------------------------------------------------------------------------

    def save(self, with_games: bool) -> None:
        """Write the run into its folder, each file whole or not at all."""
        from safetensors.torch import save as to_bytes

        weights = {name: tensor.float().cpu().numpy() for name, tensor in folded(self.network).items()}
        about = {"games": float(self.games), "seconds": self.seconds}
        told = about | {"rounds": float(self.rounds), "learned": float(self.learned)}
        tensors = {f"network.{name}": t for name, t in self.network.state_dict().items()}
        for i, state in self.trainer.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{i}.{name}": t for name, t in state.items()}
        tensors |= {f"told.{name}": torch.tensor(x, dtype=torch.float64) for name, x in told.items()}
        if with_games:
            self._save_games()
        whole = {name: t.detach().cpu().contiguous().clone() for name, t in tensors.items()}
        write_bytes(self.place.folder / TRAINER, to_bytes(whole))
        save(self.place.folder / FILE, self.shape, weights, about)
        self._saved = time.monotonic()

    def _save_games(self) -> None:
        from safetensors.torch import save as to_bytes

        slots = self.player.slots
        slots.field("start").copy_(slots.field("states")[:, 0])
        tensors = {name: slots.field(name).cpu().contiguous() for name in (*KEPT_FIELDS, *RING)}
        tensors["kept_visits"] = tensors["kept_visits"].to(torch.int16)
        tensors["kept_outcome"] = tensors["kept_outcome"].to(torch.float32)
        tensors["kept_mover"], tensors["is_known"] = tensors["kept_mover"].to(torch.int8), tensors["is_known"].to(torch.int8)
        tensors["earlier"] = torch.tensor(self._earlier)
        write_bytes(self.place.folder / GAMES_FILE, to_bytes(tensors))
        self._games_saved = time.monotonic()

    def _load(self) -> None:
        """Go on with what is in the folder."""
        path = self.place.folder / TRAINER
        if not path.exists():
            return
        found = _read(path)
        self.seconds, self.rounds, self.learned = (float(found["told.seconds"]), int(found["told.rounds"]), int(found["told.learned"]))
        self._earlier = int(found["told.games"])
        try:
            self.network.load_state_dict({n.removeprefix("network."): t for n, t in found.items() if n.startswith("network.")})
        except RuntimeError:
            raise ZermeloError(f"{path} is of another network: expected {self.training.model}") from None
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in found.items():
            if name.startswith("optimizer."):
                _, i, what = name.split(".")
                state.setdefault(int(i), {})[what] = tensor
        if state:
            self.trainer.resume(state)
        self.folded.update(self.network)
        if (self.place.folder / GAMES_FILE).exists():
            self._load_games()

    def _load_games(self) -> None:
        slots, found = self.player.slots, _read(self.place.folder / GAMES_FILE)
        if any(found[name].shape != slots.field(name).shape for name in (*KEPT_FIELDS, *RING)):
            return  # of other slots: new games are played
        for name in (*KEPT_FIELDS, *RING):
            slots.field(name).copy_(found[name])
        self._earlier = max(int(found["earlier"]), self._earlier - self.player.count("games"))


def _read(path: Any) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (OSError, SafetensorError):
        raise ZermeloError(f"{path} is damaged: expected what zermelo train wrote; without it the run begins anew") from None


def _agreed(game: Game, training: ZeroTraining, place: Run) -> ZeroTraining:
    """What the run is trained with, once it is clear where: the same as before in a folder that is not new."""
    where = training.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if where == "cuda":
        device.require_gpu()
        if not torch.cuda.is_available():
            raise ZermeloError("the torch that is installed does not know the GPU: expected one with CUDA, or --device cpu")
    if not place.is_new:
        found = place.agreed({"game": repr(game), **asdict(training)}, free=("games", "seconds", "device", "slots", "batch"))
        known = {name: found[name] for name in ("model", "games", "seconds", "rate") if getattr(training, name) is None}
        training = ZeroTraining(**asdict(training) | known)
    training = training.for_device(where)
    place.begin({"game": repr(game), **asdict(training)})
    return training


def _plies_of(game: Game) -> float:
    """How long random games are, about."""
    games = random_games(game)
    return sum(map(len, games)) / len(games)

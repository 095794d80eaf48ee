"""A run that trains a network, whatever it learns from: how far it is, and its files.

RUN/network.safetensors    the network as it plays
RUN/trainer.safetensors    the network and the optimisers as they learn, and how far the run is
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import torch

from ...errors import ZermeloError
from ...game import Game
from ...lower import device
from ...search.puct.layers import multiplications
from ...search.puct.network import FILE, save
from ...search.puct.shape import shape_for
from ...search.stop import Stop
from ...system.files import write_bytes
from ...system.limits import MAX_COUNT
from ...system.tensors import UNSEALED, check_seal, sealed
from ..look import Look
from ..runs import Run
from .descent import Descent
from .network import Folded, Network, folded
from .score import Opinion
from .settings import NetworkTraining, tower_of

TRAINER = "trainer.safetensors"
LOOKS = 20
SAVED_EVERY = 15.0  # seconds after which the network is written
LEAST_RATE = 0.02  # of the rate, at the end
#: multiplications for a state, below which several threads wait for each other longer than they compute: tic-tac-toe with 2 blocks of 32
#: filters had 1,240 games in 10 s with one thread, 608 with two, on two cores with other work, and as many as with two where there was none
MIN_THREADED_WORK = 1 << 21
#: of a run that is gone on with: as before, if not given
RESUMED_SETTINGS = ("model", "games", "seconds", "rate", "root", "simulations", "resign")


T = TypeVar("T", bound=NetworkTraining)


class NetworkRun:
    """A run as it goes on. Whoever inherits this makes `trainer`, then calls `load`, and says what `learn` and `look` do."""

    trainer: Descent

    def __init__(self, game: Game, training: NetworkTraining, place: Run):
        self.game, self.place, self.training = game, place, training
        self.where, self.wanted = training.device or "cpu", training.games or 1
        torch.manual_seed(training.seed)
        if self.where == "cuda":
            torch.backends.cudnn.benchmark = True
        self.shape = shape_for(game, *tower_of(training.model or ""))
        self.network = Network(self.shape).to(self.where)
        if self.where == "cuda":
            self.network = self.network.to(memory_format=torch.channels_last)
        self.folded = Folded(self.shape, folded(self.network))
        self.seconds, self.learned = 0.0, 0  # steps
        self._warm = set[str]()  # kinds of rounds that there were
        self._looked_at, self._looked, self._saved = 0.0, (0, 0.0), time.monotonic()

    def learn(self) -> None:
        """Go on for a second or so."""
        raise NotImplementedError

    def look(self) -> Look:
        """See how well the network does, and write it and that into the folder."""
        raise NotImplementedError

    def steps(self, stop: Stop) -> Iterator[Look]:
        """Train, and yield each look at the progress; when it ends, or is stopped, all that was learned is in the folder."""
        threads = torch.get_num_threads()
        if self.where == "cpu" and multiplications(self.shape) < MIN_THREADED_WORK:
            torch.set_num_threads(1)
        try:
            while self.progress < 1 and not stop.is_set:
                self.learn()
                if self.is_time_to_look:
                    yield self.look()
            self.save_all()
        finally:
            torch.set_num_threads(threads)

    @property
    def done(self) -> int:
        """How many games, or examples, were learned from."""
        raise NotImplementedError

    @property
    def progress(self) -> float:
        """How much of the run is done, from 0 to 1."""
        return self.progress_at(self.done, self.seconds)

    def progress_at(self, done: int, seconds: float) -> float:
        """How much of the run was done when it had come so far."""
        limit = self.training.seconds
        return min(1.0, max(done / self.wanted, 0.0 if limit is None else seconds / limit))

    @property
    def is_time_to_look(self) -> bool:
        return self.progress - self._looked_at >= 1 / LOOKS or self.progress == 1

    def find_last_look(self) -> None:
        """Go on from the last look in the folder, however often the run was interrupted since: else one that often is would have none."""
        looks = [look for look in self.place.looks() if look.games <= self.done]
        self._looked = (looks[-1].games, looks[-1].seconds) if looks else (0, 0.0)
        self._looked_at = self.progress_at(*self._looked)

    def spend(self, seconds: float, on: str) -> None:
        """Count the seconds of a round, unless it is the first of its kind in this process: then most of them went into compiling."""
        if on in self._warm:
            self.seconds += seconds
        self._warm.add(on)

    def rate(self) -> float:
        """The rate: constant for half of the run, then falling."""
        left = min(1.0, 2 * (1 - self.progress))
        return (self.training.rate or 0.0) * (LEAST_RATE + (1 - LEAST_RATE) * left * math.sqrt(left))

    def take_over(self) -> None:
        """Let the network that plays be the one that learned; ZermeloError if that has diverged."""
        self.folded.update(folded(self.network))
        losses = self.trainer.losses.tolist()  # waits for the card
        if not all(map(math.isfinite, losses)):
            raise ZermeloError(f"the run diverged after {self.done:,} games: expected a rate below {self.training.rate:g}")

    def opinion(self, inputs: Any) -> Opinion:
        """What the network says of states."""
        logits, values = self.folded(torch.from_numpy(inputs).to(self.where))
        return logits.cpu().numpy(), values.cpu().numpy()

    # ---- files -------------------------------------------------------------------------------

    def noted(self, look: Look) -> Look:
        """Write the run and the look into the folder; the look."""
        self.save()
        self.place.add(look)
        return look

    def save_all(self) -> None:
        """Write all that a later call goes on with."""
        self.save()

    def save_now_and_then(self) -> None:
        """Write the run, if the last time is some seconds ago."""
        if time.monotonic() - self._saved > SAVED_EVERY:
            self.save()

    def save(self) -> None:
        """Write the run into its folder, each file whole or not at all."""
        from safetensors.torch import save as to_bytes

        weights = {name: tensor.float().cpu().numpy() for name, tensor in folded(self.network).items()}
        about = {"games": float(self.done), "seconds": self.seconds}
        tensors = {f"network.{name}": t for name, t in self.network.state_dict().items()}
        tensors |= self.trainer.state()
        told = about | {"learned": float(self.learned)}
        tensors |= {f"told.{name}": torch.tensor(x, dtype=torch.float64) for name, x in told.items()}
        whole = {name: t.detach().cpu().contiguous().clone() for name, t in tensors.items()}
        write_bytes(self.place.folder / TRAINER, sealed(to_bytes(whole, UNSEALED)))
        save(self.place.folder / FILE, self.shape, weights, about)
        self._saved = time.monotonic()

    def load(self) -> int:
        """Go on with what is in the folder; the games, or examples, that were learned from before."""
        path = self.place.folder / TRAINER
        if not path.exists():
            return 0
        found = read_tensors(path)
        damaged = ZermeloError(f"{path} is damaged: expected what zermelo train wrote; without it the run begins anew")
        try:
            told = {name: float(found[f"told.{name}"]) for name in ("games", "seconds", "learned")}
        except (KeyError, RuntimeError):
            raise damaged from None
        if not all(0 <= x <= MAX_COUNT for x in told.values()) or not all(map(_is_finite, found.values())):
            raise damaged
        try:
            self.network.load_state_dict({n.removeprefix("network."): t for n, t in found.items() if n.startswith("network.")})
        except RuntimeError:
            raise ZermeloError(f"{path} is of another network: expected {self.training.model}") from None
        try:
            self.trainer.resume(found)
        except (ValueError, KeyError, RuntimeError):
            raise damaged from None
        self.seconds, self.learned = told["seconds"], int(told["learned"])
        self.folded.update(folded(self.network))
        return int(told["games"])


def _is_finite(tensor: torch.Tensor) -> bool:
    return bool(tensor.isfinite().all())


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a file of a run."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        check_seal(path)
        return load_file(path)
    except (OSError, SafetensorError):
        raise ZermeloError(f"{path} is damaged: expected what zermelo train wrote; without it the run begins anew") from None


def require_gpu() -> None:
    """ZermeloError if there is no GPU, or torch does not know it."""
    device.require_gpu()
    if not torch.cuda.is_available():
        raise ZermeloError("the torch that is installed does not know the GPU: expected one with CUDA, or --device cpu")


def agreed(game: Game, training: T, place: Run, free: tuple[str, ...]) -> T:
    """What the run is trained with, once it is clear where: the same as before in a folder that is not new, but for what is free."""
    where = training.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if where == "cuda":
        require_gpu()
    if not place.is_new:
        found = place.agreed({"game": repr(game), **asdict(training)}, free=("games", "seconds", "device", "batch", *free))
        left_open = [name for name in RESUMED_SETTINGS if getattr(training, name, "") is None]
        known = {name: found.get(name) for name in left_open}
        training = type(training)(**asdict(training) | known)
    training = training.for_device(where)
    place.begin({"game": repr(game), **asdict(training)})
    return training

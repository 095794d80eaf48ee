"""A run of self-play with a guided search: rounds of playing and learning, kept in a folder that a later call goes on with.

RUN/games.safetensors      the games that are being played and the states that are remembered; without it they are played anew
"""

from __future__ import annotations

import time

import torch

from ...errors import ZermeloError
from ...game import Game
from ...system.files import write_bytes
from ...system.limits import MAX_COUNT
from ...system.tensors import UNSEALED, sealed
from ..runs import Run
from .games_run import OUTCOME_ERROR, GamesRun
from .network_run import agreed, read_tensors
from .player import GumbelPlayer, Player
from .settings import GUMBEL, STATES, ZeroTraining
from .trainer import Trainer

GAMES_FILE = "games.safetensors"
GAMES_EVERY = {"cpu": 15.0, "cuda": 240.0}  # seconds after which the games are written, which are much more than the network
FIRST_STATES = 8  # batches of states that are there before anything is learned
MOST_WRONG = 0.05  # of the games that players give up, how many they may give up by mistake
CHECKED, STEP = 200, 0.7  # games after which this is looked at; by how much closer to a sure loss they then give up
WINDOW, WINDOW_SHARE = 96, 0.3  # states of a slot that are learned from at first, and the share of those to come that are added
COUNTED = ("number", "ply", "games", "unfinished", "plies", "given_up", "doubted", "checked", "wrong", "kept", "fresh")
KEPT_FIELDS = (*COUNTED, "start")
RING = ("kept_states", "kept_visits", "kept_mover", "kept_outcome", "is_known")


FREE = ("slots", "simulations", "random_plies", "warm_plies", "resign")  # what may change when a run is gone on with


class Zero(GamesRun):
    """A run as it goes on."""

    training: ZeroTraining
    trainer: Trainer

    def __init__(self, game: Game, training: ZeroTraining, place: Run):
        if training.resign is not None and game.players != 2:
            raise ZermeloError(f"{game!r} has {game.players} players: expected no resign, for only one of two can give up")
        super().__init__(game, agreed(game, training, place, free=FREE), place)
        training, slots = self.training, self.training.slots or 1
        keep = max(64, STATES[self.where] // slots)
        kind = GumbelPlayer if training.root == GUMBEL else Player
        self.player = kind(game, self.shape, self.folded, slots, keep, self.where, training.playing(game, self.plies))
        self.trainer = Trainer(self.player.slots, self.network, training.batch or 1)
        self.spent = {"playing": 0.0, "learning": 0.0}
        #: how far from a sure loss players give up
        self._slack = self._most_slack = 0.0 if training.resign is None else 1.0 - training.resign
        self._games_saved = time.monotonic()
        self.go_on()
        self.player.slots.field("number").add_(self._earlier)  # other games than those before
        if (place.folder / GAMES_FILE).exists():
            self._load_games()
            self._count_from_here()
        self._checked, self._wrong = self.player.count("checked"), self.player.count("wrong")

    # ---- a round -----------------------------------------------------------------------------

    def learn(self) -> None:
        """A move of every game, and as many steps of learning as the states that are new are worth."""
        began = time.monotonic()
        self.player.play_round()
        steps = self.owed_steps(self.training.samples)
        played = time.monotonic()
        is_learning = self._states >= FIRST_STATES * self.trainer.batch and self.have_games_ended()
        if is_learning:
            self.network.train()
            self.trainer.learn(steps, self.rate(), self._window())
            self.take_over()
            self.learned += steps
        if self.training.resign is not None:
            self._check_giving_up()
        now = time.monotonic()
        self.spent["playing"] += played - began
        self.spent["learning"] += now - played
        self.spend(now - began, "learning" if is_learning and steps else "playing")
        if now - self._games_saved > GAMES_EVERY[self.where]:
            self.save_all()
        self.save_now_and_then()

    def _check_giving_up(self) -> None:
        """Let players give up later if too many games were given up by mistake, and sooner again, as far as was asked for, if few were."""
        checked, wrong = self.player.count("checked") - self._checked, self.player.count("wrong") - self._wrong
        if checked < CHECKED:
            return
        self._checked, self._wrong = self._checked + checked, self._wrong + wrong
        share = wrong / checked
        factor = STEP if share > MOST_WRONG else 1 / STEP if share < MOST_WRONG / 2 else 1.0
        self._slack = min(self._most_slack, factor * self._slack)
        self.player.slots.give("hopeless", self._slack - 1.0)

    def _window(self) -> int:
        """How many of its last states of a slot are learned from: those of a network that knew little are forgotten."""
        return WINDOW + int(WINDOW_SHARE * self._states / self.player.slots.count)

    # ---- files -------------------------------------------------------------------------------

    def save_all(self) -> None:
        """Write the run into its folder, with its games."""
        self._save_games()
        self.save()

    def _save_games(self) -> None:
        from safetensors.torch import save as to_bytes

        slots = self.player.slots
        slots.field("start").copy_(slots.field("states")[:, 0])
        tensors = {name: slots.field(name).cpu().contiguous() for name in (*KEPT_FIELDS, *RING)}
        tensors["kept_visits"] = tensors["kept_visits"].to(torch.int16)
        tensors["kept_outcome"] = tensors["kept_outcome"].to(torch.float32)
        tensors["kept_mover"], tensors["is_known"] = tensors["kept_mover"].to(torch.int8), tensors["is_known"].to(torch.int8)
        tensors["earlier"] = torch.tensor(self._earlier)
        write_bytes(self.place.folder / GAMES_FILE, sealed(to_bytes(tensors, UNSEALED)))
        self._games_saved = time.monotonic()

    def _load_games(self) -> None:
        slots, found = self.player.slots, read_tensors(self.place.folder / GAMES_FILE)
        if any(name not in found or found[name].shape != slots.field(name).shape for name in (*KEPT_FIELDS, *RING)):
            return  # of other slots, or an older version: new games are played
        if "earlier" not in found or not _is_sound(found, self.game.players):
            raise ZermeloError(f"{self.place.folder / GAMES_FILE} is damaged: without it the games are played anew")
        for name in (*KEPT_FIELDS, *RING):
            slots.field(name).copy_(found[name])
        self._earlier = max(int(found["earlier"]), self._earlier - self.player.count("games"))


def _is_sound(found: dict[str, torch.Tensor], players: int) -> bool:
    """Whether counts from a file can be counts, and what is learned from are numbers."""
    counts = [found[name] for name in (*COUNTED, "kept_visits", "is_known", "earlier")]
    outcome = found["kept_outcome"]
    if not bool((found["doubted"] <= players).all()):
        return False
    if not all(int(count.min()) >= 0 and int(count.max()) <= MAX_COUNT for count in counts):  # as ints: int8 cannot hold MOST
        return False
    return bool((outcome.abs() <= 1 + OUTCOME_ERROR).all())

"""A run of self-play with a guided search: rounds of playing and learning, kept in a folder that a later call goes on with.

RUN/games.safetensors      the games that are being played and the states that are remembered; without it they are played anew
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import torch

from ...errors import ZermeloError
from ...game import Game
from ...search.puct.shape import random_games
from ...search.stop import Stop
from ...system.files import write_bytes
from ..look import Look
from ..runs import Run
from .network_run import NetworkRun, agreed, read_tensors
from .player import Player
from .score import score_against_random
from .settings import STATES, ZeroTraining
from .trainer import Trainer

GAMES_FILE = "games.safetensors"
SCORED = 64  # games against random players at each look
SAVED_EVERY = 15.0  # seconds after which the network is written
GAMES_EVERY = {"cpu": 15.0, "cuda": 240.0}  # and the games, which are much more
FIRST_STATES = 8  # batches of states that are there before anything is learned
WINDOW, WINDOW_SHARE = 96, 0.3  # states of a slot that are learned from at first, and the share of those to come that are added
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


class Zero(NetworkRun):
    """A run as it goes on."""

    training: ZeroTraining
    trainer: Trainer

    def __init__(self, game: Game, training: ZeroTraining, place: Run):
        super().__init__(game, agreed(game, training, place, free=("slots", "random_plies", "warm_plies")), place)
        training, slots = self.training, self.training.slots or 1
        keep = max(64, STATES[self.where] // slots)
        self.player = Player(game, self.shape, self.folded, slots, keep, self.where, training.playing(game, plies_of(game)))
        self.trainer = Trainer(self.player.slots, self.network, training.batch or 1)
        self.spent = {"playing": 0.0, "learning": 0.0}
        self._earlier = self.load()  # games of which nothing is remembered
        if (place.folder / GAMES_FILE).exists():
            self._load_games()
        self._looked_at = self.progress
        self._looked, self._games_saved = (self.done, self.seconds), time.monotonic()
        self._states = self.player.count("kept")
        self._debt = 0.0

    @property
    def done(self) -> int:
        """Games that were played to their end."""
        return self._earlier + self.player.count("games")

    # ---- a round -----------------------------------------------------------------------------

    def play_and_learn(self) -> None:
        """A move of every game, and as many steps of learning as the states that are new are worth."""
        began = time.monotonic()
        self.player.play_round()
        states = self.player.count("kept")  # waits for the card
        played = time.monotonic()
        self._debt += (states - self._states) * self.training.samples / self.trainer.batch
        self._states = states
        if states >= FIRST_STATES * self.trainer.batch:
            count = int(self._debt)
            self.network.train()
            self.trainer.learn(count, self.rate(), self._window())
            self.take_over()
            self._debt -= count
            self.learned += count
        else:
            self._debt = min(self._debt, 1.0)
        now = time.monotonic()
        self.spent["playing"] += played - began
        self.spent["learning"] += now - played
        self.seconds += now - began
        if now - self._saved > SAVED_EVERY:
            self.player.slots.check_width()
            self.save(with_games=now - self._games_saved > GAMES_EVERY[self.where])

    def _window(self) -> int:
        """How many of its last states of a slot are learned from: those of a network that knew little are forgotten."""
        return WINDOW + int(WINDOW_SHARE * self._states / self.player.slots.count)

    # ---- looks -------------------------------------------------------------------------------

    def look(self) -> Look:
        """Score the network, and write it and the look into the folder."""
        games, ended, (before, then) = self.done, max(1, self.player.count("games")), self._looked
        policy, error = self.trainer.losses.tolist()
        if self.learned and self.player.count("games") == 0 and self.player.count("unfinished") > self.player.slots.count:
            raise ZermeloError(f"no game of {self.game!r} comes to an end: there is nothing to learn from")
        score = score_against_random(self.game, self.shape, self.opinion, SCORED, self.training.seed)
        speed = (games - before) / max(1e-9, self.seconds - then)
        self._looked, self._looked_at = (games, self.seconds), self.progress
        plies, unfinished = self.player.count("plies") / ended, self.player.count("unfinished")
        look = Look(games, self.seconds, speed, error, plies, unfinished, score.mean, score.error, policy)
        self.save(with_games=False)
        self.place.add(look)
        return look

    # ---- files -------------------------------------------------------------------------------

    def save(self, with_games: bool = False) -> None:
        """Write the run into its folder, with its games or without."""
        if with_games:
            self._save_games()
        super().save()

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

    def _load_games(self) -> None:
        slots, found = self.player.slots, read_tensors(self.place.folder / GAMES_FILE)
        if any(found[name].shape != slots.field(name).shape for name in (*KEPT_FIELDS, *RING)):
            return  # of other slots: new games are played
        for name in (*KEPT_FIELDS, *RING):
            slots.field(name).copy_(found[name])
        self._earlier = max(int(found["earlier"]), self._earlier - self.player.count("games"))


def plies_of(game: Game) -> float:
    """How long random games are, about."""
    games = random_games(game)
    return sum(map(len, games)) / len(games)

"""A run that learns from games that are being played: what was played, what is owed to it in steps of learning, how well it plays."""

from __future__ import annotations

from functools import cached_property

from ...errors import ZermeloError
from ...search.puct.shape import random_games
from ..look import Look
from .network_run import NetworkRun
from .player import Player
from .score import score_against_random
from .trainer import Trainer

OUTCOME_ERROR = 1e-6  # of a utility, as a share of its range
FIRST_SLOTS = 0.9  # of all slots, in which a game has ended before anything is learned: the first games to end are the short ones
SCORED = 64  # games against random players at each look
SCORED_PLIES = 6400  # in all these games together: fewer are played of a long game, since a ply of Go 19x19 takes 1 ms by interpreted rules


class GamesRun(NetworkRun):
    """A run as it goes on. Whoever inherits this makes `player` and `trainer`, then calls `go_on`."""

    player: Player
    trainer: Trainer

    def go_on(self) -> None:
        """Begin where the folder says that the run is."""
        self._earlier = self.load()  # games of which nothing is remembered
        self._count_from_here()

    @cached_property
    def plies(self) -> float:
        """How long random games are, about."""
        games = random_games(self.game)
        return sum(map(len, games)) / len(games)

    def _count_from_here(self) -> None:
        self.find_last_look()
        self._states, self._debt = self.player.count("kept"), 0.0

    def save(self) -> None:
        """Write the run into its folder; ZermeloError if it learned from a state with more actions than there is room for."""
        self.player.slots.check_width()
        super().save()

    @property
    def done(self) -> int:
        """Games that were played to their end."""
        return self._earlier + self.player.count("games")

    def owed_steps(self, samples: float) -> int:
        """The steps of learning that new states are worth, if each is learned from so often; what is left of one is owed the next time."""
        states = self.player.count("kept")  # waits for the card
        self._check_that_games_end()
        self._debt += (states - self._states) * samples / self.trainer.batch
        steps = int(self._debt)
        self._states, self._debt = states, self._debt - steps
        return steps

    def _check_that_games_end(self) -> None:
        """ZermeloError if every game so far was broken off."""
        if self.player.count("games") == 0 and self.player.count("unfinished") > self.player.slots.count:
            raise ZermeloError(f"no game of {self.game!r} comes to an end: there is nothing to learn from")

    def have_games_ended(self) -> bool:
        """Whether what is remembered is of games as long as they come."""
        ended = self.player.slots.field("games") + self.player.slots.field("unfinished") > 0
        return float(ended.float().mean()) >= FIRST_SLOTS

    def look(self) -> Look:
        """Score the network, and write it and the look into the folder."""
        games, ended, (before, then) = self.done, max(1, self.player.count("games")), self._looked
        policy, error = self.trainer.losses.tolist()
        if float(self.player.slots.field("kept_outcome").abs().max()) > 1 + OUTCOME_ERROR:
            span = f"{self.shape.low:g} to {self.shape.high:g}"
            raise ZermeloError(f"{self.game!r} has a utility outside {span}: write value_range in the game, and begin another run")
        scored = max(2 * self.game.players, min(SCORED, int(SCORED_PLIES / self.plies)))
        score = score_against_random(self.game, self.shape, self.opinion, scored, self.training.seed)
        speed = (games - before) / max(1e-9, self.seconds - then)
        self._looked, self._looked_at = (games, self.seconds), self.progress
        plies, unfinished = self.player.count("plies") / ended, self.player.count("unfinished")
        wrongly = self.player.count("wrong") / max(1, self.player.count("checked"))
        told = (games, self.seconds, speed, error, plies, unfinished, score.mean, score.error, policy)
        return self.noted(Look(*told, one_sided=self._one_sided(), given_up=self.player.count("given_up") / ended, wrongly=wrongly))

    def _one_sided(self) -> float:
        """The share of what is remembered that the seat won which won the most."""
        known, outcome = (self.player.slots.field(name) for name in ("is_known", "kept_outcome"))
        won = ((outcome > 0) & (known[:, :, None] > 0)).sum((0, 1))
        return float(won.max() / known.sum().clamp(min=1)) if self.game.players > 1 else 0.0

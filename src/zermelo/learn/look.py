"""A look at the progress of training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """A look at the progress of a run."""

    games: int
    seconds: float  # of training
    speed: float  # games per second since the last look
    error: float  # mean square of what values were wrong by
    plies: float  # of a game
    unfinished: int
    score: float  # what the model, without searching, gets in a game against random players
    score_error: float  # its standard error
    policy_error: float = 0.0  # cross entropy of the policy, where one is learned
    accuracy: float = 0.0  # how often the policy likes best what was played in games that it has not seen, where there are some
    one_sided: float = 0.0  # of the states that are learned from, how many are of games that one and the same seat won
    given_up: float = 0.0  # share of the games of self-play that a player gave up
    wrongly: float = 0.0  # of those that were played on all the same, the share that this player did not lose

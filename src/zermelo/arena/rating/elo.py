"""What a score is worth in Elo: differences of strength, and how sure they are.

    estimate(pentanomial).elo, .low, .high        of a match played in pairs
    elo(0.75), score(190.8)                       one from the other

The scale is logistic: a player who is d Elo stronger scores 1 / (1 + 10^(-d / 400)) a game. The games of a pair have the
opening in common and so are not independent, but pairs are: what is counted is pairs by the points of the first player in them, 0,
1/2, 1, 3/2 or 2 (the pentanomial), and the interval comes from how they vary. That is narrower than games by themselves would
give, where openings decide games. Counts may also be of single games (lost, drawn, won), or of any results with equal steps between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
STANDARD_ERRORS = NORMAL.inv_cdf(0.975)  # standard errors on either side of an interval of 95 %
PER_SIGMA = 800 / math.log(10)  # normalised Elo: how many make one standard deviation of a game


@dataclass(frozen=True)
class Estimate:
    """The mean score of the first player, the Elo difference with its interval of 95 %, how likely it is above 0, and normalised Elo.

    Normalised Elo is the distance of the score from a half in standard deviations of a game, on such a scale that it is like Elo
    where nothing is drawn. It tells how many games it takes to see a difference, whatever the share of draws.
    """

    score: float
    elo: float
    low: float
    high: float
    superiority: float
    normalised: float


def elo(score: float) -> float:
    """The difference at which this score a game is expected; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def score(elo: float) -> float:
    """The expected score per game of a player that is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Of results counted by the score in them, from 0 to 1 in equal steps."""
    n, last = sum(counts), len(counts) - 1
    mean = sum(c * i / last for i, c in enumerate(counts)) / n
    return mean, sum(c * (i / last - mean) ** 2 for i, c in enumerate(counts)) / n


def estimate(counts: Sequence[int]) -> Estimate | None:
    """The estimate from these results; None without any.

    Five counts are those of pairs. Where all results are the same, nothing varies: then each end of the interval is the most extreme
    mean with which so many equal results happen once in 40 times.
    """
    n = sum(counts)
    if n == 0:
        return None
    mean, variance = mean_and_variance(counts)
    if variance > 0:
        error = math.sqrt(variance / n)
        low, high = mean - STANDARD_ERRORS * error, mean + STANDARD_ERRORS * error
        superiority = NORMAL.cdf((mean - 0.5) / error)
        games = (len(counts) - 1) // 2  # in a result: a pair's variance is of a mean of two games
        normalised = PER_SIGMA * (mean - 0.5) / math.sqrt(games * variance)
    else:
        same = 0.025 ** (1 / n)
        low, high = mean * same, 1 - (1 - mean) * same
        superiority = 0.5 if mean == 0.5 else 1 - 0.5 ** (n + 1) if mean > 0.5 else 0.5 ** (n + 1)
        normalised = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    return Estimate(mean, elo(mean), elo(max(low, 0.0)), elo(min(high, 1.0)), superiority, normalised)

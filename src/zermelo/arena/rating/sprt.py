"""The sequential probability ratio test: a match that ends as soon as it has shown what it was to show.

H0 says that the first player is `elo0` stronger than the second, H1 that it is `elo1`. After each pair of games the log-likelihood ratio
(LLR) of the two is compared with Wald's bounds: above log((1 - beta) / alpha) H1 is accepted, below log(beta / (1 - alpha)) H0.
Then H1 is accepted with probability alpha at most where H0 holds, and H0 with probability beta at most where H1 does.

Of what pairs are made up (how many are 2-0, how many 1-1) neither hypothesis says anything, only what they score on average. So
each gets the distribution over pairs that fits best among those with its mean (Van den Bergh's generalised test, as on fishtest).
With shares p_i of the scores a_i that were seen, the best fit with mean s is

    q_i = p_i / (1 + t (a_i - s))        where t solves  sum of p_i (a_i - s) / (1 + t (a_i - s)) = 0

and LLR = n * sum of p_i log(q_i(s1) / q_i(s0)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ZermeloError
from .elo import score

UNSEEN_COUNT = 1e-3  # what stands for a count of 0: a result that was not seen yet is not impossible
EXACT = 1e-12
MOST_STEPS = 200


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses, and how often each may be given up wrongly. As text: elo0,elo1."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ZermeloError(f"expected two differences in Elo for the SPRT, the lower one first, like 0,10, not {self}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ZermeloError("expected error rates of the SPRT between 0 and 0.5")

    @staticmethod
    def read(text: str) -> Sprt:
        """The test that this text describes."""
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            raise ZermeloError(f"expected two differences in Elo for the SPRT, like 0,10, not '{text}'") from None
        return Sprt(elo0, elo1)

    def __str__(self) -> str:
        return f"{self.elo0:g},{self.elo1:g}"

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """By how much these results are likelier under H1 than under H0. Counts as in `elo.estimate`."""
        n = sum(counts)
        if n == 0:
            return 0.0
        filled = [c or UNSEEN_COUNT for c in counts]
        whole, last = sum(filled), len(counts) - 1
        shares = [(i / last, c / whole) for i, c in enumerate(filled)]
        s0, s1 = score(self.elo0), score(self.elo1)
        t0, t1 = tilt(shares, s0), tilt(shares, s1)
        return whole * sum(p * (math.log1p(t0 * (a - s0)) - math.log1p(t1 * (a - s1))) for a, p in shares)

    def verdict(self, llr: float) -> str:
        """H0, H1, or nothing while the match must go on."""
        low, high = self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else ""


def tilt(shares: Sequence[tuple[float, float]], mean: float) -> float:
    """The t of the best fit with this mean: a zero of a falling function, by Newton's steps kept between bounds that close in."""
    low, high = -1 / (shares[-1][0] - mean), 1 / (mean - shares[0][0])  # where a share would become infinite
    t = 0.0
    for _ in range(MOST_STEPS):
        value = slope = 0.0
        for a, p in shares:
            x = (a - mean) / (1 + t * (a - mean))
            value += p * x
            slope -= p * x * x
        if value > 0:
            low = t
        else:
            high = t
        after = t - value / slope
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - t) <= EXACT:
            return after
        t = after
    return t

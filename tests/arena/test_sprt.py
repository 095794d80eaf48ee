"""SPRT: its likelihoods compared with independent formulas, and its error rates."""

from __future__ import annotations

import math
import random

import pytest

from zermelo import ZermeloError
from zermelo.arena.rating.elo import mean_and_variance, score
from zermelo.arena.rating.sprt import Sprt, tilt


def test_bounds():
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=0.001)


@pytest.mark.parametrize("text", ["", "5", "10,0", "a,b", "0,10,20", "nan,5", "0,inf"])
def test_what_is_no_test_is_refused(text):
    with pytest.raises(ZermeloError, match=r"^expected .*0,10"):
        Sprt.read(text)


@pytest.mark.parametrize("counts", [[5, 20, 50, 30, 8], [0, 0, 10, 0, 3], [0, 0, 0, 0, 7], [1, 0, 0, 0, 0], [300, 1, 1, 1, 2]])
@pytest.mark.parametrize("mean", [0.4, 0.5, 0.56])
def test_the_best_fit_is_a_distribution_with_its_mean(counts, mean):
    filled = [c or 1e-3 for c in counts]
    shares = [(i / 4, c / sum(filled)) for i, c in enumerate(filled)]
    t = tilt(shares, mean)
    fitted = [(a, p / (1 + t * (a - mean))) for a, p in shares]
    assert all(q > 0 for _, q in fitted)
    assert sum(q for _, q in fitted) == pytest.approx(1)
    assert sum(a * q for a, q in fitted) == pytest.approx(mean)


def test_no_other_distribution_fits_better():
    """Against a plain search over distributions with the same mean."""
    optimize = pytest.importorskip("scipy.optimize")
    counts, test = [7, 25, 60, 33, 11], Sprt(0, 20)
    n = sum(counts)

    def best(mean):
        def badness(q):
            return -sum(c * math.log(x) for c, x in zip(counts, q, strict=True))

        fixed = [
            {"type": "eq", "fun": lambda q: sum(q) - 1},
            {"type": "eq", "fun": lambda q: sum(i / 4 * x for i, x in enumerate(q)) - mean},
        ]
        start = [c / n for c in counts]
        return -optimize.minimize(badness, start, constraints=fixed, bounds=[(1e-6, 1)] * 5, options={"ftol": 1e-12}).fun

    assert test.llr(counts) == pytest.approx(best(score(20)) - best(score(0)), abs=1e-4)


def test_many_games_agree_with_the_normal_approximation():
    counts, test = [120, 480, 900, 560, 150], Sprt(0, 5)
    mean, variance = mean_and_variance(counts)
    s0, s1 = score(0), score(5)
    assert test.llr(counts) == pytest.approx(sum(counts) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.01)


def match(draw: random.Random, test: Sprt, mean: float) -> tuple[str, int]:
    """Play a match of pairs whose games score `mean`, in openings that favour one side, until the test has decided."""
    counts = [0] * 5
    while True:
        half, bias = 0, draw.choice((-0.2, 0.0, 0.2))
        for side in (1, -1):
            x = draw.random()
            win = mean - 0.2 + side * bias  # and drawn 0.4
            half += 2 if x < win else 1 if x < win + 0.4 else 0
        counts[half] += 1
        if verdict := test.verdict(test.llr(counts)):
            return verdict, sum(counts)


@pytest.mark.parametrize(("holds", "seed"), [("H0", 1), ("H1", 2)])
def test_it_is_wrong_in_at_most_five_of_a_hundred_matches(holds, seed):
    """1,000 matches: 5 % and three standard errors of that are 7.1 %."""
    test, draw = Sprt(0, 60), random.Random(seed)
    mean = score(test.elo0 if holds == "H0" else test.elo1)
    verdicts = [match(draw, test, mean)[0] for _ in range(1000)]
    wrong = sum(v != holds for v in verdicts) / 1000
    assert 0.005 < wrong <= 0.071

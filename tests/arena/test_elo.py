"""Elo from results: the scale, the pentanomial interval, and results without variance."""

from __future__ import annotations

import math
import random

import pytest

from zermelo.arena.rating.elo import elo, estimate, mean_and_variance, score


@pytest.mark.parametrize(("points", "expected"), [(0.5, 0.0), (0.75, 190.849), (10 / 11, 400.0), (0.01, -798.25)])
def test_the_scale(points, expected):
    assert elo(points) == pytest.approx(expected, abs=0.01)
    assert score(elo(points)) == pytest.approx(points)


def test_a_score_without_losses_is_infinitely_much():
    assert elo(1.0) == math.inf and elo(0.0) == -math.inf


def test_pairs_by_hand():
    # 10 pairs: 1 lost 0-2, 2 at half a point, 4 even, 2 at 3/2, 1 won: mean 1/2, variance (2/4 + 4/16) / 10
    mean, variance = mean_and_variance([1, 2, 4, 2, 1])
    assert (mean, variance) == pytest.approx((0.5, 0.075))
    found = estimate([1, 2, 4, 2, 1])
    error = 1.959964 * math.sqrt(0.075 / 10)
    assert found.elo == 0 and found.superiority == 0.5
    assert (found.low, found.high) == pytest.approx((elo(0.5 - error), elo(0.5 + error)))


def test_openings_that_decide_games_make_the_interval_narrow():
    """White wins every game: the games vary as much as games can, the pairs not at all."""
    by_games, by_pairs = estimate([100, 0, 100]), estimate([0, 1, 98, 1, 0])
    assert by_games.high > 45 and by_pairs.high < 8


def test_normalised_elo_is_elo_where_nothing_is_drawn_and_games_are_independent():
    found = estimate([490, 0, 510])
    assert found.normalised == pytest.approx(found.elo, rel=0.01)
    # with many draws the same score is harder to come by
    assert estimate([90, 800, 110]).normalised > 2 * found.normalised


def test_results_that_are_all_the_same():
    few, many = estimate([0, 0, 0, 0, 3]), estimate([0, 0, 0, 0, 100])
    assert few.elo == many.elo == many.high == math.inf
    assert few.low < many.low < math.inf
    assert estimate([0, 0, 50, 0, 0]).low == pytest.approx(-estimate([0, 0, 50, 0, 0]).high)
    assert estimate([0] * 5) is None


def test_the_interval_holds_the_truth_in_95_of_100_matches():
    """Pairs with what they have in common: an opening that favours one side."""
    draw, held, n = random.Random(1), 0, 600
    for _ in range(n):
        counts = [0] * 5
        for _ in range(150):
            bias = draw.choice((-0.3, 0.0, 0.3))
            half = 0
            for side in (1, -1):
                win = 0.4 + side * bias  # drawn 0.2: the mean score is 1/2
                x = draw.random()
                half += 2 if x < win else 1 if x < win + 0.2 else 0
            counts[half] += 1
        found = estimate(counts)
        held += found.low <= 0 <= found.high
    assert 0.925 < held / n < 0.975

"""Ratings compared with other ways to fit them, and for players of known strength."""

from __future__ import annotations

import math
import random

import pytest

from zermelo import ZermeloError
from zermelo.arena.rating.elo import elo, score
from zermelo.arena.rating.ratings import Meeting, crosstable, meetings, rate

TRUE = {"a": 0.0, "b": 60.0, "c": 130.0, "d": 300.0, "e": -150.0}


def simulated(games: int, seed: int, drawn: float = 0.3) -> list[tuple[str, str, float]]:
    """Games between all of TRUE, of which some are drawn, so that the expected score is Elo's."""
    draw, found = random.Random(seed), []
    names = list(TRUE)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            p = score(TRUE[a] - TRUE[b])
            draws = drawn * 2 * min(p, 1 - p)
            for _ in range(games):
                x = draw.random()
                found.append((a, b, 0.5 if x < draws else 1.0 if x < draws / 2 + p else 0.0))
    return found


def iterated(met: list[Meeting]) -> dict[str, float]:
    """Bradley and Terry by Zermelo's own iteration, of 1929: strengths that are points over what games would give a unit."""
    names = sorted({name for m in met for name in (m.first, m.second)})
    strength = dict.fromkeys(names, 1.0)
    for _ in range(20_000):
        won, met_ = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        for m in met:
            both = m.games / (strength[m.first] + strength[m.second])
            met_[m.first] += both
            met_[m.second] += both
            won[m.first] += m.points
            won[m.second] += m.games - m.points
        strength = {n: won[n] / met_[n] for n in names}
        mean = math.exp(sum(math.log(x) for x in strength.values()) / len(names))
        strength = {n: x / mean for n, x in strength.items()}
    return {n: 400 * math.log10(x) for n, x in strength.items()}


@pytest.mark.parametrize("seed", range(3))
def test_within_one_elo_of_an_independent_fit(seed):
    met = meetings(simulated(200, seed))
    found = {r.name: r.rating for r in rate(met).players}
    for name, other in iterated(met).items():
        assert abs(found[name] - other) < 0.01


def test_within_one_elo_of_a_general_optimiser():
    optimize = pytest.importorskip("scipy.optimize")
    met = meetings(simulated(500, 7))
    names = sorted(TRUE)

    def badness(x):
        at = dict(zip(names, [*x, 0.0], strict=True))
        total = 0.0
        for m in met:
            p = score(at[m.first] - at[m.second])
            total -= m.points * math.log(p) + (m.games - m.points) * math.log(1 - p)
        return total

    fit = [*optimize.minimize(badness, [0.0] * (len(names) - 1), method="BFGS", options={"gtol": 1e-9}).x, 0.0]
    mean = sum(fit) / len(fit)
    found = {r.name: r.rating for r in rate(met).players}
    for name, other in zip(names, fit, strict=True):
        assert abs(found[name] - (other - mean)) < 1


def test_known_strengths_lie_in_the_intervals():
    """Of 400 intervals of 95 %, 380 should hold the truth."""
    held = 0
    middle = sum(TRUE.values()) / len(TRUE)
    for seed in range(80):
        for r in rate(meetings(simulated(40, seed))).players:
            held += abs(r.rating - (TRUE[r.name] - middle)) <= r.error
    assert 0.92 < held / 400 < 0.98


def test_two_players_are_as_far_apart_as_their_match_says():
    found = rate([Meeting("a", "b", 10, 50, 40)])
    assert found.players[0].rating - found.players[1].rating == pytest.approx(elo(0.65))
    assert not found.imagined


def test_a_player_can_be_the_anchor():
    met = meetings(simulated(100, 3))
    free, fixed = rate(met), rate(met, {"b": 1500.0})
    by_name = {r.name: r for r in fixed.players}
    assert by_name["b"].rating == 1500 and by_name["b"].error == pytest.approx(0, abs=1e-6)
    shift = {round(by_name[r.name].rating - r.rating, 6) for r in free.players}
    assert len(shift) == 1
    with pytest.raises(ZermeloError, match=r"no player 'bb'.*did you mean b"):
        rate(met, {"bb": 0.0})


def test_several_anchors_keep_their_ratings():
    """A player between opponents of known strength is where the points to be expected are the points it has."""
    anchors = {"low": 1900.0, "middle": 2100.0, "high": 2300.0}
    met = [
        Meeting("me", "low", 4, 5, 15),
        Meeting("me", "middle", 9, 6, 9),
        Meeting("me", "high", 18, 3, 3),
        Meeting("low", "high", 3, 0, 9),
    ]
    found = {r.name: r for r in rate(met, anchors).players}
    assert {name: found[name].rating for name in anchors} == pytest.approx(anchors)
    assert all(found[name].error == 0 for name in anchors)
    low, high = 1000.0, 3000.0
    while high - low > 1e-6:
        at = (low + high) / 2
        low, high = (at, high) if sum(24 * score(at - x) for x in anchors.values()) < 17.5 + 12 + 4.5 else (low, at)
    assert found["me"].rating == pytest.approx(low, abs=1e-3)
    information = sum(24 * score(low - x) * (1 - score(low - x)) for x in anchors.values())
    assert 0.5 < found["me"].error / (1.96 * 400 / math.log(10) / math.sqrt(information)) < 1  # draws make it surer
    between = rate([Meeting("me", "low", 0, 0, 6), Meeting("me", "high", 6, 0, 0)], {"low": 1900.0, "high": 2300.0})
    assert not between.imagined and between.groups == (("me", "low", "high"),)
    assert between.players[1].rating == pytest.approx(2100)


def test_who_never_lost_is_not_infinitely_strong():
    found = rate([Meeting("a", "b", 0, 0, 10), Meeting("b", "c", 2, 0, 3)])
    assert found.imagined and found.players[0].name == "a" and 0 < found.players[0].rating < 1000
    assert not rate([Meeting("a", "b", 1, 0, 10), Meeting("b", "c", 2, 0, 3)]).imagined


def test_players_who_never_met_are_in_groups():
    found = rate([Meeting("a", "b", 1, 0, 3), Meeting("c", "d", 1, 0, 1)])
    assert found.groups == (("a", "b"), ("c", "d"))
    by_name = {r.name: r.rating for r in found.players}
    assert by_name["a"] == pytest.approx(-by_name["b"]) and by_name["c"] == pytest.approx(0, abs=1e-6)


def test_nobody():
    assert rate([]).players == ()


def test_the_crosstable():
    met = [Meeting("a", "b", 1, 1, 2)]
    assert crosstable(met, ["a", "b", "c"]) == [["*", "2.5/4", ""], ["1.5/4", "*", ""], ["", "", "*"]]

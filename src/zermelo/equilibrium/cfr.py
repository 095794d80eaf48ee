"""Counterfactual regret minimisation on the sequence form: CFR, CFR+ and discounted CFR.

    for t = 1, 2, ...
        for each player p
            for each information set i of p, the last one first, with the sequences k
                v(k) = earned(k) + v of the sets that follow k
                v(i) = sum over k of sigma(k) v(k)
                R(k) = d (R(k) + v(k) - v(i))        d = up if that is positive, down if not
                S(k) = keep (S(k) + weight reach(k))
                sigma(k) = R(k) / sum of the positive R, 0 if R(k) is negative; all alike if none is positive
    the average strategy plays k in proportion to S(k)

               up                    down   keep             weight
    CFR        1                     1      1                1        Zinkevich et al., NIPS 2007
    CFR+       1                     0      1                t        Tammelin, arXiv:1407.5042
    DCFR       t^1.5 / (t^1.5 + 1)   1/2    (t / (t + 1))^2  1        Brown and Sandholm, AAAI 2019

Each player's update sees the new strategies of the players before it (alternating updates).
"""

from __future__ import annotations

import math

from ..game import Game
from .sequences import Form, add_real, earned, match_regrets, number, put_real, reach_sequences, real

CFR, PLUS, DISCOUNTED = range(3)


class Regrets(Form):
    """The record of regret minimisation."""

    method: int
    iteration: int  # done
    iterations: int  # to do
    regrets: int
    averages: int
    up: float  # what is kept of regrets above 0, and of those below
    down: float
    keep: float  # of the average
    weight: float  # of this iteration in the average


def iterate(game: Game, work: Regrets) -> int:
    """Update all players, `iterations` times; how many iterations are done in all."""
    for _ in range(work.iterations):
        work.iteration += 1
        set_discounts(work)
        for p in range(game.players):
            update(game, p, work)
            reach_sequences(p, work)
    return work.iteration


def set_discounts(work: Regrets) -> int:
    """What this iteration keeps of the earlier ones, and how much it weighs."""
    t = float(work.iteration)
    work.up, work.down, work.keep, work.weight = 1.0, 1.0, 1.0, 1.0
    if work.method == PLUS:
        work.down, work.weight = 0.0, t
    elif work.method == DISCOUNTED:
        power = t * math.sqrt(t)
        work.up, work.down = power / (power + 1.0), 0.5
        work.keep = t / (t + 1.0) * (t / (t + 1.0))
    return work.method


def update(game: Game, p: int, work: Regrets) -> int:
    """Add what player p regrets in each of its information sets, and play by it."""
    firsts, parents, sigma, reach, values = work.firsts, work.parents, work.sigma, work.reach, work.values
    regrets, averages, up, down, keep, weight = work.regrets, work.averages, work.up, work.down, work.keep, work.weight
    for i in range(work.set_begin[p + 1] - 1, work.set_begin[p] - 1, -1):
        begin, end = number(firsts, i), number(firsts, i + 1)
        mean = 0.0
        for k in range(begin, end):
            mean += real(sigma, k) * add_real(values, k, earned(game, k, work))
        add_real(values, number(parents, i), mean)
        for k in range(begin, end):
            r = real(regrets, k) + real(values, k) - mean
            put_real(regrets, k, r * (up if r > 0.0 else down))
            put_real(averages, k, keep * (real(averages, k) + weight * real(reach, k)))
            put_real(values, k, 0.0)
        match_regrets(begin, end, regrets, sigma)
    put_real(values, p, 0.0)
    return work.iteration


def begin(game: Game, work: Regrets) -> int:
    """Make the strategies that the regrets stand for, and how likely they make each sequence; the number of information sets."""
    for p in range(game.players):
        for i in range(work.set_begin[p], work.set_begin[p + 1]):
            match_regrets(number(work.firsts, i), number(work.firsts, i + 1), work.regrets, work.sigma)
        reach_sequences(p, work)
    return work.set_begin[game.players]

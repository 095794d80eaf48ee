"""Chance nodes of expectiminimax: the weights of their outcomes, and the windows and bounds by which Star1 and Star2 leave them.

`expectiminimax.py` says what they do; here is the arithmetic.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game, State
from ..rng import draw, unit
from .depth_first import INFINITE, DepthFirst
from .records import PLAYERS, PLIES, WIDTH, room


class ChanceNodes(DepthFirst):
    """The record of a search with chance nodes."""

    ours: list[int] = room(PLAYERS)  # 1 for the players who want the value high
    star: int
    low: float  # the bounds of all values
    high: float
    margin: float
    samples: int
    seed: u64
    sampled: int
    weights: list[list[float]] = room(PLIES, WIDTH)  # of the outcomes of chance
    lows: list[list[float]] = room(PLIES, WIDTH)  # what each of them is at least worth, and at most
    highs: list[list[float]] = room(PLIES, WIDTH)
    totals: list[float] = room(PLIES)  # the sum over those that were searched, and what the others add at least and at most
    least: list[float] = room(PLIES)
    most: list[float] = room(PLIES)
    alphas: list[float] = room(PLIES)  # the window of the outcome that is searched
    betas: list[float] = room(PLIES)


def begin_chance_node(game: Game, s: State, key: u64, n: int, ply: int, work: ChanceNodes) -> int:
    """Begin a chance node: write the weights of its outcomes, and what they are worth together at least and at most.

    A weight is a probability, or how often the outcome is among the samples. These are spread evenly over the
    probabilities from one random place (systematic sampling): every outcome is expected as often as it is likely, and
    the value varies less than with independent ones.
    """
    is_sampled = work.samples > 0 and n > work.samples
    place = 0.0
    if is_sampled:
        work.sampled = 1
        place = unit(draw(work.seed, key))
    work.totals[ply] = 0.0
    work.least[ply] = 0.0
    work.most[ply] = 0.0
    passed = 0.0
    taken = 0
    for i in range(n):
        w = game.probability(s, work.moves[ply][i])
        if is_sampled:
            passed += w * work.samples
            before = taken
            while taken < work.samples and (place + taken < passed or i == n - 1):
                taken += 1
            w = (taken - before) / work.samples
        work.weights[ply][i] = w
        if work.star != 0:
            work.lows[ply][i] = work.low
            work.highs[ply][i] = work.high
            work.least[ply] += w * work.low
            work.most[ply] += w * work.high
    return taken


def narrow_window(game: Game, t: State, i: int, is_try: int, alpha: float, beta: float, ply: int, work: ChanceNodes) -> bool:
    """Set the window in which outcome i, the state t, is to be searched; False if there is no need to."""
    work.alphas[ply] = -INFINITE
    work.betas[ply] = INFINITE
    w = work.weights[ply][i]
    if w == 0.0 or work.star == 0:
        return w > 0.0
    if is_try == 0:
        work.least[ply] -= w * work.lows[ply][i]
        work.most[ply] -= w * work.highs[ply][i]
        work.alphas[ply] = (alpha - work.margin - work.totals[ply] - work.most[ply]) / w
        work.betas[ply] = (beta + work.margin - work.totals[ply] - work.least[ply]) / w
        return True
    if game.is_terminal(t):
        return False
    p = game.to_move(t)
    if p == CHANCE:
        return False
    if work.ours[p] != 0:
        work.betas[ply] = (beta + work.margin - (work.least[ply] - w * work.low)) / w
        return beta < INFINITE
    work.alphas[ply] = (alpha - work.margin - (work.most[ply] - w * work.high)) / w
    return alpha > -INFINITE


def add_outcome(v: float, i: int, is_try: int, ply: int, work: ChanceNodes) -> bool:
    """Add the value of outcome i, or what a try tells of it; True if the total, now a bound, is outside the node's window.

    Bounds keep half the margin, so that they are bounds in spite of rounding.
    """
    w = work.weights[ply][i]
    if is_try == 0:
        work.totals[ply] += w * v
    elif work.betas[ply] < INFINITE:
        work.least[ply] += w * (v - work.lows[ply][i])
        work.lows[ply][i] = v
    else:
        work.most[ply] += w * (v - work.highs[ply][i])
        work.highs[ply][i] = v
    if v <= work.alphas[ply]:
        work.totals[ply] += work.most[ply] + work.margin / 2
        return True
    if v >= work.betas[ply]:
        work.totals[ply] += work.least[ply] - work.margin / 2
        return True
    return False

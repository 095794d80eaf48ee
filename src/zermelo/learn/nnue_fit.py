"""Fitting an integer network to examples: it is learned in floats, by Adam on the mean of a batch, and then rounded.

    h_p = b + sum of the rows of W whose inputs are on to player p      c = h, but at least 0 and at most 1
    o   = sigmoid(V_own c_own^2 + V_other c_other^2 + bias)             for the player who looks
    g   = mean over a batch of the gradient of the cross entropy: (o - y) by what the sigmoid is of, and so on by the chain rule
    m  <-  B1 m + (1 - B1) g        v  <-  B2 v + (1 - B2) g^2          w  <-  w - alpha m' / (sqrt(v') + EPSILON)

m' and v' are m and v divided by 1 - B1^t and 1 - B2^t (Kingma and Ba 2015). Weights are kept within what 16 bits hold (LIMIT).
All floats are one block: the weights as `nnue_model.py` lays out integers, then g, then m, then v.
"""

from __future__ import annotations

import math

from ..bits import ctz, rest, u64
from ..game import Game, State
from ..lower.memory import load
from ..lower.rows import BETA_1, BETA_2, LANES, adam, axpy, copy, dot, get, put, sigmoids, square_slopes, squares
from ..search.model.inputs import fill_planes
from ..search.model.network import looker
from ..search.model.nnue import output_phase
from ..search.model.record import Judging
from ..search.records import WORDS, room

LIMIT = 1.98  # of a weight: of an output's, 127 in units of 1 / 64


class NnueFitting(Judging):
    """The record of examples that a network learns from, or is only compared with."""

    row: list[u64] = room(WORDS)
    space: int  # floats to compute with
    states: int  # words of the states of all examples
    targets: int  # floats: shares of player 0 and player 1
    order: int  # words: the examples in the order in which they come
    first: int  # of the order
    games: int  # examples
    batch: int
    weights: int  # floats, in four parts of this size
    size: int
    rate: float
    power_1: float  # BETA_1 to the number of steps so far
    power_2: float
    compares: int  # whether nothing is learned
    stop: int
    played: int  # examples that were learned from
    steps: int
    error: float


def fit_batches(game: Game, work: NnueFitting) -> int:
    """Learn from `games` examples of the order, beginning with number `first`; how many they were."""
    while work.played < work.games and work.stop == 0:
        n = min(work.batch, work.games - work.played)
        for k in range(n):
            fit_example(game, int(load(work.order, work.first + work.played + k)), 1.0 / n, work)
        work.played += n
        if work.compares == 0:
            step_down(work)
    return work.played


def step_down(work: NnueFitting) -> int:
    """Change the weights by the gradient of the batch."""
    work.power_1 *= BETA_1
    work.power_2 *= BETA_2
    work.steps += 1
    return adam(work.size, work.weights, 0, work.size, work.rate * math.sqrt(1.0 - work.power_2) / (1.0 - work.power_1), LIMIT)


def fit_example(game: Game, example: int, share: float, work: NnueFitting) -> float:
    """Add the gradient of an example, times its share of the batch, unless it is only compared; what the output is wrong by."""
    for k in range(len(work.row)):
        work.row[k] = load(work.states, example * len(work.row) + k)
    s, width = game.unpack(work.row), game.sum_count
    view = looker(game, s)
    on = sum_rows(game, s, view, 0, work)
    sum_rows(game, s, 1 - view, width, work)
    phase = output_phase(game, s, on, work)
    out = (work.bias_row + 1 + 2 * phase) * width
    bias = (work.bias_row + 1 + 2 * work.phase_count) * width + phase
    squares(2 * width, work.space, 0, work.space, 2 * width)
    put(work.space, 6 * width, dot(2 * width, work.space, 2 * width, work.weights, out) + get(work.weights, bias))
    sigmoids(LANES, work.space, 6 * width, work.space, 6 * width)
    wrong = get(work.space, 6 * width) - get(work.targets, 2 * example + view)
    work.error += wrong * wrong
    if work.compares == 0:
        step, to = wrong * share, work.size
        copy(2 * width, work.weights, out, work.space, 4 * width)
        square_slopes(2 * width, work.space, 0, work.space, 4 * width)
        axpy(2 * width, step, work.space, 2 * width, work.weights, to + out)
        put(work.weights, to + bias, get(work.weights, to + bias) + step)
        change_rows(game, s, view, 4 * width, step, work)
        change_rows(game, s, 1 - view, 5 * width, step, work)
    return wrong


def row_number(game: Game, s: State, p: int, i: int, work: NnueFitting) -> int:
    """The row of input i of the planes that are in the record, to player p; whatever the rules say, one of them."""
    if game.has_plane_view:
        i ^= game.plane_view(s, p)
    return i if 0 <= i < work.bias_row else 0


def sum_rows(game: Game, s: State, p: int, at: int, work: NnueFitting) -> int:
    """Make the sums of player p, in scratch at this place; how many inputs are on."""
    on, width = 0, game.sum_count
    copy(width, work.weights, work.bias_row * width, work.space, at)
    n = fill_planes(game, s, 0 if game.has_plane_view else p, work)
    for k in range(n):
        bits = work.planes[k]
        while bits:
            axpy(width, 1.0, work.weights, row_number(game, s, p, 64 * k + ctz(bits), work) * width, work.space, at)
            bits = rest(bits)
            on += 1
    return on


def change_rows(game: Game, s: State, p: int, at: int, step: float, work: NnueFitting) -> int:
    """Add `step` times what is in scratch at this place to the gradient of b and of the rows that are on to player p."""
    width = game.sum_count
    axpy(width, step, work.space, at, work.weights, work.size + work.bias_row * width)
    n = fill_planes(game, s, 0 if game.has_plane_view else p, work)
    for k in range(n):
        bits = work.planes[k]
        while bits:
            row = row_number(game, s, p, 64 * k + ctz(bits), work) * width
            axpy(width, step, work.space, at, work.weights, work.size + row)
            bits = rest(bits)
    return n

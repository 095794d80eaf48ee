"""Counterfactual regret minimisation by external sampling, with linear weights.

    for t = 1, 2, ...
        for each player p:  walk(root, p)

    walk(h, p):
        if h is terminal:          utility of p
        if chance is to move:      walk(h a, p) for one action a, as likely as it is
        if another is to move:     S(k) += t sigma(k) for each action if it is the player after p
                                   walk(h a, p) for one action a, as likely as sigma has it
        if p is to move:           v(a) = walk(h a, p) for all actions, v = sum of sigma(a) v(a)
                                   R(a) += t (v(a) - v) for all actions;  v

Lanctot et al., Monte Carlo sampling for regret minimization in extensive games, NIPS 2009; linear weights: Brown and Sandholm, AAAI 2019.
"""

from __future__ import annotations

from ..bits import i64, u64
from ..game import CHANCE, Game
from ..lower.memory import load
from ..rng import split, step, unit
from ..search.records import Record
from .enumeration import CHILD, COUNT, END, NODE
from .sequences import add_real, number, put_real, real


class Sampling(Record):
    """The record of external sampling: the tree of the game, and what is known of each sequence."""

    seed: u64
    random: u64
    iteration: int  # done
    iterations: int  # to do
    nodes: int
    utilities: int  # of each end for each player
    regrets: int
    averages: int
    values: int  # of each sequence, within a walk


def sample(game: Game, work: Sampling) -> int:
    """Walk once for each player, `iterations` times; how many iterations are done in all."""
    for _ in range(work.iterations):
        work.iteration += 1
        work.random = split(work.seed, u64(work.iteration)) | u64(1)  # so that a run that goes on draws the same words
        for p in range(game.players):
            walk(game, 0, p, work)
    return work.iteration


def walk(game: Game, node: int, p: int, work: Sampling) -> float:
    """What player p gets from this node on, in a game in which all but p's actions are drawn."""
    head, first = load(work.nodes, NODE * node), number(work.nodes, NODE * node + 1)
    mover = i64(head & 255)
    if mover == END:
        return real(work.utilities, first * game.players + p)
    mover, count, child = mover - 1, i64(head >> COUNT & 0xFFFFFF), i64(head >> CHILD)
    if mover == CHANCE:
        return walk(game, child + draw_outcome(child, count, work), p, work)
    total = 0.0
    for k in range(first, first + count):
        total += max(real(work.regrets, k), 0.0)
    if mover != p:
        return walk(game, child + draw_action(game, mover, p, first, count, total, work), p, work)
    mean = 0.0
    for k in range(count):
        v = put_real(work.values, first + k, walk(game, child + k, p, work))
        mean += v * probability(first + k, count, total, work)
    for k in range(first, first + count):
        add_real(work.regrets, k, work.iteration * (real(work.values, k) - mean))
    return mean


def probability(k: int, count: int, total: float, work: Sampling) -> float:
    """How likely sequence k is in its set of this many, whose positive regrets have this sum."""
    return max(real(work.regrets, k), 0.0) / total if total > 0.0 else 1.0 / count


def draw_outcome(child: int, count: int, work: Sampling) -> int:
    """Which of the children from `child` on chance leads to."""
    work.random = step(work.random)
    x, k = unit(work.random), 0
    while k < count - 1 and x >= real(work.nodes, NODE * (child + k) + 2):
        x -= real(work.nodes, NODE * (child + k) + 2)
        k += 1
    return k


def draw_action(game: Game, mover: int, p: int, first: int, count: int, total: float, work: Sampling) -> int:
    """Which of its actions the mover takes; its average strategy is kept in the walks of the player before it."""
    is_averaged = mover == (p + 1) % game.players
    work.random = step(work.random)
    x, chosen = unit(work.random), -1
    for k in range(count):
        q = probability(first + k, count, total, work)
        if is_averaged:
            add_real(work.averages, first + k, work.iteration * q)
        x -= q
        if x < 0.0 and chosen < 0:
            chosen = k
    return chosen if chosen >= 0 else count - 1

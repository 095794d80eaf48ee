"""External sampling over buckets and betting, with linear weights.

    for t = 1, 2, ...
        deal both hands and the whole board; look up the buckets of both players in all rounds
        for each player p:  walk(root of the betting, p)

    walk(n, p):
        if n is an end:            what p gets there with these hands
        i = the bucket of the player to move in the round of n; the sequences of n and i are k
        if the other is to move:   S(k) += t sigma(k) for each action
                                   walk(child, p) for one action, as likely as sigma has it
        if p is to move:           v(k) = walk(child k, p) for all actions, v = sum of sigma(k) v(k)
                                   R(k) += t (v(k) - v) for all actions;  v

A player forgets the buckets of earlier rounds (imperfect recall), so that a thousand a round are a thousand for each node of the betting.

Lanctot et al., NIPS 2009; Waugh et al., A practical use of imperfect recall, SARA 2009; linear weights: Brown and Sandholm, AAAI 2019.
"""

from __future__ import annotations

from typing import Any

from ...bits import bit, i64, nth, popcount, u64
from ...lower.memory import load
from ...rng import below, split, step, unit
from ...search.records import room
from ..sequences import add_real, number, real
from .betting import CHILD, COUNT, DEPTH, END, LOSES, NODE, ROUND, SHARES, WIDTH, WINS
from .buckets import Lookup, bucket
from .game import HAND, ROUNDS


class Dealing(Lookup):
    """What deals and the tree of betting need."""

    seed: u64
    random: u64
    nodes: int
    ends: int
    hands: list[u64] = room(2)
    buckets: list[int] = room(2 * ROUNDS)  # of player 0 in each round, then of player 1
    outcome: int  # what happens to player 0 if nobody folds


class Sampling(Dealing):
    """The record of external sampling."""

    iteration: int  # done
    iterations: int  # to do
    regrets: int
    averages: int
    gained: float  # by player 0, with the weights of the iterations done now
    values: list[list[float]] = room(DEPTH, WIDTH)


def deal_cards(deck: u64, count: int, work: Dealing) -> u64:
    """Draw some cards of a deck."""
    drawn = u64(0)
    for _ in range(count):
        work.random = step(work.random)
        drawn |= bit(nth(deck & ~drawn, below(work.random, popcount(deck & ~drawn))))
    return drawn


def deal(game: Any, work: Dealing) -> int:
    """Deal hands and a board, and look up what they are: buckets of both players, and who has the better hand."""
    work.hands[0] = deal_cards(game.deck, HAND, work)
    work.hands[1] = deal_cards(game.deck & ~work.hands[0], HAND, work)
    board, left = u64(0), game.deck & ~(work.hands[0] | work.hands[1])
    for r in range(ROUNDS):
        board |= deal_cards(left & ~board, game.board_sizes[r] - popcount(board), work)
        for p in range(2):
            work.buckets[ROUNDS * p + r] = bucket(game, work.hands[p], board, r, work)
    x, y = game.strength(work.hands[0] | board), game.strength(work.hands[1] | board)
    work.outcome = SHARES if x == y else WINS if x > y else LOSES
    return work.outcome


def sample(game: Any, work: Sampling) -> int:
    """Deal and walk once for each player, `iterations` times; how many iterations are done in all."""
    for _ in range(work.iterations):
        work.iteration += 1
        work.random = split(work.seed, u64(work.iteration)) | u64(1)  # so that a run that goes on draws the same words
        deal(game, work)
        work.gained += walk(0, 0, 0, work)
        walk(0, 1, 0, work)
    return work.iteration


def walk(node: int, p: int, ply: int, work: Sampling) -> float:
    """What player p gets from this node on, in a game in which all but p's actions are drawn."""
    head, first = load(work.nodes, NODE * node), number(work.nodes, NODE * node + 1)
    mover = i64(head & 255)
    if mover == END:
        gain = real(work.ends, 3 * first + work.outcome)
        return gain if p == 0 else -gain
    count, child = i64(head >> COUNT & 255), i64(head >> CHILD)
    first += count * work.buckets[ROUNDS * mover + i64(head >> ROUND & 255)]
    total = 0.0
    for k in range(first, first + count):
        total += max(real(work.regrets, k), 0.0)
    if mover != p:
        for k in range(first, first + count):
            add_real(work.averages, k, work.iteration * likelihood(k, count, total, work.regrets))
        return walk(child + choose(first, count, work.regrets, work), p, ply + 1, work)
    mean = 0.0
    for k in range(count):
        work.values[ply][k] = walk(child + k, p, ply + 1, work)
        mean += work.values[ply][k] * likelihood(first + k, count, total, work.regrets)
    for k in range(count):
        add_real(work.regrets, first + k, work.iteration * (work.values[ply][k] - mean))
    return mean


def likelihood(k: int, count: int, total: float, weights: int) -> float:
    """The probability of sequence k among `count` sequences whose positive weights add up to `total`."""
    return max(real(weights, k), 0.0) / total if total > 0.0 else 1.0 / count


def choose(first: int, count: int, weights: int, work: Dealing) -> int:
    """Draw one of these sequences, in proportion to its weight above 0; all alike if none has any."""
    total = 0.0
    for k in range(first, first + count):
        total += max(real(weights, k), 0.0)
    work.random = step(work.random)
    x = unit(work.random)
    for k in range(count - 1):
        x -= likelihood(first + k, count, total, weights)
        if x < 0.0:
            return k
    return count - 1

"""Duplicate hands between two strategies: the same cards are played twice, with seats exchanged, so that luck of the deal cancels out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...bits import i64, u64
from ...lower.memory import Words, load
from ...rng import split
from ...search.prepare import prepare
from ...search.records import room
from ..sequences import number, real
from .betting import CHILD, COUNT, END, NODE, ROUND
from .boards import Array
from .game import ROUNDS
from .sampling import Dealing, choose, deal


class Duel(Dealing):
    """The record of duplicate hands."""

    deals: int
    weights: list[int] = room(2)  # of the sequences, for each strategy
    gain: float  # of the first strategy, over all deals
    squares: float


def play_deals(game: Any, work: Duel) -> int:
    """Play each deal twice; how many deals."""
    for k in range(work.deals):
        work.random = split(work.seed, u64(k)) | u64(1)
        deal(game, work)
        gain = (play_hand(0, work) - play_hand(1, work)) / 2.0
        work.gain += gain
        work.squares += gain * gain
    return work.deals


def play_hand(swap: int, work: Duel) -> float:
    """What player 0 gets if strategy `swap` has its seat, and the other that of player 1."""
    node = 0
    while i64(load(work.nodes, NODE * node) & 255) != END:
        head = load(work.nodes, NODE * node)
        mover, count = i64(head & 255), i64(head >> COUNT & 255)
        first = number(work.nodes, NODE * node + 1) + count * work.buckets[ROUNDS * mover + i64(head >> ROUND & 255)]
        node = i64(head >> CHILD) + choose(first, count, work.weights[mover ^ swap], work)
    return real(work.ends, 3 * number(work.nodes, NODE * node + 1) + work.outcome)


@dataclass(frozen=True)
class Winnings:
    """What a strategy wins a hand, and the standard error of that."""

    deals: int
    mean: float
    error: float


def duel(game: Any, fields: dict[str, Any], first: Array, second: Array, deals: int, seed: int) -> Winnings:
    """What weights of sequences win from others in duplicate hands; `fields` are those of the tree of betting and of the buckets."""
    tables = [Words.of(weights, False) for weights in (first, second)]
    work = prepare(game, play_deals, Duel, False)(**fields, weights=[words.table for words in tables], deals=deals, seed=seed)
    mean = work.gain / deals
    return Winnings(deals, mean, math.sqrt(max(work.squares / deals - mean * mean, 0.0) / deals))

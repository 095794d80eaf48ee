"""A best response to a strategy over buckets, learned by sampling: what players who see the same buckets can win from it.

Where players forget earlier buckets, no exact best response is quick to find. What the learned one is measured to win is a lower bound of
the exploitability, the higher the longer it learned. It begins as the strategy itself, which it loses nothing to.
"""

from __future__ import annotations

import time

import numpy as np

from ...lower.memory import Words
from ...search.prepare import prepare
from .boards import Array
from .sampling import Sampling, sample
from .solve import PART
from .strategy import CardTable


VISITS = 20  # of an information set, that the strategy itself counts as
CHIPS = 10.0  # and what one of them may regret
WEIGHT = 10_000_000  # of the first iteration, so that later ones hardly weigh more


def learn_response(table: CardTable, averages: Array, seconds: float, seed: int) -> Array:
    """Weights of sequences by which both seats play well against these averages, learned for some seconds."""
    prior = VISITS * CHIPS * WEIGHT * likelihoods(table, averages)
    fixed, regrets, iteration, speed = Words.of(averages, False), Words.of(prior, False), WEIGHT, 100.0
    table.buckets.keep_scores()
    step, end = prepare(table.game, sample, Sampling, False), time.perf_counter() + seconds
    while (now := time.perf_counter()) < end:
        part = max(1, int(speed * min(PART, end - now)))
        step(
            **table.fields,
            regrets=regrets.table,
            averages=fixed.table,
            is_fixed=1,
            iteration=iteration,
            iterations=part,
            seed=seed,
        )
        iteration, speed = iteration + part, min(part / max(time.perf_counter() - now, 1e-9), 4 * speed)
    return regrets.array.view("<f8").copy()


def likelihoods(table: CardTable, averages: Array) -> Array:
    """How likely each sequence is in its information set."""
    found = np.zeros(table.sequences)
    for i, node in enumerate(table.tree.nodes):
        if node.actions:
            span = slice(int(table.firsts[i]), int(table.firsts[i + 1]))
            weights = averages[span].reshape(-1, len(node.actions))
            total = weights.sum(axis=1, keepdims=True)
            found[span] = np.where(total > 0, weights / np.where(total > 0, total, 1.0), 1.0 / len(node.actions)).ravel()
    return found

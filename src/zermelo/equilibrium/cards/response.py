"""A best response to a strategy over buckets, learned by sampling: what players who see the same buckets can win from it.

Where players forget earlier buckets, no exact best response is quick to find. What the learned one is measured to win is a lower bound of
the exploitability, the higher the more it learned. It begins as the strategy itself, which it loses nothing to.
"""

from __future__ import annotations

import numpy as np

from ...lower.memory import Words
from ...search.prepare import prepare
from .boards import Array
from .sampling import Sampling, sample
from .strategy import CardTable

VISITS = 20  # of an information set, that the strategy itself counts as
CHIPS = 10.0  # and what one of them may regret
WEIGHT = 10_000_000  # of the first iteration, so that later ones hardly weigh more


def learn_response(table: CardTable, averages: Array, iterations: int, seed: int) -> Array:
    """Weights of sequences by which both seats play well against these averages, learned in some iterations."""
    prior = VISITS * CHIPS * WEIGHT * likelihoods(table, averages)
    fixed, regrets = Words.of(averages, False), Words.of(prior, False)
    table.buckets.keep_scores()
    given = {"regrets": regrets.table, "averages": fixed.table, "is_fixed": 1, "iteration": WEIGHT, "seed": seed}
    prepare(table.game, sample, Sampling, False)(**table.fields, **given, iterations=iterations)
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

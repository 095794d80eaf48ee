"""A best response to a strategy over buckets, learned by sampling: what players who see the same buckets can win from it.

Where players forget earlier buckets, no exact best response is quick to find. What the learned one is measured to win is a lower bound of
the exploitability, the higher the longer it learned.
"""

from __future__ import annotations

import time

from ...lower.memory import Words
from ...search.prepare import prepare
from .boards import Array
from .sampling import Sampling, sample
from .solve import PART
from .strategy import CardTable


def learn_response(table: CardTable, averages: Array, seconds: float, seed: int) -> Array:
    """Weights of sequences by which both seats play well against these averages, learned for some seconds."""
    fixed, regrets, iteration, speed = Words.of(averages, False), Words(table.sequences, False), 0, 100.0
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

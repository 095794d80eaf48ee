"""Virtual loss: a path whose leaf is still being judged counts as visited and lost, so that others look elsewhere."""

from __future__ import annotations

from typing import Any

from ...bits import i64
from ...game import Game
from ...lower.memory import load, store, to_real, to_word
from .tree import ABOUT, BONUS, LOW, MEAN, PROVEN, WORDS, bonus_of


def lose(loss: float, work: Any) -> int:
    """Every node of the path counts a visit that gave `-loss` to the player who chose it."""
    for d in range(work.depth + 1):
        at = WORDS * work.path[d]
        visits = (load(work.pool, at + BONUS) & LOW) + 1
        if load(work.pool, at + ABOUT) & 0xFF == PROVEN:
            store(work.pool, at + BONUS, visits)
        else:
            mean = to_real(load(work.pool, at + MEAN))
            store(work.pool, at + MEAN, to_word(mean - (loss + mean) / float(visits)))
            store(work.pool, at + BONUS, bonus_of(work.path[d], visits, work))
    return work.depth


def settle(game: Game, loss: float, work: Any) -> int:
    """Back-propagation: the visits are there already; what the simulation gave takes the place of the loss.

    Where a thread's write is lost on the way in or out, the mean is off by less than two utilities in `visits`, to either side
    equally often, and forgets it like an early visit.
    """
    work.simulations += 1
    work.deepest = max(work.deepest, work.depth)
    for p in range(game.players):
        work.sums[work.path[1] - 1][p] += work.utility[p]
    for d in range(work.depth + 1):
        at = WORDS * work.path[d]
        about = load(work.pool, at + ABOUT)
        if about & 0xFF != PROVEN:
            visits = float(load(work.pool, at + BONUS) & LOW)
            mean = to_real(load(work.pool, at + MEAN)) + (work.utility[i64(about >> 8 & 0xFF)] + loss) / max(visits, 1.0)
            store(work.pool, at + MEAN, to_word(mean))
    return work.depth


def take_back(loss: float, work: Any) -> int:
    """There was no such simulation after all."""
    for d in range(work.depth + 1):
        at = WORDS * work.path[d]
        visits = load(work.pool, at + BONUS) & LOW
        if visits > 1 and load(work.pool, at + ABOUT) & 0xFF != PROVEN:
            mean = to_real(load(work.pool, at + MEAN))
            store(work.pool, at + MEAN, to_word(mean + (mean + loss) / (float(visits) - 1.0)))
            store(work.pool, at + BONUS, bonus_of(work.path[d], visits - 1, work))
        elif visits == 1:
            store(work.pool, at + MEAN, to_word(work.urgency))
            store(work.pool, at + BONUS, to_word(work.first))
            if work.priors > 0:
                store(work.pool, at + BONUS, load(work.pool, work.priors + work.path[d]) & ~LOW)
    return work.depth

"""Virtual loss: a path whose leaf is still being judged counts as visited and lost, so that others look elsewhere."""

from __future__ import annotations

from ...game import Game
from ...lower.memory import store, to_word
from .node import (
    BONUS,
    NODE_WORDS,
    PROVEN,
    add_to_mean,
    chooser,
    mean_of,
    packed_of,
    prior_of,
    set_mean,
    set_prior,
    set_visits,
    set_visits_without_bonus,
    status,
    visits_of,
)
from .record import TreeRecord


def lose(loss: float, top: int, work: TreeRecord) -> int:
    """Every node of the path from depth `top` on counts a visit that gave `-loss` to the player who chose it."""
    for d in range(top, work.depth + 1):
        node = work.path[d]
        visits = visits_of(node, work) + 1
        if status(packed_of(node, work)) == PROVEN:
            set_visits_without_bonus(node, visits, work)
        else:
            add_to_mean(node, -loss, visits, work)
            set_visits(node, visits, work)
    return work.depth


def settle(game: Game, loss: float, top: int, work: TreeRecord) -> int:
    """Back-propagation: from depth `top` on the visits are there already; what the simulation gave takes the place of the loss.

    Where a thread's write is lost on the way in or out, the mean is off by less than two utilities in `visits`, to either side
    equally often, and forgets it like an early visit.
    """
    work.simulations += 1
    work.deepest = max(work.deepest, work.depth)
    for p in range(game.players):
        work.sums[work.path[1] - 1][p] += work.utility[p]
    for d in range(top, work.depth + 1):
        node = work.path[d]
        packed = packed_of(node, work)
        if status(packed) != PROVEN:
            visits = float(visits_of(node, work))
            set_mean(node, mean_of(node, work) + (work.utility[chooser(packed)] + loss) / max(visits, 1.0), work)
    return work.depth


def take_back(loss: float, top: int, work: TreeRecord) -> int:
    """There was no such simulation after all."""
    for d in range(top, work.depth + 1):
        node = work.path[d]
        visits = visits_of(node, work)
        if visits > 1 and status(packed_of(node, work)) != PROVEN:
            mean = mean_of(node, work)
            set_mean(node, mean + (mean + loss) / (float(visits) - 1.0), work)
            set_visits(node, visits - 1, work)
        elif visits == 1:
            set_mean(node, work.urgency, work)
            store(work.pool, NODE_WORDS * node + BONUS, to_word(work.first_bonus))
            if work.priors > 0:
                set_prior(node, prior_of(node, work), work)
    return work.depth

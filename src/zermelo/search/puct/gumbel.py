"""Gumbel's root: which action a search looks at next is decided by halving (Danihelka and others, 2022), below the root by PUCT.

    each action k of the root draws g(k) from the Gumbel distribution
    score(k) = g(k) + logit(k),  and once it was tried  + sigma(Q(k)),  sigma(q) = (C_VISIT + the most visits) * C_SCALE * (1 + q) / 2
    HALVING of n simulations among the m actions of the greatest score:
        in each of log2(m) phases every action that is left is tried equally often, in all n / log2(m) times
        then those of the greater score, half of them, are left
    take the action of the greatest score of those tried most often

    IMPROVED POLICY = softmax(logit(k) + sigma(Q(k))), with the value of the root for Q(k) where k was never tried

The action that is taken is at least as good as one drawn from the policy, in expectation, however few the simulations are, as long as the
values are right; the improved policy is what the network learns. Of the actions that were tried as often as the plan says, the next one is
that of the greatest score: this is the halving, without a list of who is left.
"""

from __future__ import annotations

import math

from ...bits import u64
from ...game import Game
from ...lower.lanes import lane, sync
from ...rng import draw, unit
from ..records import WIDTH, room
from .exponential import exponential
from .puct import search_on, take_answer
from .record import NEVER, NO_LEAF, NODES, Tree

C_VISIT, C_SCALE = 50.0, 1.0
SHARES = 1 << 14  # what the shares of an improved policy add up to, about, as whole numbers
BELOW_ALL = -1.0e300


class GumbelTree(Tree):
    """The record of a search with Gumbel's root."""

    considered: int  # m
    luck: u64  # the random words of g
    root_prior: list[float] = room(WIDTH)  # below 0 where an edge may not be taken
    drawn: list[float] = room(WIDTH)  # g + logit
    plan: list[int] = room(NODES)  # how often the edge that each simulation tries was tried before


def advance_gumbel(game: Game, work: GumbelTree) -> int:
    """Like `advance`, with the root's next edge decided before every simulation; of such a record `most_ends` is 1."""
    if work.leaf == NO_LEAF:
        return 0
    if take_answer(game, work) == 0:
        begin_halving(work)
    point_to_next(work)
    return search_on(game, work)


def begin_halving(work: GumbelTree) -> int:
    """Draw for each edge of the root, and plan; how many edges may be taken."""
    free = 0
    for k in range(work.count[0]):
        free += 1 if work.prior[0][k] >= 0.0 else 0
    sync()
    if lane() == 0:
        for k in range(work.count[0]):
            u = 1.0 - unit(draw(work.luck, u64(k)))  # above 0
            work.root_prior[k] = work.prior[0][k]
            work.drawn[k] = logit(k, work) - math.log(1.0e-9 - math.log(u))
        make_plan(max(1, min(work.considered, free)), work)
    sync()
    return free


def make_plan(left: int, work: GumbelTree) -> int:
    """Write how often the edge of each simulation was tried before, if so many edges are left at first; how many simulations there are."""
    phases, most = 1, 2
    while most < left:
        most *= 2
        phases += 1
    i, visits, total = 0, 0, min(work.simulations, len(work.plan))
    while i < total:
        for _ in range(max(1, work.simulations // (phases * left))):
            for _ in range(left):
                if i < total:
                    work.plan[i] = visits
                    i += 1
            visits += 1
        left = max(2, left // 2) if left > 1 else 1
    return total


def point_to_next(work: GumbelTree) -> int:
    """Let PUCT take the edge of the root that the next simulation is to try, if there is a next one; the edge."""
    k = 0
    if work.visited[0] < work.simulations:
        k = best_of(work.plan[min(work.visited[0], len(work.plan) - 1)], work)
        sync()
        if lane() == 0:
            for i in range(work.count[0]):
                work.prior[0][i] = 1.0 if i == k else NEVER
    sync()
    return k


def final_edge(work: GumbelTree) -> int:
    """The edge of the root to take, when the search is over."""
    return best_of(most_visits(work), work)


def best_of(visits: int, work: GumbelTree) -> int:
    """Of the edges of the root that were tried so often, the one of the greatest score."""
    best, chosen, most = BELOW_ALL, 0, most_visits(work)
    for k in range(work.count[0]):
        if work.visits[0][k] == visits and work.root_prior[k] >= 0.0:
            x = work.drawn[k]
            if visits > 0:
                x += sigma(value_of(k, work), most)
            if x > best:
                best, chosen = x, k
    return chosen


def logit(k: int, work: GumbelTree) -> float:
    """What the network says of an edge of the root."""
    return math.log(max(work.root_prior[k], 1.0e-30))


def value_of(k: int, work: GumbelTree) -> float:
    """Q of an edge of the root that was tried."""
    return work.total[0][k] / float(work.visits[0][k])


def most_visits(work: GumbelTree) -> int:
    """How often the edge of the root that was tried most was tried."""
    most = 0
    for k in range(work.count[0]):
        most = max(most, work.visits[0][k])
    return most


def sigma(q: float, most: int) -> float:
    """What a value is worth beside logits."""
    return (C_VISIT + float(most)) * C_SCALE * 0.5 * (1.0 + q)


# ---- the improved policy ---------------------------------------------------------------------


def improve(work: GumbelTree) -> int:
    """Put the improved policy in the place of the root's visits, as whole numbers; the number of edges."""
    count, most, mean = work.count[0], most_visits(work), root_value(work)
    sync()
    if lane() == 0:
        largest, total = BELOW_ALL, 0.0
        for k in range(count):
            q = value_of(k, work) if work.visits[0][k] > 0 else mean
            work.drawn[k] = logit(k, work) + sigma(q, most)
            largest = max(largest, work.drawn[k])
        for k in range(count):
            work.drawn[k] = exponential(work.drawn[k] - largest)
            total += work.drawn[k]
        for k in range(count):
            work.visits[0][k] = int(0.5 + SHARES * work.drawn[k] / total)
    sync()
    return count


def root_value(work: GumbelTree) -> float:
    """What the root is worth to who moves: the mean of the edges that were tried, weighted by their priors."""
    weight, value = 0.0, 0.0
    for k in range(work.count[0]):
        if work.visits[0][k] > 0:
            weight += work.root_prior[k]
            value += work.root_prior[k] * value_of(k, work)
    return value / weight if weight > 0.0 else 0.0

"""k-means on histograms: clusters of points whose cumulative histograms are near to each other.

    centres = k points, each as likely as the square of its distance to those before it        k-means++
    repeat
        assign each point to its nearest centre
        each centre = mean of its points

The distance of cumulative histograms sees how far apart bins are, as the earth mover's distance does, and yet has means. Centres are sorted
by their sums: the square of the distance of one whose sum differs by g is at least g^2 / BINS (Cauchy and Schwarz), so few are looked at.

Arthur and Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bits import i64, u64
from ...game import Game
from ...lower.memory import Words, load, store
from ...search.prepare import prepare
from ...search.records import Record, room
from ..sequences import real
from .boards import Array
from .equities import BIN_WORDS, BINS

ITERATIONS = 12
POINTS_A_CENTRE = 60  # that are drawn to find centres


class Clusters(Record):
    """The record of `assign`."""

    points: int  # histograms
    begin: int
    end: int
    centres: int  # BINS floats each, cumulative
    sums: int  # of each centre, ascending
    centre_count: int
    found: int  # the cluster of each point, four to a word
    x: list[float] = room(BINS)


def assign(game: Game, work: Clusters) -> int:
    """Find the nearest centre of each point; how many points."""
    for i in range(work.begin, work.end):
        if cumulate(i, work) > 0.0:
            store(work.found, i // 4, load(work.found, i // 4) | u64(nearest(work)) << 16 * (i % 4))
    return work.end - work.begin


def cumulate(i: int, work: Clusters) -> float:
    """Make x the cumulative histogram of point i; how many there are in the histogram."""
    total = 0.0
    for k in range(BINS):
        total += float(i64(load(work.points, BIN_WORDS * i + k // 4) >> 16 * (k % 4) & 0xFFFF))
        work.x[k] = total
    if total > 0.0:
        for k in range(BINS):
            work.x[k] /= total
    return total


def nearest(work: Clusters) -> int:
    """The centre that is nearest to x."""
    total = 0.0
    for k in range(BINS):
        total += work.x[k]
    up = first_above(total, work)
    down, chosen, best = up - 1, 0, 1.0e300
    while up < work.centre_count or down >= 0:
        above = real(work.sums, up) - total if up < work.centre_count else 1.0e300
        below = total - real(work.sums, down) if down >= 0 else 1.0e300
        gap = min(above, below)
        if gap * gap >= best * BINS:
            return chosen
        i = up if above <= below else down
        if above <= below:
            up += 1
        else:
            down -= 1
        d = distance(i, work)
        if d < best:
            best, chosen = d, i
    return chosen


def first_above(total: float, work: Clusters) -> int:
    """The first centre whose sum is not below this one."""
    low, high = 0, work.centre_count
    while low < high:
        middle = (low + high) // 2
        if real(work.sums, middle) < total:
            low = middle + 1
        else:
            high = middle
    return low


def distance(i: int, work: Clusters) -> float:
    """The square of the distance of x to centre i."""
    total = 0.0
    for k in range(BINS):
        d = work.x[k] - real(work.centres, BINS * i + k)
        total += d * d
    return total


def assigned(game: Game, points: Words, count: int, centres: Array, interpreted: bool = False) -> Array:
    """The nearest of sorted centres for each of `count` histograms; 0 for empty ones."""
    kept, sums = Words.of(centres, interpreted), Words.of(centres.sum(axis=1), interpreted)
    found = Words((count + 3) // 4, interpreted)
    prepare(game, assign, Clusters, interpreted)(
        points=points.table, end=count, centres=kept.table, sums=sums.table, centre_count=len(centres), found=found.table
    )
    return found.read(0, (count + 3) // 4).copy().view("<u2")[:count]


def cumulative(points: Array) -> Array:
    """Rows of histogram words as cumulative histograms that end at 1."""
    counts = points.view("<u2").reshape(len(points), BINS).astype(np.float64)
    found: Array = np.cumsum(counts, axis=1)
    return found / found[:, -1:]


def first_centres(x: Array, k: int, chooser: np.random.Generator) -> Array:
    """At most k of the points, far from each other."""
    chosen = [int(chooser.integers(len(x)))]
    left = np.full(len(x), np.inf)
    while len(chosen) < k:
        left = np.minimum(left, ((x - x[chosen[-1]]) ** 2).sum(axis=1))
        total = left.sum()
        if total <= 1e-12:
            break
        chosen.append(int(np.searchsorted(np.cumsum(left), chooser.random() * total)))
    return x[np.minimum(chosen, len(x) - 1)]


def centres_of(game: Game, points: Array, k: int, chooser: np.random.Generator, interpreted: bool = False) -> Array:
    """At most k centres of these rows of histogram words, sorted by their sums."""
    x, words = cumulative(points), Words.of(points, interpreted)
    centres = first_centres(x, k, chooser)
    for _ in range(ITERATIONS):
        centres = centres[np.argsort(centres.sum(axis=1), kind="stable")]
        found = assigned(game, words, len(points), centres, interpreted)
        sizes = np.bincount(found, minlength=len(centres))
        means = np.stack([np.bincount(found, x[:, b], len(centres)) for b in range(BINS)], axis=1)
        centres = np.where(sizes[:, None] > 0, means / np.maximum(sizes, 1)[:, None], centres)
    return centres[np.argsort(centres.sum(axis=1), kind="stable")]


def line_clusters(weights: Array, k: int) -> Array:
    """The cluster of each number 0, 1, ..., which has this weight, of at most k: k-means on a line."""
    at, known = np.arange(len(weights), dtype=np.float64), weights > 0
    dense = np.cbrt(weights)  # how dense centres are for many of them
    found = np.minimum(((np.cumsum(dense) - dense / 2) * k / max(dense.sum(), 1e-300)).astype(np.int64), k - 1)
    for _ in range(ITERATIONS):
        found = np.unique(found, return_inverse=True)[1]
        sums, masses = np.bincount(found[known], (at * weights)[known]), np.bincount(found[known], weights[known])
        means = (sums / np.maximum(masses, 1e-300))[masses > 0]
        found = np.searchsorted((means[1:] + means[:-1]) / 2, at)
    clusters: Any = np.unique(found, return_inverse=True)[1]
    return np.asarray(clusters, np.int64)

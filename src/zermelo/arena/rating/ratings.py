"""Ratings: the strengths under which what happened was likeliest, on the scale of Elo.

A player rated d above another is expected to score 1 / (1 + 10^(-d / 400)) against him, a draw being half a point. The ratings are those at
which every player's expected points are its points: the maximum of the likelihood of Bradley and Terry, where a draw is
half a game won and half a game lost. (In Davidson's model, which has a parameter for draws, the same score is worth more Elo the
more is drawn. Here a list of two players says what `rating/elo.py` says of their match.)

The intervals are those of 95 %, from the Fisher information times the dispersion: the part of a game's variance without draws,
p (1 - p), that the games really had.

Only differences can be known. So the mean is 0, or some players, the anchors, keep given ratings, and the others are found
from their games. Players of whom none has won anything from the others would be infinitely apart: then, and only then, each who met
is thought to have drawn one game more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import ZermeloError, nearest
from .elo import STANDARD_ERRORS

SCALE = 400 / math.log(10)  # Elo to a unit of the logistic curve
CLOSE = 1e-10
MOST_STEPS = 100


@dataclass(frozen=True)
class Meeting:
    """What one player made of the games with another: lost, drawn, won."""

    first: str
    second: str
    lost: int
    drawn: int
    won: int

    @property
    def games(self) -> int:
        return self.lost + self.drawn + self.won

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2


@dataclass(frozen=True)
class Rated:
    """A player with its rating, how far the truth may be on either side (95 %), points and games."""

    name: str
    rating: float
    error: float
    points: float
    games: int


@dataclass(frozen=True)
class Ratings:
    """Players, the best first; whether draws had to be thought up; groups of players who never met those of another group."""

    players: tuple[Rated, ...]
    imagined: bool
    groups: tuple[tuple[str, ...], ...]


def meetings(results: Iterable[tuple[str, str, float]]) -> list[Meeting]:
    """Single games, each as its players and the points of the first (0, 1/2 or 1), counted by pair."""
    counted: dict[tuple[str, str], list[int]] = {}
    for first, second, points in results:
        (a, b), x = ((first, second), points) if first <= second else ((second, first), 1 - points)
        counted.setdefault((a, b), [0, 0, 0])[round(2 * x)] += 1
    return [Meeting(a, b, *n) for (a, b), n in counted.items()]


def rate(met: Sequence[Meeting], anchors: Mapping[str, float] | None = None) -> Ratings:
    """The ratings of all who met. `anchors`: players and what they are rated; without any the mean is 0."""
    met = [m for m in met if m.games and m.first != m.second]
    names = list(dict.fromkeys(name for m in met for name in (m.first, m.second)))
    anchors = anchors or {}
    for name in anchors:
        if name not in names:
            raise ZermeloError(f"there is no player '{name}' in the games{nearest(name, names)}: expected one of {', '.join(names)}")
    if not names:
        return Ratings((), False, ())
    place = {name: i for i, name in enumerate(names)}
    n = len(names)
    games, points = np.zeros((n, n)), np.zeros((n, n))
    for m in met:
        i, j = place[m.first], place[m.second]
        games[i, j] += m.games
        games[j, i] += m.games
        points[i, j] += m.points
        points[j, i] += m.games - m.points
    told = np.array([anchors.get(name, math.nan) / SCALE for name in names])
    known = ~np.isnan(told)
    tied = known[:, None] & known[None, :]  # anchors compare without having met
    groups = components((games > 0) | tied)
    imagined = len(components(_mutual((points > 0) | tied))) > len(groups)
    fitted = games + (games > 0) if imagined else games
    strength = _fit(fitted, points + (games > 0) / 2 if imagined else points, told)
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    free = np.ix_(~known, ~known)
    variance = np.zeros(n)
    variance[~known] = np.diag(np.linalg.pinv(_information(fitted, expected)[free], hermitian=True))
    variance *= min(1.0, _dispersion(met, place, expected))
    rated = []
    for name, i in place.items():
        error = STANDARD_ERRORS * SCALE * math.sqrt(max(float(variance[i]), 0.0))
        rated.append(Rated(name, SCALE * float(strength[i]), error, float(points[i].sum()), int(games[i].sum())))
    rated.sort(key=lambda r: (-r.rating, r.name))
    return Ratings(tuple(rated), imagined, tuple(tuple(names[i] for i in group) for group in groups))


Matrix = npt.NDArray[np.float64]


def _fit(games: Matrix, points: Matrix, told: Matrix) -> Matrix:
    """The strengths at which everybody's expected points are its points, except those that are given, by Newton's steps of at most 2 units.

    Where none is told their mean is 0.
    """
    free = np.isnan(told)
    strength = np.where(free, 0.0 if free.all() else np.nanmean(told), told)
    for _ in range(MOST_STEPS if free.any() else 0):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        missing = (points - games * expected).sum(axis=1)[free]
        step = np.linalg.pinv(_information(games, expected)[np.ix_(free, free)], hermitian=True) @ missing
        largest = float(np.abs(step).max())
        strength[free] += step * min(1.0, 2.0 / max(largest, CLOSE))
        if largest < CLOSE:
            break
    return strength


def _information(games: Matrix, expected: Matrix) -> Matrix:
    """Fisher's information matrix of the strengths."""
    told = games * expected * (1 - expected)
    return np.asarray(np.diag(told.sum(axis=1)) - told)


def _dispersion(met: Sequence[Meeting], place: Mapping[str, int], expected: Matrix) -> float:
    """The variance of games around what was expected, as a part of what it were without draws."""
    seen = whole = 0.0
    for m in met:
        p = float(expected[place[m.first], place[m.second]])
        seen += m.lost * p * p + m.drawn * (0.5 - p) ** 2 + m.won * (1 - p) ** 2
        whole += m.games * p * (1 - p)
    return seen / whole


def _mutual(beats: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which players have, directly or by way of others, taken points from each other."""
    reached = beats | np.eye(len(beats), dtype=bool)
    for k in range(len(beats)):
        reached |= reached[:, k : k + 1] & reached[k : k + 1, :]
    return reached & reached.T


def components(joined: npt.NDArray[np.bool_]) -> list[list[int]]:
    """The groups of a symmetric relation that have nothing to do with each other."""
    left, groups = set(range(len(joined))), []
    while left:
        group, todo = set[int](), [min(left)]
        while todo:
            i = todo.pop()
            if i not in group:
                group.add(i)
                todo += map(int, np.flatnonzero(joined[i]))
        groups.append(sorted(group))
        left -= group
    return groups


def crosstable(met: Sequence[Meeting], names: Sequence[str]) -> list[list[str]]:
    """For each of these players a row: the points against each of the others, of how many games."""
    points: dict[tuple[str, str], tuple[float, int]] = {}
    for m in met:
        for pair, x in (((m.first, m.second), m.points), ((m.second, m.first), m.games - m.points)):
            before = points.get(pair, (0.0, 0))
            points[pair] = before[0] + x, before[1] + m.games
    told = {pair: f"{x:g}/{n}" for pair, (x, n) in points.items()}
    return [["*" if a == b else told.get((a, b), "") for b in names] for a in names]

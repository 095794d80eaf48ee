"""Bear-offs of both sides with the doubling cube, exactly, by a recursion that shares nothing with the package's cube.

    R(i, j, o) = mean over rolls of the most over plays of 1 if all men are off, else -U(j, i', o seen by the other)    i, o on roll
    U(i, j, o) = R(i, j, o)                                     where the other owns the cube
                 max(R(i, j, o), min(1, 2 R(i, j, other's)))    elsewhere: double if that is worth more, and drop if a take costs more

in units of the cube. `python tests/games/cubeful_bearoff.py 6` compares Janowski's formulas with it for each efficiency of the cube.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations_with_replacement

import numpy as np

CENTRE, MINE, OTHERS = 0, 1, 2
SEEN_BY_OTHER = (CENTRE, OTHERS, MINE)
ROLLS = [(x, y) for x in range(1, 7) for y in range(1, x + 1)]
WEIGHTS = np.array([1 / 36 if x == y else 1 / 18 for x, y in ROLLS])
Side = tuple[int, ...]  # the points of the men


@cache
def after(side: Side, dice: Side) -> frozenset[Side]:
    """The sides that a play leads to: every die in some order, as far as there are men; a man is borne off by a larger die from behind."""
    if not dice or not side:
        return frozenset([side])
    found: set[Side] = set()
    for k in {dice.index(d) for d in dice}:
        die, left = dice[k], dice[:k] + dice[k + 1 :]
        for point in set(side):
            if point > die or point == die or point == max(side):
                men = list(side)
                men.remove(point)
                if point > die:
                    men.append(point - die)
                found |= after(tuple(sorted(men)), left)
    return frozenset(found)


def sides_of(men: int) -> list[Side]:
    """All sides of at most so many men at home, those first that others lead to."""
    found = [side for n in range(men + 1) for side in combinations_with_replacement(range(1, 7), n)]
    return sorted(found, key=lambda side: (sum(side), side))


def solve(men: int) -> tuple[list[Side], np.ndarray, np.ndarray, np.ndarray]:
    """The sides; U and R by owner, i and j; and the same without a cube."""
    sides = sides_of(men)
    place, n = {side: k for k, side in enumerate(sides)}, len(sides)
    lists = [[sorted({place[t] for t in after(side, (x, y) if x != y else (x,) * 4)}) for x, y in ROLLS] for side in sides]
    most = max(len(one) for rolls in lists for one in rolls)
    succ = np.array([[one + [one[0]] * (most - len(one)) for one in rolls] for rolls in lists])  # n, rolls, most
    value, rolls, plain = np.zeros((3, n, n)), np.zeros((3, n, n)), np.zeros((n, n))
    value[:, :, 0] = plain[:, 0] = -1.0  # the other has borne off all: the one on roll has lost
    for m in range(1, n):
        for i, j in ((np.full(m, m), np.arange(m)), (np.arange(1, m + 1), np.full(m, m))):
            keep = j > 0
            i, j = i[keep], j[keep]
            for o in range(3):
                rolls[o, i, j] = np.tensordot(_won(-value[SEEN_BY_OTHER[o]][j[:, None, None], succ[i]], succ[i]).max(2), WEIGHTS, 1)
            doubled = np.minimum(1.0, 2 * rolls[OTHERS, i, j])
            for o in (CENTRE, MINE):
                value[o, i, j] = np.maximum(rolls[o, i, j], doubled)
            value[OTHERS, i, j] = rolls[OTHERS, i, j]
            plain[i, j] = np.tensordot(_won(-plain[j[:, None, None], succ[i]], succ[i]).max(2), WEIGHTS, 1)
    return sides, value, rolls, plain


def _won(values: np.ndarray, to: np.ndarray) -> np.ndarray:
    return np.where(to == 0, 1.0, values)


def main() -> None:
    from zermelo.games.backgammon.cube import Doubling

    class Money(Doubling):
        cube, gammons, jacoby = True, False, False

    sides, value, rolls, plain = solve(int(sys.argv[1]))
    game, pips, rng = Money(), np.array([sum(side) for side in sides]), np.random.default_rng(1)
    for low, high in ((1, 8), (8, 12), (12, 16), (16, 20), (20, 25), (25, 30), (30, 40)):
        i, j = rng.integers(1, len(sides), (2, 200_000))
        q = (plain[i, j] + 1) / 2
        keep = (pips[i] >= low) & (pips[i] < high) & (q > 0.2) & (q < 0.9)
        i, j, q = i[keep][:1000], j[keep][:1000], q[keep][:1000]
        told = []
        for x in (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0):
            wrong, cost = [], []
            for a, b, p in zip(i, j, q, strict=True):
                c = (p, 0.0, 0.0), (1 - p, 0.0, 0.0)
                taken, waits = game.held(0, p, *c, 1, 1, x), game.held(0, p, *c, 0, -1, x)
                exact = 2 * rolls[OTHERS, a, b]
                wrong.append(abs(max(waits, min(1.0, taken)) - value[CENTRE, a, b]))
                best, answered = min(1.0, exact), exact if taken <= 1.0 else 1.0
                cost.append(value[CENTRE, a, b] - (best if min(1.0, taken) > waits else rolls[CENTRE, a, b]) + answered - best)
            told.append(f"{x}: {np.mean(wrong):.3f} {np.mean(cost):.4f}")
        print(f"{low} to {high} pips, {len(i)} positions; x: error of the value, cost of decisions:", ", ".join(told))


if __name__ == "__main__":
    main()

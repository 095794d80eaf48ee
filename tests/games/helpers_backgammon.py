"""A plain implementation of backgammon: checkers as lists of numbers, single steps in every order."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.state import CENTRE, TO_ROLL, State, packed

PLAIN, CUBE = Backgammon(), Backgammon(cube=True)
Side = tuple[int, ...]


def steps(mine: Side, other: Side, die: int) -> Iterator[tuple[Side, Side]]:
    """The positions after one man has moved by one die; sides are men off, on 1 to 24, on the bar."""
    for point in range(25, 0, -1):
        to = point - die
        men, foes = list(mine), list(other)
        if not mine[point] or (mine[25] and point != 25):
            continue
        if to < 1:
            if any(mine[7:]) or (to < 0 and any(mine[point + 1 :])):
                continue
            to = 0
        elif other[25 - to] > 1:
            continue
        elif other[25 - to] == 1:
            foes[25 - to] = 0
            foes[25] += 1
        men[point] -= 1
        men[to] += 1
        yield tuple(men), tuple(foes)


def plays(mine: Side, other: Side, x: int, y: int) -> set[tuple[Side, Side]]:
    """The positions that a roll can lead to: as many dice as possible, the larger if only one."""
    found: dict[tuple[int, ...], set[tuple[Side, Side]]] = {}

    def go(at: tuple[Side, Side], left: tuple[int, ...], used: tuple[int, ...]) -> None:
        found.setdefault(used, set()).add(at)
        for i, die in enumerate(left):
            if i == 0 or left[i - 1] != die:
                for after in steps(*at, die):
                    go(after, left[:i] + left[i + 1 :], (*used, die))

    go((mine, other), (x,) * 4 if x == y else (x, y), ())
    longest = max(map(len, found))
    if longest == 1:
        return found.get((max(x, y),)) or found[(min(x, y),)]
    return set().union(*(at for used, at in found.items() if len(used) == longest))


def state(mine: dict[int, int], other: dict[int, int], roll: str = "", turn: int = 0) -> State:
    """A state from the men on the points of each side."""
    words = [packed(tuple(side.get(p, 0) for p in range(26))) for side in (mine, other)]
    return State(*words[0], *words[1], int(roll[0]) << 3 | int(roll[1]) if roll else TO_ROLL, turn, 0, CENTRE)

"""The chance to win a match from each score, between players of equal strength (match equities), by a recursion.

A game begins with equal chances and the cube in the middle, and its result leads to a score at which somebody needs fewer points. So
what a game at a score is worth follows from those scores by the formulas of the cube (`cube.py`). The game in which a player first needs
only one point is played without the cube (the Crawford rule), all later ones with it.
"""

from __future__ import annotations

from functools import cache

from ...errors import ZermeloError
from .cube import EFFICIENCY, Doubling
from .state import CENTRE

MAX_POINTS_AWAY = 25  # points that a player may still need
GAMMONS, BACKGAMMONS = 0.2, 0.01  # of the games that are played to the end, how many are won so, or better
CHANCES = (0.5, 0.5 * GAMMONS, 0.5 * BACKGAMMONS)


class _Score(Doubling):
    """The cube at a score."""

    def __init__(self, left: tuple[int, int], is_crawford: bool):
        self.cube, self.gammons, self.jacoby = not is_crawford, True, False
        self.left, self.worth = left, gains(left, 0.5)


def gains(left: tuple[int, int], chance_now: float) -> tuple[float, ...]:
    """By how much each score that a game at this one can lead to raises player 0's chance, by what player 0 and player 1 then need."""
    is_late = 1 in left  # the Crawford game is this one or over
    scores = [(a, b) for a in range(left[0] + 1) for b in range(left[1] + 1)]
    return tuple(chance(a, b, is_late) - chance_now if (a, b) != left else 0.0 for a, b in scores)


@cache
def chance(a: int, b: int, is_late: bool = False) -> float:
    """The chance of a player who needs a points to win the match against one who needs b; late, after the Crawford game."""
    if a == 0 or b == 0:
        return 0.5 + 0.5 * (a == 0) - 0.5 * (b == 0)
    if a < b:
        return 1.0 - chance(b, a, is_late)
    if a == b == 1:
        return 0.5
    score = _Score((a, b), is_crawford=b == 1 and not is_late)
    return 0.5 - score.held(1, 0.5, CHANCES, CHANCES, 0, CENTRE, EFFICIENCY)  # to the leader, or it is the same


def read_score(text: str, is_crawford: bool) -> tuple[int, int]:
    """The points that each player needs, written as 3-5; in the Crawford game one of them needs one."""
    a, dash, b = text.partition("-") if isinstance(text, str) else ("", "", "")
    if not dash or not all(x.isascii() and x.isdigit() and len(x) <= 2 and 1 <= int(x) <= MAX_POINTS_AWAY for x in (a, b)):
        raise ZermeloError(
            f"backgammon: expected away like 3-5, the points that each player needs, from 1 to {MAX_POINTS_AWAY}, not {text!r}"
        )
    left = int(a), int(b)
    if is_crawford and (1 not in left or left == (1, 1)):
        raise ZermeloError(f"backgammon: expected crawford only where one player needs one point and the other more, not at {text}")
    return left

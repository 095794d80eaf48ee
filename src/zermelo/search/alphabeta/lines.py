"""Several best lines: the exact scores of the N best actions of the root, each with its line; and which scores are only bounds.

Alpha-beta asks of an action after the best one only whether it is better: its score is then a bound, what it is at most worth. To
know the N best, the N-th best score so far takes the place of the best as alpha at the root, and the first N actions are searched
without one:

    ROOT(s): tops = the N best scores so far
        for each a in ACTIONS(s):
            v = ALPHA-BETA(RESULT(s, a)) with alpha = the least of tops, once there are N
            if v > alpha: v is exact, and takes its place among tops

A search for one line has room for none of this, and what stands behind `if len(work.tops) > 1` is dropped before it is compiled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...game import Game, State
from ..bounds import bounds_of
from ..depth_first import INFINITE, Rooted
from ..records import Size, room
from ..searcher import Result, line_of

LINES, LENGTH = Size("lines"), Size("length")  # of the actions that have lines of their own, and of a line; 1 if no search asks for them


class Lines(Rooted):
    """The record of a search that may be asked for several lines."""

    wanted: int  # how many lines
    tops: list[float] = room(LINES)  # the best scores so far, the best first
    kept: list[list[int]] = room(LINES, LENGTH)  # the line of each action that was among the best: its length, its actions


def sizes(lines: int, plies: int, width: int) -> dict[str, int]:
    """The sizes that this many lines ask for."""
    return {"lines": width, "length": plies + 2} if lines > 1 else {"lines": 1, "length": 1}


def given(lines: int, moves: int, width: int) -> dict[str, Any]:
    """What its fields hold at first."""
    return {"wanted": min(lines, moves), "tops": [-INFINITE] * width} if lines > 1 else {}


def with_lines(result: Result, game: Game, s: State, work: Lines, lines: int, window: tuple[float, float]) -> Result:
    """The Result with what is known of its scores, and its other lines if there are to be some."""
    result = replace(result, bounds=bounds_of(result.scores, *window, lines))
    if lines == 1 or not result.scores:
        return result
    places = {a: i for i, a in enumerate(result.scores)}
    best = sorted((a for a in places if a not in result.bounds), key=lambda a: (-result.scores[a], places[a]))[1:lines]
    return replace(result, others=tuple(line_of(game, s, work.kept[places[a]]) for a in best))


# ---- lowered -----------------------------------------------------------------------------------


def enter_line(i: int, v: float, work: Lines) -> int:
    """The root's action at place i has an exact score, and is among the best now: its place there."""
    at = work.wanted - 1
    while at > 0 and work.tops[at - 1] < v:
        work.tops[at] = work.tops[at - 1]
        at -= 1
    work.tops[at] = v
    n = work.lines[1][0]
    work.kept[i][0] = n + 1
    work.kept[i][1] = work.root_moves[i]
    for k in range(1, n + 1):
        work.kept[i][k + 1] = work.lines[1][k]
    return at

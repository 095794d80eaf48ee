"""Plays and the other actions as text: 8/5 6/5*, bar/22, 6/off, 8/4(2), 24/18*/13."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ...errors import ZermeloError
from .men import BAR
from .state import MAY_DOUBLE, OPENING, TO_ROLL, State, unpacked

NOTHING = "cannot move"
BEFORE, ANSWER = ("roll", "double"), ("take", "drop")
PLACE = r"(?:bar|off|2[0-5]|1[0-9]|[0-9])"
MOVE = re.compile(rf"({PLACE}(?:/{PLACE}\*?)+)(?:\(([1-4])\))?", re.IGNORECASE)


def write_action(s: State, a: int) -> str:
    """The play, or one of roll, double, take, drop, or the dice: 31, in the opening roll player 0's die first."""
    if s.roll > 0:
        return write_play(s, a)
    if s.roll in (TO_ROLL, OPENING):
        return f"{a >> 3}{a & 7}"
    return (BEFORE if s.roll == MAY_DOUBLE else ANSWER)[a]


def write_play(s: State, a: int) -> str:
    """A play: where each man moves, from the highest point down; a point between only where a blot is hit."""
    other = unpacked(s.low2, s.high2)
    routes: list[list[int]] = []
    for point, die in sorted(steps(s, a), reverse=True):
        to = max(point - die, 0)
        going = next((route for route in routes if route[-1] == point), None)
        if going is None:
            routes.append([point, to])
        else:
            going.append(to)
    hits, told = set(), []
    for route, times in Counter(map(tuple, routes)).items():
        names = [_place(route[0])]
        for i, point in enumerate(route[1:], 1):
            hit = point > 0 and other[BAR - point] == 1 and point not in hits
            if hit:
                hits.add(point)
            if hit or i == len(route) - 1:
                names.append(_place(point) + "*" * hit)
        told.append("/".join(names) + (f"({times})" if times > 1 else ""))
    return " ".join(told) or NOTHING


def steps(s: State, a: int) -> list[tuple[int, int]]:
    """The moves of a play: the point that a man leaves, and the die."""
    dice = (s.roll >> 3, s.roll & 7) * 2
    return [(a >> 5 * k & 31, die) for k, die in enumerate(dice) if a >> 5 * k & 31]


def _place(point: int) -> str:
    return "bar" if point == BAR else str(point) if point else "off"


def read_action(game: Any, s: State, text: str) -> int:
    """The legal action that this text means; a play in any order, with any points between, 25 for bar, 0 for off, with or without stars."""
    wanted = " ".join(text.split()).lower()
    if s.roll > 0:
        return read_play(game, s, wanted)
    if s.roll == TO_ROLL and re.fullmatch("[1-6][1-6]", wanted):
        wanted = max(wanted, wanted[::-1])
    names = {write_action(s, a): a for a in game.actions(s)}
    if wanted not in names:
        some = ", ".join(names)
        raise ZermeloError(f"'{wanted}' is not a legal action here: expected one of {some or 'none, the game is over'}")
    return names[wanted]


def read_play(game: Any, s: State, wanted: str) -> int:
    """The legal play that this text means."""
    actions = list(game.actions(s))
    if wanted in ("", NOTHING) and actions == [0]:
        return 0
    change: Counter[int] = Counter()
    stars: set[int] = set()
    for word in wanted.split():
        move = MOVE.fullmatch(word)
        if not move:
            some = write_play(s, actions[0])
            raise ZermeloError(f"'{wanted}' is not a play: expected moves like 8/5 6/5*, bar/22, 6/off or 8/4(2), for example {some}")
        points = [{"bar": BAR, "off": 0}.get(p, p) for p in move[1].replace("*", "").split("/")]
        change[int(points[0])] -= int(move[2] or 1)
        change[int(points[-1])] += int(move[2] or 1)
        stars |= {int(p) for p, hit in zip(points, move[1].split("/"), strict=True) if hit.endswith("*")}
    fitting = [a for a in actions if a and _change(s, a) == {p: n for p, n in change.items() if n}]
    exact = [a for a in fitting if _hits(s, a) == stars]
    if len(exact) == 1 or (len(fitting) == 1 and not stars):
        return (exact or fitting)[0]
    told = ", ".join(write_play(s, a) for a in (fitting or actions)[:12]) + (", ..." if len(fitting or actions) > 12 else "")
    raise ZermeloError(f"'{wanted}' is not a legal play here: expected one of {told}")


def _change(s: State, a: int) -> dict[int, int]:
    """How many men more or less each point has after a play; 0 are the men borne off."""
    change: Counter[int] = Counter()
    for point, die in steps(s, a):
        change[point] -= 1
        change[max(point - die, 0)] += 1
    return {point: n for point, n in change.items() if n}


def _hits(s: State, a: int) -> set[int]:
    """The points on which a play hits."""
    other = unpacked(s.low2, s.high2)
    return {point - die for point, die in steps(s, a) if point > die and other[BAR - point + die] == 1}

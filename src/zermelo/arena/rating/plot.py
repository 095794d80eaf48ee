"""The course of a game as a picture: the score that each side could expect, move by move, and the moves that changed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...drawing import escape, shape, svg, text
from .accuracy import MARKS
from .analyse import Judged

WIDTH, HEIGHT = 880, 360
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 66, 46
#: colours of players and marks, on a light page and on a dark one; the marks differ in shape too
LIGHT = {"page": "#ffffff", "ink": "#1f2430", "soft": "#5c6474", "rule": "#d9dde5", "first": "#2b6cb0", "area": "#2b6cb022"}
LIGHT |= {"p1": "#b7561b", "p2": "#7b3fa0", "p3": "#2f7d4f", "worst": "#c42b2b", "bad": "#d9730d", "poor": "#a88a00"}
DARK = {"page": "#14171d", "ink": "#e8ebf1", "soft": "#a2abbd", "rule": "#343a46", "first": "#6cb2f7", "area": "#6cb2f733"}
DARK |= {"p1": "#f0a062", "p2": "#c79be6", "p3": "#7fd0a0", "worst": "#ff6b6b", "bad": "#ffa94d", "poor": "#e6c84f"}
LINES = ("first", "p1", "p2", "p3")
CLASS = {"??": "worst", "?": "bad", "?!": "poor"}


def picture(title: str, names: Sequence[str], start: Sequence[float], judged: Sequence[Judged], summary: str) -> str:
    """The plot as SVG; `names` by seat, `summary` for those who cannot see it. Of two players the first one's score is drawn."""
    plies = max((j.ply for j in judged), default=0) + 1
    shown = range(len(names)) if len(names) > 2 else range(1)
    parts = [_style(), f"<desc>{escape(summary)}</desc>", shape("rect", x=0, y=0, width=WIDTH, height=HEIGHT, **_of("page"))]
    parts += _frame(title, names, plies)
    for seat in shown:
        points = [(0, start[seat]), *((j.ply + 1, j.after[seat]) for j in judged)]
        path = " ".join(f"{_x(ply, plies):.1f},{_y(score):.1f}" for ply, score in points)
        if len(shown) == 1:
            ends = f"{_x(points[-1][0], plies):.1f},{_y(0.5):.1f} {_x(0, plies):.1f},{_y(0.5):.1f}"
            parts.append(shape("polygon", points=f"{path} {ends}", **_of("area")))
        parts.append(shape("polyline", points=path, **_of(f"line {LINES[seat % len(LINES)]}")))
    parts += [_dot(j, plies, j.seat if len(shown) > 1 else 0) for j in judged if j.mark]
    return svg(WIDTH, HEIGHT, parts, f"{title}: the score to be expected, move by move")


def _frame(title: str, names: Sequence[str], plies: int) -> list[str]:
    parts = [text(LEFT, 20, title, 15, **_of("ink", "start", "bold"))]
    parts.append(text(LEFT, 40, _legend(names), 12, **_of("soft", "start")))
    for score in (0, 0.25, 0.5, 0.75, 1):
        kind = "middle" if score == 0.5 else "rule"
        parts.append(shape("line", x1=LEFT, x2=WIDTH - RIGHT, y1=_y(score), y2=_y(score), **_of(kind)))
        parts.append(text(LEFT - 8, _y(score), f"{100 * score:.0f} %", 11, **_of("soft", "end")))
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**6) if plies / s <= 12)
    for ply in range(0, plies + 1, step):
        parts.append(shape("line", x1=_x(ply, plies), x2=_x(ply, plies), y1=_y(0), y2=_y(0) + 4, **_of("rule")))
        parts.append(text(_x(ply, plies), _y(0) + 14, str(ply), 11, **_of("soft")))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "moves made", 12, **_of("soft")))
    x = float(WIDTH - RIGHT)
    for mark, word, _ in reversed(MARKS):
        parts.append(text(x, 40, f"{mark} {word}", 12, **_of(CLASS[mark], "end")))
        x -= 14 + 7.0 * len(f"{mark} {word}")
    return parts


def _legend(names: Sequence[str]) -> str:
    if len(names) <= 2:
        return f"expected score of {names[0]}"
    return "expected score of " + ", ".join(names)


def _dot(judged: Judged, plies: int, seat: int) -> str:
    """The mark of a move at its loss; pointing at it shows the move and what was better."""
    x, y = _x(judged.ply + 1, plies), _y(judged.after[seat])
    kind = CLASS[judged.mark]
    said = f"{judged.ply + 1}. {judged.text}{judged.mark}, better {judged.best}: {100 * judged.loss:.0f} % of a point lost"
    parts = [f"<title>{escape(said)}</title>", shape("circle", cx=x, cy=y, r=4.5, **_of(f"dot {kind}"))]
    parts.append(text(x, y - 13, judged.mark, 13, **_of(kind, weight="bold")))
    return f"<g>{''.join(parts)}</g>"


def _of(kind: str, anchor: str = "", weight: str = "") -> dict[str, Any]:
    """Attributes: the class for the colour, and how words are set."""
    return {"class": kind} | ({"text-anchor": anchor} if anchor else {}) | ({"font-weight": weight} if weight else {})


def _x(ply: float, plies: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(plies, 1)


def _y(score: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - score)


def _style() -> str:
    def rules(c: dict[str, str]) -> str:
        return (
            f".page{{fill:{c['page']}}}.ink{{fill:{c['ink']}}}.soft{{fill:{c['soft']}}}.rule{{stroke:{c['rule']}}}"
            f".middle{{stroke:{c['soft']};stroke-dasharray:4 4}}.area{{fill:{c['area']}}}"
            ".line{fill:none;stroke-width:2.2;stroke-linejoin:round}"
            + "".join(f".{name}{{stroke:{c[name]}}}" for name in LINES)
            + "".join(f".{name}{{fill:{c[name]}}}" for name in CLASS.values())
            + f".dot{{stroke:{c['page']};stroke-width:1.5}}"
        )

    return f"<style>{rules(LIGHT)}@media (prefers-color-scheme:dark){{{rules(DARK)}}}</style>"

"""Learning curves: a model's score over its games of training, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..drawing import shape, svg, text
from .look import Look

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720.0, 400.0, 70.0, 20.0, 30.0, 50.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by all eyes (Okabe and Ito)


def draw(curves: Mapping[str, Sequence[Look]]) -> str:
    """The scores of runs against random players over their games, with two standard errors around each, as SVG."""
    looks = [look for run in curves.values() for look in run]
    most = max((look.games for look in looks), default=1)
    low = min((look.score - 2 * look.score_error for look in looks), default=0.0)
    high = max((look.score + 2 * look.score_error for look in looks), default=1.0)
    span = max(high - low, 1e-9)

    def x(games: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * games / most

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - low) / span

    parts = []
    for k in range(5):
        score, games = low + span * k / 4, most * k / 4
        parts.append(shape("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(score), y2=y(score), stroke="currentColor", stroke_opacity=0.15))
        parts.append(text(LEFT - 8, y(score), f"{score:+.3g}", 12, text_anchor="end", fill="currentColor"))
        parts.append(text(x(games), HEIGHT - BOTTOM + 16, f"{games:,.0f}", 12, fill="currentColor"))
    parts.append(text(WIDTH / 2, HEIGHT - 12, "games of training", 13, fill="currentColor"))
    parts.append(text(WIDTH / 2, 14, "points a game against random players, without searching", 13, fill="currentColor"))
    for i, (name, run) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        above = [f"{x(a.games):.1f},{y(a.score + 2 * a.score_error):.1f}" for a in run]
        below = [f"{x(a.games):.1f},{y(a.score - 2 * a.score_error):.1f}" for a in reversed(run)]
        parts.append(shape("polygon", points=" ".join(above + below), fill=colour, fill_opacity=0.18))
        middle = " ".join(f"{x(a.games):.1f},{y(a.score):.1f}" for a in run)
        parts.append(shape("polyline", points=middle, fill="none", stroke=colour, stroke_width=2))
        parts.append(text(WIDTH - RIGHT - 8, HEIGHT - BOTTOM - 14 - 16 * i, name, 12, text_anchor="end", fill=colour))
    return svg(WIDTH, HEIGHT, parts, "learning curves")

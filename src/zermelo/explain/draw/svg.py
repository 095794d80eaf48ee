"""A search tree as SVG: one self-contained picture that follows the light or dark mode of the page."""

from __future__ import annotations

from ...drawing import escape, shape
from ..search_tree import Story
from .labels import MARKS, SIZES
from .page_frame import LEGEND, MARGIN, SMALL_SYMBOLS, SUMMARY, SYMBOL, TITLE, WITHIN, WRITTEN, framed
from .picture import Edge, Label, Mark, Point, picture_of, strokes

FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

#: colours: class, property, on light paper, on dark paper
COLOURS = (
    ("paper", "fill", "#ffffff", "#14181d"),
    ("ink", "fill", "#1b1f24", "#e8eaed"),
    ("soft", "fill", "#57606a", "#a3adb8"),
    ("bounds", "fill", "#6639a6", "#c3a6ff"),
    ("visits", "fill", "#57606a", "#a3adb8"),
    ("mark", "fill", "#b42318", "#ff9a8f"),
    ("order", "fill", "#0b6b3a", "#7ee2a8"),
    ("ring", "stroke", "#0b6b3a", "#7ee2a8"),
    ("edge", "stroke", "#6e7781", "#8b949e"),
    ("strike", "stroke", "#b42318", "#ff9a8f"),
    ("max", "fill", "#d6e6ff", "#16345e"),
    ("max", "stroke", "#1f5fbf", "#79b0ff"),
    ("min", "fill", "#ffdcd6", "#5c2018"),
    ("min", "stroke", "#b3372a", "#ff9a8f"),
    ("chance", "fill", "#fff0c2", "#4d3b05"),
    ("chance", "stroke", "#8a6700", "#e8c14b"),
    ("player", "fill", "#ece4fb", "#37275c"),
    ("player", "stroke", "#6639a6", "#c3a6ff"),
    ("player-0", "fill", "#d6e6ff", "#16345e"),
    ("player-0", "stroke", "#1f5fbf", "#79b0ff"),
    ("player-1", "fill", "#ffdcd6", "#5c2018"),
    ("player-1", "stroke", "#b3372a", "#ff9a8f"),
    ("player-2", "fill", "#d3f2df", "#124a2c"),
    ("player-2", "stroke", "#0b6b3a", "#7ee2a8"),
    ("leaf", "fill", "#ffffff", "#14181d"),
    ("leaf", "stroke", "#57606a", "#a3adb8"),
    ("more", "fill", "#eef1f4", "#262c33"),
    ("more", "stroke", "#b6bec7", "#4b545e"),
    ("path", "stroke", "#1b1f24", "#f5f6f7"),
    ("shape.faded", "fill", "#f6f7f8", "#1b2026"),
    ("faded", "stroke", "#a8b0b9", "#59636e"),
    ("pale", "fill", "#6b7480", "#8d97a3"),
)


def svg_of(story: Story, nodes: int | None = None) -> str:
    """The story's tree: the most visited `nodes` of it, or as many as are easily read."""
    picture = picture_of(story, nodes)
    frame = framed(picture)
    # painted in this order: where lines meet, the bold ones and then the shapes are on top
    edges = [_edge(edge) for edge in sorted(picture.edges, key=lambda edge: (edge.bold, not edge.struck))]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img" viewBox="0 0 {frame.width:.0f} {frame.height:.0f}" '
            f'width="{frame.width:.0f}" height="{frame.height:.0f}" font-family="{FONT}">',
            f"<title>{escape(picture.captions.title)}</title>",
            f"<desc>{escape(picture.captions.description)}</desc>",
            f"<style>{style()}</style>",
            shape("rect", **{"class": "paper", "width": "100%", "height": "100%"}),
            _line(MARGIN, frame.title[0], frame.title[1], TITLE, "ink start heavy"),
            *(_line(MARGIN, y, words, SUMMARY, "soft start") for y, words in frame.summary),
            f'<g transform="translate({frame.left:.1f} {frame.top:.1f})">',
            *edges,
            *(_mark(mark) for mark in picture.marks),
            "</g>",
            *(_symbol(e.symbol, e.x, e.y) + _line(e.start, e.y, e.words, LEGEND, "soft start") for e in frame.legend),
            "</svg>",
            "",
        ]
    )


def style() -> str:
    """The CSS rules of the picture; each begins with its class, because an SVG in a page shares the page's rules."""
    fixed = [
        ".zermelo-tree text{text-anchor:middle}",
        ".zermelo-tree .start{text-anchor:start}",
        ".zermelo-tree .heavy{font-weight:bold}",
        ".zermelo-tree .edge,.zermelo-tree .strike,.zermelo-tree .ring{fill:none}",
        ".zermelo-tree .edge{stroke-width:1.3;stroke-linecap:round;stroke-linejoin:round}",
        ".zermelo-tree .strike{stroke-width:1.8;stroke-linecap:round}",
        ".zermelo-tree .ring{stroke-width:1}",
        ".zermelo-tree .shape{stroke-width:1.5;stroke-linejoin:round}",
        ".zermelo-tree .shape.path{stroke-width:3.2}",
        ".zermelo-tree .edge.path{stroke-width:3.6}",
        ".zermelo-tree .faded{stroke-dasharray:4 3}",
    ]
    light = [f".zermelo-tree .{name}{{{what}:{colour}}}" for name, what, colour, _ in COLOURS]
    dark = [f".zermelo-tree .{name}{{{what}:{colour}}}" for name, what, _, colour in COLOURS]
    return "\n".join(["", *fixed, *light, "@media (prefers-color-scheme:dark){", *dark, "}", ""])


def _line(x: float, y: float, words: str, size: float, names: str) -> str:
    baseline = y + 0.35 * size  # centres the letters at y in every renderer
    return f'<text class="{names}" x="{x:.1f}" y="{baseline:.1f}" font-size="{size:g}">{escape(words)}</text>'


def _edge(edge: Edge) -> str:
    names = "edge path" if edge.bold else "edge faded" if edge.struck else "edge"
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in edge.points)
    weight = f' style="stroke-width:{max(3.0 if edge.bold else 1.3, edge.weight):.1f}"' if edge.weight != 1 else ""
    line = f'<polyline class="{names}" data-node="{edge.child}" points="{points}"{weight}/>'
    return line + _strike(edge.points[0], edge.points[1]) if edge.struck else line


def _strike(start: Point, end: Point) -> str:
    path = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in strokes(start, end))
    return f'<path class="strike" d="{path}"/>'


def _mark(mark: Mark) -> str:
    names = f"shape {mark.shape}" + (f" player-{mark.player}" if mark.shape == "player" else "")
    names += " path" if mark.bold else " faded" if mark.faded else ""
    labels = "".join(_label(label, mark) for label in mark.labels)
    drawn = _outline(mark.shape, mark.x, mark.y, mark.width, mark.height, names)
    return f'<g data-node="{mark.id}"><title>{escape(mark.description)}</title>{drawn}{labels}</g>'


def _outline(kind: str, x: float, y: float, wide: float, high: float, names: str) -> str:
    left, right, top, bottom = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
    if kind in ("max", "player"):
        return f'<path class="{names}" d="M{left:.1f} {bottom:.1f}H{right:.1f}L{x:.1f} {top:.1f}Z"/>'
    if kind == "min":
        return f'<path class="{names}" d="M{left:.1f} {top:.1f}H{right:.1f}L{x:.1f} {bottom:.1f}Z"/>'
    if kind == "chance":
        return f'<circle class="{names}" cx="{x:.1f}" cy="{y:.1f}" r="{wide / 2:.1f}"/>'
    round = high / 2 if kind == "more" else 3
    return f'<rect class="{names}" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{round:g}"/>'


def _label(label: Label, mark: Mark) -> str:
    size, bold = SIZES[label.role]
    names = "pale" if mark.faded else label.role if label.role in ("bounds", "visits", "mark", "order") else "ink"
    names += " heavy" if bold or (mark.bold and label.role == "name") else ""
    if label.role == "order":
        return _ring(label.x, label.y, label.width) + _line(label.x, label.y, label.words, size, names)
    if label.start:
        return _line(label.x - label.width / 2, label.y, label.words, size, names + " start")
    return _line(label.x, label.y, label.words, size, names)


def _ring(x: float, y: float, wide: float, high: float = 15.0) -> str:
    at = f'x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect class="ring" {at} rx="{high / 2:.1f}"/>'


def _symbol(symbol: str, x: float, y: float) -> str:
    left, right = (x - SYMBOL / 2, y), (x + SYMBOL / 2, y)
    if symbol in ("path", "unseen", "weight"):
        names = {"path": "edge path", "unseen": "edge faded", "weight": "edge"}[symbol]
        thick = ' style="stroke-width:5"' if symbol == "weight" else ""
        line = f'<polyline class="{names}" points="{left[0]:.1f},{y:.1f} {right[0]:.1f},{y:.1f}"{thick}/>'
        return line + (_strike(left, right) if symbol == "unseen" else "")
    if symbol in MARKS:
        return _line(x, y, symbol, LEGEND, "mark")
    if symbol in WRITTEN:
        return _line(x, y, WRITTEN[symbol], 13, "bounds" if symbol == "bounds" else "ink heavy")
    if symbol == "order":
        return _ring(x, y, 15) + _line(x, y, "1", SIZES["order"][0], "order heavy")
    wide, high = SMALL_SYMBOLS.get(symbol, SMALL_SYMBOLS["max"])
    inside = WITHIN.get(symbol, ("", 0.0))
    return _outline(symbol, x, y, wide, high, f"shape {symbol}") + _line(x, y + inside[1] * high, inside[0], 10, "ink heavy")

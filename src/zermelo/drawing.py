"""Boards as SVG: the few shapes that games draw themselves with. Colours follow the reader's light or dark page."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any, NamedTuple
from weakref import WeakSet


def svg(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A picture of this size; `title` is what a screen reader reads out."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def shape(name: str, **attributes: object) -> str:
    """An element without content: shape("circle", cx=5, cy=5, r=4, fill="red"); a _ in a name is written -."""
    return f"<{name} {_written(attributes)}/>"


def text(x: float, y: float, words: str, size: float = 14, **attributes: object) -> str:
    """Words centred at a point."""
    placed = {"text-anchor": "middle", "dominant-baseline": "central", "font-family": "sans-serif", "font-size": size} | attributes
    return f"<text {_written({'x': x, 'y': y, **placed})}>{escape(words)}</text>"


def lines(words: str, title: str) -> str:
    """A picture of lines of text, as they are drawn for a terminal."""
    rows = words.split("\n")
    size = 16
    style = {"text_anchor": "start", "font_family": "monospace", "xml:space": "preserve", "fill": "currentColor"}
    told = [
        f"<text {_written({'x': size, 'y': size * (1.5 + 1.25 * i), 'font-size': size, **style})}>{escape(row)}</text>"
        for i, row in enumerate(rows)
    ]
    return svg(size * (2 + 0.61 * max(map(len, rows))), size * (1.5 + 1.25 * len(rows)), told, title)


class View:
    """A state that shows itself in a notebook and at a prompt: made by `game.view(s)`."""

    def __init__(self, picture: str, words: str):
        self._picture, self._words = picture, words

    def _repr_svg_(self) -> str:
        return self._picture

    def __repr__(self) -> str:
        return self._words


def draw_states(state: type, game: Any) -> None:
    """Let the states of this class show themselves in a notebook, as the game draws them.

    A state does not know its game: if games of other parameters share the class, it stays text, and `game.view(s)` draws it.
    """
    games = state.__dict__.get("_games")
    if games is None:
        games = WeakSet[Any]()
        state._games, state._repr_svg_ = games, _drawn  # type: ignore[attr-defined]
    games.add(game)


def _drawn(s: Any) -> str | None:
    games = list(type(s)._games)
    return str(games[0].svg(s)) if len({repr(game) for game in games}) == 1 else None


def escape(words: str) -> str:
    """A text as an element's content holds it (xml.sax.saxutils does the same, but brings an HTTP client: 35 ms at each start)."""
    return html.escape(words, quote=False)


def _written(attributes: dict[str, object]) -> str:
    told = {k.replace("_", "-"): html.escape(f"{v:g}" if isinstance(v, float) else str(v)) for k, v in attributes.items()}
    return " ".join(f'{name}="{value}"' for name, value in told.items())


class TreeNode(NamedTuple):
    """A node of a game that is written down as a tree: its name, who moves there, and the values that stand at it."""

    name: str
    kind: str  # max, min, chance or player; "" for a leaf
    values: tuple[float, ...]  # of a leaf, or the static ones of an inner node; () if none stand there

"""The frame around a picture of a search: title and summary above the tree, the legend below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .labels import MARKS
from .picture import Picture
from .text_metrics import width

MARGIN = 20.0
NARROWEST = 420.0
TITLE, SUMMARY, LEGEND = 16.0, 12.5, 11.5  # font sizes
SYMBOL = 30.0  # width of a symbol of the legend
BETWEEN = 18.0  # gap between entries of the legend
#: symbols of the legend: the sizes of shapes, the text inside and its offset from the centre, and symbols that are only text
SMALL_SYMBOLS = {"leaf": (20, 15), "more": (30, 16), "chance": (17, 17), "max": (20, 17)}
WITHIN = {"player": ("0", 0.17), "more": ("+9", 0.0)}
WRITTEN = {"bounds": "α β", "bound": "≥ ≤"}


@dataclass(frozen=True)
class Entry:
    """An entry of the legend: the centre of its symbol, and where its words begin."""

    symbol: str
    words: str
    x: float
    y: float
    start: float


@dataclass(frozen=True)
class Frame:
    """Lines begin at the margin, centred at these heights; the upper left corner of the tree is at (left, top)."""

    title: tuple[float, str]
    summary: tuple[tuple[float, str], ...]
    left: float
    top: float
    legend: tuple[Entry, ...]
    width: float
    height: float


def framed(picture: Picture) -> Frame:
    wide = max(picture.width, NARROWEST)
    y = MARGIN + TITLE * 1.5
    summary = []
    for line in _wrapped(picture.captions.summary, wide):
        summary.append((y + SUMMARY * 0.7, line))
        y += SUMMARY * 1.4
    top = y + 12
    legend = tuple(_flowed(picture.captions.legend, wide, top + picture.height + 32))
    bottom = legend[-1].y + 14 if legend else top + picture.height
    left = MARGIN + (wide - picture.width) / 2
    return Frame((MARGIN + TITLE / 2, picture.captions.title), tuple(summary), left, top, legend, wide + 2 * MARGIN, bottom + MARGIN * 0.6)


def _wrapped(sentences: tuple[str, ...], wide: float) -> Iterator[str]:
    """The sentences in lines no wider than the picture."""
    for sentence in sentences:
        line = ""
        for word in sentence.split():
            if line and width(f"{line} {word}", SUMMARY) > wide:
                yield line
                line = word
            else:
                line = f"{line} {word}".strip()
        yield line


def _flowed(legend: tuple[tuple[str, str], ...], wide: float, y: float) -> Iterator[Entry]:
    """The entries in rows, from left to right."""
    x = MARGIN
    for symbol, words in legend:
        own = max(SYMBOL, width(symbol, LEGEND)) if symbol in MARKS else SYMBOL
        room = own + 6 + width(words, LEGEND)
        if x > MARGIN and x + room > MARGIN + wide:
            x, y = MARGIN, y + 24
        yield Entry(symbol, words, x + own / 2, y, x + own + 6)
        x += room + BETWEEN

"""Numbers and names as they are written in a picture, and their widths."""

from __future__ import annotations

import math
import unicodedata
from fractions import Fraction

#: widths relative to the font size, rounded up over the usual sans-serif fonts: labels must not overlap in any of them
_NARROW = frozenset("ijl.,:;'|!I[]()ft/ ")
_WIDE = frozenset("MWmw@%&—≥≤∞+=<>~")
MAX_LABEL_CHARACTERS = 16


def width(words: str, size: float, bold: bool = False) -> float:
    """An upper bound on the width of the words."""
    return size * sum(_wide(c) for c in words) * (1.1 if bold else 1)


def _wide(c: str) -> float:
    if unicodedata.combining(c):
        return 0.0
    if unicodedata.east_asian_width(c) in "WF":
        return 1.2
    if c in _NARROW:
        return 0.42
    return 0.98 if c in _WIDE or ord(c) > 0x2190 else 0.74 if c.isupper() else 0.65


def printable(words: str) -> str:
    """The words on one line without directional marks; characters that documents must not contain become �."""
    line = " ".join(words.split())
    return "".join(c if c.isprintable() else "�" for c in line if unicodedata.category(c) != "Cf")


def clipped(words: str) -> str:
    """The same, cut short to fit a label."""
    line = printable(words)
    return line if len(line) <= MAX_LABEL_CHARACTERS else line[: MAX_LABEL_CHARACTERS - 1] + "…"


def number(x: float) -> str:
    """A value in few characters: 3, -27.5, 0.333, ∞."""
    if math.isnan(x):
        return "?"
    if math.isinf(x):
        return "∞" if x > 0 else "-∞"
    if x == int(x) and abs(x) < 1e6:
        return str(int(x))
    return f"{x:.4g}" if abs(x) >= 1 else f"{x:.3g}"


def vector(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(number(x) for x in values) + ")"


def chance(p: float) -> str:
    """A probability as a short decimal or a fraction: 0.25, 1/6, 1/36."""
    if math.isclose(p, round(p, 2), abs_tol=1e-12):
        return f"{round(p, 2):g}"
    near = Fraction(p).limit_denominator(1296)
    return str(near) if math.isclose(p, near, rel_tol=1e-9) else f"{p:.2g}"

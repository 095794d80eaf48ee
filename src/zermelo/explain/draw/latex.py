"""A search tree as a LaTeX document with one TikZ picture, to be compiled as it is or copied and edited."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..search_tree import Story
from .labels import MARKS
from .page_frame import MARGIN, SMALL_SYMBOLS, SYMBOL, WITHIN, WRITTEN, Entry, framed
from .picture import Edge, Label, Mark, Point, picture_of, strokes

UNIT = 0.8  # points for each unit of the picture
LARGEST_SIDE = 10_000.0  # points; TeX has no length above 16383
MATHS = {"α": r"\alpha", "β": r"\beta", "∞": r"\infty", "≥": r"\geq", "≤": r"\leq", "…": r"\ldots", "×": r"\times", "·": r"\cdot"}
MATHS |= {"½": r"\frac12", "−": "-", "→": r"\to", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow", "|": "|", "<": "<", ">": ">"}
MATHS |= {"♠": r"\spadesuit", "♣": r"\clubsuit", "♥": r"\heartsuit", "♦": r"\diamondsuit"}
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", '"': "''"}
SPECIAL |= {c: "\\" + c for c in "&%$#_{}"} | {c: rf"\ensuremath{{{maths}}}" for c, maths in MATHS.items()}
ACCENTS = {
    0x300: "`",
    0x301: "'",
    0x302: "^",
    0x303: "~",
    0x304: "=",
    0x307: ".",
    0x308: '"',
    0x30A: "r",
    0x30B: "H",
    0x30C: "v",
    0x327: "c",
}

PREAMBLE = r"""% Compile with pdflatex; or copy the picture and everything between \usepackage{tikz} and \begin{document}.
\documentclass{article}
\usepackage[paperwidth=WIDEpt,paperheight=HIGHpt,margin=0pt]{geometry}
\pagestyle{empty}
\usepackage{tikz}
\definecolor{ink}{HTML}{1B1F24}
\definecolor{soft}{HTML}{57606A}
\definecolor{pale}{HTML}{8A929B}
\definecolor{struck}{HTML}{B42318}
\definecolor{purple}{HTML}{6639A6}
\definecolor{green}{HTML}{0B6B3A}
\definecolor{up}{HTML}{1F5FBF}
\definecolor{down}{HTML}{B3372A}
\definecolor{gold}{HTML}{8A6700}
\tikzset{
  every node/.style={inner sep=0pt, text=ink, font=\sffamily, scale=SCALE},
  outline/.style={line width=0.9pt, line join=round},
  max/.style={outline, draw=up, fill=up!15},
  min/.style={outline, draw=down, fill=down!15},
  chance/.style={outline, draw=gold, fill=gold!15},
  player/.style={outline, draw=purple, fill=purple!12},
  leaf/.style={outline, draw=soft, fill=white, rounded corners=1.5pt},
  more/.style={outline, draw=pale, fill=pale!15, rounded corners=6pt},
  ring/.style={draw=green, line width=0.6pt, rounded corners=5.5pt},
  branch/.style={draw=soft, line width=0.7pt, line cap=round, line join=round},
  optimal/.style={draw=ink, line width=2pt},
  unseen/.style={draw=pale, fill=pale!10, densely dashed},
  unseen branch/.style={branch, draw=pale, densely dashed},
  strike/.style={draw=struck, line width=1pt, line cap=round},
  name words/.style={font=\sffamily\fontsize{9}{9}\selectfont},
  value words/.style={font=\sffamily\fontsize{10}{10}\bfseries\boldmath},
  number words/.style={font=\sffamily\fontsize{9}{9}\bfseries},
  probability words/.style={font=\sffamily\fontsize{9}{9}\selectfont},
  bounds words/.style={font=\sffamily\fontsize{8}{8}\selectfont, text=purple},
  visits words/.style={font=\sffamily\fontsize{8}{8}\selectfont, text=soft},
  mark words/.style={font=\sffamily\fontsize{8}{8}\selectfont, text=struck},
  order words/.style={font=\sffamily\fontsize{8}{8}\bfseries, text=green},
  more words/.style={font=\sffamily\fontsize{9}{9}\bfseries},
  title words/.style={font=\sffamily\fontsize{12}{12}\bfseries, anchor=west},
  soft words/.style={font=\sffamily\fontsize{9}{9}\selectfont, text=soft, anchor=west},
  at the left/.style={anchor=west},
  pale words/.style={text=pale},
}
\begin{document}%
\noindent\begin{tikzpicture}[x=1pt, y=-1pt]
\useasboundingbox (0,0) rectangle (WIDE,HIGH);
"""


def latex_of(story: Story, nodes: int | None = None) -> str:
    """The tree as a document of one page: its most visited `nodes`, or as many as are easy to read."""
    picture = picture_of(story, nodes)
    frame = framed(picture)
    pen = _Pen(min(1.0, LARGEST_SIDE / (UNIT * max(frame.width, frame.height))))
    wide, high = f"{frame.width * pen.unit:.1f}", f"{frame.height * pen.unit:.1f}"
    head = PREAMBLE.replace("WIDE", wide).replace("HIGH", high).replace("SCALE", f"{pen.scale:.3f}")
    lines = [pen.words(MARGIN, frame.title[0], frame.title[1], "title words")]
    lines += [pen.words(MARGIN, y, words, "soft words") for y, words in frame.summary]
    lines.append(rf"\begin{{scope}}[shift={{({pen.at((frame.left, frame.top))})}}]")
    for edge in sorted(picture.edges, key=lambda edge: (edge.bold, not edge.struck)):
        lines += pen.edge(edge)
    for mark in picture.marks:
        lines += pen.mark(mark)
    lines.append(r"\end{scope}")
    for entry in frame.legend:
        lines += [*pen.symbol(entry), pen.words(entry.start, entry.y, entry.words, "soft words")]
    return head + "\n".join([*lines, r"\end{tikzpicture}%", r"\end{document}", ""])


class _Pen:
    """Writes TikZ in points; a picture too large for TeX is scaled down."""

    def __init__(self, scale: float):
        self.scale = scale
        self.unit = UNIT * scale

    def at(self, point: Point) -> str:
        return f"{point[0] * self.unit:.1f},{point[1] * self.unit:.1f}"

    def words(self, x: float, y: float, words: str, styles: str) -> str:
        return rf"\node[{styles}] at ({self.at((x, y))}) {{{escaped(words)}}};"

    def edge(self, edge: Edge) -> Iterator[str]:
        style = "branch, optimal" if edge.bold else "unseen branch" if edge.struck else "branch"
        style += f", line width={max(2.0 if edge.bold else 0.7, edge.weight * 0.7):.1f}pt" if edge.weight != 1 else ""
        yield rf"\draw[{style}] " + " -- ".join(f"({self.at(point)})" for point in edge.points) + ";"
        if edge.struck:
            yield self.strike(edge.points[0], edge.points[1])

    def strike(self, start: Point, end: Point) -> str:
        return r"\draw[strike] " + " ".join(f"({self.at(a)}) -- ({self.at(b)})" for a, b in strokes(start, end)) + ";"

    def mark(self, mark: Mark) -> Iterator[str]:
        style = mark.shape + (", optimal" if mark.bold else ", unseen" if mark.faded else "")
        yield self.outline(mark.shape, mark.x, mark.y, mark.width, mark.height, style)
        for label in mark.labels:
            yield from self.label(label, mark.faded)

    def outline(self, kind: str, x: float, y: float, wide: float, high: float, style: str) -> str:
        a, b = wide / 2 * self.unit, high / 2 * self.unit
        start = rf"\draw[{style}] ({self.at((x, y))})"
        if kind == "chance":
            return f"{start} circle ({a:.1f}pt);"
        if kind in ("max", "player", "min"):
            base = b if kind != "min" else -b
            return f"{start} +({-a:.1f},{base:.1f}) -- +({a:.1f},{base:.1f}) -- +(0,{-base:.1f}) -- cycle;"
        return f"{start} +({-a:.1f},{-b:.1f}) rectangle +({a:.1f},{b:.1f});"

    def label(self, label: Label, faded: bool) -> Iterator[str]:
        if label.role == "order":
            yield self.outline("ring", label.x, label.y, label.width, 15.0, "ring")
        x = label.x - label.width / 2 if label.start else label.x
        styles = f"{label.role} words" + (", at the left" if label.start else "") + (", pale words" if faded else "")
        yield self.words(x, label.y, label.words, styles)

    def symbol(self, entry: Entry) -> Iterator[str]:
        x, y = entry.x, entry.y
        start, end = (x - SYMBOL / 2, y), (x + SYMBOL / 2, y)
        if entry.symbol in ("path", "unseen", "weight"):
            style = {"path": "branch, optimal", "unseen": "unseen branch", "weight": "branch, line width=3pt"}[entry.symbol]
            yield rf"\draw[{style}] ({self.at(start)}) -- ({self.at(end)});"
            if entry.symbol == "unseen":
                yield self.strike(start, end)
        elif entry.symbol in MARKS:
            yield self.words(x, y, entry.symbol, "mark words")
        elif entry.symbol in WRITTEN:
            yield self.words(x, y, WRITTEN[entry.symbol], "bounds words" if entry.symbol == "bounds" else "value words")
        elif entry.symbol == "order":
            yield self.outline("ring", x, y, 15, 15, "ring")
            yield self.words(x, y, "1", "order words")
        else:
            wide, high = SMALL_SYMBOLS.get(entry.symbol, SMALL_SYMBOLS["max"])
            yield self.outline(entry.symbol, x, y, wide, high, entry.symbol)
            if entry.symbol in WITHIN:
                yield self.words(x, y + WITHIN[entry.symbol][1] * high, WITHIN[entry.symbol][0], "order words, text=ink")


def escaped(words: str) -> str:
    """The words in LaTeX: accents as commands, other characters outside ASCII as their code points."""
    written = ""
    for c in words:
        apart = unicodedata.normalize("NFD", c)
        if c in SPECIAL:
            written += SPECIAL[c]
        elif c.isascii():
            written += c
        elif len(apart) == 2 and apart[0].isascii() and ord(apart[1]) in ACCENTS:
            written += rf"\{ACCENTS[ord(apart[1])]}{{{apart[0]}}}"
        else:
            written += f"U+{ord(c):04X}"
    return written

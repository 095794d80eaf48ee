"""What games share that are kept in SGF: the names of players, the result and comments between a sheet and a game tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..history import History, written_down
from ..notation import sgf
from ..notation.sheet import RESIGNED, Format, Sheet, comment_of, with_comments

ABOUT = ("EV", "RO", "DT", "PC", "GN", "RU", "GC")
WINNER = re.compile(r"([BW])\+.*")


def parse(data: bytes) -> list[sgf.Node]:
    """The game trees of a file."""
    return sgf.parse(sgf.decode(data))


def sgf_format(number: str, read: Callable[[sgf.Node], History], write: Callable[[History], sgf.Node]) -> Format:
    """The format of a game whose number in the property GM is this one: Go is 1, also where none is told."""
    return Format(
        parse,
        lambda root: _sheet(root, read(root)),
        lambda played: _written(played, write),
        lambda root: (root.get("GM") or "1").strip() == number,
    )


def _written(played: Sequence[tuple[Sheet, History]], tree_of: Callable[[History], sgf.Node]) -> str:
    roots = []
    for sheet, history in played:
        root = tree_of(history)
        for name, player in zip(("PB", "PW"), sheet.about.players, strict=True):
            root.properties[name] = [sgf.escaped(player)]
        told = {"DT": sheet.about.began[:10]} | dict(sheet.about.tags)
        root.properties |= {name: [sgf.escaped(told[name])] for name in ABOUT if told.get(name)}
        if sheet.sign is not None and "RE" not in root.properties:
            how = {"time": "T", RESIGNED: "R"}.get(sheet.ending.reason if sheet.ending else "", "")
            root.properties["RE"] = ["0" if sheet.sign == (0, 0) else f"{'B' if sheet.sign[0] > 0 else 'W'}+{how}"]
        for node, entry in zip(list(root.line())[1:], sheet.moves, strict=True):
            if comment := comment_of(entry):
                node.properties["C"] = [sgf.escaped(comment)]
        roots.append(root)
    return sgf.write(roots)


def _sheet(root: sgf.Node, history: History) -> Sheet:
    players = (root.get("PB") or "?", root.get("PW") or "?")
    tags = {name: value for name in ABOUT if (value := root.get(name))}
    told, found = root.get("RE") or "", None
    if won := WINNER.fullmatch(told.strip()):
        found = (1.0, -1.0) if won[1] == "B" else (-1.0, 1.0)
    elif told.strip() in ("0", "Draw"):
        found = (0.0, 0.0)
    sheet = written_down(history, players, tags, found)
    nodes = [node for node in root.line() if "B" in node.properties or "W" in node.properties]
    comments = [[node.get("C") or ""] for node in nodes[: len(sheet.moves)]]
    return with_comments(sheet, comments) if len(comments) == len(sheet.moves) else sheet

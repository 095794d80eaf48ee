"""A game on paper: who played, the moves with what the players thought of them, and how it ended. All is text and numbers, no rules.

Every format of files is a `Format`: it turns the bytes of a file into sheets, and sheets into the text of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

RESIGNED = "resigned"
UNFINISHED = "unfinished"  # the reason of a game without a result that is no longer played
AS_TOLD = "as recorded"  # ... of one whose result is not the rules' but the record's: somebody resigned, or claimed a draw
COMMENT = re.compile(r"([+-][0-9.]{1,12}|-)/([0-9]{1,6}) ([0-9.]{1,12})s")


@dataclass(frozen=True)
class Entry:
    """A move: whose it was (-1 for chance), the seconds that were left then and that it took, and what the player thought."""

    seat: int
    action: str
    left: float | None = None
    seconds: float = 0.0
    value: float | None = None
    depth: int = 0
    nodes: int = 0
    line: str = ""
    note: str = ""


@dataclass(frozen=True)
class About:
    """What is known of a game before it begins; players by seat."""

    game: str
    players: tuple[str, ...]
    seed: int
    start: str
    tags: Mapping[str, str] = field(default_factory=dict)
    began: str = ""


@dataclass(frozen=True)
class Ending:
    """How a game ended: what each player gets, why it ended, whose fault that was, and the luck each had."""

    result: tuple[float, ...]
    reason: str
    fault: int | None = None
    remark: str = ""
    seconds: float = 0.0
    luck: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Sheet:
    """One game with all that is known of it, wherever it is kept; without an ending while it is played."""

    about: About
    moves: tuple[Entry, ...]
    ending: Ending | None

    @property
    def sign(self) -> tuple[int, int] | None:
        """Who of two won, 1, 0 or -1 each, without by how much; None if the game has no result."""
        if self.ending is None or len(self.ending.result) != 2:
            return None
        a, b = self.ending.result
        return ((a > b) - (a < b), (b > a) - (b < a))


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a state as text, or nothing for the usual one, and actions as text that are taken at once."""

    start: str = ""
    actions: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Format:
    """A format of files in which games are kept.

    parse(data)      the games of a file as the notation has them, without rules; ZermeloError if it is not such a file
    read(part)       one of them as a sheet, played by the rules; ZermeloError if they do not allow it
    write(played)    the text of a file; a game is a pair of its sheet and its `History`
    accepts(part)    whether this is a game of this kind: games of several kinds may share a format, with the same `parse`
    """

    parse: Callable[[bytes], Iterable[Any]]
    read: Callable[[Any], Sheet]
    write: Callable[[Sequence[tuple[Sheet, Any]]], str]
    accepts: Callable[[Any], bool] = lambda part: True


@dataclass(frozen=True)
class OpeningFormat:
    """A format of files of openings.

    split(data)         a text for each opening; cheap, because a long file is not read whole for a few of them
    read(game, text)    the opening that one of these texts describes
    """

    split: Callable[[bytes], list[str]]
    read: Callable[[Any, str], Opening]


# ---- comments ----------------------------------------------------------------------------------


def comment_of(entry: Entry) -> str:
    """What a player thought of a move and how long it took, as programs that hold matches of engines write it: +0.250/12 1.203s."""
    if entry.value is None and not entry.seconds:
        return ""
    value = "-" if entry.value is None else f"{entry.value:+.3f}"
    return f"{value}/{entry.depth} {entry.seconds:.3f}s"


def with_comments(sheet: Sheet, comments: Iterable[Sequence[str]]) -> Sheet:
    """The sheet with what such comments say of its moves; other comments are passed over."""
    entries = []
    for entry, words in zip(sheet.moves, comments, strict=True):
        for comment in words:
            if found := COMMENT.fullmatch(comment):
                try:
                    value = None if found[1] == "-" else float(found[1])
                    entry = replace(entry, value=value, depth=int(found[2]), seconds=float(found[3]))
                except ValueError:  # 1.2.3
                    continue
        entries.append(entry)
    return replace(sheet, moves=tuple(entries))

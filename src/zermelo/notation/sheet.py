"""A game on paper: the players, the moves with their search results, and the ending. It consists of text and numbers, without rules.

Every file format is a `Format`: it turns the bytes of a file into sheets, and sheets into the text of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

RESIGNED = "resigned"
UNFINISHED = "unfinished"  # the reason of a game without a result that was abandoned
AS_TOLD = "as recorded"  # ... of a game whose result comes from the record, not from the rules: a resignation, or a claimed draw
COMMENT = re.compile(r"([+-][0-9.]{1,12}|-)/([0-9]{1,6}) ([0-9.]{1,12})s")


@dataclass(frozen=True)
class Entry:
    """A move: the seat (-1 for chance), the seconds left before it and used for it, and the result of the player's search."""

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
    """How a game ended: the result of each player, the reason, the seat at fault, and the luck of each player."""

    result: tuple[float, ...]
    reason: str
    fault: int | None = None
    remark: str = ""
    seconds: float = 0.0
    luck: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Sheet:
    """One game with everything known of it, independent of its format; without an ending while it is played."""

    about: About
    moves: tuple[Entry, ...]
    ending: Ending | None

    @property
    def sign(self) -> tuple[int, int] | None:
        """The result of two players as 1, 0 or -1 each, without the margin; None if the game has no result."""
        if self.ending is None or len(self.ending.result) != 2:
            return None
        a, b = self.ending.result
        return ((a > b) - (a < b), (b > a) - (b < a))


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a state as text ("" for the usual one), and actions as text that are played first."""

    start: str = ""
    actions: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Format:
    """A file format of games.

    parse(data)      the games of a file as the notation has them, without rules; ZermeloError if it is not such a file
    read(part)       one of them as a sheet, played by the rules; ZermeloError if they do not allow it
    write(played)    the text of a file; a game is a pair of its sheet and its `History`
    accepts(part)    whether this is a game of this kind: games of several kinds may share a format, with the same `parse`
    actions(game, part)    where a file tells them so that rules need not be asked: the actions of one of them from the usual start,
                     and the result. Whoever wants a hundred thousand games plays them again natively
    """

    parse: Callable[[bytes], Iterable[Any]]
    read: Callable[[Any], Sheet]
    write: Callable[[Sequence[tuple[Sheet, Any]]], str]
    accepts: Callable[[Any], bool] = lambda part: True
    actions: Callable[[Any, Any], tuple[Sequence[int], tuple[float, ...]]] | None = None


@dataclass(frozen=True)
class OpeningFormat:
    """A file format of openings.

    split(data)         a text for each opening; cheap, because a long file is not read whole for a few of them
    read(game, text)    the opening that one of these texts describes
    """

    split: Callable[[bytes], list[str]]
    read: Callable[[Any, str], Opening]


# ---- comments ----------------------------------------------------------------------------------


def comment_of(entry: Entry) -> str:
    """The value, depth and seconds of a move, as match programs for engines write them: +0.250/12 1.203s."""
    if entry.value is None and not entry.seconds:
        return ""
    value = "-" if entry.value is None else f"{entry.value:+.3f}"
    return f"{value}/{entry.depth} {entry.seconds:.3f}s"


def with_comments(sheet: Sheet, comments: Iterable[Sequence[str]]) -> Sheet:
    """The sheet with values, depths and seconds from such comments; other comments are ignored."""
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

"""Games in and out of files: JSON for all of them, and the formats that their games have (`Game.formats`).

    read("pgn", data)               sheets of all games in a file
    write("pgn", sheets)            the text of a file

What a format has no place for is left out. Whatever is read is played again by the rules before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ... import registry
from ...errors import ZermeloError
from ...game import Game
from ...history import History, replayed
from ...notation.sheet import Format, Sheet
from .record_json import read_json, write_json

JSON, TEXT = "json", "txt"


def history_of(sheet: Sheet) -> History:
    """The game on a sheet played again; ZermeloError at the first move that the rules do not allow."""
    return replayed(registry.game(sheet.about.game), sheet)


def kind_of(path: Path | str, told: str | None = None) -> str:
    """The format with this name, or else the one at the end of a file's name."""
    return told if told is not None else Path(path).suffix.removeprefix(".").lower()


def formats(game: str = "") -> dict[str, dict[str, Format]]:
    """The formats by name, and the games that have each; those of `game`, if one is named, hide others of the same name."""
    found: dict[str, dict[str, Format]] = {}
    for name, cls in registry.classes().items():
        for kind, one in cls.formats.items():
            found.setdefault(kind, {})[name] = one
    own = registry.game(game).formats if game else {}
    return found | {kind: {game: one} for kind, one in own.items()}


def format_of(game: Game, kind: str) -> Format | None:
    """The format of this game by its name; of a file that is called text, the one that tells actions line by line. None if it has none."""
    lines = (one for one in game.formats.values() if one.actions is not None)
    return game.formats.get(kind) or (next(lines, None) if kind == TEXT else None)


def kinds(game: str = "") -> list[str]:
    """The names of all formats, which are also the ends of files' names."""
    return [JSON, *sorted(formats(game))]


def write(kind: str, sheets: Sequence[Sheet]) -> str:
    """The games in a format by its name."""
    if kind == JSON:
        return write_json(sheets)
    played = [(sheet, history_of(sheet)) for sheet in sheets]
    for sheet, history in played:
        if kind not in history.game.formats:
            games = " and ".join(formats()[_known(kind)])
            raise ZermeloError(f"{kind.upper()} is for {games}: expected another format for a game of {sheet.about.game}, like json")
    groups = groupby(played, lambda one: one[1].game.formats[kind].write)
    return "\n".join(writer(list(group)) for writer, group in groups)


def read(kind: str, data: bytes, trusted: str = "") -> list[Sheet]:
    """The games of a file in this format; `trusted`: a game in a file of its own that may be run."""
    return list(read_some(kind, data, trusted))


def read_some(kind: str, data: bytes, trusted: str = "", skip: Callable[[ZermeloError], None] | None = None) -> Iterator[Sheet]:
    """Yield the games of a file. One that the rules do not allow is reported to `skip` and left out; ZermeloError without `skip`."""
    if kind == JSON:
        yield from read_json(data, trusted)
        return
    readers = formats(trusted)[_known(kind, trusted)]
    for n, part in enumerate(next(iter(readers.values())).parse(data), 1):
        reader = next((one for one in readers.values() if one.accepts(part)), None)
        if reader is None:
            raise ZermeloError(f"game {n}: expected a game of {' or '.join(readers)}")
        try:
            sheet = reader.read(part)
        except ZermeloError as error:
            wrong = ZermeloError(f"game {n}: {error}")
            if skip is None:
                raise wrong from None
            skip(wrong)
        else:
            yield sheet


def _known(kind: str, game: str = "") -> str:
    if kind not in formats(game):
        raise ZermeloError(f"there is no format '{kind}': expected one of {', '.join(kinds(game))}")
    return kind

"""What games share that are kept in PGN or in its relative PDN: tags, results and comments between a sheet and a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..history import History, written_down
from ..notation import pgn
from ..notation.sheet import Opening, OpeningFormat, Sheet, comment_of, with_comments
from ..notation.text import decode

RESULTS = {(1, -1): "1-0", (-1, 1): "0-1", (0, 0): "1/2-1/2"}
TOLD = {text: tuple(float(x) for x in pair) for pair, text in RESULTS.items()} | {
    "2-0": (1.0, -1.0),  # as draughts players count
    "0-2": (-1.0, 1.0),
    "1-1": (0.0, 0.0),
}
OWN_TAGS = {"FEN", "SetUp", "Result", "White", "Black", "Variant", "Termination"}  # that follow from the game

Played = Sequence[tuple[Sheet, History]]


def write(played: Played, record_of: Callable[[History, dict[str, str]], pgn.Record], sides: Sequence[str]) -> list[pgn.Record]:
    """The records of these games, with tags and comments; `sides` are the tags that name the players."""
    records = []
    for sheet, history in played:
        tags = _tags(sheet, sides)
        record = record_of(history, tags)
        record.tags["Result"] = record.line.result = tags["Result"]
        for move, entry in zip(record.line.moves, sheet.moves, strict=True):
            comment = comment_of(entry)
            move.comments = [comment] if comment else []
        records.append(record)
    return records


def _tags(sheet: Sheet, sides: Sequence[str]) -> dict[str, str]:
    told = {"Event": "match", "Date": sheet.about.began[:10].replace("-", ".") or "????.??.??"}
    told |= {name: value for name, value in sheet.about.tags.items() if re.fullmatch(r"[A-Z]\w*", name)}
    told |= {side: " ".join(player.split()) for side, player in zip(sides, sheet.about.players, strict=True)}
    if sheet.ending is not None and sheet.ending.reason not in ("ended", "repetition"):
        told["Termination"] = sheet.ending.reason
    return told | {"Result": "*" if sheet.sign is None else RESULTS[sheet.sign]}


def read(record: pgn.Record, history: History, sides: Sequence[str]) -> Sheet:
    """The sheet of a record whose moves are this history."""
    tags = {name: value for name, value in record.tags.items() if name not in OWN_TAGS}
    players = tuple(record.tags.get(side, "?") for side in sides)
    told = TOLD.get(record.line.result or record.tags.get("Result", "*"))
    return with_comments(written_down(history, players, tags, told), [move.comments for move in record.line.moves])


def openings(parse: Callable[[str], pgn.Record]) -> OpeningFormat:
    """The openings of a file of records: the start and the moves of each game; `parse` reads one of them."""

    def read_opening(game: object, text: str) -> Opening:
        record = parse(text)
        return Opening(record.tags.get("FEN", ""), tuple(move.text for move in record.line.moves))

    return OpeningFormat(lambda data: pgn.split(decode(data)), read_opening)

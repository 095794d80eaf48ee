"""GGF, the Generic Game Format of the Othello servers: games as lists of tags between (; and ;).

    (;GM[Othello]PC[GGS/os]DT[1999.05.20]PB[alice]PW[bob]RE[12]TY[8]
    BO[8 ---------------------------O*------*O--------------------------- *]B[d3//1.5]W[c5]B[pass];)

    record = read(text)[0]
    record.tags["PB"], record.size, record.board, [(m.colour, m.text, m.value, m.seconds) for m in record.moves]
    write([record])

BO has the size, the squares row by row from the top (* Black, O White, - empty) and the player to move; moves of B and W follow, with the
player's value and the seconds after slashes. RE is the margin of Black, with :r, :t or :s if a player
resigned, lost on time or both agreed. The rules of a game interpret the moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import ZermeloError

NAME = re.compile(r"[A-Za-z]{1,2}")
MOVE = re.compile(r"([A-Za-z][0-9]{1,2}|pa|pass|--)", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")
BOARD = re.compile(r"\s*([0-9]{1,2})\s+([*O\-\s]+?)\s*([*O])\s*")
PART = re.compile(r"\s*(?:(?P<end>;\s*\))|(?P<name>[A-Za-z]{1,2})\s*\[(?P<value>[^\[\]]*)\])")
BEGIN = re.compile(r"\s*\(\s*;")
TEXT_LEFT = re.compile(r"\S")
COUNT = re.compile(r"\s*[0-9]{1,6}(?=\s*\(\s*;)")  # servers write the number of games first


@dataclass
class Move:
    """A move of B or W as text, with its value and seconds if they are given."""

    colour: str
    text: str
    value: float | None = None
    seconds: float | None = None


@dataclass
class Record:
    """A game: its tags (except BO and the moves), the initial board in letters * O -, the player to move (* or O), the moves."""

    tags: dict[str, str]
    size: int
    board: str
    turn: str
    moves: list[Move] = field(default_factory=list)


def read(text: str) -> list[Record]:
    """The games of a text; ZermeloError, with the line, if it is not GGF."""
    records, at = [], 0
    while TEXT_LEFT.search(text, at):
        count = COUNT.match(text, at)
        begun = BEGIN.match(text, count.end() if count else at)
        if not begun:
            raise _refuse(text, at, "(; at the start of a game")
        record, at = _read(text, begun.end())
        records.append(record)
    if not records:
        raise ZermeloError("GGF: expected a game like (;GM[Othello]...;)")
    return records


def _refuse(text: str, at: int, expected: str) -> ZermeloError:
    at += len(text[at:]) - len(text[at:].lstrip())
    found = text[at : at + 20].strip()
    return ZermeloError(f"GGF, line {text.count(chr(10), 0, at) + 1}: expected {expected}, not {found!r}")


def _read(text: str, at: int) -> tuple[Record, int]:
    tags: dict[str, str] = {}
    moves: list[Move] = []
    board: re.Match[str] | None = None
    while True:
        part = PART.match(text, at)
        if not part:
            raise _refuse(text, at, "a tag like PB[alice], or ;) at the end of the game")
        if part["end"]:
            break
        name, value = part["name"].upper(), part["value"].strip()
        if name in ("B", "W"):
            moves.append(_move(text, at, name, value))
        elif name == "BO":
            board = BOARD.fullmatch(" ".join(value.split()))
            if not board or len(_squares(board)) != int(board[1]) ** 2:
                raise _refuse(text, at, "BO with a size, its squares of * O and -, and the player to move as * or O")
        elif name in tags:
            raise _refuse(text, at, f"the tag {name} once in a game")
        else:
            tags[name] = value
        at = part.end()
    if board is None:
        raise _refuse(text, at, "a game with the tag BO before this place")
    return Record(tags, int(board[1]), _squares(board), board[3], moves), part.end()


def _squares(board: re.Match[str]) -> str:
    return "".join(board[2].split())


def _move(text: str, at: int, colour: str, value: str) -> Move:
    move, *rest = value.split("/")
    if not MOVE.fullmatch(move.strip()) or len(rest) > 2 or any(x.strip() and not NUMBER.fullmatch(x.strip()) for x in rest):
        raise _refuse(text, at, f"a move like {colour}[d3], {colour}[pass] or {colour}[d3/-2.00/1.5]")
    numbers = [float(x) if x.strip() else None for x in rest] + [None, None]
    name = move.strip().lower()
    return Move(colour, "pass" if name in ("pa", "--") else name, numbers[0], numbers[1])


def write(records: list[Record]) -> str:
    """The games as text that `read` reads back, one per line."""
    return "".join(_written(record) + "\n" for record in records)


def _written(record: Record) -> str:
    for name, value in record.tags.items():
        if not NAME.fullmatch(name) or name in ("B", "W", "BO") or re.search(r"[\[\]\r\n]", value):
            raise ZermeloError(
                f"GGF cannot be written: expected a tag of one or two letters and text without brackets, not {name}[{value[:40]}]"
            )
    tags = "".join(f"{name}[{value}]" for name, value in record.tags.items())
    rows = " ".join(record.board[i : i + record.size] for i in range(0, len(record.board), record.size))
    return f"(;{tags}BO[{record.size} {rows} {record.turn}]{''.join(map(_written_move, record.moves))};)"


def _written_move(move: Move) -> str:
    value = "" if move.value is None else f"{move.value:.2f}"
    seconds = "" if move.seconds is None else f"{move.seconds:.2f}"
    thoughts = f"/{value}/{seconds}" if seconds else f"/{value}" if value else ""
    return f"{move.colour}[{move.text}{thoughts}]"

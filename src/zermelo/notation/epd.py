"""EPD, the format of test positions: the first four fields of a FEN, then operations, all in one line.

    position = read_line('8/8/8/8/8/8/8/K1k5 w - - bm Ka2; id "one"; D1 1;')
    position.board, position["bm"], position.fen
    write(position)

Moves and boards are text: the rules of a game interpret them. The operand has the type that the
opcode requires: `bm`, `am` and `pv` are lists of moves, `id` and `c0` to `c9` are texts, `dm`, `ce`, `acd` and `D1`, `D2`, ... are
whole numbers; an unknown opcode has a list of whole numbers and texts.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..errors import ZermeloError
from ..system.limits import TEXT as LONGEST

Value = int | str | list[str] | list[int | str]

MOVES = {"am", "bm", "pv"}  # any number of moves
MOVE = {"pm", "sm"}  # one
TEXT = {"eco", "id", "nic", "tcri", "tcsi", "resign", "noop"} | {f"{kind}{i}" for kind in "cv" for i in range(10)}
NUMBER = re.compile(r"ac[dns]|ce|dm|fmvn|hmvc|rc|D[0-9]{1,3}")

FIELDS = re.compile(r"([^\s;]+)\s+([wb])\s+([^\s;]+)\s+([^\s;]+)(?:\s+([0-9]{1,6})\s+([0-9]{1,6}))?(?=[\s;]|$)")
OPERAND = re.compile(r'\s+|"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)"(?=[\s;]|$)|(?P<word>[^\s;"]+)|(?P<end>;)')
OPCODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,14}")
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass
class Position:
    """A line of EPD: the board with side to move, castling and en passant, and the operations."""

    board: str
    operations: dict[str, Value] = field(default_factory=dict)
    at: int = field(default=0, compare=False)  # the line of the text

    def __getitem__(self, opcode: str) -> Value:
        if opcode not in self.operations:
            raise ZermeloError(f"expected the operation {opcode} with '{self.board}'")
        return self.operations[opcode]

    @property
    def fen(self) -> str:
        """The position as a FEN with clock and move number (default: 0 and 1)."""
        return f"{self.board} {self.operations.get('hmvc', 0)} {self.operations.get('fmvn', 1)}"

    @property
    def counts(self) -> dict[int, int]:
        """The perft counts by depth (D1, D2, ...)."""
        found = {k[1:]: v for k, v in self.operations.items() if k[0] == "D" and k[1:].isdigit()}
        return {int(depth): count for depth, count in found.items() if isinstance(count, int)}

    def moves(self, opcode: str) -> list[str]:
        """The moves of bm, am, pv, pm or sm; none if the position lacks the operation."""
        found = self.operations.get(opcode, [])
        return [str(move) for move in found] if isinstance(found, list) else [str(found)]


def read(text: str | Iterable[str]) -> Iterator[Position]:
    """The positions of a text or of its lines; empty lines and those that begin with # or % are skipped."""
    for at, line in enumerate(io.StringIO(text, newline=None) if isinstance(text, str) else text, 1):
        if (stripped := line.strip("\ufeff\0 \t\r\n")) and stripped[0] not in "#%":
            try:
                position = read_line(stripped)
            except ZermeloError as error:
                raise ZermeloError(f"line {at}: {error}") from None
            position.at = at
            yield position


def read_line(line: str) -> Position:
    """One position; the four fields may be a whole FEN, whose counters become the operations hmvc and fmvn."""
    line = line.strip("\0 \t\r\n")
    if len(line) > LONGEST:
        raise ZermeloError(f"expected a line of at most {LONGEST:,} characters, not {len(line):,}")
    found = FIELDS.match(line)
    if found is None or "\n" in line or "\r" in line:
        raise ZermeloError(f"expected one line with a board, w or b, castling rights and an en passant square, not {line[:60]!r}")
    position = Position(" ".join(found.group(1, 2, 3, 4)))
    if found[5]:
        position.operations |= {"hmvc": int(found[5]), "fmvn": int(found[6])}
    for opcode, operands in _operations(line, found.end()):
        if opcode in position.operations:
            raise ZermeloError(f"expected the operation {opcode} once")
        position.operations[opcode] = _value(opcode, operands)
    return position


def _operations(line: str, place: int) -> Iterator[tuple[str, list[re.Match[str]]]]:
    """Each opcode with its operands; empty operations are skipped."""
    parts: list[re.Match[str]] = []
    while place <= len(line):
        found = OPERAND.match(line, place)
        if found is None and place < len(line):
            raise ZermeloError(f"expected words, texts in \" and ; to end an operation, not '{line[place : place + 20]}'")
        if found is None or found["end"]:
            if parts:
                opcode = parts[0]["word"] or ""
                if not OPCODE.fullmatch(opcode):
                    raise ZermeloError(f"expected an operation that begins with a name of letters and digits, not '{parts[0][0][:20]}'")
                yield opcode, parts[1:]
            parts = []
        elif found.lastgroup:
            parts.append(found)
        place = found.end() if found else place + 1


def _value(opcode: str, operands: list[re.Match[str]]) -> Value:
    words = [_text(x) for x in operands]
    if opcode in MOVES | MOVE:
        moves: list[str] = []
        for word in words:
            if moves and not word.strip("+#!?"):  # a sign separated from its move
                moves[-1] += word
            else:
                moves.append(word)
        if opcode in MOVE and len(moves) != 1:
            raise ZermeloError(f"expected one move after {opcode}, not {len(moves)}")
        if not all(move and not set(move) & set(' ;"') for move in moves):
            raise ZermeloError(f"expected moves of one word after {opcode}")
        return moves[0] if opcode in MOVE else moves
    if opcode in TEXT:
        if len(operands) > 1 and any(x["word"] is None for x in operands):
            raise ZermeloError(f"expected one text after {opcode}, not {len(operands)}")
        return " ".join(words)
    if NUMBER.fullmatch(opcode):
        if len(words) != 1 or not WHOLE_NUMBER.fullmatch(words[0]):
            raise ZermeloError(f"expected one whole number after {opcode}, not '{' '.join(words)[:20]}'")
        return int(words[0])
    return [_plain(x) for x in operands]


def _text(operand: re.Match[str]) -> str:
    quoted = operand["text"]
    return str(operand["word"]) if quoted is None else re.sub(r"\\([\"\\])", r"\1", quoted)


def _plain(operand: re.Match[str]) -> int | str:
    word = operand["word"] or ""
    return int(word) if WHOLE_NUMBER.fullmatch(word) else _text(operand)


def write(position: Position) -> str:
    """The position as one line."""
    return " ".join([position.board, *(f"{opcode}{_written(opcode, value)};" for opcode, value in position.operations.items())])


def _written(opcode: str, value: Value) -> str:
    if opcode in MOVES and isinstance(value, list):
        return "".join(f" {move}" for move in value)
    if opcode in MOVE:
        return f" {value}"
    return "".join(f" {_quoted(x) if isinstance(x, str) else x}" for x in (value if isinstance(value, list) else [value]))


def _quoted(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise ZermeloError(f"expected one line of text, not {text[:40]!r}")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

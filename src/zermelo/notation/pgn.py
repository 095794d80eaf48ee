"""PGN, the format of played games: tags, then moves with comments, marks and variations, then a result.

    for record in read(text):            one at a time, however long the text or the open file is
        record.tags["White"], [move.text for move in record.line.moves], record.line.result
    write(record)                        the export form: no line beyond 79 characters

Moves are text: the rules of a game interpret them. PDN, the format of draughts, differs only in its moves and
results, so `read` takes the results to expect.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..errors import ZermeloError
from ..system.limits import TEXT

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

#: the tags that every game should have, in the order in which they are written; others follow in their own order
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")

#: the marks that may follow a move, as numbers (NAG)
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

MAX_NESTED_VARIATIONS = 100  # nested variations
MAX_LINE_CHARACTERS = 79  # characters of a written line

TOKEN = re.compile(
    r"\s*(?:(?P<word>[^\s\[\](){};\".$%<>]+)|(?P<dots>\.+)|(?P<open>[\[(])|(?P<close>[\])])|(?P<comment>\{)|;(?P<rest>.*)"
    r"|\"(?P<string>[^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|\$(?P<nag>[0-9]{1,3}(?![0-9]))|$)"
)
WORD = re.compile(r"[^\s\[\](){};\".$%<>!?]+")  # a move, without marks
NAME = re.compile(r"[A-Za-z0-9_]+")


@dataclass
class Move:
    """A move as text, with its annotations."""

    text: str
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # between the move and the next one
    variations: list[Line] = field(default_factory=list)  # alternatives to this move
    at: int = field(default=0, compare=False)  # the line of the text


@dataclass
class Line:
    """A sequence of moves."""

    moves: list[Move] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # before the first move
    result: str = ""


@dataclass
class Record:
    """One recorded game."""

    tags: dict[str, str] = field(default_factory=dict)
    line: Line = field(default_factory=Line)
    ply: int = 0  # plies before the first move: 3 if it is numbered 2...
    at: int = field(default=0, compare=False)


class Token(NamedTuple):
    kind: str  # open, close, comment, string, nag, dots, word
    text: str
    at: int  # the line


def read(text: str | Iterable[str], results: Collection[str] = RESULTS) -> Iterator[Record]:
    """The games of a text, or of an iterable of its lines such as an open file; ZermeloError, with the line, if it is not PGN.

    Runs of white space in comments become one space. Of the move numbers only the first is kept. A comment after a result
    belongs to the game that it ended. A game may lack its result if tags, or nothing, follow.
    """
    reader = _Reader(results)
    stream = tokens(io.StringIO(text, newline=None) if isinstance(text, str) else text)
    for token in stream:
        if reader.ends_before(token):
            yield reader.finished()
        if token.text == "[" and token.kind == "open":
            reader.tag(token, stream)
        else:
            reader.take(token)
    if reader.begun:
        yield reader.finished()


def read_file(path: Path | str, results: Collection[str] = RESULTS) -> Iterator[Record]:
    """The games in a file, one at a time."""
    try:
        with open(path, encoding="utf-8") as lines:
            yield from read(lines, results)
    except UnicodeDecodeError as error:
        raise ZermeloError(f"{path} cannot be read: expected text in UTF-8, which byte {error.object[error.start]:#x} is not") from None
    except (OSError, ValueError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def tokens(lines: Iterable[str]) -> Iterator[Token]:
    """The tokens of a text, line by line; lines that begin with % are skipped."""
    comment: list[str] | None = None
    opened = 0
    for at, line in enumerate(lines, 1):
        if at == 1:
            line = line.removeprefix("\ufeff")
        if comment is None and line.startswith("%"):
            continue
        place = 0
        while place < len(line):
            if comment is not None:
                end = line.find("}", place)
                comment.append(line[place : end if end >= 0 else len(line)])
                if end < 0:
                    break
                yield Token("comment", " ".join(comment), opened)
                comment, place = None, end + 1
                continue
            found = TOKEN.match(line, place)
            if found is None:
                wrong = line[place:].strip()[:20]
                expected = 'a " that ends the text begun here' if wrong[0] == '"' else "a move, a tag, a comment or a result"
                raise ZermeloError(f"line {at}: expected {expected}, not '{wrong}'")
            place = found.end()
            if found.lastgroup in ("word", "string", "dots") and found.end() - found.start(found.lastgroup) > TEXT:
                raise ZermeloError(f"line {at}: expected words and tags of at most {TEXT:,} characters")
            if found.lastgroup == "comment":
                comment, opened = [], at
            elif found.lastgroup:
                yield Token("comment" if found.lastgroup == "rest" else found.lastgroup, found[found.lastgroup], at)
    if comment is not None:
        raise ZermeloError(f"line {opened}: expected a }} that ends the comment begun here")


class _Reader:
    """Assembles a game from tokens; `path` is the line being read, preceded by the lines it is a variation of."""

    def __init__(self, results: Collection[str]):
        self.results = results
        self._start()

    def _start(self) -> None:
        self.record = Record()
        self.path = [self.record.line]
        self.begun = False
        self.number = 0  # of the next move, if it is given before the first
        self.dots = 0
        self.last = 0

    def ends_before(self, token: Token) -> bool:
        """Whether this token is the first of another game."""
        if self.record.line.result:
            return token.kind != "comment"
        return token.text == "[" and token.kind == "open" and len(self.path) == 1 and bool(self.record.line.moves)

    def finished(self) -> Record:
        """The game that was read; reset for the next."""
        if len(self.path) > 1:
            raise ZermeloError(f"line {self.last}: expected ) for each ( before the game ends")
        record = self.record
        self._start()
        return record

    def begin(self, token: Token) -> None:
        if not self.begun:
            self.begun, self.record.at = True, token.at
        self.last = token.at

    def tag(self, token: Token, stream: Iterator[Token]) -> None:
        """Read a tag pair after its [."""
        self.begin(token)
        if self.record.line.moves:
            raise ZermeloError(f"line {token.at}: expected ) before the next game")
        parts = [next(stream, Token("", "", token.at)) for _ in range(3)]
        name, value, end = parts
        if [part.kind for part in parts] != ["word", "string", "close"] or end.text != "]" or not NAME.fullmatch(name.text):
            raise ZermeloError(f'line {token.at}: expected a tag as [Name "value"]')
        if name.text in self.record.tags:
            raise ZermeloError(f"line {token.at}: expected the tag {name.text} once in a game")
        self.record.tags[name.text] = re.sub(r"\\([\"\\])", r"\1", value.text)

    def take(self, token: Token) -> None:
        """Read a token of the move text."""
        self.begin(token)
        line = self.path[-1]
        moves = line.moves
        match token.kind:
            case "comment":
                if text := " ".join(token.text.split()):
                    (moves[-1].comments if moves else line.comments).append(text)
            case "open":
                if not moves:
                    raise ZermeloError(f"line {token.at}: expected a move before the variation")
                if len(self.path) > MAX_NESTED_VARIATIONS:
                    raise ZermeloError(f"line {token.at}: expected at most {MAX_NESTED_VARIATIONS} nested variations")
                moves[-1].variations.append(Line())
                self.path.append(moves[-1].variations[-1])
            case "close":
                if token.text == "]" or len(self.path) == 1:
                    raise ZermeloError(f"line {token.at}: expected no {token.text} without its opening bracket")
                self.path.pop()
            case "nag":
                self.mark(token, int(token.text))
            case "dots":
                self.dots += len(token.text)
            case "word":
                self.word(token, line)
            case _:
                raise ZermeloError(f'line {token.at}: expected a move, not "{token.text[:20]}"')

    def mark(self, token: Token, nag: int) -> None:
        if not self.path[-1].moves or nag > 255:
            raise ZermeloError(f"line {token.at}: expected a mark from $0 to $255 after a move")
        self.path[-1].moves[-1].nags.append(nag)

    def word(self, token: Token, line: Line) -> None:
        """Read a move, a move number or a result."""
        text = token.text
        if line.result:
            raise ZermeloError(f"line {token.at}: expected ) after the result of a variation, not '{text[:20]}'")
        if text in self.results:
            line.result = text
        elif _is_number(text):
            if len(text) > 6:
                raise ZermeloError(f"line {token.at}: expected a move number of at most six digits")
            self.number, self.dots = int(text), 0
        else:
            move = text.rstrip("!?")
            mark = text[len(move) :]
            if (mark and (mark not in MARKS or _is_number(move) or move in self.results)) or "!" in move or "?" in move:
                raise ZermeloError(f"line {token.at}: expected one of {' '.join(MARKS)} after a move, not '{text[:20]}'")
            if move:
                if not self.record.line.moves and self.number:
                    self.record.ply = 2 * (self.number - 1) + (self.dots > 1)
                line.moves.append(Move(move, at=token.at))
            if mark:
                self.mark(token, MARKS[mark])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def split(text: str) -> list[str]:
    """The texts of the single games: each begins with a tag before which there is no tag. Cheap: nothing else is read."""
    parts: list[list[str]] = [[]]
    in_tags, in_comment = True, False
    for line in text.splitlines():
        if line.strip():
            is_tag = not in_comment and re.match(r'\[\w+ "', line) is not None
            if is_tag and not in_tags:
                parts.append([])
            in_tags = is_tag and line.rstrip().endswith("]")
            if not is_tag:
                in_comment = line.rfind("{") > line.rfind("}") or (in_comment and "}" not in line)
        parts[-1].append(line)
    return ["\n".join(part) for part in parts if any(line.strip() for line in part)]


def write(record: Record) -> str:
    """The game in PGN's export form; separate games by an empty line. A game without a result gets *."""
    head = []
    for name in sorted(record.tags, key=lambda name: ROSTER.index(name) if name in ROSTER else len(ROSTER)):
        value = record.tags[name]
        if not NAME.fullmatch(name) or "\n" in value or "\r" in value:
            raise ZermeloError(f"expected a tag of a name and one line of text, not {name[:20]!r} and {value[:40]!r}")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        head.append(f'[{name} "{escaped}"]\n')
    words = _Words()
    if record.line.comments and not head:  # without a number they would belong to the previous game
        words.put("1.")
    words.line(record.line, record.ply)
    words.put(record.line.result or "*")
    return "".join(head) + ("\n" if head else "") + _wrapped(words.out)


class _Words:
    """The words of the move text, between which lines may break; a word that ends with a line break is its own line."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.prefix = ""

    def put(self, word: str) -> None:
        self.out.append(self.prefix + word)
        self.prefix = ""

    def line(self, line: Line, ply: int) -> None:
        for comment in line.comments:
            self.comment(comment)
        numbered = False  # whether a move of the second player needs no number
        for n, move in enumerate(line.moves, ply):
            if not WORD.fullmatch(move.text) or _is_number(move.text) or move.text in RESULTS:
                raise ZermeloError(f"expected a move of one word without marks, not {move.text[:40]!r}")
            if n % 2 == 0 or not numbered:
                self.put(f"{n // 2 + 1}{'...' if n % 2 else '.'}")
            self.put(move.text)
            for nag in move.nags:
                self.put(f"${nag}")
            for comment in move.comments:
                self.comment(comment)
            for variation in move.variations:
                self.variation(variation, n)
            numbered = not (move.comments or move.variations)

    def variation(self, line: Line, ply: int) -> None:
        self.prefix = "("
        self.line(line, ply)
        if line.result:
            self.put(line.result)
        if self.prefix or self.out[-1].endswith("\n"):
            self.put(")")
        else:
            self.out[-1] += ")"

    def comment(self, text: str) -> None:
        text = " ".join(text.split())
        if "}" in text:  # which is not allowed in braces
            if self.prefix:
                self.put("")
            self.put(f"; {text}\n")
        elif text:
            for word in ("{" + text + "}").split(" "):
                self.put(word)


def _wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        alone = word.endswith("\n")
        if lines[-1] and (alone or len(lines[-1]) + 1 + len(word) > MAX_LINE_CHARACTERS):
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word.rstrip("\n")
        if alone:
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"

"""SGF, the Smart Game Format: game records as trees of nodes with properties (FF[4], and files of FF[1] to FF[3]).

    (;FF[4]GM[1]SZ[9];B[ee];W[ge](;B[gc])(;B[gg]C[better]))

A node is a list of properties, a property is a name and one or more values. Games interpret the
values. Reading and writing are iterative, so that nesting does not use the stack.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from ..errors import ZermeloError

#: the charsets that CA may name; other codecs of Python are not charsets of game records
CHARSETS = ("utf-8", "ascii", "iso8859-", "cp125", "gb2312", "gbk", "gb18030", "big5", "euc_", "shift_jis", "cp932", "cp949", "koi8-")
MAX_LINE_CHARACTERS = 80  # characters of a written line


class Node:
    """A node: its properties, in order, and its children, the first of which continues the main line.

    Values are kept as they stand between the brackets, with their escapes: `text` decodes them, `escaped` encodes them.
    """

    __slots__ = ("children", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None):
        self.properties = {} if properties is None else properties
        self.children: list[Node] = []

    def get(self, name: str) -> str | None:
        """The text of the only value of this property; None if the node lacks it, ZermeloError if it has several values."""
        values = self.properties.get(name, [])
        if len(values) > 1:
            raise ZermeloError(f"SGF: expected one value of {name} in a node, not {len(values)}")
        return text(values[0]) if values else None

    def line(self) -> Iterator[Node]:
        """This node and its successors on the main line."""
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]


# ---- values ------------------------------------------------------------------------------------


def text(value: str) -> str:
    """The text of a value: escapes decoded, escaped line ends removed, other white space except line ends as blanks."""
    plain = re.sub(r"\r\n|\n\r|\r", "\n", value)
    plain = re.sub(r"\\(\n|.)", lambda found: "" if found[1] == "\n" else found[1], plain, flags=re.DOTALL)
    return re.sub(r"[\t\v\f]", " ", plain)


def escaped(words: str) -> str:
    """The words encoded as a value."""
    return re.sub(r"([\]\\:])", r"\\\1", words)


def pair(value: str) -> tuple[str, str] | None:
    """The two halves of a composed value, split at its first unescaped colon; None if there is none."""
    found = re.match(r"([^\\:]*+(?:\\.[^\\:]*+)*+):(.*)", value, re.DOTALL)
    return (text(found[1]), text(found[2])) if found else None


# ---- files -------------------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """The text of a file: in the charset of its first CA, else in UTF-8, or failing that in Latin-1 (the format's default)."""
    if data.startswith(codecs.BOM_UTF8):
        data, named = data[len(codecs.BOM_UTF8) :], "utf-8"
    else:
        found = re.search(rb"(?<![A-Z])CA\s*\[\s*([\w.:-]{1,40})\s*\]", data)
        named = found[1].decode("ascii", "replace") if found else ""
    try:
        charset = codecs.lookup(named).name if named else "utf-8"
    except LookupError:
        charset = ""
    if not charset.startswith(CHARSETS):
        raise ZermeloError(f"SGF in the charset '{named}' cannot be read: expected a known one like UTF-8")
    try:
        return data.decode(charset)
    except UnicodeDecodeError as error:
        if not named:
            return data.decode("latin-1")
        raise ZermeloError(f"SGF cannot be read: expected text in {charset}, which byte {error.start} is not") from None


_PARTS = re.compile(
    r"""(?P<space>\s+)
    | (?P<mark>[();])
    | (?P<name>[A-Za-z]+)\s*(?=\[)
    | \[(?P<value>[^\]\\]*+(?:\\.[^\]\\]*+)*+)\]""",
    re.VERBOSE | re.DOTALL,
)


def parse(words: str) -> list[Node]:
    """The root nodes of the games in a text; ZermeloError, with line and column, if it is not SGF.

    Lower-case letters in a property's name are dropped, as the format prescribes for old files (SiZe is SZ). A name that
    occurs twice in a node continues its values: many files write AB[aa]AB[bb] for AB[aa][bb].
    """
    return _Reader(words).read()


class _Reader:
    """A text, how far it is read, and the games that it holds up to there."""

    def __init__(self, words: str):
        self.words, self.at = words, 0
        self.games: list[Node] = []
        self.last: Node | None = None  # the current node
        self.opened: list[Node | None] = []  # the node before each open parenthesis
        self.is_fresh = False  # whether a parenthesis was just opened
        self.name = ""  # of the current property

    def read(self) -> list[Node]:
        marks = {"(": self._open, ";": self._node, ")": self._close}
        while self.at < len(self.words):
            part = _PARTS.match(self.words, self.at)
            if part is None:
                raise self._wrong("a ] that ends the value" if self.words[self.at] == "[" else "( ; ) or a property like B[aa]")
            kind, what = part.lastgroup, part[part.lastgroup or 0]
            if kind == "mark":
                self.name = ""
                marks[what]()
            elif kind != "space":
                self._property(kind == "name", what)
            self.at = part.end()
        if self.opened or not self.games:
            raise self._wrong(")" if self.opened else "a game like (;FF[4]GM[1])")
        return self.games

    def _open(self) -> None:
        if self.is_fresh or (self.opened and self.last is None):
            raise self._wrong("; after (")
        self.opened.append(self.last)
        self.is_fresh = True

    def _node(self) -> None:
        if not self.opened:
            raise self._wrong("( first")
        if not self.is_fresh and self.last is not None and self.last.children:
            raise self._wrong("( or ) after a variation")
        node = Node()
        (self.games if self.last is None else self.last.children).append(node)
        self.last, self.is_fresh = node, False

    def _close(self) -> None:
        if not self.opened or self.is_fresh:
            raise self._wrong("; after (" if self.is_fresh else "( first")
        self.last = self.opened.pop()

    def _property(self, is_name: bool, what: str) -> None:
        """A name, or a value of the current property."""
        if self.last is None or self.is_fresh or self.last.children:
            raise self._wrong("; after (" if self.is_fresh else "( or )" if self.opened else "( first")
        if is_name:
            self.name = "".join(c for c in what if c.isupper())
            if not self.name:
                raise self._wrong("capital letters in a name")
            self.last.properties.setdefault(self.name, [])
        elif not self.name:
            raise self._wrong("a property's name before its value")
        else:
            self.last.properties[self.name].append(what)

    def _wrong(self, expected: str) -> ZermeloError:
        before = self.words[: self.at]
        place = f"line {before.count(chr(10)) + 1}, column {self.at - before.rfind(chr(10))}"
        found = repr(self.words[self.at]) if self.at < len(self.words) else "the end"
        return ZermeloError(f"SGF, {place}: expected {expected}, not {found}")


def write(games: list[Node]) -> str:
    """The games as a text that `parse` reads back, in lines of a readable length unless a value is longer."""
    out: list[str] = []
    wide = 0
    for game in games:
        todo: list[Node | str] = ["\n", ")", game, "("]
        while todo:
            item = todo.pop()
            piece = item if isinstance(item, str) else _written(item)
            if wide + len(piece) > MAX_LINE_CHARACTERS and wide > 0 and piece != "\n":
                out.append("\n")
                wide = 0
            out.append(piece)
            wide = 0 if piece == "\n" else wide + len(piece)
            if isinstance(item, Node):
                if len(item.children) == 1:
                    todo.append(item.children[0])
                else:
                    for child in reversed(item.children):
                        todo += [")", child, "("]
    return "".join(out)


def _written(node: Node) -> str:
    for name, values in node.properties.items():
        if not re.fullmatch(r"[A-Z]+", name) or not values or not all(re.fullmatch(r"(?:[^\]\\]|\\.)*+", v, re.DOTALL) for v in values):
            raise ZermeloError(f"SGF cannot be written: expected capital letters and escaped values, not {name}{values}")
    return ";" + "".join(name + "".join(f"[{value}]" for value in values) for name, values in node.properties.items())

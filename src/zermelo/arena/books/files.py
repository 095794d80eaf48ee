"""Books in files: our own, Polyglot's (.bin) of games that engines of UCI play, and tables, which know the best actions of what they have.

The one that comes with a game is `shipped`.
"""

from __future__ import annotations

from pathlib import Path
from weakref import WeakKeyDictionary

from ...errors import ZermeloError
from ...game import Game, State
from ...notation import polyglot
from ...notation.dialects import Uci
from ...search.endgames.table import Table, best_of, find_table, is_table, known_values
from ...search.endgames.values import sign_of
from ...system.files import write_bytes
from .book import Book, Entry

SHIPPED = "shipped"
POLYGLOT = ".bin"

_opened: WeakKeyDictionary[Game, dict[tuple[Path, int, int], Book]] = WeakKeyDictionary()


class PolyglotBook(Book):
    """A book of Polyglot's, which names positions by keys of its own."""

    def __init__(self, game: Game, known: dict[int, polyglot.Moves]):
        super().__init__(game)
        self.known, self.dialect = known, _dialect(game)

    def moves(self, s: State) -> dict[int, Entry]:
        weights = self.known.get(self.dialect.book_key(self.game, s), {})
        named = {a: self.dialect.book_move(self.game, s, a) for a in self.game.actions(s)} if weights else {}
        return {a: Entry(weight=weights[move]) for a, move in named.items() if move in weights}

    def copy(self) -> Book:
        """The positions that its moves lead to from the start, to be changed: the others cannot be told from their keys."""
        book = Book(self.game)
        for s in self.states():
            for a, entry in self.moves(s).items():
                book.entry(s, a).weight = entry.weight
        return book


class TableBook(Book):
    """A table as a book: all actions of a state that it has, those that are best with a weight of 1, the others with 0."""

    def __init__(self, game: Game, table: Table):
        super().__init__(game)
        if table.about.is_expected or table.about.is_results:
            raise ZermeloError(f"{table.path} holds no plies to the end: expected a table that does, as a book")
        table.check_game(game)
        table.check_blocks()  # before a game begins and not in the middle of it
        self.table = table

    def moves(self, s: State) -> dict[int, Entry]:
        values = known_values(self.table, self.game, s)
        best = best_of(values)
        return {a: Entry(weight=int(a in best), value=self.table.about.win * sign_of(v)) for a, v in values.items()}


def find_book(text: str, game: Game) -> Book:
    """The book in this file, or the one that comes with the game, to look positions up; read once as long as the file stays the same."""
    if text == SHIPPED and game.book is None:
        raise ZermeloError(f"{game!r} comes without an opening book: expected a file")
    path = game.book if text == SHIPPED and game.book is not None else Path(text)
    try:
        about = path.stat()
    except (OSError, ValueError):
        raise ZermeloError(f"there is no book '{text}': expected a file that zermelo book build wrote, or {SHIPPED}") from None
    known = _opened.setdefault(game, {})
    version = path.resolve(), about.st_mtime_ns, about.st_size
    if version not in known:
        known[version] = _read(path, game)
    return known[version]


def opening_table(game: Game) -> Table | None:
    """The table of the opening that comes with a game as its book, if there is one."""
    book = find_book(SHIPPED, game) if game.book is not None else None
    return book.table if isinstance(book, TableBook) else None


def load(path: Path, game: Game) -> Book:
    """The book in a file, to be changed."""
    if is_table(path):
        raise ZermeloError(f"{path} is a table, which nobody changes: expected a book")
    return _polyglot(path, game).copy() if is_polyglot(path) else Book.read(path, game)


def save(path: Path, book: Book) -> None:
    """Write a book, whole or not at all; a .bin as Polyglot's, with the positions that its actions lead to from the start."""
    if not is_polyglot(path):
        book.save(path)
        return
    game, dialect = book.game, _dialect(book.game)
    positions = [
        (dialect.book_key(game, s), {dialect.book_move(game, s, a): entry.weight for a, entry in book.moves(s).items()})
        for s in book.states()
    ]
    write_bytes(path, polyglot.write(positions))


def is_polyglot(path: Path) -> bool:
    """Whether a file of this name is a book of Polyglot's."""
    return path.suffix.lower() == POLYGLOT


def _read(path: Path, game: Game) -> Book:
    if is_table(path):
        table = find_table(str(path))
        assert isinstance(table, Table)
        return TableBook(game, table)
    return _polyglot(path, game) if is_polyglot(path) else Book.read(path, game)


def _polyglot(path: Path, game: Game) -> PolyglotBook:
    try:
        return PolyglotBook(game, polyglot.read(path.read_bytes()))
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
    except ZermeloError as error:
        raise ZermeloError(f"{path} is not a book of Polyglot's: {error}") from None


def _dialect(game: Game) -> Uci:
    if game.uci is None:
        raise ZermeloError(f"expected a game that has books in Polyglot's format, not {game.name}")
    return game.uci

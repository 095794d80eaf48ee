"""The commands about opening books: `book build`, `expand`, `show`, `merge`, `edit`."""

from __future__ import annotations

import math
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..games import UCI
from ..system.limits import check_count
from .options import AsJson, GameText, StateText, state_of
from .output import aside, complain, interruptible, progress, say, say_json, say_table

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..arena.books.book import Book, Entry
    from ..game import Game, State

app = typer.Typer(add_completion=False, rich_markup_mode=None, help="Build opening books, look at them, change them.")

MOST_POSITIONS = 1 << 24
BookFile = Annotated[Path, typer.Argument(metavar="FILE", help="A book (.bin: Polyglot's), a table, or shipped.")]
Target = Annotated[Path, typer.Argument(metavar="FILE", help="The book to write; one that ends in .bin is Polyglot's.")]
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="The game (default: the one that the file names).")]
After = Annotated[str, typer.Option("--after", metavar="ACTIONS", help="Actions from the start, with blanks or commas between.")]


@app.command()
def build(
    game: GameText,
    file: Target,
    source: Annotated[list[Path], typer.Option("--from", metavar="FILE", help="Games in a format of the game; may be repeated.")],
    plies: Annotated[int, typer.Option(metavar="N", help="Plies of each game that are counted.")] = 24,
    least: Annotated[int, typer.Option("--min-games", metavar="N", help="Games in which an action must have been taken.")] = 1,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Games of each file that are counted (default: all).")] = None,
    as_json: AsJson = False,
) -> None:
    """Build a book from recorded games: how often each action was taken, how the games ended, and against whom."""
    from ..arena.books.book import Book
    from ..arena.books.counting import count_games, games_in, weigh_by_games
    from ..arena.books.files import save

    _check_target(file)
    check_count("", "--plies", plies, MOST_POSITIONS)
    check_count("", "--min-games", least, MOST_POSITIONS)
    if limit is not None:
        check_count("", "--limit", limit)
    with aside(as_json):
        it = registry.game(game)
        book, wrong = Book(it), list[ZermeloError]()

        def work() -> int:
            games = 0
            for path in source:
                games += count_games(book, islice(games_in(path, it, wrong.append), limit), plies, _Counting(path))
            book.keep(least)
            weigh_by_games(book)
            save(file, book)
            return games

        games = interruptible(work)
        progress("")
    if wrong:
        complain(f"{len(wrong):,} games are left out, the first because of {wrong[0]}")
    _say_book(book, file, as_json, {"games": games, "skipped": len(wrong)})


@app.command()
def expand(
    game: GameText,
    file: Target,
    positions: Annotated[int, typer.Option(metavar="N", help="Positions that the book is to have.")] = 100,
    player: Annotated[
        str, typer.Option("--with", metavar="PLAYER", help="The search that values states, with a limit.")
    ] = "default:nodes=20000",
    as_json: AsJson = False,
) -> None:
    """Add positions to a book by our own search, those at the end of the least bad lines first; a book that is there is gone on with."""
    from ..arena.books.book import Book
    from ..arena.books.dropout import expand as expand_book
    from ..arena.books.files import load, save
    from ..arena.players.by_text import player as player_of
    from ..arena.players.search_player import LIMITS, SearchPlayer

    _check_target(file)
    check_count("", "--positions", positions, MOST_POSITIONS)
    with aside(as_json):
        it, made = registry.game(game), player_of(player)
        if not isinstance(made, SearchPlayer) or not made.settings.keys() & LIMITS:
            raise ZermeloError(f"expected a player that searches within a limit, like alphabeta:nodes=20000, not {player}")
        book = load(file, it) if file.exists() else Book(it)

        def work() -> int:
            made.begin(it, 0, 0)
            told = lambda n: progress(f"{n:,} of {positions:,} positions")  # noqa: E731
            return expand_book(book, made.searcher, positions, lambda: save(file, book), told)

        found = interruptible(work)
        progress("")
    _say_book(book, file, as_json, {"expanded": found})


@app.command()
def show(file: BookFile, state: StateText = None, after: After = "", game: OfGame = "", as_json: AsJson = False) -> None:
    """Show what a book knows of a position."""
    with aside(as_json):
        it, book = _open(file, game)
        s = _position(it, state, after)
        known = sorted(book.moves(s).items(), key=lambda pair: (-pair[1].weight, -pair[1].games))
    total = sum(entry.weight for _, entry in known)
    rows = [(it.write_action(s, a), entry, entry.weight / total if total else 0.0) for a, entry in known]
    if as_json:
        actions = [{"action": name, "share": share} | _told(entry) for name, entry, share in rows]
        say_json({"game": repr(it), "state": it.write_state(s), "actions": actions})
        return
    say(f"{it.write_state(s)}: {len(rows)} action{'' if len(rows) == 1 else 's'} in {file}")
    heads = ["action", "weight", "share", "games", "won", "drawn", "lost", "score", "performance", "value"]
    if rows:
        say_table(heads, [[name, f"{entry.weight:,}", f"{share:.1%}", *_columns(entry)] for name, entry, share in rows])


@app.command()
def merge(
    file: Target,
    books: Annotated[list[Path], typer.Argument(metavar="BOOK...", help="The books to add up.")],
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """Add books up: counts, weights and points; or write one in another format."""
    from ..arena.books.files import load, save

    _check_target(file)
    with aside(as_json):
        it = _game(books[0], game)

        def work() -> Book:
            whole = load(books[0], it)
            for path in books[1:]:
                whole.add(load(path, it))
            save(file, whole)
            return whole

        book = interruptible(work)
    _say_book(book, file, as_json)


@app.command()
def edit(
    file: BookFile,
    weights: Annotated[
        list[str] | None, typer.Option("--set", metavar="ACTION=N", help="The weight of an action; 0: never chosen.")
    ] = None,
    removed: Annotated[list[str] | None, typer.Option("--remove", metavar="ACTION", help="An action to forget; may be repeated.")] = None,
    least: Annotated[int, typer.Option("--min-games", metavar="N", help="Forget actions everywhere that were taken in fewer games.")] = 0,
    state: StateText = None,
    after: After = "",
    game: OfGame = "",
    as_json: AsJson = False,
) -> None:
    """Change what a book knows of a position."""
    from ..arena.books.book import MOST_COUNT
    from ..arena.books.files import load, save

    with aside(as_json):
        it = _game(file, game)
        s, book = _position(it, state, after), interruptible(lambda: load(file, it))
        for text in weights or []:
            name, _, number = text.rpartition("=")
            if not (number.isascii() and number.isdigit() and int(number[:12]) <= MOST_COUNT):
                raise ZermeloError(f"expected an action and its weight as {name or 'ACTION'}=N, not '{text}'")
            book.entry(s, it.read_action(s, name)).weight = int(number)
        for name in removed or []:
            book.remove(s, it.read_action(s, name))
        if least:
            book.keep(least)
        save(file, book)
    _say_book(book, file, as_json)


# ---- what they share -------------------------------------------------------------------------


class _Counting:
    """Reports how many games of a file are counted."""

    def __init__(self, path: Path):
        self.path = path

    def __call__(self, n: int) -> None:
        progress(f"{self.path}: game {n:,}")


def _open(file: Path, game: str) -> tuple[Game, Book]:
    from ..arena.books.files import find_book

    it = _game(file, game)
    return it, find_book(str(file), it)


def _game(file: Path, game: str) -> Game:
    """The game of a book: the one asked for, or the one that the file names."""
    from ..arena.books.book import game_of
    from ..arena.books.files import SHIPPED, is_polyglot
    from ..search.endgames.table import Table, is_table

    if not game and str(file) == SHIPPED:
        raise ZermeloError(f"expected --game with {SHIPPED}: each game comes with its own book, or with none")
    if not game and is_table(file):
        game = Table(file).about.game
    return registry.game(game or (UCI if is_polyglot(file) else game_of(file)))


def _position(game: Game, state: str | None, after: str) -> State:
    """The state that these actions lead to from this one, or from the start."""
    s = game.initial() if state is None else state_of(game, state)
    words = after.split(",") if "," in after else after.split()
    for word in filter(None, map(str.strip, words)):
        s = game.result(s, game.read_action(s, word))
    return s


def _check_target(file: Path) -> None:
    """ZermeloError unless a book can be written to this file."""
    from ..arena.books.files import SHIPPED
    from ..search.endgames.table import is_table

    if str(file) == SHIPPED:
        raise ZermeloError(f"expected a file for the book: {SHIPPED} is the name of those that come with games")
    if is_table(file):
        raise ZermeloError(f"expected another file for the book: {file} is a table")
    if not file.resolve().parent.is_dir():
        raise ZermeloError(f"cannot write {file}: the folder {file.parent} does not exist")


def _say_book(book: Book, file: Path, as_json: bool, more: dict[str, Any] | None = None) -> None:
    entries = sum(map(len, book.positions.values()))
    told = {"file": str(file), "game": repr(book.game), "positions": len(book.positions), "actions": entries, "bytes": file.stat().st_size}
    if as_json:
        say_json(told | (more or {}))
        return
    counted = "".join(f", {n:,} {what}" for what, n in (more or {}).items() if n)
    say(f"{file}: {told['positions']:,} positions of {book.game!r}, {entries:,} actions{counted}, {told['bytes']:,} bytes")


def _told(entry: Entry) -> dict[str, Any]:
    value = None if math.isnan(entry.value) else entry.value
    counts = {"games": entry.games, "won": entry.wins, "drawn": entry.draws, "lost": entry.losses}
    return {"weight": entry.weight} | counts | {"score": entry.score, "performance": entry.performance, "value": value}


def _columns(entry: Entry) -> list[str]:
    score, performance = entry.score, entry.performance
    return [
        *(f"{n:,}" for n in (entry.games, entry.wins, entry.draws, entry.losses)),
        "" if score is None else f"{score:.1%}",
        "" if performance is None else f"{performance:.0f}",
        "" if math.isnan(entry.value) else f"{entry.value:+.4g}",
    ]

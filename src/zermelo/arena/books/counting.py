"""Books from games that were played: how often each action was taken, how the games ended, and against whom.

The weight of an action is its points, two for a win and one for a draw, as in Polyglot's books; without results its number of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ... import registry
from ...errors import ZermeloError
from ...game import CHANCE, Game
from ...notation.sheet import Sheet
from ..openings import content
from ..records.record_formats import kind_of, read_some
from ..records.store import Store
from ..referee import points
from .book import Book, Entry, fingerprint

RECORD = "sqlite"  # the end of the name of a record of games
RATING_TAGS = ("{}Elo", "{}Rating")  # with the name of the player before them
MOST_RATING = 10_000.0

Progress = Callable[[int], None]


def games_in(path: Path, game: Game, skip: Callable[[ZermeloError], None]) -> Iterator[Sheet]:
    """Yield the games of a file, in any format that the game has, or of a record of games; `skip` is called with what cannot be read."""
    if kind_of(path) == RECORD:
        with Store(path, create=False) as store:
            yield from (store.sheet(one.id) for one in store.games(game=repr(game)))
        return
    name, data = content(path)
    try:
        yield from read_some(kind_of(name), data, repr(game), skip)
    except ZermeloError as error:
        raise ZermeloError(f"{path}: {error}") from None


def count_games(book: Book, sheets: Iterable[Sheet], plies: int, progress: Progress = lambda n: None) -> int:
    """Count the first plies of these games in a book; how many games there were."""
    n, fits = 0, {repr(book.game): True}
    for n, sheet in enumerate(sheets, 1):
        if sheet.about.game not in fits:
            fits[sheet.about.game] = fingerprint(registry.game(sheet.about.game)) == fingerprint(book.game)
        if not fits[sheet.about.game]:
            raise ZermeloError(f"game {n} is one of {sheet.about.game}: expected a game of {book.game!r}")
        count_game(book, sheet, plies)
        progress(n)
    return n


def count_game(book: Book, sheet: Sheet, plies: int) -> None:
    """Count the first plies of a game."""
    game, result = book.game, sheet.ending.result if sheet.ending is not None else ()
    s, seen = game.read_state(sheet.about.start), set[tuple[int, int]]()
    for entry in sheet.moves[:plies]:
        if game.is_terminal(s):
            return
        p, a = game.to_move(s), game.read_action(s, entry.action)
        if p != CHANCE:
            known = book.entry(s, a)
            if (id(known), a) not in seen:  # a position that comes back in a game counts once
                seen.add((id(known), a))
                known.games += 1
                if result:
                    share = points(result, p)
                    known.wins += share > 0.5
                    known.draws += share == 0.5
                    known.losses += share < 0.5
                    _count_rating(known, sheet, game, p, share)
        s = game.result(s, a)


def _count_rating(known: Entry, sheet: Sheet, game: Game, p: int, share: float) -> None:
    """Count the rating of the opponent, in a game of two."""
    rating = _rating(sheet, game, 1 - p) if game.players == 2 else None
    if rating is not None:
        known.rated += 1
        known.halves += round(2 * share)
        known.ratings += rating


def _rating(sheet: Sheet, game: Game, p: int) -> float | None:
    """The rating of a player that a game tells."""
    for tag in RATING_TAGS:
        text = sheet.about.tags.get(tag.format(game.player_name(p)), "")
        if text.isascii() and text.isdigit() and 0 < float(text[:9]) <= MOST_RATING:
            return float(text)
    return None


def weigh_by_games(book: Book) -> None:
    """Give every action that was counted its weight."""
    for known in book.positions.values():
        for entry in known.values():
            if entry.games:
                decided = entry.wins + entry.draws + entry.losses
                entry.weight = 2 * entry.wins + entry.draws if decided else entry.games

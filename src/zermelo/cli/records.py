"""The commands about recorded games: `ratings` of all who played, `replay` of a game, `export` and `import` of files."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import CHANCE
from ..system.files import write_text
from .board_view import SEES_EVERYTHING
from .options import AsJson, GameText
from .output import aside, one_line, say, say_json, say_table

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..arena.records.store import Store
    from ..notation.sheet import Sheet

Record = Annotated[Path | None, typer.Option("--record", metavar="FILE", help="The record of games (default: one for all).")]
Anchor = Annotated[
    list[str] | None, typer.Option(metavar="PLAYER=ELO", help="Fix the rating of a player; may be repeated (default: the mean is 0).")
]


@contextmanager
def open_record(record: Path | None, create: bool = True) -> Iterator[Store]:
    """The record of this path, or the one for all."""
    from ..arena.records.store import Store, default_path

    with Store(record or default_path(), create) as store:
        yield store


def anchors_of(texts: list[str] | None) -> dict[str, float]:
    """The ratings that these texts fix, by player; a player without a rating is rated 0."""
    found = dict[str, float]()
    for text in texts or []:
        name, equals, rating = text.rpartition("=")
        try:
            found |= {name: float(rating)} if equals else {text: 0.0}
        except ValueError:
            found[text] = 0.0  # the equals sign is the player's own
    if not all(math.isfinite(rating) for rating in found.values()):
        raise ZermeloError("expected an anchor like random=1500, with a rating that is a number")
    return found


# ---- ratings ---------------------------------------------------------------------------------


def ratings(
    game: GameText,
    record: Record = None,
    anchor: Anchor = None,
    as_json: AsJson = False,
) -> None:
    """Rate all who have played a game, by all recorded games of it."""
    from ..arena.rating.ratings import meetings, rate
    from ..arena.referee import points

    with aside(as_json), open_record(record, create=False) as store:
        it = registry.game(game)
        found = [
            (g.about.players[0], g.about.players[1], points(g.ending.result, 0))
            for g in store.games(game=repr(it))
            if g.ending is not None and len(g.ending.result) == 2
        ]
        if not found:
            raise ZermeloError(f"there are no games of {it!r} between two players in {store.path}")
        rated = rate(meetings(found), anchors_of(anchor))
    if as_json:
        for one in rated.players:
            say_json(vars(one))
        return
    say_table(
        ["", "player", "Elo", "±", "points", "games"],
        [[str(i), r.name, f"{r.rating:+.0f}", f"{r.error:.0f}", f"{r.points:g}", str(r.games)] for i, r in enumerate(rated.players, 1)],
    )
    if rated.imagined:
        say("some have won all or nothing: ratings as if all who met had drawn one game more")
    if len(rated.groups) > 1:
        say(f"these never met, so that only ratings within a group compare: {'; '.join(', '.join(g) for g in rated.groups)}")


# ---- records ---------------------------------------------------------------------------------


def replay(
    number: Annotated[int, typer.Argument(metavar="GAME-ID", help="The number of a recorded game.")],
    record: Record = None,
    boards: Annotated[bool, typer.Option("--boards/--moves", help="Draw the board after each move, or list moves only.")] = True,
    as_json: AsJson = False,
) -> None:
    """Show a recorded game move by move."""
    from ..arena.records.record_json import write_json

    with aside(as_json), open_record(record, create=False) as store:
        sheet = store.sheet(number)
    if as_json:
        say(one_line(write_json([sheet])))
        return
    _show(sheet, boards)


def _show(sheet: Sheet, boards: bool) -> None:
    from ..arena.records.record_formats import history_of

    history = history_of(sheet)
    game = history.game
    say(f"{sheet.about.game}: {' against '.join(sheet.about.players)}, {sheet.about.began}".rstrip(", "))
    if game.has_hidden:
        say(f"Shown is {SEES_EVERYTHING}.")
    if boards:
        say(game.show(history.states[0]))
    for n, (entry, s) in enumerate(zip(sheet.moves, history.states[1:], strict=True), 1):
        who = "chance" if entry.seat == CHANCE else sheet.about.players[entry.seat]
        told = [f"{n}. {entry.action}", who]
        told += [f"value {entry.value:+.4g}"] if entry.value is not None else []
        told += [f"depth {entry.depth}"] if entry.depth else []
        told += [f"{entry.seconds:.3f} s"] if entry.seconds else []
        told += [f"{entry.left:.1f} s left"] if entry.left is not None else []
        told += [entry.note] if entry.note else []
        say(("\n" if boards else "") + "   ".join(told))
        if boards:
            say(game.show(s))
    end = sheet.ending
    if end is None:
        say("being played")
    else:
        result = " ".join(f"{x:g}" for x in end.result)
        say(f"{result}   {end.reason}" + (f" of {sheet.about.players[end.fault]}: {end.remark}" if end.fault is not None else ""))


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; - for standard output.")],
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="GAME-ID...", help="Which games (default: all that the options select).")
    ] = None,
    event: Annotated[int | None, typer.Option(metavar="N", help="The games of this match or tournament.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="json, or a format of the game, like pgn or sgf (default: by the file's name)."),
    ] = None,
    record: Record = None,
) -> None:
    """Write recorded games into a file: as JSON, or in a format of their game, like PGN or SGF."""
    from ..arena.records.record_formats import kind_of, write

    kind = kind_of(file, form)
    with open_record(record, create=False) as store:
        chosen = numbers or [g.id for g in store.games(event=event) if g.ending is not None]
        sheets = [store.sheet(number) for number in chosen]
    if not sheets:
        raise ZermeloError("there are no such games that have ended: expected the number of one, or of an event")
    text = write(kind, sheets)
    if str(file) == "-":
        sys.stdout.write(text)
        return
    write_text(file, text)
    say(f"{len(sheets)} game{'' if len(sheets) == 1 else 's'} written to {file}")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Games in JSON, or in a format of their game, like PGN or SGF.")],
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="json, or a format of the game, like pgn or sgf (default: by the file's name)."),
    ] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, if it is in a file of its own; its rules will run.")] = "",
    record: Record = None,
) -> None:
    """Read games from a file into the record. A file that was read before adds nothing."""
    from ..arena.records.record_formats import kind_of, read
    from ..arena.records.store import Slot
    from ..notation.sheet import Ending

    kind = kind_of(file, form)
    data = file.read_bytes()
    try:
        sheets = read(kind, data, game)
    except ZermeloError as error:
        raise ZermeloError(f"{file}: {error}") from None
    if not sheets:
        raise ZermeloError(f"{file} has no games")
    with open_record(record) as store, store.saved():
        key = f"import {hashlib.sha256(data).hexdigest()}"
        event = store.event("import", sheets[0].about.game, key, {"file": file.name, "games": len(sheets)})
        numbers = [g.id for g in store.games(event=event)]
        if not numbers:
            for i, sheet in enumerate(sheets):
                numbers.append(store.begin(event, Slot(0, i, 0), sheet.about))
                for ply, entry in enumerate(sheet.moves):
                    store.move(numbers[-1], ply, entry)
                store.end(numbers[-1], sheet.ending or Ending((), "unfinished"))
            say(f"{len(numbers)} games, {numbers[0]} to {numbers[-1]}, from {file} in {store.path}")
        else:
            say(f"{file} was read before: its games are {numbers[0]} to {numbers[-1]} in {store.path}")

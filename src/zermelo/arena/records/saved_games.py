"""Games put away in a file, to be gone on with or looked at: one game as JSON (`record_json.py`), with the clock it was played under."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...errors import ZermeloError
from ...games.othello import Othello
from ...history import History
from ...notation import xot
from ...system.files import write_text
from ..clock import Control
from ..live_game import CONTROL, PERSON, Sitting
from ..players.player import Player
from .record_json import Sheet, entries_of, history_of, kind_of, read, sheet_of, write
from .store import About, Store

PLAIN = ("", ".txt", ".log")  # how files of moves alone end


def put_away(path: Path, sitting: Sitting) -> None:
    """Write a game that goes on into a file, whole or not at all."""
    write_text(path, write("json", [Sheet(sitting.about, tuple(sitting.entries), None)]))


def taken_up(path: Path, player: Callable[[str], Player], trusted: str = "") -> Sitting:
    """The game that was put away there, to go on with; `player` makes players out of their texts. `trusted` is for `load`."""
    sheet = load(path, 1, trusted)
    if sheet.ending is not None:
        raise ZermeloError(f"{path}: expected a game that has not ended; zermelo analyse looks at one that has")
    seats = [None if text == PERSON else player(text) for text in sheet.about.players]
    sitting = Sitting(sheet.game, seats, sheet.about.seed, Control.read(sheet.about.tags.get(CONTROL, "none")), sheet.about.start)
    sitting.replay(sheet)
    return sitting


def load(path: Path, number: int, trusted: str = "") -> Sheet:
    """The game of this number in a file of any format; in one without a known ending, a transcript of Othello (f5d6c3...).

    `trusted`: the game, where it is one in a file of its own; a record alone does not make us run such a file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
    try:
        sheets = _transcripts(data) if path.suffix.lower() in PLAIN else read(kind_of(path), data, trusted)
        if not 1 <= number <= len(sheets):
            raise ZermeloError(f"expected a game from 1 to {len(sheets)}, not {number}" if sheets else "expected a game, and there is none")
        history_of(sheets[number - 1])
    except ZermeloError as error:
        raise ZermeloError(f"{path}: {error}") from None
    return sheets[number - 1]


def recorded(number: int, path: Path) -> Sheet:
    """The game of this number in the store."""
    with Store(path, create=False) as store:
        return sheet_of(store, number)


def _transcripts(data: bytes) -> list[Sheet]:
    sheets, game = [], Othello()
    try:
        lines = list(xot.read(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise ZermeloError("expected a file that ends like its format, .pgn or .json, or a transcript of Othello") from None
    for n, moves in enumerate(lines, 1):
        history = History(game)
        for text in moves:
            if text not in ("pass", "--") and list(history.actions()) == [game.cells]:  # most leave passes out
                history.do(game.cells)
            try:
                history.do(game.read_action(history.state, text))
            except ZermeloError as error:
                raise ZermeloError(f"game {n}: {error}") from None
        about = About(repr(game), ("?", "?"), 0, game.write_state(game.initial()), {}, "")
        sheets.append(Sheet(about, entries_of(history), None))
    return sheets

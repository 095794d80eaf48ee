"""Games saved in a file, to be resumed or analysed: one game as JSON (`record_json.py`), with the clock it was played under."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ... import registry
from ...errors import ZermeloError
from ...notation.sheet import Sheet
from ...system.files import write_text
from ..clock import Control
from ..live_game import CONTROL, PERSON, LiveGame
from ..players.player import Player
from .record_formats import history_of, kind_of, read, write
from .store import Store

PLAIN = ("", "log")  # ends of names of files that are read as text
TEXT = "txt"


def put_away(path: Path, live: LiveGame) -> None:
    """Write a game in progress into a file, whole or not at all."""
    write_text(path, write("json", [Sheet(live.about, tuple(live.entries), None)]))


def taken_up(path: Path, player: Callable[[str], Player], trusted: str = "") -> LiveGame:
    """The game saved there, to be resumed; `player` makes players from their texts. `trusted` is for `load`."""
    sheet = load(path, 1, trusted)
    if sheet.ending is not None:
        raise ZermeloError(f"{path}: expected a game that has not ended; zermelo analyse looks at one that has")
    seats = [None if text == PERSON else player(text) for text in sheet.about.players]
    live = LiveGame(
        registry.game(sheet.about.game), seats, sheet.about.seed, Control.read(sheet.about.tags.get(CONTROL, "none")), sheet.about.start
    )
    live.replay(sheet)
    return live


def load(path: Path, number: int, trusted: str = "") -> Sheet:
    """The game of this number in a file of any format.

    `trusted`: the game, if it is in a file of its own; a record alone does not make us run such a file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
    try:
        kind = kind_of(path)
        sheets = read(TEXT if kind in PLAIN else kind, data, trusted)
        if not 1 <= number <= len(sheets):
            raise ZermeloError(f"expected a game from 1 to {len(sheets)}, not {number}" if sheets else "expected a game, and there is none")
        history_of(sheets[number - 1])
    except ZermeloError as error:
        raise ZermeloError(f"{path}: {error}") from None
    return sheets[number - 1]


def recorded(number: int, path: Path) -> Sheet:
    """The game of this number in the store."""
    with Store(path, create=False) as store:
        return store.sheet(number)

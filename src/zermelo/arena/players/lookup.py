"""A player that looks its actions up in a file: states as `write_state` writes them, and the action for each.

The file is a JSON object {"state": "action", ...} or has one object {"state": ..., "action": ...} a line; or it is a .csv or .sqlite
file that `zermelo strategy --save` wrote. In a state that it does not know, another player chooses.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ..clock import Clock
from .player import Fault, Player, Thought


class LookupPlayer(Player):
    """Actions from a file, and those of the player `otherwise` where the file has none."""

    def __init__(self, text: str, file: str, otherwise: Player):
        self.text, self._file, self._otherwise = text, file, otherwise
        self._known = read(Path(file))

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._otherwise.begin(game, seat, seed)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        told = self._known.get(game.write_state(state.state))
        if told is None:
            a = self._otherwise.choose(game, state, clock)
            self.thought = self._otherwise.thought
            return a
        try:
            a = game.read_action(state.state, told)
        except ZermeloError as error:
            raise Fault("illegal move", f"{self._file}: {error}") from None
        if not state.is_new(a):
            raise Fault("illegal move", f"{self._file}: {told} repeats a position, which is not allowed")
        self.thought = Thought(note="from the file")
        return a

    def close(self) -> None:
        self._otherwise.close()


def read(path: Path) -> dict[str, str]:
    """The actions in a file, by state."""
    if path.suffix == ".sqlite":
        return read_sqlite(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'expected text in UTF-8'}") from None
    if path.suffix == ".csv":
        return read_csv(path, text)
    try:
        whole = [json.loads(text)]
    except ValueError:
        whole = []
        for n, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    whole.append(json.loads(line))
                except ValueError:
                    raise ZermeloError(f"{path}, line {n}: expected a JSON object of a state and its action") from None
    if len(whole) == 1 and isinstance(whole[0], dict) and set(whole[0]) != {"state", "action"}:
        pairs: list[tuple[Any, Any]] = list(whole[0].items())
    else:
        pairs = [(x.get("state"), x.get("action")) if isinstance(x, dict) else (None, None) for x in whole]
    if not all(isinstance(x, str) for pair in pairs for x in pair):
        raise ZermeloError(f'{path}: expected {{"state": "action", ...}} or an object with state and action a line')
    return dict(pairs)


def read_csv(path: Path, text: str) -> dict[str, str]:
    """The columns state and action."""
    rows = list(csv.DictReader(text.splitlines()))
    if not rows or not all(row.get("state") and row.get("action") for row in rows):
        raise ZermeloError(f"{path}: expected a line with the columns state and action, and lines with both of them")
    return {row["state"]: row["action"] for row in rows}


def read_sqlite(path: Path) -> dict[str, str]:
    """The columns state and action of the table strategy."""
    if not path.is_file():
        raise ZermeloError(f"{path} cannot be read: No such file or directory")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
            return {str(state): str(action) for state, action in file.execute("select state, action from strategy")}
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path}: expected an SQLite file with a table strategy of state and action ({error})") from None

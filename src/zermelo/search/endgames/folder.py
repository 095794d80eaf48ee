"""A folder of endgame tables in a format of the game itself, as a source of proven values: Syzygy's of chess.

Such tables count the plies to a capture or a pawn's move and not to the end of the game. That is as good for choosing an action: each
one that wins brings it nearer, and the rule of fifty moves is asked in just these plies. Plies are looked up from Python, at the root
of a search and by players. Inside a search lowered code asks the game who wins (`Game.known_result`), of which it knows no plies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import ZermeloError
from ...game import Game, State
from ...lower.memory import Mapped
from .values import DRAWN, LOST, NO_STATE, WON, seen_before


@dataclass(frozen=True)
class AboutFolder:
    """What is known of such tables."""

    game: str = ""
    win: float = 1.0
    is_results: bool = False
    is_expected: bool = False


class FolderTable:
    """The tables of a folder; the game reads them (`dialects.Uci.endgames`)."""

    is_in_memory = False

    def __init__(self, path: Path):
        self.path, self.about = path, AboutFolder()
        self._reader: Any = None
        self._memory: dict[bool, Mapped] = {}

    def check_game(self, game: Game) -> None:
        """ZermeloError unless the game has such tables, and some are there."""
        if game.uci is None:
            raise ZermeloError(f"{self.path} is a folder: expected the file of a table of {game!r}")
        self._reader = self._reader or game.uci.endgames(game, self.path)

    def verify(self, game: Game) -> Iterator[tuple[Path, int, str]]:
        """Yield each file with the number of its values and what is wrong with it, nothing if it is as it was written."""
        self.check_game(game)
        for path in self._reader.files():
            try:
                values, is_checked = self._reader.verify(path)
                yield path, values, "" if is_checked else f"{path} is too large for its checksum to be computed"
            except ZermeloError as error:
                yield path, 0, str(error)

    def value(self, game: Game, s: State) -> int:
        """The value of s in 16 bits (`values.py`), with plies to the next capture or pawn's move; NO_STATE if there is no table of it."""
        self.check_game(game)
        plies = self._reader.dtz(game, s)
        if plies is None:
            return NO_STATE
        if plies == 0 or abs(plies) > self._reader.longest >= game.plies_left(s):
            return DRAWN
        if abs(plies) == game.plies_left(s) < self._reader.longest:
            plies += 1 if plies > 0 else -1  # they may be rounded down by one, which matters just here
        return WON + 2 * plies if plies > 0 else LOST - 2 * plies

    def action_values(self, game: Game, s: State) -> dict[int, int]:
        """What each action of s is worth to the player to move, in 16 bits. There are none if a state after them has no table."""
        values = dict[int, int]()
        for a in game.actions(s):
            t = game.result(s, a)
            if game.is_terminal(t):
                u = game.utility(t, game.to_move(t))
                v = WON if u > 0 else LOST if u < 0 else DRAWN
            else:
                v = self.value(game, t)
            if v == NO_STATE:
                return {}
            if v not in (DRAWN, LOST, WON) and self._reader.is_zeroing(s, a):
                v = v & 1 | LOST  # it is counted from there on
            values[a] = seen_before(v, False)
        return values

    def given(self, game: Game, interpreted: bool) -> dict[str, Any]:
        """All tables of results, opened once, as the record of an algorithm holds them."""
        if interpreted not in self._memory:
            told = self._reader.memory()
            self._memory[interpreted] = Mapped(told.words, told.files, told.places, interpreted)
        given = {"endgames": self._memory[interpreted].table, "endgames_size": 0, "endgames_sides": 0, "endgames_win": self.about.win}
        return given | {name: [0] * game.layout.words for name in ("endgames_state", "endgames_asked")} | {"endgames_value": NO_STATE}

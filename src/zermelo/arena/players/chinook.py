"""Chinook's recipe for a game that has all three: an opening book, alpha-beta, and endgame tables that the search probes.

Chinook (Schaeffer et al. 1992-2007) held openings in a book, searched with alpha-beta, and knew who wins all positions with at most
eight pieces; in 2007 its tables of ten met its search from the start, and checkers was solved: a draw. Here the tables are of at most
four pieces, built once (`PIECES`) and kept with what can be made again.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import ZermeloError
from ...game import Game
from ...lookup.build import build_table
from ...search.endgames.table import rules_of
from ...system import folders
from .search_player import BOOK, SearchPlayer

PIECES = "4"
RECIPE = {"table": "64", BOOK: "shipped"}


def tables_folder() -> Path:
    """Where tables are kept that were built for a player."""
    return folders.cache() / "tables"


class ChinookPlayer(SearchPlayer):
    """Alpha-beta with the book that comes with the game, and tables of its endings with few pieces."""

    def __init__(self, text: str, settings: dict[str, str]):
        super().__init__(text, "alphabeta", RECIPE | settings)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if "endgames" not in self.settings:
            self._use_tables(game, PIECES)
        super().begin(game, seat, seed)

    def _use_tables(self, game: Game, pieces: str) -> None:
        """Play from endgame tables with this many pieces, and build them first if they do not exist."""
        if not game.has_index or game.book is None:
            raise ZermeloError(f"chinook needs an opening book and numbered endings: expected a game that has them, not {game!r}")
        path = tables_folder() / f"{rules_of(game)}-{pieces}.table"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            build_table(game, path, ending=pieces)
        self.settings["endgames"] = self._searching["endgames"] = str(path)

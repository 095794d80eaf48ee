"""Deep Blue's recipe of 1997: an opening book, alpha-beta, endgame tables, and an evaluation of many terms that was tuned.

Deep Blue (Campbell, Hoane and Hsu 2002) summed some 8,000 features in hardware, with weights that were set by hand and tuned on games of
grandmasters. Here the terms are those of `chess:inputs=terms`; their weights are learned from positions of 713
games of masters and of our own games, with the values that Stockfish gives them.
"""

from __future__ import annotations

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ..clock import Clock
from .chinook import ChinookPlayer
from .search_player import SearchPlayer

PIECES = "3"


class DeepBluePlayer(ChinookPlayer):
    """Alpha-beta with the book and tables of chess, and an evaluation of many terms, whose weights are learned."""

    def __init__(self, text: str, settings: dict[str, str]):
        super().__init__(text, {"eval": "learned"} | settings)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(game, "inputs", "") != "pieces" or game.learned is None:
            raise ZermeloError(f"deepblue1997 plays chess: expected that, not {game!r}")
        own = type(game)(inputs="terms")  # type: ignore[call-arg]
        if "endgames" not in self.settings:
            self._use_tables(own, PIECES)
        SearchPlayer.begin(self, own, seat, seed)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        """What the search finds in the same game with other inputs."""
        assert self._game is not None
        own = History(self._game, state.states[0])
        for a in state.taken:
            own.do(a)
        return super().choose(self._game, own, clock)

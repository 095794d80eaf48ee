"""A player that takes its actions from an endgame table: the quickest win, else a draw, else the slowest loss.

Each action of a win leads to a state that is won in one ply less, so it is never put off for ever. In a state that the table does
not have, another player chooses.
"""

from __future__ import annotations

from ...bits import FULL
from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...rng import below, draw, split
from ...search.endgames.table import find_table
from ...search.endgames.values import NO_STATE, is_decided, plies_of, preference, sign_of
from ..clock import Clock
from .player import Player, Thought


class TablePlayer(Player):
    """Perfect play from an endgame table, and the actions of the player `otherwise` where the table has none."""

    def __init__(self, text: str, file: str, otherwise: Player):
        self.text, self._otherwise = text, otherwise
        self._table = find_table(file)
        if self._table.about.is_expected:
            raise ZermeloError(f"{file} holds expected values: expected it as expectiminimax:endgames={file}")
        if self._table.about.is_results:
            raise ZermeloError(f"{file} holds results without plies: expected it as alphabeta:endgames={file}")
        self._game: Game | None = None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if self._game is not game:
            self._table.check_game(game)
        self._game, self._key = game, split(seed & FULL, seat)
        self._otherwise.begin(game, seat, seed)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        s = state.state
        v = self._table.value(game, s)
        values = {} if v == NO_STATE else self._table.action_values(game, s)
        if not values:
            a = self._otherwise.choose(game, state, clock)
            self.thought = self._otherwise.thought
            return a
        best = max(values.values(), key=preference)
        among = [a for a, w in values.items() if w == best]
        a = among[below(draw(self._key, len(state.taken)), len(among))]
        outcome = ("drawn", "won", "lost")[sign_of(v)]
        note = f"known from the table: {outcome} in {plies_of(v)} plies" if is_decided(v) else "known from the table: drawn"
        self.thought = Thought(self._table.about.win * sign_of(v), plies_of(v) if is_decided(v) else 0, len(values), (a,), note)
        return a

    def close(self) -> None:
        self._otherwise.close()

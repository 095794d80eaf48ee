"""A player that takes its actions from an endgame table: the quickest win, else a draw, else the slowest loss.

Each action of a win leads to a state that is won in one ply less, so it is never put off for ever. In a state that the table does
not have, another player chooses.
"""

from __future__ import annotations

from ...bits import FULL
from ...errors import ZermeloError
from ...game import Game, State
from ...history import History
from ...rng import below, draw, split
from ...search.endgames.folder import FolderTable
from ...search.endgames.table import Table, best_of, find_table, known_values
from ...search.endgames.values import is_decided, plies_of, sign_of
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
        among = best_of(known_values(self._table, game, state.state))
        if not among:
            a = self._otherwise.choose(game, state, clock)
            self.thought = self._otherwise.thought
            return a
        a = among[below(draw(self._key, len(state.taken)), len(among))]
        self.thought = known_thought(self._table, game, state.state, a)
        return a

    def close(self) -> None:
        self._otherwise.close()


def known_thought(table: Table | FolderTable, game: Game, s: State, a: int) -> Thought:
    """What a player says of action a, which the table knows to be best in s."""
    v = table.value(game, s)
    plies, outcome = plies_of(v) if is_decided(v) else 0, ("drawn", "won", "lost")[sign_of(v)]
    told = f"known from the table: {outcome} in {plies} plies" if is_decided(v) else "known from the table: drawn"
    return Thought(table.about.win * sign_of(v), plies, 0, (a,), told)

"""A player that solves the game before every action: it never loses what can be held.

Where the game comes with a table of its opening, that tells the first actions.
"""

from __future__ import annotations

import time

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...search.alphabeta.searcher import AlphaBeta
from ...search.alphabeta.solution import best_action, meaning
from ...search.endgames.table import best_of, known_values
from ...search.stop import Stop
from ..books.files import opening_table
from ..clock import Clock
from .player import Player, Thought
from .search_player import DEFAULT, SearchPlayer
from .table import known_thought

MIN_SECONDS, SHARE = 0.001, 0.75  # seconds that the default player has at least; its share of the time that solving left
MEBIBYTES = 128  # of the table, which is kept from move to move and from game to game


class PerfectPlayer(Player):
    """Perfect play by solving the game, as far as the clock allows: the quickest win, else a draw, else the slowest loss.

    Half of its time may go by unsolved; then the default player has the other half. Without a clock it solves, however long that takes.
    """

    text = "perfect"

    def __init__(self) -> None:
        self._otherwise = SearchPlayer(DEFAULT, DEFAULT, {})
        self._game: Game | None = None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if self._game is not game:
            if game.has_hidden or game.repetition:
                why = "hides something" if game.has_hidden else "counts positions that come back"
                raise ZermeloError(f"perfect: expected a game that a state tells all of, and {game.name} {why}")
            self._oracle = AlphaBeta(table=MEBIBYTES).oracle(game)
            AlphaBeta(table=1, nodes=1).solve(game, [game.initial()])  # compiles, while no clock runs
            self._opening = opening_table(game)
        self._game = game
        self._otherwise.begin(game, seat, seed)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        s = state.state
        if self._opening is not None and (known := best_of(known_values(self._opening, game, s))):
            best = max(known, key=lambda a: game.order(s, a))
            self.thought = known_thought(self._opening, game, s, best)
            return best
        began, (soft, hard) = time.perf_counter(), clock.budget(game.to_move(s))
        before, self._oracle.stop = self._oracle.nodes, Stop()
        with self._oracle.stop.after(None if hard is None else hard / 2):
            found = best_action(self._oracle, s)
        if found is None:
            left = None if hard is None else max(MIN_SECONDS, (hard - time.perf_counter() + began) * SHARE)
            a = self._otherwise.think(state, left if soft is None or left is None else min(soft / 2, left), left).action
            assert a is not None
            self.thought = Thought(note="not solved in time")
            return a
        a, v = found
        value, plies = meaning(self._oracle, v)
        note = "solved" if plies is None else f"solved: {'won' if value > 0 else 'lost'} in {plies} plies"
        self.thought = Thought(value, plies or 0, self._oracle.nodes - before, (a,), note)
        return a

    def close(self) -> None:
        self._otherwise.close()

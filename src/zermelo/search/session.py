"""Searches of one game that go on with what the last one found out.

    thinking = Thinking(MCTS(simulations=10_000), game)         or Thinking(AlphaBeta(seconds=1), game)
    thinking.search(state)                 as the searcher does
    thinking.search(a later state)         goes on with what is known of it; a `History` is followed quickly

What is kept is the searcher's own `new_memory`: the table of AlphaBeta, of MCTS the part of its trees below the new state.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from .searcher import Result, Searcher
from .stop import Stop


class Thinking:
    """A search of one game that keeps its table, or its trees in half of the searcher's memory. Not for several threads at once."""

    def __init__(self, searcher: Searcher, game: Game):
        self._kept = searcher.new_memory(game)
        if self._kept is None:
            raise ZermeloError(
                f"Thinking: expected a searcher that keeps a tree or a table, MCTS or AlphaBeta, not {type(searcher).__name__}"
            )
        self.searcher, self.game = searcher, game

    @property
    def kept(self) -> int:
        """The visits of the new root that the last search of a tree began with."""
        return int(self._kept.visits)

    def search(self, state: State | History | None = None, stop: Stop | None = None) -> Result:
        """The last and best answer of `deepen`."""
        *_, last = self.deepen(state, stop)
        return last

    def deepen(self, state: State | History | None = None, stop: Stop | None = None) -> Iterator[Result]:
        """Yield what the searcher's `deepen` does; its limits are for what is new."""
        return self.searcher.deepen(self.game, state, stop, self._kept)

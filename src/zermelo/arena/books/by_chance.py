"""Books of games with chance, from our own search: the next position is the likeliest one that best play leads to.

    EXPAND(book): queue = the start, which is sure to come up
        take the likeliest position of the queue
        where chance moves: queue its outcomes, each with its probability
        else: search it unless the book has it, add its best action, and queue the state after that

Of lines that lead to the same position the likeliest counts. The state of the expansion is the book itself, so it continues wherever it
was interrupted.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import count

from ...game import CHANCE, State
from ...search.searcher import Searcher
from .book import Book, position_of

WEIGHT = 1000  # of the best action


class ChanceExpansion:
    """A book that grows by the best actions of the likeliest positions."""

    def __init__(self, book: Book, searcher: Searcher):
        self.book, self.game, self.searcher = book, book.game, searcher

    def run(self, positions: int, progress: Callable[[int], None]) -> int:
        """Add positions until the book has this many, or the game has no more; how many of them it has."""
        found = 0
        for s in self._likeliest():
            if found == positions:
                break
            self._add(s)
            found += 1
            progress(found)
        return found

    def _likeliest(self) -> Iterator[State]:
        """Yield each state of a player, once; what follows it is asked of the book after it was yielded."""
        game, number, seen = self.game, count(), set[int]()
        queue = [(-1.0, next(number), game.initial())]  # of equally likely ones the first
        while queue:
            chance, _, s = heapq.heappop(queue)
            if game.is_terminal(s) or position_of(game, s) in seen:
                continue
            seen.add(position_of(game, s))
            if game.to_move(s) == CHANCE:
                after = [(chance * game.probability(s, a), a) for a in game.actions(s)]
            else:
                yield s
                known = self.book.moves(s)
                after = [(chance, max(known, key=lambda a: known[a].weight))]
            for share, a in after:
                heapq.heappush(queue, (share, next(number), game.result(s, a)))

    def _add(self, s: State) -> None:
        """Enter the best action of s by a search, unless the book knows one."""
        if any(entry.weight for entry in self.book.moves(s).values()):
            return
        found = self.searcher.search(self.game, s)
        assert found.action is not None
        entry = self.book.entry(s, found.action)
        entry.value, entry.weight = found.values[self.game.to_move(s)], WEIGHT

"""Books from our own search, by drop-out expansion: the next position is the one at the end of the least bad line.

    EXPAND(book):
        V(s) = max over a of Q(s, a), the negated V of the state after a where the book has it, else what a search found
        the cost of a line = the sum over its actions of 1 + LOSS(V(s) - Q(s, a))
        add the position of least cost that is not in the book: search the state after each of its actions

A line drops out of the book where its player loses too much: moves that lose nothing are followed deepest. The state of the expansion is
the book itself, so it continues wherever it was interrupted. Lincke, Strategies for the automatic construction of opening books, 2000.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...errors import ZermeloError
from ...game import State
from ...search.searcher import Searcher
from .book import Book, position_of
from .by_chance import ChanceExpansion

LOSS = 10.0  # what a line costs, in plies, that gives up the game's `value_scale`
FULL_WEIGHT = 1000  # of the best action
LEAST_WEIGHT = 10  # actions below are not chosen
SAVE_AFTER = 10.0  # seconds


@dataclass
class Node:
    """A position of the book: its state, and for each action what a search found, and the position after it if the game goes on."""

    s: State
    mover: int
    found: dict[int, float] = field(default_factory=dict)
    after: dict[int, tuple[int, int]] = field(default_factory=dict)  # its key and its mover


class Expansion:
    """A book that grows. Of its positions those take part that the actions of others lead to from the start, and that have values."""

    def __init__(self, book: Book, searcher: Searcher):
        self.book, self.game, self.searcher = book, book.game, searcher
        game = book.game
        self.scale = (game.value_scale or 1.0) / LOSS
        self.start = game.initial()
        self.nodes: dict[int, Node] = {}
        for s in book.states():
            known = {a: e.value for a, e in book.moves(s).items()}
            if not any(map(math.isnan, known.values())) and len(known) == game.count(s):
                self._enter(s, known)

    def run(self, positions: int, progress: Callable[[int], None]) -> int:
        """Add positions until the book has this many, or every line has come to an end; how many it has."""
        while len(self.nodes) < positions and (s := self.next_state()) is not None:
            self._enter(s, dict(self._searched(s)))
            progress(len(self.nodes))
        return len(self.nodes)

    def weigh(self) -> None:
        """Give each action of an expanded position a weight by what it loses."""
        values = self.values()
        for node in self.nodes.values():
            for a, q in self._actions(node, values).items():
                weight = round(FULL_WEIGHT * math.exp(-(values[position_of(self.game, node.s)] - q) / self.scale))
                entry = self.book.entry(node.s, a)
                entry.value, entry.weight = node.found[a], weight if weight >= LEAST_WEIGHT else 0

    # ---- which position is next --------------------------------------------------------------------

    def next_state(self) -> State | None:
        """The state at the end of the cheapest line out of the book; None if there is none."""
        values, done, start = self.values(), set[int](), position_of(self.game, self.start)
        queue, states = [(0.0, start)], {start: self.start}
        while queue:
            cost, key = heapq.heappop(queue)
            if key in done:
                continue
            done.add(key)
            node = self.nodes.get(key)
            if node is None:
                return states[key]
            for a, q in self._actions(node, values).items():
                child, _ = node.after.get(a, (key, 0))
                if child not in done:
                    states.setdefault(child, self.game.result(node.s, a))
                    heapq.heappush(queue, (cost + 1 + (values[key] - q) / self.scale, child))
        return None

    def values(self) -> dict[int, float]:
        """What each position of the book is worth to its player to move. Where a line comes back, what the search found counts."""
        values, path = dict[int, float](), set[int]()

        def value(key: int) -> float:
            if key not in values:
                path.add(key)
                node = self.nodes[key]
                for child, _ in node.after.values():
                    if child in self.nodes and child not in path:
                        value(child)
                values[key] = max(self._actions(node, values).values())
                path.discard(key)
            return values[key]

        for key in self.nodes:
            value(key)
        return values

    def _actions(self, node: Node, values: dict[int, float]) -> dict[int, float]:
        """What each action of a position is worth to its player."""
        known = dict(node.found)
        for a, (child, mover) in node.after.items():
            if child in values:
                known[a] = values[child] if mover == node.mover else -values[child]
        return known

    # ---- adding it -----------------------------------------------------------------------------------

    def _searched(self, s: State) -> Iterator[tuple[int, float]]:
        """Yield each action of s with what it is worth to its player: by the rules, or by a search of the state after it."""
        game, p = self.game, self.game.to_move(s)
        for a in game.actions(s):
            t = game.result(s, a)
            yield a, float(game.utility(t, p)) if game.is_terminal(t) else self.searcher.search(game, t).values[p]

    def _enter(self, s: State, found: dict[int, float]) -> None:
        node = Node(s, self.game.to_move(s), found)
        for a, value in found.items():
            t = self.game.result(s, a)
            self.book.entry(s, a).value = value
            if not self.game.is_terminal(t):
                node.after[a] = position_of(self.game, t), self.game.to_move(t)
        self.nodes[position_of(self.game, s)] = node


def expand(
    book: Book,
    searcher: Searcher,
    positions: int,
    save: Callable[[], None] = lambda: None,
    progress: Callable[[int], None] = lambda n: None,
) -> int:
    """Expand a book until it has this many positions with values; how many it has. `save` is called now and then, and at the end."""
    if book.game.players != 2 or book.game.has_hidden:
        raise ZermeloError(f"{book.game!r} has no expansion: expected a game of two players without hidden information")
    expansion = ChanceExpansion(book, searcher) if book.game.has_chance else Expansion(book, searcher)
    last = time.monotonic()

    def keep() -> None:
        if isinstance(expansion, Expansion):
            expansion.weigh()
        save()

    def report(n: int) -> None:
        nonlocal last
        progress(n)
        if time.monotonic() - last > SAVE_AFTER:
            keep()
            last = time.monotonic()

    found = expansion.run(positions, report)
    keep()
    return found

"""Games that are random graphs: with cycles, extra turns, draws by endless play."""

from __future__ import annotations

from typing import NamedTuple

from zermelo import Game, i8, i16, u64
from zermelo.rng import below, draw

PLACES = 150


class At(NamedTuple):
    graph: u64  # from which all places, ways and ends are drawn
    place: i16
    turn: i8


class Graph(Game):
    """From each place lead up to four ways; an end is lost, drawn or won by player 0. All graphs are states of one game."""

    def initial(self):
        return At(1, 0, 0)

    def to_move(self, s):
        return s.turn

    def ways(self, s):
        kind = below(draw(s.graph, u64(s.place)), 16)
        return 0 if kind < 2 else 1 + kind % 4

    def actions(self, s):
        for a in range(self.ways(s)):
            yield a

    def result(self, s, a):
        random = draw(s.graph + 1, u64(8 * s.place + a))
        turn = s.turn if random & 7 == 0 else 1 - s.turn
        return At(s.graph, below(random, PLACES), turn)

    def is_terminal(self, s):
        return self.ways(s) == 0

    def utility(self, s, p):
        kind = below(draw(s.graph + 2, u64(s.place)), 5)
        u = 0 if kind == 0 else 1 if kind < 3 else -1
        return u if p == 0 else -u


class Changed(Graph):
    """The same but for the ends."""

    name = "Graph"

    def utility(self, s, p):
        return 1 if p == 0 else -1


class Uneven(Graph):
    """A game in which some wins are worth more."""

    def utility(self, s, p):
        u = 1 + below(draw(s.graph + 2, u64(s.place)), 5)
        return u if p == 0 else -u


class Kind(Graph):
    """A game that both players win."""

    def utility(self, s, p):
        return 1


class Numbered(Graph):
    """A graph whose places are numbered, and some of whose ways lead out of the numbers."""

    def index(self, s):
        return 2 * s.place + s.turn if s.place < 100 else -1

    def state_at(self, i):
        return At(1, i // 2, i % 2)

    def endings(self, wanted):
        return (("all", 0, 200),)

"""Games of strange shapes: very many actions or one, at the root or below it or where chance moves, actions that are no small
numbers, long chains, one player or eight. Every leaf, and every state before it, has a value of its own, drawn by its path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import CHANCE, Game, i8, i16, i32, i64, u64
from zermelo.bits import bit
from zermelo.rng import below, draw, mix

PLAIN, NEGATIVE, HUGE = 0, 1, 2  # how actions are numbered: from 0, from -1 down, in steps of 2^40
DRAWN, LAST = 0, 1  # values: each drawn by its path; or all the same but that of the node `LAST_NODE`
LAST_NODE = mix(mix(mix(7) ^ 1) ^ 65)  # after the 65th action that follows the only one of the root


class State(NamedTuple):
    """A node and the shape of its tree: one native code serves them all."""

    node: u64
    ply: i16
    plies: i16
    root: i32  # actions at the root
    below: i32  # and elsewhere
    names: i16
    values: i8
    first: i8  # whether chance moves first, where it moves


class Strange(Game):
    """So many actions at the root and below it, for so many plies; players take turns."""

    def __init__(self, root: int = 2, below: int = 2, plies: int = 2, names: int = PLAIN, players: int = 2):
        self.root, self.below, self.plies, self.names, self.players = root, below, plies, names, players
        self.values, self.first = DRAWN, 0

    def initial(self) -> State:
        return State(mix(7), 0, self.plies, self.root, self.below, self.names, self.values, self.first)

    def to_move(self, s: State) -> int:
        return s.ply % self.players

    def actions(self, s: State) -> Iterator[int]:
        if s.ply < s.plies:
            for i in range(s.root if s.ply == 0 else s.below):
                yield -1 - i if s.names == NEGATIVE else i << 40 if s.names == HUGE else i

    def number(self, s: State, a: int) -> int:
        """The number of an action, from 0."""
        return -1 - a if s.names == NEGATIVE else a >> 40 if s.names == HUGE else a

    def result(self, s: State, a: int) -> State:
        return s._replace(node=mix(s.node ^ u64(self.number(s, a) + 1)), ply=s.ply + 1)

    def is_terminal(self, s: State) -> bool:
        return s.ply >= s.plies

    def value(self, s: State, p: int) -> float:
        """In thirds from -1 to 1, so that there are wins, draws and ties; of two players the second gets the opposite."""
        drawn = (below(draw(s.node, u64(0 if self.players == 2 else p)), 7) - 3) / 3.0
        if s.values == LAST:
            drawn = -1.0 if s.node == LAST_NODE else 1.0
        return -drawn if self.players == 2 and p == 1 else drawn

    def utility(self, s: State, p: int) -> float:
        return self.value(s, p)

    def evaluate(self, s: State, p: int) -> float:
        return self.value(s, p)


class Last(Strange):
    """65 actions after the only one of the root, and all but the last are worth the same."""

    def __init__(self) -> None:
        super().__init__(1, 65, 2)
        self.values = LAST


class Forced(Strange):
    """Every action is tactical: the value of a state is that of its end, however shallow the search."""

    def is_tactical(self, s: State, a: int) -> bool:
        return True


class Lottery(Strange):
    """Chance moves at every second ply, from the first or from the root; its outcomes are not equally likely."""

    def __init__(self, root: int = 2, below: int = 2, plies: int = 2, names: int = PLAIN, first: bool = False):
        super().__init__(root, below, plies, names)
        self.first = int(first)

    def to_move(self, s: State) -> int:
        if s.ply % 2 == 1 - s.first:
            return CHANCE
        return s.ply // 2 % 2

    def probability(self, s: State, a: int) -> float:
        n = s.root if s.ply == 0 else s.below
        return 2.0 * (self.number(s, a) + 1) / (n * (n + 1.0))


class WordState(NamedTuple):
    node: u64
    ply: i64
    turn: i64
    many: i64


class Words(Game):
    """Actions are words with their highest bit set: below 0 to an algorithm, above 2^63 to the game."""

    plies = 3
    max_actions = 70

    def __init__(self, many: int = 3):
        self.many = many

    def initial(self) -> WordState:
        return WordState(mix(3), 0, 0, self.many)

    def to_move(self, s: WordState) -> int:
        return s.turn

    def actions(self, s: WordState) -> Iterator[int]:
        if s.ply < self.plies:
            for i in range(s.many if s.ply != 1 else 2):
                yield bit(63) | u64(i) << 50 | u64(i)

    def result(self, s: WordState, a: u64) -> WordState:
        return WordState(mix(s.node ^ a), s.ply + 1, 1 - s.turn, s.many)

    def is_terminal(self, s: WordState) -> bool:
        return s.ply >= self.plies

    def utility(self, s: WordState, p: int) -> float:
        drawn = float(below(s.node, 5) - 2) / 2.0
        return drawn if p == 0 else -drawn


class Place(NamedTuple):
    at: i16
    ply: i16


class Walk(Game):
    """From any of 66 places to any other, for six plies; none may come back. So one action is barred after the first, of 65."""

    repetition = "forbidden"
    places = 66

    def initial(self) -> Place:
        return Place(0, 0)

    def to_move(self, s: Place) -> int:
        return s.ply % 2

    def actions(self, s: Place) -> Iterator[int]:
        if s.ply < 3:
            for i in range(self.places):
                if i != s.at:
                    yield i

    def result(self, s: Place, a: int) -> Place:
        return Place(a, s.ply + 1)

    def is_terminal(self, s: Place) -> bool:
        return s.ply >= 3

    def utility(self, s: Place, p: int) -> float:
        drawn = float(s.at % 3 - 1)
        return drawn if p == 0 else -drawn

    def repetition_key(self, s: Place) -> int:
        return u64(s.at)

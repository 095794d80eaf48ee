"""Small games whose values are known exactly."""

from __future__ import annotations

from typing import NamedTuple

from zermelo import CHANCE, Game, i8, u64

STATES = 5


class Place(NamedTuple):
    at: i8
    moved: bool


class RandomWalk(Game):
    """Sutton and Barto's random walk: five places in a row, one step left or right at random; 1 for leaving to the right.

    The only player has one action, after which chance moves: place k of 1 to 5 is worth k / 6.
    """

    players = 1
    value_range = (0.0, 1.0)

    def initial(self):
        return Place(3, False)

    def to_move(self, s):
        return CHANCE if s.moved else 0

    def actions(self, s):
        if 0 < s.at <= STATES:
            yield 0
            if s.moved:
                yield 1

    def result(self, s, a):
        return Place(s.at + 2 * a - 1, False) if s.moved else Place(s.at, True)

    def is_terminal(self, s):
        return s.at < 1 or s.at > STATES

    def utility(self, s, p):
        return 1.0 if s.at > STATES else 0.0

    def probability(self, s, a):
        return 0.5

    def planes(self, s, p):
        yield u64(1) << u64(s.at)


class WalkInTwoPhases(RandomWalk):
    """The random walk with a network for the places on the left and one for those on the right."""

    phases = 2

    def phase(self, s):
        return 1 if s.at > 2 else 0


class Count(NamedTuple):
    left: i8
    turn: i8


class Race(Game):
    """Three players take one or two of ten in turn; who takes the last gets 2 and the others lose 1 each. No planes of its own."""

    players = 3
    value_range = (-1.0, 2.0)

    def initial(self):
        return Count(10, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.left > 0:
            yield 1
        if s.left > 1:
            yield 2

    def result(self, s, a):
        return Count(s.left - a, (s.turn + 1) % 3)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return 2.0 if (s.turn + 2) % 3 == p else -1.0

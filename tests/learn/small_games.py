"""Small games whose values are known exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo import CHANCE, Game, i8, u64
from zermelo.games.mnk import MNK
from zermelo.games.pig import Pig

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


class Ambush(RandomWalk):
    """The random walk, before the first step of which chance moves: half of all games are lost there and then."""

    def initial(self):
        return Place(1, True)


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


class Counted(Race):
    """Race with patterns: how many are left, and who is to move with an even or odd number."""

    pattern_weights = 17

    def patterns(self, s, p):
        yield s.left
        yield 11 + 2 * s.turn + s.left % 2


def reachable(game):
    """All states of a game that play reaches, from the start on, breadth first."""
    found = {game.initial(): None}
    todo = list(found)
    while todo:
        after = {game.result(s, a): None for s in todo if not game.is_terminal(s) for a in game.actions(s)}
        todo = [s for s in after if s not in found]
        found |= dict.fromkeys(todo)
    return list(found)


class TicTacToe(MNK):
    """Tic-tac-toe with an input for each of its states: a linear model of it is a table."""

    def __init__(self):
        super().__init__()
        self.threes = np.array([sum(3**i for i in range(9) if x >> i & 1) for x in range(512)])
        self.numbers = np.full(3**9, -1)
        for i, s in enumerate(reachable(MNK())):
            self.numbers[self.threes[s.mine] + 2 * self.threes[s.theirs]] = i
        self.words = -(-(int(self.numbers.max()) + 1) // 64)

    def planes(self, s, p):
        i = self.numbers[self.threes[s.mine] + 2 * self.threes[s.theirs]]
        for k in range(self.words):
            yield u64(1) << u64(i & 63) if i >> 6 == k else u64(0)


SIDES, TARGET = 3, 8


class SmallPig(Pig):
    """Pig to 8 points with a die of three sides, and an input for each state after an action, as its player sees it."""

    def __init__(self):
        super().__init__(TARGET, 2, SIDES)

    def perspective(self, s):
        return s.turn

    def planes(self, s, p):
        i = ((s.scores[s.turn] * TARGET + s.scores[1 - s.turn]) * 16 + s.total) * 2 + (1 if s.rolling else 0)
        for k in range(TARGET * TARGET * 32 // 64):
            yield u64(1) << u64(i & 63) if i >> 6 == k else u64(0)


class Men(NamedTuple):
    """Two checkers of the player who moves and two of the other, by their point, the farther first; 0 is borne off."""

    high: i8
    low: i8
    high2: i8
    low2: i8
    die: i8  # 0: it is about to be rolled
    turn: i8


POINTS = 4


class BearOff(Game):
    """The end of a small backgammon: two checkers each on four points, a die of three sides, one checker is moved by it."""

    value_range = (-1.0, 1.0)

    def initial(self):
        return Men(POINTS, POINTS, POINTS, POINTS, 0, 0)

    def to_move(self, s):
        return CHANCE if s.die == 0 else s.turn

    def actions(self, s):
        if s.high2 > 0:
            if s.die == 0:
                for face in range(SIDES):
                    yield face + 1
            else:
                yield 0
                if 0 < s.low < s.high:
                    yield 1

    def result(self, s, a):
        if s.die == 0:
            return Men(s.high, s.low, s.high2, s.low2, a, s.turn)
        moved, other = (s.high, s.low) if a == 0 else (s.low, s.high)
        moved = max(0, moved - s.die)
        return Men(s.high2, s.low2, max(moved, other), min(moved, other), 0, 1 - s.turn)

    def is_terminal(self, s):
        return s.high2 == 0

    def utility(self, s, p):
        return -1.0 if p == s.turn else 1.0

    def probability(self, s, a):
        return 1 / SIDES

    def perspective(self, s):
        return s.turn

    def planes(self, s, p):
        i = ((s.high * 5 + s.low) * 5 + s.high2) * 5 + s.low2
        for k in range(10):
            yield u64(1) << u64(i & 63) if i >> 6 == k else u64(0)

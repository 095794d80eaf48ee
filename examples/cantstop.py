"""Can't Stop: roll four dice, make two pairs, climb the columns of their sums; stop in time or lose the climb."""

from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

from zermelo import CHANCE, Game, i8

STOP, ROLL, LOST = 0, 1, 2  # actions; beyond them 16 * sum + sum, or 16 * sum, for the columns that are climbed
CHOOSE, ROLLING = 0, 1  # what `dice` says where no dice lie; beyond them FIRST + the number of the roll
FIRST = 2


class State(NamedTuple):
    columns: tuple[i8, ...]  # how far player 0 has come in the columns of 2 to 12, then player 1
    climb: tuple[i8, ...]  # where the runners of this turn are, 0 where there is none
    dice: i8
    turn: i8


def pairs(dice):
    """The sums of the two pairs in each way to make them, 0, 0 for a way that is there already."""
    a, b, c, d = dice
    ways = [tuple(sorted(way)) for way in ((a + b, c + d), (a + c, b + d), (a + d, b + c))]
    return tuple(way if way not in ways[:i] else (0, 0) for i, way in enumerate(ways))


def chance(dice):
    """How likely these four dice are, in any order."""
    ways = factorial(4)
    for face in set(dice):
        ways //= factorial(dice.count(face))
    return ways / 6**4


ROLLS = tuple(combinations_with_replacement(range(1, 7), 4))


class CantStop(Game):
    """Can't Stop for two; who first has the top of `goal` columns wins."""

    max_actions = 128

    def __init__(self, goal: int = 3):
        self.goal, self.none = goal, (0,) * 11
        self.ways = tuple(map(pairs, ROLLS))
        self.chances = tuple(map(chance, ROLLS))
        self.rolls = len(ROLLS)

    def initial(self):
        return State((0,) * 22, self.none, ROLLING, 0)

    def to_move(self, s):
        return CHANCE if s.dice == ROLLING else s.turn

    def top(self, c):
        return 2 * c - 1 if c <= 7 else 27 - 2 * c

    def runners(self, s):
        return sum(1 for x in s.climb if x > 0)

    def can_climb(self, s, c):
        """Whether a runner of s can take a step in column c."""
        top = self.top(c)
        if c == 0 or s.columns[c - 2] == top or s.columns[c + 9] == top or s.climb[c - 2] == top:
            return False
        return s.climb[c - 2] > 0 or self.runners(s) < 3

    def climbed(self, s, c):
        """The state after a step in column c."""
        at = s.climb[c - 2] if s.climb[c - 2] > 0 else s.columns[11 * s.turn + c - 2]
        return s._replace(climb=tuple(at + 1 if k == c - 2 else x for k, x in enumerate(s.climb)), dice=CHOOSE)

    def actions(self, s):
        if s.dice == ROLLING:
            for i in range(0 if self.is_terminal(s) else self.rolls):
                yield i
        elif s.dice == CHOOSE:
            yield STOP
            yield ROLL
        else:
            found = 0
            for first, second in self.ways[s.dice - FIRST]:
                if self.can_climb(s, first) and self.can_climb(self.climbed(s, first), second):
                    found += 1
                    yield 16 * first + second
                else:
                    if self.can_climb(s, first):
                        found += 1
                        yield 16 * first
                    if second != first and self.can_climb(s, second):
                        found += 1
                        yield 16 * second
            if found == 0:
                yield LOST

    def result(self, s, a):
        if s.dice == ROLLING:
            return s._replace(dice=FIRST + a)
        if s.dice > ROLLING and a != LOST:
            t = self.climbed(s, a // 16)
            return self.climbed(t, a % 16) if a % 16 > 0 else t
        if a == ROLL:
            return s._replace(dice=ROLLING)
        columns = s.columns
        if a == STOP:
            me = 11 * s.turn
            columns = tuple(s.climb[k - me] if me <= k < me + 11 and s.climb[k - me] > 0 else x for k, x in enumerate(columns))
        t = State(columns, self.none, ROLLING, s.turn)
        return t if self.is_terminal(t) else t._replace(turn=1 - s.turn)

    def is_terminal(self, s):
        done = 0
        for c in range(2, 13):
            if s.columns[11 * s.turn + c - 2] == self.top(c):
                done += 1
        return done >= self.goal

    def utility(self, s, p):
        return 1 if p == s.turn else -1

    def probability(self, s, a):
        return self.chances[a]

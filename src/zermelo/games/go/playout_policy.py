"""What a player of Go sees at a glance: eyes, groups in atari, shapes beside the last stone. Random games are played by it.

A random game answers the last stone where it must be answered, as MoGo did; elsewhere it plays anywhere:

    take the group of the last stone, or save an own one beside it, where it is in atari
    play the vital point of a small eye beside the last stone
    play in the middle of a known shape (`shapes.py`) next to the last stone
    play anywhere but in an own eye, and not so that a group of several stones can be taken
"""

from __future__ import annotations

from ...bits import ctz, i64, popcount, rest, u64
from ...rng import below, draw
from . import shapes
from .board import Points
from .rules import NO_POINT, Rules, State

CLUMP = 3  # stones that are too many to be put into atari
VITAL = 6  # points of the largest eye that one stone may spoil


class Instinct(Rules):
    """The rules, and how to play at a glance."""

    def __init__(self, size: int, komi: float, suicide: bool, score: bool, limit: int):
        super().__init__(size, komi, suicide, score, limit)
        self.shapes = shapes.table()
        self.columns = (1 << size) - 1
        self.beyond = 1 << (size + 1) | 1  # a row with a point more at each end: those
        steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        inside = set(self.points)
        rings = {p: [p + i * self.row + j for i, j in steps] for p in range(size * self.row)}
        lines = [min(i, size - 1 - i) for i in range(size)]
        line = {y * self.row + x: min(lines[x], lines[y]) for x in range(size) for y in range(size)}
        self.inner = tuple(10 if line.get(p, 0) > 1 else 0 for p in range(size * self.row))
        self.outer = tuple(0 if line.get(p, 0) > 1 else 10 if line.get(p, 0) == 1 else 20 for p in range(size * self.row))
        self.rings = tuple(self.set_of(q for q in rings[p] if q in inside) for p in rings)

    def playout_action(self, s: State, random: u64) -> int:
        """A point as this module says; a pass only where nothing else is left: games end with territory."""
        empty = self.rest_of(s.mine, s.theirs)
        if s.last != NO_POINT:
            a = self.answer(s, random, empty)
            if a != NO_POINT:
                return a
        return self.anywhere(s, draw(random, 1), empty)

    def answer(self, s: State, random: u64, empty: Points) -> int:
        """What the last stone asks for, or NONE."""
        at = self.point(s.last)
        around = self.near(at)
        ko = self.nothing if s.ko == NO_POINT else self.point(s.ko)
        urgent = self.urgent(s, at, around, empty)
        urgent = tuple(x & ~y for x, y in zip(urgent, ko))
        if any(urgent):
            return self.pick(urgent, below(random, self.size_of(urgent)))
        a = self.vital(s, around, empty)
        if a not in (NO_POINT, s.ko):
            return a
        fitting = self.fitting(s, empty)
        while any(fitting):
            a = self.pick(fitting, below(random, self.size_of(fitting)))
            at = self.point(a)
            if a != s.ko and self.is_sound(s, at, self.near(at), empty):
                return a
            fitting = tuple(x & ~y for x, y in zip(fitting, at))
        return NO_POINT

    def urgent(self, s: State, at: Points, around: Points, empty: Points) -> Points:
        """The points that take the group of the last stone, or save a group beside it from being taken."""
        free = self.breath(self.flood(at, s.theirs), empty)
        if self.size_of(free) == 1:
            return free
        found = self.nothing
        left = tuple(x & y for x, y in zip(around, s.mine))
        while any(left):
            group = self.flood(self.point(self.first(left)), s.mine)
            left = tuple(x & ~y for x, y in zip(left, group))
            free = self.breath(group, empty)
            if self.size_of(free) == 1:
                ways = self.ways_out(s, group, free, empty)
                found = tuple(x | y for x, y in zip(found, ways))
        return found

    def ways_out(self, s: State, group: Points, free: Points, empty: Points) -> Points:
        """How a group with one liberty is saved: by a stone there that gets it two, or by taking stones that ring it."""
        found = self.nothing
        grown = self.flood(free, tuple(x | y for x, y in zip(s.mine, free)))
        if self.size_of(self.breath(grown, tuple(x & ~y for x, y in zip(empty, free)))) > 1:
            found = free
        ring = self.near(group)
        left = tuple(x & y for x, y in zip(ring, s.theirs))
        while any(left):
            other = self.flood(self.point(self.first(left)), s.theirs)
            left = tuple(x & ~y for x, y in zip(left, other))
            last = self.breath(other, empty)
            if self.size_of(last) == 1:
                found = tuple(x | y for x, y in zip(found, last))
        return found

    def vital(self, s: State, around: Points, empty: Points) -> int:
        """The point of most neighbours in a small eye of the other beside the last stone, if it has no equal; else NONE."""
        left = tuple(x & y for x, y in zip(around, empty))
        while any(left):
            eye = self.point(self.first(left))
            size, more = 0, 1
            while size < more <= VITAL:
                size = more
                touched = self.near(eye)
                eye = tuple(x | y & z for x, y, z in zip(eye, touched, empty))
                more = self.size_of(eye)
            left = tuple(x & ~y for x, y in zip(left, eye))
            touched = self.near(eye)
            if 2 < more <= VITAL and not any(x & y for x, y in zip(touched, s.mine)):
                return self.heart(eye)
        return NO_POINT

    def heart(self, eye: Points) -> int:
        """The point with most neighbours in the eye, or NONE if several have as many."""
        best, chosen = 0, NO_POINT
        for i in range(self.words):
            left = eye[i]
            while left:
                a = self.span * i + ctz(left)
                touched = self.near(self.point(a))
                n = sum(popcount(x & y) for x, y in zip(touched, eye))
                if n == best:
                    chosen = NO_POINT
                if n > best:
                    best = n
                    chosen = a
                left = rest(left)
        return chosen

    def fitting(self, s: State, empty: Points) -> Points:
        """The empty points around the last stone that are the middle of a shape."""
        found = self.nothing
        for i in range(self.words):
            left = self.rings[s.last][i] & empty[i]
            while left:
                a = self.span * i + ctz(left)
                if self.is_shape(s, a):
                    at = self.point(a)
                    found = tuple(x | y for x, y in zip(found, at))
                left = rest(left)
        return found

    def is_shape(self, s: State, a: int) -> bool:
        """Whether the empty point a is the middle of a shape."""
        y, x = a // self.row, a % self.row
        n = self.ringed(s.mine, x, y) | self.ringed(s.theirs, x, y) << 8
        return self.shapes[i64(n >> 6)] >> i64(n & 63) & 1 != 0

    def ringed(self, points: Points, x: int, y: int) -> u64:
        """Which of the eight points around this one are in the set, or beyond the edge: a bit each, from the lower left row by row."""
        under, level, above = self.three(points, x, y - 1), self.three(points, x, y), self.three(points, x, y + 1)
        return under | (level & 1) << 3 | (level & 4) << 2 | above << 5

    def three(self, points: Points, x: int, y: int) -> u64:
        """Three points of a row around column x."""
        if y < 0 or y >= self.size:
            return u64(7)
        whole = points[y // self.rows] >> (self.row * (y % self.rows)) & self.columns
        return (whole << 1 | self.beyond) >> x & 7

    def anywhere(self, s: State, random: u64, empty: Points) -> int:
        """Any point that is no own eye and sound, or a pass."""
        eyes = self.eyes(s)
        points = tuple(x & ~y for x, y in zip(empty, eyes))
        if s.ko != NO_POINT:
            ko = self.point(s.ko)
            points = tuple(x & ~y for x, y in zip(points, ko))
        n = self.size_of(points)
        while n > 0:
            a = self.pick(points, below(random, n))
            at = self.point(a)
            if self.is_sound(s, at, self.near(at), empty):
                return a
            points = tuple(x & ~y for x, y in zip(points, at))
            n -= 1
            random = draw(random, 1)
        return self.pass_

    def is_sound(self, s: State, at: Points, around: Points, empty: Points) -> bool:
        """Whether an empty point, no ko, may be played, and not so that several stones can be taken at once."""
        if sum(popcount(x & y) for x, y in zip(around, empty)) > 1:
            return True
        others = tuple(x & ~y for x, y in zip(empty, at))
        group = self.flood(at, tuple(x | y for x, y in zip(s.mine, at)))
        free = self.size_of(self.breath(group, others))
        if free > 1:
            return True
        if any(self.taken(around, s.theirs, others)):
            return True
        return free == 1 and self.size_of(group) < CLUMP

    # ---- what to expect of a point ---------------------------------------------------------------

    def prior_value(self, s: State, a: int) -> float:
        """Stones taken or saved, shapes, closeness to the last stone and to the edge, as games won and lost beside ten even ones."""
        if a == self.pass_:
            return -0.5
        at = self.point(a)
        around = self.near(at)
        empty = self.rest_of(s.mine, s.theirs)
        if not any(x & ~y for x, y in zip(around, s.mine)) and self.has(self.eyes(s), a):
            return -1.0
        won, lost = 0, 0
        others = tuple(x & ~y for x, y in zip(empty, at))
        taken = self.size_of(self.taken(around, s.theirs, others))
        group = self.flood(at, tuple(x | y for x, y in zip(s.mine, at)))
        free = self.size_of(self.breath(group, others))
        if taken > 0:
            won += 15 if taken == 1 else 30
        elif free < 2:
            lost += 20
        if free > 1 and any(self.in_atari(around, s.mine, empty)):
            won += 15
        if s.last != NO_POINT:
            close = self.rings[s.last]
            beside = self.near(close)
            if any(x & y for x, y in zip(close, at)):
                won += 20
            elif any(x & y for x, y in zip(beside, at)):
                won += 10
        if self.is_shape(s, a):
            won += 10
        elif not any(x & ~y for x, y in zip(self.rings[a], empty)):
            won += self.inner[a]
            lost += self.outer[a]
        return float(won - lost) / float(won + lost + 10)

    # ---- what all this looks at ----------------------------------------------------------------

    def eyes(self, s: State) -> Points:
        """Empty points that touch only own stones, with at most one stone of the other at their corners (at the edge none)."""
        others = tuple(b & ~x for b, x in zip(self.board, s.mine))
        open_ = self.near(others)
        eyes = tuple(b & ~(x | y | z) for b, x, y, z in zip(self.board, s.mine, s.theirs, open_))
        if not any(eyes):
            return eyes
        above, under = self.above(s.theirs), self.under(s.theirs)
        one = tuple(x << 1 & b for x, b in zip(above, self.board))
        two = tuple(x >> 1 & b for x, b in zip(above, self.board))
        three = tuple(x << 1 & b for x, b in zip(under, self.board))
        four = tuple(x >> 1 & b for x, b in zip(under, self.board))
        return tuple(
            x & ~(a & b | c & d | (a | b) & (c | d) | (a | b | c | d) & edge)
            for x, a, b, c, d, edge in zip(eyes, one, two, three, four, self.edge)
        )

    def breath(self, group: Points, empty: Points) -> Points:
        """The liberties of a group: the empty points that it touches."""
        touched = self.near(group)
        return tuple(x & y for x, y in zip(touched, empty))

    def in_atari(self, asked: Points, stones: Points, empty: Points) -> Points:
        """The groups of `stones` that hold a point of `asked` and have one liberty."""
        found = self.nothing
        left = tuple(x & y for x, y in zip(asked, stones))
        while any(left):
            group = self.flood(self.point(self.first(left)), stones)
            if self.size_of(self.breath(group, empty)) == 1:
                found = tuple(x | y for x, y in zip(found, group))
            left = tuple(x & ~y for x, y in zip(left, group))
        return found

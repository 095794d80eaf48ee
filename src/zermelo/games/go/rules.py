"""The rules of Go: area scoring as by Tromp and Taylor, simple ko in the state, superko by the history of the game.

A stone is put on an empty point; groups of the other colour that have no liberty then are taken. A stone
that would have none itself may not be put (with suicide=True the own group is taken, if it is more than the stone alone).
Who takes one stone by a lone stone that has no other liberty than its place makes a ko: it may not be taken back at once.
Two passes end the game, and so does its limit of plies. An area is the stones and the empty points that only they reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...bits import ctz, i8, i16, popcount, rest, u64
from ...errors import ZermeloError
from ...rng import below, draw, mix
from .board import Board, Points

NO_POINT = -1  # no point
MAX_COUNTED_PLIES = 32_767  # plies that a state can count


class State(NamedTuple):
    """The board seen from the player to move."""

    mine: tuple[u64, ...]  # stones of the player to move
    theirs: tuple[u64, ...]
    ko: i16  # the point that may not be played because it would take back a ko, or NO_POINT
    passes: i8  # passes in a row just before
    plies: i16  # actions so far, which the game's limit counts
    turn: i8  # 0 is Black, 1 White
    last: i16  # the stone that was just played, or NO_POINT: no rule asks for it, but who plays looks there first


class Rules(Board):
    """All that is law; an action is the point that is played, or `pass_`."""

    ends_without_actions, is_zero_sum = True, True
    #: positional superko: no action may lead to a board that was there before (`history.py` knows)
    repetition = "forbidden"

    def __init__(self, size: int, komi: float, suicide: bool, score: bool, limit: int):
        if type(size) is not int or not 2 <= size <= 19:
            raise ZermeloError(f"go: expected size from 2 to 19, not {size!r}")
        if type(komi) not in (int, float) or not -361 <= komi <= 361:
            raise ZermeloError(f"go: expected komi from -361 to 361, not {komi!r}")
        for name, value in (("suicide", suicide), ("score", score)):
            if not isinstance(value, bool):
                raise ZermeloError(f"go: expected {name} true or false, not {value!r}")
        if type(limit) is not int or not 0 <= limit <= MAX_COUNTED_PLIES:
            raise ZermeloError(f"go: expected limit from 1 to {MAX_COUNTED_PLIES}, or 0 for three plies a point, not {limit!r}")
        super().__init__(size)
        self.komi, self.suicide, self.score, self.has_scores = float(komi), suicide, score, score
        if score:
            self.value_scale = 6.0  # points
        self.limit = limit or 3 * size * size
        self.pass_ = size * self.row
        self.max_actions = size * size + 1
        self.board_height, self.board_width, self.policy_size = size, size, self.pass_ + 1
        self.board_bits = tuple(p // self.span * 64 + p % self.span for p in self.points)

    def initial(self) -> State:
        return State(self.nothing, self.nothing, NO_POINT, 0, 0, 0, NO_POINT)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        legal = self.legal(s)
        for i in range(self.words):
            left = legal[i]
            while left:
                yield self.span * i + ctz(left)
                left = rest(left)
        yield self.pass_

    def result(self, s: State, a: int) -> State:
        if a == self.pass_:
            return State(s.theirs, s.mine, NO_POINT, s.passes + 1, s.plies + 1, 1 - s.turn, NO_POINT)
        at = self.point(a)
        around = self.near(at)
        mine = tuple(x | y for x, y in zip(s.mine, at))
        empty = self.rest_of(mine, s.theirs)
        taken = self.taken(around, s.theirs, empty)
        ko = NO_POINT
        if self.size_of(taken) == 1 and not any(x & (y | z) for x, y, z in zip(around, s.mine, empty)):
            ko = self.first(taken)
        theirs = tuple(x & ~y for x, y in zip(s.theirs, taken))
        last = a
        if self.suicide:
            taken = self.taken(at, mine, self.rest_of(mine, theirs))
            mine = tuple(x & ~y for x, y in zip(mine, taken))
            if any(taken):
                last = NO_POINT
        return State(theirs, mine, ko, 0, s.plies + 1, 1 - s.turn, last)

    def is_terminal(self, s: State) -> bool:
        return s.passes == 2 or s.plies >= self.limit

    def utility(self, s: State, p: int) -> float:
        margin = self.margin(s, p)
        if self.score:
            return margin
        return 1 if margin > 0 else -1 if margin < 0 else 0

    def count(self, s: State) -> int:
        if self.is_terminal(s):
            return 0
        return self.size_of(self.legal(s)) + 1

    def sample(self, s: State, random: u64) -> int:
        """Empty points and the pass at random until one is legal: as most are, that is quicker than to test them all."""
        return self.drawn(s, random, self.rest_of(s.mine, s.theirs), 1)

    def key(self, s: State) -> u64:
        """Everything but the plies and the last stone, which would tell the same board after other play apart."""
        h = mix(u64(s.ko + 2) << 8 | u64(s.passes) << 1 | u64(s.turn))
        for i in range(self.words):
            h = mix(mix(h ^ s.mine[i]) ^ s.theirs[i])
        return h

    def repetition_key(self, s: State) -> u64:
        """The board alone: superko does not ask who is to move."""
        h = u64(0)
        for i in range(self.words):
            black, white = s.mine[i], s.theirs[i]
            if s.turn == 1:
                black, white = white, black
            h = mix(mix(h ^ black) ^ white)
        return h

    def plies_left(self, s: State) -> int:
        """The plies before the limit ends the game."""
        return self.limit - s.plies

    # ---- stones and liberties ----------------------------------------------------------------

    def rest_of(self, mine: Points, theirs: Points) -> Points:
        """The points of the board that neither has."""
        return tuple(b & ~(x | y) for b, x, y in zip(self.board, mine, theirs))

    def taken(self, asked: Points, stones: Points, empty: Points) -> Points:
        """The groups of `stones` without a liberty, provided that there are none but those that hold a point of `asked`.

        Life spreads from the stones that touch an empty point; it is over as soon as all that are asked for live.
        """
        touched = self.near(empty)
        alive = tuple(x & y for x, y in zip(touched, stones))
        while any(x & y & ~z for x, y, z in zip(asked, stones, alive)):
            touched = self.near(alive)
            more = tuple(x & y & ~z for x, y, z in zip(touched, stones, alive))
            if not any(more):
                return tuple(x & ~y for x, y in zip(stones, alive))
            alive = tuple(x | y for x, y in zip(alive, more))
        return self.nothing

    def allowed(self, s: State, at: Points, around: Points, empty: Points) -> bool:
        """Whether the empty point `at`, which touches no other, may be played, its ko apart."""
        empty = tuple(x & ~y for x, y in zip(empty, at))
        if self.suicide:
            if any(x & y for x, y in zip(around, s.mine)):
                return True
        else:
            touched = self.near(empty)
            alive = tuple(x & y for x, y in zip(touched, s.mine))
            more = alive
            while any(more):
                if any(x & y for x, y in zip(around, more)):
                    return True
                touched = self.near(more)
                more = tuple(x & y & ~z for x, y, z in zip(touched, s.mine, alive))
                alive = tuple(x | y for x, y in zip(alive, more))
        return any(self.taken(around, s.theirs, empty))

    def legal(self, s: State) -> Points:
        """The points that may be played: most are told for all at once, the others one by one."""
        empty = self.rest_of(s.mine, s.theirs)
        # a group with a stone that has two liberties keeps one whichever is played: an own one makes it legal, another is not taken
        two = self.twice(empty)
        mine = self.flood(tuple(x & y for x, y in zip(s.mine, two)), s.mine)
        theirs = self.flood(tuple(x & y for x, y in zip(s.theirs, two)), s.theirs)
        touched, kept = self.near(empty), self.near(mine)
        legal = tuple(x & (y | z) for x, y, z in zip(empty, touched, kept))
        weak = self.near(tuple((x | y) & ~(z | w) for x, y, z, w in zip(s.mine, s.theirs, mine, theirs)))
        for i in range(self.words):
            left = empty[i] & weak[i] & ~legal[i]
            while left:
                a = self.span * i + ctz(left)
                at = self.point(a)
                if a != s.ko and self.allowed(s, at, self.near(at), empty):
                    legal = tuple(x | y for x, y in zip(legal, at))
                left = rest(left)
        return legal

    def drawn(self, s: State, random: u64, points: Points, passes: int) -> int:
        """One of the empty `points` that may be played, or a pass in place of so many more points; a pass if none is left."""
        empty = self.rest_of(s.mine, s.theirs)
        if s.ko != NO_POINT:
            points = tuple(x & ~y for x, y in zip(points, self.point(s.ko)))
        while True:
            n = self.size_of(points)
            k = below(random, n + passes)
            if k >= n:
                return self.pass_
            a = self.pick(points, k)
            at = self.point(a)
            around = self.near(at)
            if any(x & y for x, y in zip(around, empty)) or self.allowed(s, at, around, empty):
                return a
            points = tuple(x & ~y for x, y in zip(points, at))
            random = draw(random, 1)

    def margin(self, s: State, p: int) -> float:
        """How many points more player p has than the other, with komi, as the board is."""
        empty = self.rest_of(s.mine, s.theirs)
        mine, theirs = self.flood(s.mine, empty), self.flood(s.theirs, empty)
        lead = sum(popcount(x & ~y) - popcount(y & ~x) for x, y in zip(mine, theirs))
        return self.with_komi(s, p, lead)

    def with_komi(self, s: State, p: int, lead: float) -> float:
        """The lead of the player to move, in points, as one of player p after komi."""
        black = (lead if s.turn == 0 else -lead) - self.komi
        return black if p == 0 else -black

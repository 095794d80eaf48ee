"""What a position is worth with the doubling cube: between a dead cube and a live one (R. Janowski, Take-Points in Money Games, 1993).

q is the chance of the player on roll to win, W and L what wins and losses are worth on average, with gammons; C what it is worth that the
other drops, D that the player drops.

    dead    E = q W + (1 - q) L                  nobody doubles any more
    live    E goes in straight lines through (0, L), (TP, D) where the other may double, (CP, C) where the player may, and (1, W):
            doubles come exactly when the other may as well take as drop
    E = (1 - x) dead + x live                    x is the efficiency of the cube

TP is the chance at which the player may as well take as drop, CP the one at which the other may: 1 less the other's TP. For money, where
W and -L count in units of the cube,

    TP = (-L - 1/2) / (W - L + 1/2)

which is 20 % without gammons, and 25 % with a dead cube. In a match a result is worth by how much it raises the chance to win the match
(`match_equity.py`), and the points TP follow from those of the next cube, from the one that is of no use to anybody down:
who takes has the live cube of twice the size, or a dead one if it wins the match.
"""

from __future__ import annotations

from ...bits import clz
from ...game import Game
from .evaluation import guess, pips
from .men import BAR, any_men
from .state import CENTRE, DOUBLED, DROPPED, MAX_CUBE_EXPONENT, MAY_DOUBLE, State

Chances = tuple[float, float, float]  # of a win, of a gammon or more, of a backgammon
EFFICIENCY = 0.68  # of the cube, Janowski's 2/3
#: at the end of a race there are few rolls, and few good moments to double: by decisions in bear-offs of six men, which are known exactly
#: (`tests/games/cubeful_bearoff.py`), it is 0.3 with 6 pips, 0.4 with 14, 0.5 with 23, 0.6 with 35
RACE_EFFICIENCY, EFFICIENCY_PER_PIP = 0.25, 0.01
MIN_CHANCE = 1e-6  # chance that is divided by


class Doubling(Game):
    """The cube of backgammon, for money or in a match."""

    cube: bool
    gammons: bool
    jacoby: bool
    left: tuple[int, int] = (0, 0)  # points that each player still needs to win the match; 0 for money
    worth: tuple[float, ...] = (0.0,)  # to player 0, of each number of points that player 0, and player 1, may then need

    @property
    def is_match(self) -> bool:
        return self.left[0] > 0

    @property
    def has_equity(self) -> bool:
        """Whether results count for more, or less, than their points."""
        return self.cube or self.is_match

    def settled(self, p: int, points: int) -> float:
        """What winning this number of points is worth to player p."""
        if not self.is_match:
            return float(points)
        a, b = self.left[0], self.left[1]
        if p == 0:
            a = max(0, a - points)
        else:
            b = max(0, b - points)
        v = self.worth[a * (self.left[1] + 1) + b]
        return v if p == 0 else -v

    def average(self, p: int, level: int, chances: Chances, is_plain: bool) -> float:
        """What player p's wins are worth on average, of which these chances say how many are gammons, if the cube is at this level."""
        one = self.settled(p, 1 << level)
        if is_plain or not self.gammons:
            return one
        wins = max(chances[0], MIN_CHANCE)
        two = max(0.0, min(1.0, chances[1] / wins))
        three = max(0.0, min(two, chances[2] / wins))
        return (1.0 - two) * one + (two - three) * self.settled(p, 2 << level) + three * self.settled(p, 3 << level)

    def may_use(self, p: int, level: int) -> bool:
        """Whether the cube at this level can still be of use to player p: there are points left to win by it."""
        return self.cube and level < MAX_CUBE_EXPONENT and (not self.is_match or 1 << level < self.left[p])

    def take_points(self, p: int, level: int, own: Chances, other: Chances) -> tuple[float, float]:
        """The chances at which player p, and the other, may as well take as drop a live cube that is turned at this level."""
        if not self.is_match:
            win, loss = self.average(p, 0, own, False), self.average(1 - p, 0, other, False)
            return (loss - 0.5) / (win + loss + 0.5), (win - 0.5) / (win + loss + 0.5)
        mine, others, k = 0.0, 0.0, MAX_CUBE_EXPONENT
        while k > level:
            k -= 1
            if 1 << k < max(self.left[0], self.left[1]):
                mine, others = self.take_point(p, k, own, other, others), self.take_point(1 - p, k, other, own, mine)
        return mine, others

    def take_point(self, p: int, level: int, own: Chances, other: Chances, others: float) -> float:
        """The chance at which player p may as well take, if the other's is known for the next level."""
        if not self.may_use(1 - p, level):
            return 0.0  # the other will not double
        loss, dropped = -self.average(1 - p, level + 1, other, False), -self.settled(1 - p, 1 << level)
        is_live = self.may_use(p, level + 1)
        top = self.settled(p, 2 << level) if is_live else self.average(p, level + 1, own, False)
        point = (1.0 - others) if is_live else 1.0
        return max(0.0, min(1.0, point * (dropped - loss) / max(top - loss, MIN_CHANCE)))

    def held(self, p: int, q: float, own: Chances, other: Chances, level: int, owner: int, x: float) -> float:
        """What the position is worth to player p, who wins with chance q, with the cube at this level where it is."""
        is_plain = self.jacoby and owner == CENTRE
        win, loss = self.average(p, level, own, is_plain), -self.average(1 - p, level, other, is_plain)
        dead = q * win + (1.0 - q) * loss
        doubles, doubled = owner in (CENTRE, p) and self.may_use(p, level), owner in (CENTRE, 1 - p) and self.may_use(1 - p, level)
        if not doubles and not doubled:
            return dead
        if self.is_match and not self.may_use(p, level):
            x = 1.0  # the other has nothing more to lose by a double, and doubles at once
        mine, others = self.take_points(p, level, own, other)
        a, low = (mine, -self.settled(1 - p, 1 << level)) if doubled else (0.0, loss)
        b, high = (1.0 - others, self.settled(p, 1 << level)) if doubles else (1.0, win)
        if q < a:
            live = loss + (low - loss) * q / a
        elif q > b:
            live = high + (win - high) * (q - b) / (1.0 - b)
        else:
            live = low + (high - low) * (q - a) / max(b - a, MIN_CHANCE)
        return (1.0 - x) * dead + x * live

    def equity(self, s: State, p: int, mine: tuple[float, ...], theirs: tuple[float, ...]) -> float:
        """What s is worth to player p with the cube, from the chances of the outcomes without it."""
        t = 1 - s.turn if s.roll == DOUBLED else s.turn
        own, other = (mine[0], mine[1], mine[2]), (theirs[0], theirs[1], theirs[2])  # a model may have more
        return self.on_roll(s, t, own, other) if p == t else -self.on_roll(s, t, other, own)

    def on_roll(self, s: State, t: int, own: Chances, other: Chances) -> float:
        """The same to player t, who is on roll: after the double that seems best, where t may double, and the answer that seems best."""
        q = max(0.0, min(1.0, own[0] / max(own[0] + other[0], MIN_CHANCE)))
        x, level = self.efficiency(s), s.cube
        if s.roll <= DROPPED:
            return q * self.average(t, level, own, False) - (1.0 - q) * self.average(1 - t, level, other, False)
        waits = self.held(t, q, own, other, level, s.owner, x)
        if s.roll not in (MAY_DOUBLE, DOUBLED):
            return waits
        doubles = min(self.settled(t, 1 << level), self.held(t, q, own, other, level + 1, 1 - t, x))
        return doubles if s.roll == DOUBLED else max(waits, doubles)

    def guessed_equity(self, s: State, p: int) -> float:
        """The same by the guess of `evaluation.py`, which is of points: what it has beyond those of plain games are gammons."""
        low, high, low2, high2 = (s.low2, s.high2, s.low, s.high) if s.roll == DOUBLED else (s.low, s.high, s.low2, s.high2)
        plain, points = max(-1.0, min(1.0, guess(low, high, low2, high2, False))), guess(low, high, low2, high2, True)
        win, more = (1.0 + plain) / 2.0, points - plain
        t = 1 - s.turn if s.roll == DOUBLED else s.turn
        v = self.on_roll(s, t, (win, max(0.0, more), 0.0), (1.0 - win, max(0.0, -more), 0.0))
        return v if p == t else -v

    def efficiency(self, s: State) -> float:
        """Of the cube: how much of what a live cube would be worth."""
        if 126 - clz(any_men(s.low, s.high)) - clz(any_men(s.low2, s.high2)) > BAR:
            return EFFICIENCY
        left = pips(s.low2, s.high2) if s.roll == DOUBLED else pips(s.low, s.high)
        return min(EFFICIENCY, RACE_EFFICIENCY + EFFICIENCY_PER_PIP * left)

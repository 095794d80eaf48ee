"""Hypergammon: backgammon with three checkers each, one die at a time; gammons count one game."""

from typing import NamedTuple

from zermelo import CHANCE, Game, i8

COUNT, BAR, OFF = 3, 24, 25  # checkers of a player; the places of a player's 26 besides the points 0 to 23
PASS = 100


class State(NamedTuple):
    checkers: tuple[i8, ...]  # how many each player has in each place, seen from that player: point 0 is the last before home
    turn: i8
    dice: tuple[i8, ...]  # those still to be played: 0 for none, four of a double; all -1 before the roll


class Hypergammon(Game):
    """An action is 6 * place + die - 1; whoever cannot move passes. Any die may be played first, even if only one can be."""

    def initial(self):
        side = (0,) * 21 + (1, 1, 1, 0, 0)
        return State(side + side, 0, (-1, -1, -1, -1))

    def to_move(self, s):
        return CHANCE if s.dice[0] < 0 else s.turn

    def at(self, s, place):
        return s.checkers[26 * s.turn + place]

    def is_held(self, s, point):
        """Whether the other player holds this point."""
        return s.checkers[26 * (1 - s.turn) + 23 - point] > 1

    def can_play(self, s, place, die):
        if self.at(s, place) == 0 or (place != BAR and self.at(s, BAR) > 0):
            return False
        to = place - die
        if to >= 0:
            return not self.is_held(s, to)
        behind = sum(1 for k in range(BAR) if k > 5 and self.at(s, k) > 0)
        above = sum(1 for k in range(6) if k > place and self.at(s, k) > 0)
        return behind == 0 and (to == -1 or above == 0)

    def actions(self, s):
        if s.dice[0] < 0:
            for high in range(0 if self.is_terminal(s) else 6):
                for low in range(high + 1):
                    yield 6 * high + low
        else:
            found = 0
            for die in range(1, 7):
                if any(x == die for x in s.dice):
                    for place in range(BAR + 1):
                        if self.can_play(s, place, die):
                            found += 1
                            yield 6 * place + die - 1
            if found == 0:
                yield PASS * 6

    def result(self, s, a):
        if s.dice[0] < 0:
            high, low = a // 6 + 1, a % 6 + 1
            return s._replace(dice=(high, low, high if high == low else 0, high if high == low else 0))
        if a == PASS * 6:
            return State(s.checkers, 1 - s.turn, (-1, -1, -1, -1))
        place, die = a // 6, a % 6 + 1
        to = place - die if place >= die else OFF
        me, hit = 26 * s.turn, 26 * (1 - s.turn) + 23 - to
        is_hit = to != OFF and s.checkers[hit] == 1
        after = tuple(
            x - 1 if k == me + place or (is_hit and k == hit) else x + 1 if k == me + to or (is_hit and k == 26 * (1 - s.turn) + BAR) else x
            for k, x in enumerate(s.checkers)
        )
        used = 0 if s.dice[0] == die else 1 if s.dice[1] == die else 2 if s.dice[2] == die else 3
        dice = tuple(0 if k == used else x for k, x in enumerate(s.dice))
        t = State(after, s.turn, (max(dice[0], dice[1]), min(dice[0], dice[1]), dice[2], dice[3]))
        if self.is_terminal(t):
            return State(after, s.turn, (-1, -1, -1, -1))
        return t if any(x > 0 for x in t.dice) else State(after, 1 - s.turn, (-1, -1, -1, -1))

    def is_terminal(self, s):
        return s.checkers[26 * s.turn + OFF] == COUNT

    def utility(self, s, p):
        return 1 if p == s.turn else -1

    def probability(self, s, a):
        return 1 / 36 if a // 6 == a % 6 else 2 / 36

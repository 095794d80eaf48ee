"""The Royal Game of Ur, by Finkel's rules: seven pieces race along fourteen squares, of which eight are shared."""

from typing import NamedTuple

from zermelo import CHANCE, Game, i8, u16

ENTER, OFF, PASS = 0, 15, 15  # the squares before and after the path; the action of a player who cannot move
ROSETTES = 1 << 4 | 1 << 8 | 1 << 14  # another roll; on the shared one a piece is safe
SHARED = sum(1 << x for x in range(5, 13))
TO_ROLL = 5
CHANCES = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)  # of four dice with two sides


class State(NamedTuple):
    pieces: tuple[u16, ...]  # the squares of each player's pieces: bit x is square x of their path
    home: tuple[i8, ...]  # pieces that have left the board
    turn: i8
    roll: i8  # 0 to 4, or TO_ROLL


class Ur(Game):
    """Ur with `size` pieces each; an action is the square from which a piece moves, ENTER for a new one, or PASS."""

    def __init__(self, size: int = 7):
        self.size = size

    def initial(self):
        return State((0, 0), (0, 0), 0, TO_ROLL)

    def to_move(self, s):
        return CHANCE if s.roll == TO_ROLL else s.turn

    def can_move(self, s, x):
        to = x + s.roll
        if to >= OFF:
            return to == OFF
        is_safe = to == 8 and s.pieces[1 - s.turn] & 1 << 8 != 0
        return s.pieces[s.turn] & 1 << to == 0 and not is_safe

    def actions(self, s):
        if s.roll == TO_ROLL:
            for roll in range(0 if self.is_terminal(s) else 5):
                yield roll
        else:
            found, mine = 0, s.pieces[s.turn]
            if s.roll > 0:
                if s.home[s.turn] + sum(mine >> x & 1 for x in range(OFF)) < self.size and self.can_move(s, ENTER):
                    found += 1
                    yield ENTER
                for x in range(1, OFF):
                    if mine & 1 << x and self.can_move(s, x):
                        found += 1
                        yield x
            if found == 0:
                yield PASS

    def result(self, s, a):
        if s.roll == TO_ROLL:
            return State(s.pieces, s.home, s.turn, a)
        if a == PASS:
            return State(s.pieces, s.home, 1 - s.turn, TO_ROLL)
        me, to = s.turn, a + s.roll
        mine, theirs, home = s.pieces[me] & ~(1 << a), s.pieces[1 - me], s.home[me]
        if to == OFF:
            home += 1
        else:
            mine |= 1 << to
            if SHARED & 1 << to:
                theirs &= ~(1 << to)
        pieces = (mine, theirs) if me == 0 else (theirs, mine)
        homes = (home, s.home[1]) if me == 0 else (s.home[0], home)
        goes_on = home == self.size or (to < OFF and ROSETTES & 1 << to != 0)
        return State(pieces, homes, me if goes_on else 1 - me, TO_ROLL)

    def is_terminal(self, s):
        return s.home[s.turn] == self.size

    def utility(self, s, p):
        return 1 if p == s.turn else -1

    def probability(self, s, a):
        return CHANCES[a]

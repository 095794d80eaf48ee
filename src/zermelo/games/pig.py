"""Pig: roll a die as often as you dare and hold to keep the points; a 1 loses those of the turn.

Two rules keep play finite where the choice would be idle: a turn begins with a roll, and with enough points to
win a player holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8, i16, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below

ROLL, HOLD = 0, 1


class State(NamedTuple):
    scores: tuple[i16, ...]
    total: i16  # points of this turn, not yet kept
    turn: i8  # whose turn it is; at the end, who has won
    rolling: bool  # whether the die is in the air


class Pig(Game):
    """Pig for 2 to 16 players; actions are ROLL and HOLD, and of chance the faces 1 to sides.

    The winner gets 1 and the others share the loss, so that it sums to zero: -1 of two players, -1/2 of three.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-1.0, 1.0)

    def __init__(self, target: int = 100, players: int = 2, sides: int = 6):
        for name, value, least, most in (("target", target, 1, 10000), ("players", players, 2, 16), ("sides", sides, 2, 100)):
            if type(value) is not int or not least <= value <= most:
                raise ZermeloError(f"pig: expected {name} from {least} to {most}, not {value!r}")
        self.target, self.players, self.sides = target, players, sides
        self.loss = -1.0 / (players - 1)

    def initial(self) -> State:
        return State((0,) * self.players, 0, 0, False)

    def to_move(self, s: State) -> int:
        return CHANCE if s.rolling else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.rolling:
            for face in range(self.sides):
                yield face + 1
        else:
            if s.scores[s.turn] + s.total < self.target:
                yield ROLL
            if s.total > 0:
                yield HOLD

    def sample(self, s: State, random: u64) -> int:
        """A uniformly random action, without listing them."""
        if s.rolling:
            return 1 + below(random, self.sides)
        if s.scores[s.turn] + s.total >= self.target:
            return HOLD
        return below(random, 2) if s.total > 0 else ROLL

    def result(self, s: State, a: int) -> State:
        after = (s.turn + 1) % self.players
        if s.rolling:
            if a == 1:
                return State(s.scores, 0, after, False)
            return State(s.scores, s.total + a, s.turn, False)
        if a == ROLL:
            return State(s.scores, s.total, s.turn, True)
        scores = tuple(x + s.total if p == s.turn else x for p, x in enumerate(s.scores))
        return State(scores, 0, s.turn if scores[s.turn] >= self.target else after, False)

    def is_terminal(self, s: State) -> bool:
        return s.scores[s.turn] >= self.target

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == s.turn else self.loss

    def probability(self, s: State, a: int) -> float:
        return 1.0 / self.sides

    def write_action(self, s: State, a: int) -> str:
        """roll, hold, or the face that chance rolls."""
        return str(a) if s.rolling else "roll" if a == ROLL else "hold"

    def write_state(self, s: State) -> str:
        """The scores, the points of the turn, whose turn it is (counted from 1), and whether a die rolls: 20,31 8 1 rolling."""
        return f"{','.join(map(str, s.scores))} {s.total} {s.turn + 1}{' rolling' if s.rolling else ''}"

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so; exactly those that play can reach are read."""

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        found = re.fullmatch(r"([0-9]{1,5}(?:,[0-9]{1,5})*) ([0-9]{1,5}) ([0-9]{1,2})( rolling)?", text.strip())
        scores = tuple(map(int, found[1].split(","))) if found else ()
        if not found or len(scores) != self.players or not 1 <= int(found[3]) <= self.players:
            raise refuse(f"{self.players} scores joined by ',', the points of the turn, whose turn it is, and perhaps 'rolling'")
        s = State(scores, int(found[2]), int(found[3]) - 1, bool(found[4]))
        # a turn scores at least two, and an even number when the only other face is 2
        if any(x == 1 or (self.sides == 2 and x % 2) for x in (*scores, s.total)):
            raise refuse(f"points that rolls of 2 to {self.sides} add up to")
        if any(x >= self.target for p, x in enumerate(scores) if p != s.turn):
            raise refuse(f"only the player whose turn it is to have {self.target}")
        if self.is_terminal(s) and (s.total or s.rolling):
            raise refuse("no roll in a game that is won")
        # the most points before a last roll that takes them to the target: all below it, if rolls add up to that
        over = self.is_terminal(s)
        most = self.target - 1 - (0 if over else scores[s.turn])
        most -= most == 1 or (self.sides == 2 and most % 2)
        if (scores[s.turn] if over else s.total) > most + (0 if s.rolling else self.sides):
            raise refuse(f"no roll after {self.target} is reached")
        return s

    def show(self, s: State) -> str:
        rows = [f"player {p}: {score}" + (f" + {s.total}" if p == s.turn + 1 else "") for p, score in enumerate(s.scores, 1)]
        return "\n".join(
            [*rows, "the die is rolling" if s.rolling else f"player {s.turn + 1} {'has won' if self.is_terminal(s) else 'to move'}"]
        )

"""The state of a game, seen from the player whose turn it is."""

from __future__ import annotations

from typing import NamedTuple

from ...bits import bit, i8, u64
from .men import FULL_SIDE, added, men_on

# what `roll` holds: larger die * 8 + smaller die, or one of these
TO_ROLL = 0  # chance is to roll the dice
OPENING = -1  # chance is to roll one die for each player
MAY_DOUBLE = -2  # the player may double before the roll
DOUBLED = -3  # the player is offered the cube, and takes or drops
DROPPED = -4  # the player has dropped: the game is over
OVER = -5  # the other player has borne off all men: the game is over

ROLL, DOUBLE = 0, 1  # actions of a player who may double
TAKE, DROP = 0, 1  # actions of a player who is offered the cube
CENTRE = -1  # the owner of a cube that nobody owns
MAX_CUBE_EXPONENT = 12  # the cube goes up to 2**12

START = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(point, 0) for point in range(26))


class State(NamedTuple):
    low: u64  # the men of the player whose turn it is: `men` tells how
    high: u64
    low2: u64  # the other player's men, as he counts the points
    high2: u64
    roll: i8
    turn: i8  # whose turn it is, also while the dice roll; at the end, who has lost
    cube: i8  # the cube shows 2**cube
    owner: i8  # who owns the cube, or CENTRE


Side = tuple[int, ...]  # how many men are off, on the points 1 to 24, and on the bar


def packed(side: Side) -> tuple[int, int]:
    """The men of a side as words."""
    low = high = 0
    for point, men in enumerate(side):
        for _ in range(men if point else 0):
            low, high = added(low, high, bit(point), 0)
    return low, high


def unpacked(low: int, high: int) -> Side:
    """The men of a side as numbers."""
    side = tuple(men_on(low, high, point) for point in range(1, 26))
    return (FULL_SIDE - sum(side), *side)


def sides(s: State) -> tuple[Side, Side]:
    """The men of player 0 and of player 1, each as that player counts the points."""
    mine, other = unpacked(s.low, s.high), unpacked(s.low2, s.high2)
    return (other, mine) if s.turn else (mine, other)

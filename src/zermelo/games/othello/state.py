"""The state of a game of Othello."""

from __future__ import annotations

from typing import NamedTuple

from ...bits import i8, u64


class State(NamedTuple):
    """Square (x, y) is bit y * size + x, a1 is bit 0 and at the upper left."""

    mine: u64  # discs of the player to move
    theirs: u64  # discs of the other
    turn: i8  # 0 is Black, who begins, 1 White

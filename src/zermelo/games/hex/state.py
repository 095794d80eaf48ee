"""The state of a game of Hex."""

from __future__ import annotations

from typing import NamedTuple

from ...bits import i8, u64


class State(NamedTuple):
    """Both players' stones, and which of them are joined to the first edge of their owner (the top, the left)."""

    mine: tuple[u64, ...]  # stones of the player to move
    theirs: tuple[u64, ...]  # stones of the other
    mine_joined: tuple[u64, ...]
    theirs_joined: tuple[u64, ...]
    turn: i8  # 0 is Black, who begins, 1 White
    won: bool  # whether the player who is not to move has won

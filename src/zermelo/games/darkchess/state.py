"""The state of a game of dark chess. Actions are those of chess, but for check: from | to << 6 | kind << 12."""

from __future__ import annotations

from typing import NamedTuple

from ...bits import i8, u64


class State(NamedTuple):
    """A position of chess, and what the players remember."""

    p: u64  # the first eight as in chess: seen by the side to move
    n: u64
    d: u64
    o: u64
    k: u64
    me: u64
    x: u64
    t: u64
    taken: i8  # the square, as White sees it, on which the last move captured; -1 if it did not
    gone: tuple[u64, u64]  # pieces that each player has lost: pawns, knights, bishops, rooks and queens, four bits each
    heard: tuple[u64, u64]  # a hash of all that each player did and saw

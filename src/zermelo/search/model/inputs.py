"""What a model is given of a state: the words of its planes."""

from __future__ import annotations

from ...bits import u64
from ...game import Game, State
from .record import Seeing


def fill_planes(game: Game, s: State, p: int, work: Seeing) -> int:
    """Write the planes of s as player p sees it into the record; how many they are. Without planes of its own: the packed state."""
    if game.has_planes:
        return min(game.fill_planes(s, p, work.planes), work.plane_count)  # whatever the rules yield, nothing else is read
    n = game.pack(s, work.planes)
    work.planes[n] = u64(1) << u64(p) | u64(2) << u64(game.players + game.to_move(s))  # who looks, and who moves
    return n + 1

"""Syzygy's endgame tables of chess, read by our own code: who wins (.rtbw), and the plies to a capture or a pawn's move (.rtbz)."""

from .probe import Syzygy

__all__ = ["Syzygy"]

"""Syzygy's endgame tables of chess, read by our own code: who wins (.rtbw), and the plies to a capture or a pawn's move (.rtbz).

`probe.py` looks positions up from Python, one by one; `stored.py` finds who wins as lowered code, in what `memory.py` puts into memory.
"""

from .probe import Syzygy

__all__ = ["Syzygy"]

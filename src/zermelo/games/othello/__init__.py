"""Othello (Reversi) on boards of 4 x 4, 6 x 6 and 8 x 8."""

from .records import FORMATS, OPENINGS, Gtp
from .rules import Othello
from .state import State

Othello.formats, Othello.opening_formats, Othello.gtp = FORMATS, OPENINGS, Gtp()

__all__ = ["Othello", "State"]

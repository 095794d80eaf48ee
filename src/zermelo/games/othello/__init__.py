"""Othello (Reversi) on boards of 4 x 4, 6 x 6 and 8 x 8."""

from .rules import Othello, State

__all__ = ["Othello", "State"]

"""Checkers (English draughts): the rules, how positions are judged, notations, records of games, openings."""

from .moves import State
from .rules import Checkers

__all__ = ["Checkers", "State"]

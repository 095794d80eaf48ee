"""Checkers (English draughts): the rules, how positions are judged, notations, records of games, openings."""

from .moves import State
from .records import FORMATS, OPENINGS
from .rules import Checkers

Checkers.formats, Checkers.opening_formats = FORMATS, OPENINGS

__all__ = ["Checkers", "State"]

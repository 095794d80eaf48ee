"""Antichess, chess in which the one who loses everything wins."""

from ..chess.records import OPENINGS
from .records import FORMATS
from .rules import Antichess

Antichess.formats, Antichess.opening_formats = FORMATS, OPENINGS

__all__ = ["Antichess"]

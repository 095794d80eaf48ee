"""Hex on boards of 2 x 2 to 19 x 19."""

from .records import FORMATS, Gtp
from .rules import Hex
from .state import State

Hex.formats, Hex.gtp = FORMATS, Gtp()

__all__ = ["Hex", "State"]

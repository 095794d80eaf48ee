"""Chess, and its 960 starting positions."""

from .dialect import Uci
from .records import FORMATS, OPENINGS
from .rules import Chess

# what is made of the rules is given to their class here
Chess.formats, Chess.opening_formats, Chess.uci = FORMATS, OPENINGS, Uci()

__all__ = ["Chess"]

"""Go: the board as sets of points (`board.py`), the law (`rules.py`), judgement (`game.py`), text (`text.py`), SGF and GTP."""

from . import letters
from .game import Go
from .gtp import Gtp
from .rules import State
from .sgf import FORMATS, OPENINGS

Go.formats, Go.opening_formats, Go.gtp = FORMATS | letters.FORMATS, OPENINGS, Gtp()

__all__ = ["Go", "State"]

"""Go: the board as sets of points (`board.py`), the law (`rules.py`), judgement (`game.py`), text (`text.py`) and SGF (`sgf.py`)."""

from .game import Go
from .rules import State

__all__ = ["Go", "State"]

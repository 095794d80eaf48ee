"""Games of the package that have forgotten how to evaluate a state: what learning from their rules alone is worth.

zermelo train bench/blind.py:Connect4 --games 200000 --run runs/connect4
zermelo match bench/blind.py:Connect4 alphabeta:depth=4,eval=runs/connect4 alphabeta:depth=4 --games 400 --random-plies 4
"""

from __future__ import annotations

from typing import Any

from zermelo.games import antichess, connect4, hex, kalah


class Connect4(connect4.ConnectFour):
    """Connect Four."""

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


class Kalah(kalah.Kalah):
    """Kalah."""

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


class Hex(hex.Hex):
    """Hex."""

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


class Antichess(antichess.Antichess):
    """Antichess."""

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0

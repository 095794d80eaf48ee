"""How long players may think: a control that is written down, and the clock of one game.

10+0.1      ten seconds for the game, and a tenth of a second more with each move
60          a minute for the game
2/move      two seconds for each move
none        no limit
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from ..errors import ZermeloError
from ..system.limits import check_seconds

MARGIN = 0.03  # seconds that no player plans with: processes are woken late, and messages take time
RESERVE = 0.1  # seconds that are kept for a machine that is busy, as long as there are some
MOVES = 25  # that a game is taken to go on for, whenever it is asked
MAX_TIMES_USUAL = 4.0  # times the usual that a move may take once it is begun
MIN_SECONDS = 0.001  # seconds that a move gets if there are none


@dataclass(frozen=True)
class Control:
    """How long players may think: `base` seconds for the game and `increment` for each move, or `move` seconds for each move."""

    base: float | None = None
    increment: float = 0.0
    move: float | None = None

    def __post_init__(self) -> None:
        given = [x for x in (self.base, self.move) if x is not None]
        if len(given) == 2:
            raise ZermeloError("expected seconds for the game or for each move, and not both")
        for x in (*given, *([self.increment] if self.increment else [])):
            check_seconds("", x)
        if self.increment and self.base is None:
            raise ZermeloError("expected an increment only with seconds for the game")

    @staticmethod
    def read(text: str) -> Control:
        """The control that this text describes."""
        number = r"([0-9]*\.?[0-9]+|[0-9]+\.)"
        wanted = text.strip()
        if wanted == "none":
            return Control()
        if found := re.fullmatch(rf"{number}/move", wanted):
            given = Control(move=float(found[1])) if float(found[1]) else None
        elif found := re.fullmatch(rf"{number}(?:\+{number})?", wanted):
            given = Control(float(found[1]), float(found[2] or 0)) if float(found[1]) else None
        else:
            given = None
        if given is None:
            raise ZermeloError(f"expected a clock like 10+0.1, 60, 2/move or none, not '{text}'")
        return given

    def __str__(self) -> str:
        if self.move is not None:
            return f"{_seconds(self.move)}/move"
        if self.base is None:
            return "none"
        return _seconds(self.base) + (f"+{_seconds(self.increment)}" if self.increment else "")


class Clock:
    """The clock of one game. The referee keeps it, players read it.

    `left` are the seconds that each player has: infinite without a limit, those of one move if each move has its own.
    """

    def __init__(self, control: Control, players: int):
        self.control = control
        whole = control.base if control.base is not None else control.move if control.move is not None else math.inf
        self.left = [whole] * players

    def spend(self, p: int, seconds: float) -> bool:
        """Charge player p for a move; False if its time was up."""
        if self.control.base is None:
            return seconds <= self.left[p]
        self.left[p] -= seconds
        if self.left[p] < 0:
            self.left[p] = 0.0
            return False
        self.left[p] += self.control.increment
        return True

    def budget(self, p: int) -> tuple[float | None, float | None]:
        """Seconds for player p's move: after the first begin nothing that takes long, at the second stop. None: no limit."""
        if self.control.move is not None:
            hard = max(MIN_SECONDS, self.control.move - min(MARGIN, self.control.move / 4))
            return hard, hard
        if math.isinf(self.left[p]):
            return None, None
        return share(self.left[p], self.control.increment)


def share(left: float, increment: float, moves: int | None = None) -> tuple[float, float]:
    """The soft and the hard limit of a move, given the seconds left and the moves they must last for, if that is known."""
    usable = max(0.0, left - MARGIN - min(RESERVE, left / 4))
    usual = usable / min(moves or MOVES, MOVES) + 0.65 * increment  # the rest of it makes good what a slow move took
    hard = max(MIN_SECONDS, min(MAX_TIMES_USUAL * usual, usable * (0.9 if moves == 1 else 0.4)))
    return max(MIN_SECONDS, min(usual, hard)), hard


def _seconds(x: float) -> str:
    return f"{Decimal(repr(x)):f}".removesuffix(".0")

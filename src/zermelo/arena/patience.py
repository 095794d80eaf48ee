"""How long a search by depths goes on beyond, or stops short of, its usual time.

time = usual * CHANGES[depths for which the answer has been the same] * 1.5 * (1.5 - effort) * (1 + fall / 2)

where effort is the share of the nodes that the best action took, and fall what the value lost of late, in quiet margins and at most one.
An answer that is new, that had rivals or that turns out worse than it seemed is looked at longer; an old one without rivals is given soon.
"""

from __future__ import annotations

from collections import deque

from ..game import Game
from ..search.depth_first import FIRST_PLIES
from ..search.searcher import Result

CHANGES = (1.6, 1.2, 1.0, 0.85, 0.75)  # factors of the usual time, by how many depths in a row have given the same answer
STABLE_DEPTHS = 4  # depths whose values count
MAX_CLOCK_DEPTH = FIRST_PLIES // 2  # not gone beyond on the clock: the line would need more room, and that other native code


class Patience:
    """Decides after each depth whether to begin another; `usual` are the seconds of a usual move, None for no limit."""

    def __init__(self, game: Game, usual: float | None):
        self._margin, self.usual = game.quiet_margin, usual
        self._action: int | None = None
        self._same = 0
        self._values: deque[float] = deque(maxlen=STABLE_DEPTHS)

    def is_spent(self, r: Result, seconds: float) -> bool:
        """Whether to answer now, with r as what the last depth found and this many seconds spent."""
        self._same = self._same + 1 if r.action == self._action else 0
        self._action = r.action
        self._values.append(r.value)
        return self.usual is not None and (seconds >= self.usual * self._factor(r) or r.depth >= MAX_CLOCK_DEPTH)

    def _factor(self, r: Result) -> float:
        """By how much more or less than the usual time this search may take."""
        if self._margin <= 0.0 or not r.effort:
            return 1.0
        fall = min(1.0, (max(self._values) - r.value) / self._margin)
        return CHANGES[min(self._same, len(CHANGES) - 1)] * 1.5 * (1.5 - r.effort) * (1 + fall / 2)

"""How good moves were: what each kept of the score that was to be expected, in marks and in per cent.

A value is in the units of the game's utility and evaluation. What score it lets a player expect, 1 for a win and 1/2 for a draw, is

    E(v) = 1 / (1 + exp(-v / unit))

where the unit of a game (`Game.value_scale`) is fitted by maximum likelihood to games of its default searcher (`python -m bench.levels`).
Where the end of the game is known, the value is not an estimate: E is 1, 1/2 or 0. The loss of a move is E after the best move less E
after the move that was made, never below 0.

    ?!  an inaccuracy   a loss of 0.05 or more
    ?   a mistake       0.10 or more
    ??  a blunder       0.20 or more

The accuracy of a player is the mean of 1 - loss over the moves at which there was a choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...game import Game
from ..players.search_player import default_for

UNKNOWN = 0.25  # the unit of a game that was not measured, its utility being 1 for a win
BY_PLAY = 0.23  # where values are means over random games: that of Hex

CERTAIN = 0.999  # a win, or a loss, less what is taken off for its being far away
NOTHING = 1e-6  # a draw, as far as rounding knows
MIN_INVERSE_UNIT, MAX_INVERSE_UNIT = 1e-3, 1e4  # between which 1 / unit is looked for

#: marks, what they are called, and the loss from which on they are given; the worst first
MARKS = (("??", "blunder", 0.20), ("?", "mistake", 0.10), ("?!", "inaccuracy", 0.05))


@dataclass(frozen=True)
class Scale:
    """How values become expected scores: the unit, and the value that only a game that is as good as over has, if there is one."""

    unit: float
    certain: float = math.inf

    def expected(self, value: float, is_known: bool = False) -> float:
        """The score between 0 and 1 that a value lets its player expect; `is_known`: it is not an estimate but the end of the game."""
        if is_known or abs(value) >= self.certain:
            return 0.5 if abs(value) < NOTHING else 1.0 if value > 0 else 0.0
        x = value / self.unit
        return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def scale_of(game: Game, searcher: str | None = None) -> Scale:
    """The scale of the values that a searcher gives to states of the game; None for the default one."""
    usual, unit = default_for(game)[0], game.value_scale
    searcher = searcher or usual
    in_points = unit is not None and unit > 1  # where no value is as good as a win
    certain = math.inf if in_points or game.has_chance or game.players != 2 else CERTAIN
    if unit is not None and (in_points or searcher == usual):
        return Scale(unit, certain)
    return Scale(BY_PLAY if searcher in ("mcts", "montecarlo") else UNKNOWN, certain)


def mark_of(loss: float) -> str:
    """The mark that a loss of expected score deserves, '' for none."""
    return next((mark for mark, _, least in MARKS if loss >= least), "")


def accuracy(losses: Sequence[float]) -> float | None:
    """The mean of what moves kept, in per cent; None if there was nothing to choose."""
    return 100 * (1 - sum(losses) / len(losses)) if losses else None


def fit(told: Sequence[tuple[float, float]]) -> float:
    """The unit under which scores between 0 and 1 were likeliest after these values: its logarithm is concave in 1 / unit."""
    counts = Counter(told)  # most values come often

    def slope(k: float) -> float:  # of the logarithm of the likelihood
        return sum(n * v * (score - Scale(1 / k).expected(v)) for (v, score), n in counts.items())

    low, high = MIN_INVERSE_UNIT, MAX_INVERSE_UNIT
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return 1 / math.sqrt(low * high)

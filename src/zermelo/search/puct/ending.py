"""The end of a game, where the game tells that it is near (`moves_left`): solved by alpha-beta before the network is asked.

A network sees what a state looks like; whether the last stone decides for one side or the other it cannot see.
"""

from __future__ import annotations

from dataclasses import replace

from ...errors import ZermeloError
from ...game import Game, State
from ..alphabeta.scores import Scores, with_rest_of_line
from ..model.facts import range_of
from ..notes import watched_by
from ..searcher import Result, is_opposed
from ..stop import Stop
from ..table import Memory
from ..zero_sum import unequal_end

MAX_MOVES_LEFT = 22  # moves that are left at most: Othello's 22 take some 5 million nodes, 0.4 s, and each more twice as many
SHARE = 0.5  # of the seconds
MAX_SECONDS = 5.0  # seconds where nothing is limited
NODES = 256  # for each simulation where those are counted: natively a tenth of its time, interpreted some 20 ms
TABLE = 16  # MiB


def solve_ending(
    game: Game, s: State, bars: list[int], simulations: int | None, seconds: float | None, stop: Stop, interpreted: bool
) -> tuple[Result | None, float]:
    """The exact result of s, if a part of the simulations and seconds is enough, and the seconds that were spent.

    None where s is lost, too, for the network loses later, and where there is one simulation: that is the policy alone.
    """
    can_be = game.has_moves_left and game.players == 2 and not game.has_chance and not game.repetition and is_opposed(game)
    if not can_be or bars or simulations == 1 or watched_by() is not None or game.moves_left(s) > MAX_MOVES_LEFT:
        return None, 0.0
    if unequal_end(game, s) is not None:
        return None, 0.0
    nodes = None if simulations is None else NODES * simulations
    longest = SHARE * seconds if seconds is not None else MAX_SECONDS if simulations is None else None
    part = Stop()
    scores = Scores(game, Memory(TABLE, interpreted), nodes, longest, interpreted, part)
    with stop.telling(part.set):
        found = _found(scores, s)
        if found is not None:
            return replace(found, depth=len(found.line), nodes=scores.nodes, seconds=scores.watch.seconds), scores.watch.seconds
    return None, scores.watch.seconds


def _found(scores: Scores, s: State) -> Result | None:
    """What the search to the end finds, unless s is lost; nothing where one's gain is not the other's loss: a network weighs that."""
    try:
        found = scores.search(s)
        return None if found is None or found.value <= range_of(scores.game)[0] else with_rest_of_line(scores, s, found)
    except ZermeloError:
        return None

"""Whether a search without a limit can come to an end: looked at before it begins, by a few random games.

A game has no end that a search could reach if a state comes back on a line (the tree below it is infinite), or if lines go on for
more plies than any search has room for. Both are seen here only if random play happens upon them, which it does at once in
games where it is the usual thing; otherwise a search itself finds that its room is spent. A game is looked at once.
"""

from __future__ import annotations

from weakref import WeakSet

from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..rng import below, draw, split

GAMES = 2  # that are played
MAX_SEARCH_PLIES = 4096  # plies: the room of every search by depth

_passed: WeakSet[Game] = WeakSet()


def refuse_endless(name: str, game: Game, start: State) -> None:
    """Refuse to search a game to its end where none is in sight. A rule of repetition ends what comes back."""
    if game in _passed:
        return
    for number in range(GAMES):
        s, key, seen = start, split(0, number), {start}
        for ply in range(MAX_SEARCH_PLIES + 1):
            if game.is_terminal(s):
                break
            actions = list(game.actions(s))
            if game.has_chance and game.to_move(s) == CHANCE:
                actions = [a for a in actions if game.probability(s, a) > 0]
            s = game.result(s, actions[below(draw(key, ply), len(actions))])
            if ply == MAX_SEARCH_PLIES or (s in seen and not game.repetition):
                why = f"games of more than {MAX_SEARCH_PLIES:,} plies" if ply == MAX_SEARCH_PLIES else "states that come back"
                raise ZermeloError(
                    f"{name}: expected a depth, nodes or seconds, as {game.name} has no end that a search could reach: {why}"
                )
            seen.add(s)
    _passed.add(game)

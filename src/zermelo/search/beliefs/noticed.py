"""What a player noticed of a game: its own actions, and each change of what it observes.

What others did without being noticed is not counted: nobody knows how often an umpire refused the opponent.
"""

from __future__ import annotations

from typing import NamedTuple

from ...game import Game, State
from ...history import History
from ..prepare import observed_words


class Event(NamedTuple):
    """Something that a player noticed: its own action, or None if others acted, and what it observed then."""

    action: int | None
    seen: tuple[int, ...]


def observation(game: Game, s: State, p: int) -> tuple[int, ...]:
    """What player p observes in s, as words."""
    row = [0] * observed_words(game)
    return tuple(row[: game.pack_observation(s, p, row)])


def events_of(history: History, p: int, begin: int = 0) -> list[Event]:
    """What player p noticed from the ply `begin` on."""
    game, found = history.game, list[Event]()
    seen = observation(game, history.states[begin], p)
    for s, a, t in zip(history.states[begin:], history.taken[begin:], history.states[begin + 1 :], strict=False):
        after = observation(game, t, p)
        if game.to_move(s) == p:
            found.append(Event(a, after))
        elif after != seen:
            found.append(Event(None, after))
        seen = after
    return found

"""The states that a check looks at: all there are if they are few, else those of random games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..game import CHANCE, State
from ..rng import below, draw, split
from ..search.random_games import LIMIT
from .ask import Ask, Failed, attempt
from .report import Notes

MOVES = 200_000  # actions of all random games together


def is_state(ask: Ask, s: Any) -> bool:
    """Whether s is a state to go on with."""
    return attempt(ask.game.layout.fault, s) is None and not isinstance(attempt(hash, s), Failed)


def can_happen(ask: Ask, s: State) -> list[int]:
    """The actions of s that may be taken: not in a terminal state, and of chance only those with a probability."""
    over, actions = ask.quietly("is_terminal", s), ask.quietly("actions", s)
    if not isinstance(over, int) or over or isinstance(actions, Failed):
        return []
    if _is(CHANCE, ask.quietly("to_move", s)):
        actions = [a for a in actions if not _is(0, ask.quietly("probability", s, a))]
    return list(actions)


def reachable(ask: Ask, start: State, most: int) -> list[State] | None:
    """Every state that play can reach, breadth first; None if there are more than `most`."""
    seen, todo = {start: None}, [start]
    while todo:
        ahead: list[State] = []
        for s in todo:
            for a in can_happen(ask, s):
                t = ask.quietly("result", s, a)
                if is_state(ask, t) and t not in seen:
                    seen[t] = None
                    ahead.append(t)
                    if len(seen) > most:
                        return None
        todo = ahead
    return list(seen)


def random_games(ask: Ask, notes: Notes, start: State, games: int, seed: int, most: int) -> list[State]:
    """Play random games and note whether they end; the different states met in them, up to a limit."""
    seen, moves = {start: None}, 0
    for game in range(games):
        s, key, ply = start, split(seed, game), 0
        while actions := can_happen(ask, s):
            if ply == LIMIT:
                notes.fail("random games end", f"a game of random actions did not end within {LIMIT:,} actions", s)
                return list(seen)
            t = ask.quietly("result", s, actions[below(draw(key, ply), len(actions))])
            if not is_state(ask, t):
                break
            s, ply = t, ply + 1
            if len(seen) < most:
                seen[s] = None
        notes.count("random games end")
        moves += ply
        if moves > MOVES:
            break
    return list(seen)


def spread(items: Sequence[Any], most: int) -> Sequence[Any]:
    """At most `most` of the items, evenly spread."""
    return items if len(items) <= most else [items[i * len(items) // most] for i in range(most)]


def _is(number: int, answer: Any) -> bool:
    """Whether the answer is this number; it may be anything."""
    return isinstance(answer, (int, float)) and answer == number

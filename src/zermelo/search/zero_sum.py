"""Whether one player's gain is the other's loss, which every search of two opponents takes for granted.

    a game may vouch for it                                     `Game.is_zero_sum`, which `zermelo check` tests
    else, before it is searched for the first time: all states  `refuse_unequal`
        below the start if they are few, else those of
        random games and some near the start
    and in the search: every end that it meets                  `opposed_value`, `refuse_ends`

A search that prunes does not meet all ends. What it calls exact is so for certain where the game vouches, or where there were few states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from weakref import WeakKeyDictionary

from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..rng import below, draw, split
from .endgames.probe import is_tabled, tabled_value
from .records import Record, Size, listed, room

SUM_ERROR = 1e-9  # of the utilities of two opponents
MAX_SAMPLE_STATES = 1000  # states that are looked at
SAMPLE_GAMES, MAX_SAMPLE_PLIES = 20, 500  # random games, and plies of each
GAINS = Size("gains")


def gains_of(game: Game) -> int:
    """How much room the record of a search has for `gains`: none where nobody looks."""
    return 0 if game.is_zero_sum else 2 if game.players == 2 else 1


class Opposing(Record):
    """The record of a search of two opponents."""

    stopped: int
    gains: list[float] = room(GAINS)  # what the players get at an end where the sum is not 0


# ---- as the search goes ------------------------------------------------------------------------


def opposed_value(game: Game, s: State, p: int, work: Opposing) -> float:
    """What a state that is proven is worth to p; the search is stopped if the other does not lose what p gains."""
    if game.has_endgames:
        if is_tabled(game, s, work):  # type: ignore[arg-type]
            return tabled_value(game, s, p, work)  # type: ignore[arg-type]
    v = game.utility(s, p)
    if not game.is_zero_sum and len(work.gains) > 1:
        w = game.utility(s, 1 - p)
        if not abs(v + w) <= SUM_ERROR:  # nor is it if one of them is no number
            work.gains[p] = v
            work.gains[1 - p] = w
            work.stopped = 1
    return v


def refuse_ends(name: str, game: Game, work: Opposing) -> None:
    """Refuse a game of which the search met an end where one player's gain is not the other's loss."""
    if game.is_zero_sum or game.players != 2:
        return
    first, second = listed(work.gains)
    if first != 0.0 or second != 0.0:
        refuse(name, game, first, second)


def refuse(name: str, game: Game, first: float, second: float) -> None:
    """Say what is wrong, and what to do."""
    told = f"those of {game.name} are {first:g} and {second:g} at an end"
    instead = f"subtract {(first + second) / 2:g} from every utility if their sum is always {first + second:g}, or use MaxN"
    raise ZermeloError(f"{name}: expected utilities whose sum is 0, and {told}: {instead}")


# ---- before it begins --------------------------------------------------------------------------


@dataclass(frozen=True)
class Looked:
    """What was seen of a game in which no end is known where the sum is not 0."""

    states: frozenset[State]  # those below the start, all ends of which were looked at; none if they are too many
    reach: float  # the greatest utility that was seen


_looked: WeakKeyDictionary[Game, Looked] = WeakKeyDictionary()


def refuse_unequal(name: str, game: Game, start: State) -> None:
    """Refuse a game in which one player's gain is not the other's loss, as far as that can be seen at once."""
    if (found := unequal_end(game, start)) is not None:
        refuse(name, game, *found)


def unequal_end(game: Game, start: State) -> tuple[float, float] | None:
    """What both players get at an end where the sum is not 0; None if there is none among the states that are looked at."""
    if game.is_zero_sum or game.players != 2:
        return None
    known = _looked.get(game)
    if known is not None and (not known.states or start in known.states):
        return None
    states, is_whole = states_below(game, start)
    reach = 0.0
    for s in states if is_whole else chain(states, ends_of_games(game, start)):
        if game.is_terminal(s):
            first, second = (float(game.utility(s, p)) for p in range(2))
            if not abs(first + second) <= SUM_ERROR:
                return first, second
            reach = max(reach, abs(first))
    if known is not None:
        states, reach = states | known.states, max(reach, known.reach)
    _looked[game] = Looked(frozenset(states if is_whole else ()), reach)
    return None


def states_below(game: Game, start: State) -> tuple[set[State], bool]:
    """States that play can reach from the start, and whether these are all."""
    seen, todo = {start}, [start]
    while todo:
        for t in children(game, todo.pop()):
            if t not in seen:
                if len(seen) == MAX_SAMPLE_STATES:
                    return seen, False
                seen.add(t)
                todo.append(t)
    return seen, True


def ends_of_games(game: Game, start: State) -> Iterator[State]:
    """The ends of some random games."""
    for number in range(SAMPLE_GAMES):
        s, key, ply = start, split(0, number), 0
        while ply < MAX_SAMPLE_PLIES and (after := list(children(game, s))):
            s, ply = after[below(draw(key, ply), len(after))], ply + 1
        yield s


def children(game: Game, s: State) -> Iterator[State]:
    """The states after the actions of s that can happen."""
    if game.is_terminal(s):
        return
    is_chance = game.has_chance and game.to_move(s) == CHANCE
    for a in islice(game.actions(s), MAX_SAMPLE_STATES):
        if not is_chance or game.probability(s, a) > 0.0:
            yield game.result(s, a)


def are_opposed(game: Game, start: State, win: float) -> bool:
    """Whether one player's gain is the other's loss and nothing is better than a win, as far as can be seen at once."""
    if game.players != 2 or unequal_end(game, start) is not None:
        return False
    if game.value_range is not None:
        return max(map(abs, game.value_range)) <= win
    return not game.has_scores and (game.is_zero_sum or _looked[game].reach <= win)

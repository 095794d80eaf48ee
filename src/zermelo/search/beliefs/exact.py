"""The exact belief of a player: all worlds that fit what it noticed, each with its probability by a model of the others.

BELIEF(events): worlds = {start: 1}
    for each event:
        own action a:  each world w becomes RESULT(w, a)
        others acted:  each world w of weight x becomes, for each action a of its player, RESULT(w, a) of weight x * MODEL(w, a);
                       again, as long as the player would notice nothing
        keep the worlds in which the player observes what it did
    divide all weights by their sum (Bayes)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...errors import ZermeloError
from ...game import CHANCE, Game, State
from ...history import History
from .noticed import Event, events_of, observation

#: how likely each action of a state is to be taken by the player to move
Model = Callable[[Game, State], Mapping[int, float]]
LIMIT = 200_000  # worlds


def uniform(game: Game, s: State) -> dict[int, float]:
    """Any action is as likely as another; chance is as it is."""
    actions = list(game.actions(s))
    if game.to_move(s) == CHANCE:
        return {a: game.probability(s, a) for a in actions}
    return dict.fromkeys(actions, 1 / len(actions))


def exact_belief(history: History, p: int, model: Model = uniform, limit: int = LIMIT) -> dict[State, float]:
    """The worlds that fit all that player p noticed since the start, which is known, with their probabilities; the likeliest first.

    ZermeloError if there are more than `limit` on the way, or if the model rules out what happened.
    """
    game, worlds = history.game, {history.states[0]: 1.0}
    for event in events_of(history, p):
        worlds = _after(game, p, worlds, event, model, limit)
        total = sum(worlds.values())
        if not worlds or total == 0:
            raise ZermeloError("expected a model of the others by which what happened is possible")
        worlds = {w: x / total for w, x in worlds.items()}
    worlds = _unnoticed(game, p, worlds, model, limit)
    total = sum(worlds.values())
    return dict(sorted(((w, x / total) for w, x in worlds.items()), key=lambda world: -world[1]))


def _unnoticed(game: Game, p: int, worlds: dict[State, float], model: Model, limit: int) -> dict[State, float]:
    """The worlds, and those after actions of others that the player does not notice."""
    found, todo = dict(worlds), list(worlds.items())
    while todo:
        w, x = todo.pop()
        if game.is_terminal(w) or game.to_move(w) == p:
            continue
        before = observation(game, w, p)
        for a, y in model(game, w).items():
            t = game.result(w, a)
            if y > 0 and observation(game, t, p) == before:
                found[t] = found.get(t, 0.0) + x * y
                todo.append((t, x * y))
        _refuse_many(game, len(found), limit)
    return found


def _refuse_many(game: Game, count: int, limit: int) -> None:
    if count > limit:
        raise ZermeloError(f"{game.name}: expected at most {limit:,} worlds in an exact belief; a belief of particles has no limit")


def _after(game: Game, p: int, worlds: dict[State, float], event: Event, model: Model, limit: int) -> dict[State, float]:
    """The worlds after an event, not normalised."""
    after: dict[State, float] = {}
    todo = list(worlds.items())
    while todo:
        w, x = todo.pop()
        if game.is_terminal(w):
            continue
        before = observation(game, w, p)
        odds = {event.action: 1.0} if event.action is not None else model(game, w)
        for a, y in odds.items():
            if y == 0 or a not in game.actions(w):
                continue
            t = game.result(w, a)
            seen = observation(game, t, p)
            if seen == event.seen:
                after[t] = after.get(t, 0.0) + x * y
            elif seen == before and event.action is None:
                todo.append((t, x * y))
        _refuse_many(game, len(after) + len(todo), limit)
    return after

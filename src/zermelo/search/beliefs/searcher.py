"""Averaging over the worlds of a belief: a particle filter follows the game, and a quick search values each action in each world.

BELIEFS(history): worlds = particles that fit all that the player noticed
    V(w, a) = QUICK(RESULT(w, a)) where a is legal in w
    plan = the action of the best mean, where the mean of a world takes the place of what is refused there
    Q(a) = mean over w of V(w, a), or of V(w, plan) where a is refused: the player then tries something else
    return the action of the greatest Q, less a little for what was done in one of the last turns
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ...history import History
from ...settings import Range
from ..montecarlo import refuse_chance
from ..searcher import SEED, Result, Searcher, Stopwatch
from ..stop import Stop
from .particles import Particles, Rows
from .quick import Values, values_of

DEPTHS = (1, 3)  # plies of the first look at the worlds, and of the second
MAX_FIRST_LOOK_NODES = 20_000  # nodes: the second look is taken only if the first needed no more than these
REPETITION_COST = 0.005  # by how much an action is nearer to a draw for each of the last turns that it was taken in,
RECENT_TURNS = 30  # which are so many: of 40 endings of king and queen 13 were drawn by repetition without it, 3 with it


@dataclass(frozen=True, kw_only=True)
class Beliefs(Searcher):
    """Averaging over worlds that fit all that the player noticed, which particles are kept of; for two players without chance.

    particles: the most worlds that are kept; worlds: how many of them are looked at, in parts, until `seconds` have passed. depth: plies
    of the search in each, before captures are followed; if it is not given, 1, and then 3 where that is quick, as in endings.
    """

    particles: Annotated[int, Range(1, 1 << 20)] = 1000
    worlds: Annotated[int, Range(1, 1 << 20)] = 100
    seed: Annotated[int, SEED] = 0
    imagines: ClassVar[bool] = True

    def new_memory(self, game: Game) -> dict[int, Particles]:
        """The particles of each player."""
        return {}

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result after each part of the worlds."""
        s, _, over = self._opening(game, state, stop)
        if over is not None:
            yield over
            return
        if game.players != 2 or game.has_chance:
            raise ZermeloError(f"Beliefs: expected a game of two players without chance, not {game.name}")
        refuse_chance("Beliefs", game, s)
        watch, stop, me = Stopwatch(), stop or Stop(), game.to_move(s)
        history = state if isinstance(state, History) else History(game, s)
        memory: dict[int, Particles] = {} if kept is None else kept
        if me not in memory:
            memory[me] = Particles(game, me, self.particles, self.seed, self.interpreted)
        memory[me].follow(history)
        actions, rows = list(history.actions()), memory[me].worlds(self.worlds)
        fresh = _freshness(history, actions, me)
        with stop.after(self.seconds):
            for depth, values, nodes in self._looks(game, rows, actions, stop):
                yield _averaged(me, actions, values, fresh, depth, nodes, watch.seconds)

    def _looks(self, game: Game, rows: Rows, actions: list[int], stop: Stop) -> Iterator[tuple[int, Values, int]]:
        """Yield the depth, what each action is worth in each world, and the nodes: in the first look after each part of the worlds, in the
        second after all."""
        nodes, part = 0, max(1, len(rows) // 8)
        for depth in DEPTHS if self.depth is None else (self.depth,):
            is_first, found = nodes == 0, np.zeros((0, len(actions)))
            for i in range(len(rows)):
                values, looked = values_of(game, rows[i : i + 1], actions, depth, self.interpreted, stop)
                if stop.is_set:
                    if nodes > 0:
                        return
                    values, looked = values_of(game, rows[:1], actions, 1, self.interpreted)  # an answer is due
                found, nodes = np.concatenate([found, values]), nodes + looked
                is_enough = stop.is_set or (self.nodes is not None and nodes >= self.nodes)
                if (is_first and (is_enough or i % part == 0)) or i + 1 == len(rows):
                    yield depth, found, nodes
                if is_enough:
                    return
            if nodes > MAX_FIRST_LOOK_NODES:
                return


def _freshness(history: History, actions: list[int], me: int) -> Values:
    """By what to multiply the value of each action so that the player does not come back to where it was, if that draws."""
    game = history.game
    if not game.has_draws_by_repetition:
        return np.ones(len(actions))
    turns = zip(history.states, history.taken, history.states[1:], strict=False)
    done = [a for s, a, after in turns if game.to_move(s) == me and game.to_move(after) != me][-RECENT_TURNS:]
    return np.array([1.0 - REPETITION_COST * done.count(a) for a in actions])


def _averaged(me: int, actions: list[int], values: Values, fresh: Values, depth: int, nodes: int, seconds: float) -> Result:
    """The Result of what each action is worth in each world, inf where it is refused, and of how fresh each is."""
    legal = values < np.inf
    plain = np.where(legal, values, 0.0)
    usual = plain.sum(1) / np.maximum(1, legal.sum(1))  # of each world
    plan = int(np.where(legal, values, usual[:, None]).mean(0).argmax())
    instead = np.where(legal[:, plan], plain[:, plan], usual)
    q = np.where(legal, values, instead[:, None]).mean(0) * fresh
    q = np.where(legal.any(0), q, q - 1.0)  # what no world allows is tried last
    scores = {a: float(x) for a, x in zip(actions, q, strict=True)}
    best = actions[int(q.argmax())]
    policy = {a: float(a == best) for a in actions}
    both = (scores[best], -scores[best]) if me == 0 else (-scores[best], scores[best])
    return Result(best, scores[best], both, (best,), depth, nodes, nodes, seconds, scores, False, policy=policy)

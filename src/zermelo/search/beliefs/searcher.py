"""Averaging over the worlds of a belief: a particle filter follows the game, and a quick search values each action in each world.

BELIEFS(history): worlds = particles that fit all that the player noticed
    V(w, a) = QUICK(RESULT(w, a)) where a is legal in w
    plan = the action of the best mean, where the mean of a world takes the place of what is refused there
    Q(a) = mean over w of V(w, a), or of V(w, plan) where a is refused: the player then tries something else
    return the action of the greatest Q
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
from .particles import Particles
from .quick import Values, values_of

DEPTH = 1


@dataclass(frozen=True, kw_only=True)
class Beliefs(Searcher):
    """Averaging over worlds that fit all that the player noticed, which particles are kept of; for two players without chance.

    particles: the most worlds that are kept; worlds: how many of them are looked at, in parts, until `seconds` have passed. depth: plies
    of the search in each (1 if it is not given), before captures are followed.
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
        found, nodes, part = np.zeros((0, len(actions))), 0, max(1, len(rows) // 8)
        with stop.after(self.seconds):
            for i in range(len(rows)):
                values, looked = values_of(game, rows[i : i + 1], actions, self.depth or DEPTH, self.interpreted, stop)
                if stop.is_set:  # in the middle of this world; without any, a look at what each action leads to is the answer
                    if not len(found):
                        found, nodes = values_of(game, rows[i : i + 1], actions, 1, self.interpreted)
                    yield _averaged(me, actions, found, nodes, watch.seconds)
                    return
                found, nodes = np.concatenate([found, values]), nodes + looked
                is_enough = self.nodes is not None and nodes >= self.nodes
                if is_enough or (i + 1) % part == 0 or i + 1 == len(rows):
                    yield _averaged(me, actions, found, nodes, watch.seconds)
                if is_enough:
                    return


def _averaged(me: int, actions: list[int], values: Values, nodes: int, seconds: float) -> Result:
    """The Result of what each action is worth in each world, inf where it is refused."""
    legal = values < np.inf
    plain = np.where(legal, values, 0.0)
    usual = plain.sum(1) / np.maximum(1, legal.sum(1))  # of each world
    plan = int(np.where(legal, values, usual[:, None]).mean(0).argmax())
    instead = np.where(legal[:, plan], plain[:, plan], usual)
    q = np.where(legal, values, instead[:, None]).mean(0)
    q = np.where(legal.any(0), q, q - 1.0)  # what no world allows is tried last
    scores = {a: float(x) for a, x in zip(actions, q, strict=True)}
    best = actions[int(q.argmax())]
    policy = {a: float(a == best) for a in actions}
    both = (scores[best], -scores[best]) if me == 0 else (-scores[best], scores[best])
    return Result(best, scores[best], both, (best,), 1, nodes, nodes, seconds, scores, False, policy=policy)

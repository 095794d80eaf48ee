"""Averaging over worlds: what an action is worth on average over states that the player cannot tell from the true one.

    WORLDS(s):
        for each of N worlds w, drawn from those that look like s to the player to move
            for each a in ACTIONS(s):  value(a) += what a search finds RESULT(w, a) to be worth, if everybody saw everything
        return the action of the best mean

It is wrong in principle: each search may do different things in worlds that the player cannot tell apart (strategy fusion), and assumes
that the others see everything, too. Frank and Basin, Search in games with incomplete information, Artificial Intelligence 100 (1998).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, ClassVar

from ..bits import FULL
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..rng import draw, split
from ..settings import Range
from . import by_name
from .montecarlo import refuse_chance
from .searcher import SEED, Result, Searcher, Stopwatch
from .stop import Stop

TIE = 1e-9  # means that differ by less are equal


@dataclass(frozen=True, kw_only=True)
class Worlds(Searcher):
    """Averaging over worlds, each searched as if nothing were hidden (perfect-information Monte Carlo).

    worlds: how many are drawn. inside: the searcher that looks at each, without settings; None for the usual one. depth and nodes
    limit all of it together; without them each world is searched to its end. seconds: worlds are drawn until they have passed, and
    each takes at most its share of them.
    """

    worlds: Annotated[int, Range(1, 1 << 20)] = 20
    inside: str | None = None
    seed: Annotated[int, SEED] = 0
    imagines: ClassVar[bool] = True

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result after each world."""
        s, _, over = self._opening(game, state, stop)
        if over is not None:
            yield over
            return
        refuse_chance("Worlds", game, s)
        me, watch, stop = game.to_move(s), Stopwatch(), stop or Stop()
        actions = list(state.actions() if isinstance(state, History) else game.actions(s))
        search, nodes = self._searcher(game, len(actions)), 0
        sums = dict.fromkeys(actions, (0.0,) * game.players)
        with stop.after(self.seconds):
            for done in count(1) if self.seconds is not None else range(1, self.worlds + 1):
                world = game.resample(s, me, draw(split(self.seed & FULL, me), done))
                found = {a: search.search(game, game.result(world, a), stop) for a in actions}
                nodes += sum(r.nodes for r in found.values())
                if stop.is_set and done > 1:  # its actions were not looked at alike
                    return
                sums = {a: tuple(x + y for x, y in zip(sums[a], found[a].values, strict=True)) for a in actions}
                yield _averaged(me, {a: tuple(x / done for x in total) for a, total in sums.items()}, nodes, watch.seconds)
                if stop.is_set or not game.has_hidden:
                    return

    def _searcher(self, game: Game, actions: int) -> Searcher:
        """The searcher of one action in one world, with its share of what all may take."""
        share = self.worlds * actions
        limits: dict[str, Any] = {"interpreted": self.interpreted}
        if self.depth is not None:
            limits["depth"] = max(1, self.depth - 1)
        if self.nodes is not None:
            limits["nodes"] = max(1, self.nodes // share)
        if self.seconds is not None:
            limits["seconds"] = self.seconds / share
        if self.inside is None:
            return by_name.open_searcher(game, **limits)
        if by_name.find(self.inside).imagines:
            raise ZermeloError(f"Worlds: expected a searcher of states that are seen whole inside, not {self.inside}")
        return by_name.searcher(self.inside, **limits)


def _averaged(me: int, means: dict[int, tuple[float, ...]], nodes: int, seconds: float) -> Result:
    """The Result of what each action is worth to each player on average."""
    scores = {a: values[me] for a, values in means.items()}
    best = max(scores.values())
    among = [a for a, x in scores.items() if x >= best - TIE]
    policy = {a: 1 / len(among) if a in among else 0.0 for a in scores}
    action = among[0]
    return Result(action, scores[action], means[action], (action,), 1, nodes, nodes, seconds, scores, False, policy=policy)

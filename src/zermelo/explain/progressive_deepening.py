"""Progressive deepening as in the lectures: each pass determines the order of the children for the next.

The first pass is minimax, so that every child has a value to be ordered by. Later passes are alpha-beta, each two plies
deeper (`step`). Children are ordered by the values of the previous pass, the best for the player to move first; those it did
not look at follow in their old order. A pass begins with a bound, the value of the second best root action in the previous
pass. If its value is not better than the bound, it is searched again without it.

The searches are `search/minimax.py` and `search/alphabeta/engine.py` with everything else switched off, on a game whose actions are
reordered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..game import Game, State
from ..history import start_of
from ..search.alphabeta.searcher import AlphaBeta
from ..search.deepening import Progress
from ..search.minimax import Minimax
from ..search.prepare import width_of
from ..search.searcher import Result, two_players
from .search_tree import Story
from .trace import LIMIT, Trace, trace

Order = dict[State, list[int]]


@dataclass(frozen=True)
class Iterated:
    """One pass: its trace, the order of the children, and its cost."""

    depth: int | None
    trace: Trace
    order: Order
    evaluations: int
    known: int  # evaluations that a cache of static values would have saved

    @property
    def story(self) -> Story:
        return self.trace.story

    def ordered(self) -> list[tuple[str, list[str]]]:
        """The nodes ordered by the previous pass, each with the names of its children in that order."""
        orders = []
        for node in self.story.nodes.values():
            if node.status != "unseen" and node.children:
                s = self.trace.builder.places.state(node, self.story.nodes)
                if s in self.order:
                    orders.append((node.name, [self.trace.game.write_action(s, a) for a in self.order[s]]))
        return orders


def deepen(game: Game, state: State | None = None, depth: int | None = None, step: int = 2, limit: int = LIMIT) -> list[Iterated]:
    """The passes to depth `step`, 2 * `step`, ... up to `depth` or the end of the game."""
    two_players("deepen", game)
    s = start_of(game, state, "deepen")
    passes: list[Iterated] = []
    order: Order = {}
    seen: set[State] = set()
    spent = 0
    for plies in _depths(depth, step):
        found = _one_pass(game, s, plies, order, passes[-1].trace.result if passes else None, limit - spent)
        stories = found.stories
        evaluated = [found.builder.places.state(story.nodes[id], story.nodes) for story in stories for id in story.evaluated]
        new = set(evaluated) - seen
        passes.append(Iterated(plies, found, order, len(evaluated), len(evaluated) - len(new)))
        seen |= new
        spent += sum(len(story.nodes) for story in stories)
        if found.result.exact or found.reached or spent >= limit:
            break
        order = _order(found, order)
    return passes


def _depths(depth: int | None, step: int) -> Iterator[int | None]:
    plies = step
    while depth is None or plies < depth:
        yield plies
        plies += step
    yield depth


def _one_pass(game: Game, s: State, plies: int | None, order: Order, last: Result | None, limit: int) -> Trace:
    if last is None:
        return trace(Minimax(depth=plies, interpreted=True), game, s, limit)
    ranked = sorted(last.scores.values())
    return trace(_Pass(depth=plies, low=ranked[-2] if len(ranked) > 1 else -math.inf), reordered(game, order), s, limit)


@dataclass(frozen=True, kw_only=True)
class _Pass(AlphaBeta):
    """Plain alpha-beta that begins with a bound."""

    deepening: bool = False
    table: int | None = None
    pvs: bool = False
    killers: bool = False
    history: bool = False
    order: bool = False
    quiescence: bool = False
    extensions: bool = False
    nulls: bool | None = False
    futility: bool | None = False
    reductions: bool | None = False
    interpreted: bool = True
    low: float = -math.inf

    def _one_depth(self, at: Progress) -> Result:
        for low in (self.low, -math.inf):
            result = self._window(at, width_of(at.game, len(at.moves)), low)
            if result.value > low:
                break
        at.ended = result.exact
        return result


def _order(found: Trace, before: Order) -> Order:
    """The order of the children after this pass, for all nodes it visited."""
    story, order = found.story, dict(before)
    for node in story.nodes.values():
        seen = [story.nodes[child] for child in node.children]
        values = {child.action: child.value for child in seen if child.status != "unseen" and child.value is not None}
        if not values:
            continue
        s = found.builder.places.state(node, story.nodes)
        sign = -1 if node.kind == "max" else 1
        actions = order.get(s) or list(found.game.actions(s))
        order[s] = sorted(actions, key=lambda a: (a not in values, sign * (values.get(a) or 0.0)))
    return order


def reordered(game: Game, order: Order) -> Game:
    """The game with the actions of these states reordered, for the interpreter."""
    base = type(game)

    def actions(self: Any, s: State) -> Iterator[int]:
        yield from order[s] if s in order else base.actions(self, s)

    cls = type(base.__name__, (base,), {"actions": actions, "__module__": base.__module__})
    new: Game = object.__new__(cls)
    new.__dict__.update(game.__dict__)
    return new

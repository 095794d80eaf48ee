"""The sanity test of the lectures: what was not looked at may be worth anything.

For every leaf of a tree that alpha-beta never looked at: replace it by minus infinity, then by plus infinity; the value of the
root must be the same both times, by minimax, which looks at everything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import ZermeloError
from ..game import Game, State
from ..search.minimax import Minimax
from .trace import Trace


@dataclass(frozen=True)
class Tested:
    """A leaf that was not looked at, and what the root is worth with minus and with plus infinity there."""

    name: str
    low: float
    high: float
    value: float

    @property
    def holds(self) -> bool:
        return self.low == self.high == self.value


def sanity(trace: Trace) -> list[Tested]:
    """Every pruned leaf of the last iteration, tested."""
    game, story = trace.game, trace.story
    if game.tree_node(trace.state) is None or game.players != 2 or game.has_chance:
        raise ZermeloError("the sanity test sets leaves of a tree of two players to infinity: expected such a tree")
    if story.value is None or trace.reached:
        raise ZermeloError("the sanity test needs the value of the root: expected a search that is not stopped before it")
    tested = []
    for id in story.pruned:
        node = story.nodes[id]
        if not node.children:
            s = trace.builder.places.state(node, story.nodes)
            low, high = (_value(game, s, x, trace) for x in (-math.inf, math.inf))
            tested.append(Tested(node.name, low, high, story.value))
    return tested


def _value(game: Game, leaf: State, x: float, trace: Trace) -> float:
    """What the root is worth to player 0 by minimax if this leaf is worth x."""
    changed = object.__new__(type(game))
    changed.__dict__.update(game.__dict__)
    object.__setattr__(changed, "utility", lambda s, p: (x if p == 0 else -x) if s == leaf else game.utility(s, p))
    result = Minimax(depth=trace.story.depth, interpreted=True).search(changed, trace.state)
    return result.values[0]

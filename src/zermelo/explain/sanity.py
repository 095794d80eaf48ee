"""The sanity test of the lectures: a pruned leaf may have any value.

Every leaf of a tree that alpha-beta never looked at is set to minus infinity, then to plus infinity; the value of the
root, found by minimax, must be the same both times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import ZermeloError
from ..game import Game, State
from ..search.minimax import Minimax
from .narrate import number
from .trace import Trace


@dataclass(frozen=True)
class Tested:
    """A leaf that was not looked at, and the value of the root with minus and with plus infinity there."""

    name: str
    low: float
    high: float
    value: float

    @property
    def holds(self) -> bool:
        return self.low == self.high == self.value


def sanity(trace: Trace) -> list[Tested]:
    """The test of every pruned leaf of the last iteration; ZermeloError unless it is a complete search of a two-player tree."""
    game, story = trace.game, trace.story
    if game.tree_node(trace.state) is None or game.players != 2 or game.has_chance:
        raise ZermeloError("the sanity test sets leaves of a two-player tree to infinity: expected such a tree")
    if story.value is None or trace.reached:
        raise ZermeloError("the sanity test needs the value of the root: expected a search that was not stopped before it")
    tested = []
    for id in story.pruned:
        node = story.nodes[id]
        if not node.children:
            s = trace.builder.places.state(node, story.nodes)
            low, high = (_value(game, s, x, trace) for x in (-math.inf, math.inf))
            tested.append(Tested(node.name, low, high, story.value))
    return tested


def sentences(tests: list[Tested]) -> list[str]:
    """The test in words, leaf by leaf."""
    lines = []
    for t in tests:
        found = f"with minus infinity at {t.name} the root is worth {number(t.low)}, with plus infinity {number(t.high)}"
        lines.append(f"Sanity: {found}: {'unchanged' if t.holds else f'but it was {number(t.value)}'}.")
    return lines or ["Sanity: no leaf was left out, so there is nothing to test."]


def _value(game: Game, leaf: State, x: float, trace: Trace) -> float:
    """The minimax value of the root for player 0 if this leaf is worth x."""
    changed = object.__new__(type(game))
    changed.__dict__.update(game.__dict__)
    object.__setattr__(changed, "utility", lambda s, p: (x if p == 0 else -x) if s == leaf else game.utility(s, p))
    result = Minimax(depth=trace.story.depth, interpreted=True).search(changed, trace.state)
    return result.values[0]

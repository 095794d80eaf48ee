"""What a generated text depends on: every name that lowering looked up, and what it found.

A text is made of functions that do not change and of values that may: attributes of the game, constants of its class and of
files. Another game of the same class has the same text if it holds the same values. To look them up again takes
microseconds, to generate the text a tenth of a second.
"""

from __future__ import annotations

import inspect
import marshal
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..game import Game

MISSING = object()


def attribute(game: Game, name: str) -> Any:
    """What lowering finds under this name of the game: a function of its class, a value, or MISSING."""
    if name not in vars(game):
        found = inspect.getattr_static(type(game), name, None)
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        found = inspect.unwrap(found) if callable(found) else found
        if isinstance(found, types.FunctionType):
            return found
    return value_of(game, name)


def value_of(game: Game, name: str) -> Any:
    """The attribute of the game, or MISSING."""
    try:
        return getattr(game, name, MISSING)
    except Exception:  # a property that fails: lowering refuses it, and nothing is made of it
        return MISSING


@dataclass(frozen=True)
class Fact:
    """What was found under a name: of a namespace, of a module or a class, or of the game if `holder` is None."""

    holder: Any
    name: str
    value: Any = field(repr=False)
    content: Any = field(repr=False)

    def holds(self, game: Game) -> bool:
        """Whether the same is found there now."""
        now = self._now(game)
        if now is self.value and not isinstance(now, np.ndarray):
            return True
        return self.content is not None and content_of(now) == self.content

    def _now(self, game: Game) -> Any:
        if isinstance(self.holder, dict):
            return self.holder.get(self.name, MISSING)
        if self.holder is not None:
            return getattr(self.holder, self.name, MISSING)
        return attribute(game, self.name)


class Facts:
    """The facts that one text was made of."""

    def __init__(self, game: Game):
        self._facts: dict[tuple[int, str], Fact] = {}
        self.layout = game.layout
        self.start: Any = None  # what initial() gave, if the text holds it
        for name in ("players", "has_chance"):
            self.add(None, name, attribute(game, name))

    def add(self, holder: Any, name: str, value: Any) -> Any:
        """Note that this value was found; the value."""
        self._facts.setdefault((id(holder), name), Fact(holder, name, value, content_of(value)))
        return value

    def hold(self, game: Game) -> bool:
        """Whether this game, of the same class, would have the same text."""
        if game.layout != self.layout:
            return False
        own, cls = vars(game), type(game)
        for (_, name), fact in self._facts.items():
            holder, value = fact.holder, fact.value
            # common cases, ten times as quick as the others: every search asks this, and a short one takes no longer
            if type(holder) is dict:
                if holder.get(name, MISSING) is value and type(value) is not np.ndarray:
                    continue
            elif holder is None and name not in own:
                if type(value) is types.FunctionType and getattr(cls, name, MISSING) is value:
                    continue
                if type(value) is bool and type(getattr(cls, name, None)) is property and value_of(game, name) is value:
                    continue
            if not fact.holds(game):
                return False
        return self.start is None or content_of(tuple(game.initial())) == self.start


def content_of(value: Any) -> Any:
    """Numbers, tuples and arrays by what they hold, types included; None for anything else, which is only itself."""
    if isinstance(value, np.ndarray):
        return (type(value), value.dtype.str, value.shape, value.tobytes()) if value.dtype != object else None
    if isinstance(value, np.generic):
        return type(value), value.tobytes()
    try:
        return marshal.dumps(value, 2) if isinstance(value, (bool, int, float, tuple)) else None
    except ValueError:  # a number of a type of its own
        return (type(value), repr(value)) if not isinstance(value, tuple) else (type(value), tuple(content_of(x) for x in value))

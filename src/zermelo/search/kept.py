"""What is kept for a game as long as nobody changes it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from ..game import Game

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by a key, for each game that lives. Those of a game are forgotten when an attribute of it or of its class is set."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Game, tuple[list[Any], dict[Any, V]]] = WeakKeyDictionary()

    def of(self, game: Game) -> dict[Any, V]:
        """What is kept for the game as it is now."""
        now = attributes_of(game)
        before, values = self._of.get(game, (None, {}))
        if before is None or len(before) != len(now) or any(x is not y for x, y in zip(before, now, strict=True)):
            self._of[game] = now, (values := {})
        return values


def attributes_of(game: Game) -> list[Any]:
    """The names and values of all attributes of the game and its classes, but for those that follow from others."""
    own = {name: value for name, value in vars(game).items() if not isinstance(getattr(type(game), name, None), cached_property)}
    classes = [vars(cls) for cls in type(game).__mro__ if issubclass(cls, Game) and cls is not Game]
    return [x for one in (own, *classes) for pair in one.items() for x in pair]

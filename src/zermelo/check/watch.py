"""Whether the attributes of a game stay as `__init__` left them, deep inside too."""

from __future__ import annotations

import inspect
from collections import deque
from functools import cached_property
from typing import Any

import numpy as np

from ..game import Game

ATOMS = (int, float, complex, str, bytes, type(None), type)


class Watch:
    """Remembers the attributes of a game and of its class, and says which of them changed since."""

    def __init__(self, game: Game):
        self._game = game
        self._frozen: dict[int, Any] = {}  # tuples known to be immutable, by identity: tables are looked through once
        self._last = self._look()

    def changed(self) -> str | None:
        """The name of an attribute that changed since the last call, like self.x; None if none did."""
        now, last = self._look(), self._last
        self._last = now
        if now == last:
            return None
        return next(name for name in {**last, **now} if name not in now or name not in last or now[name] != last[name])

    def _look(self) -> dict[str, Any]:
        found = {f"self.{name}": self._picture(value, ()) for name, value in _own(self._game).items()}
        for cls in type(self._game).__mro__:
            if issubclass(cls, Game) and cls is not Game:
                data = {n: v for n, v in vars(cls).items() if not n.startswith("__") and not n.startswith("_abc") and not callable(v)}
                found |= {f"{cls.__name__}.{name}": self._picture(value, ()) for name, value in data.items()}
        return found

    def _picture(self, value: Any, inside: tuple[int, ...]) -> Any:
        """Something that compares equal as long as the value does not change; `inside` are the values it is part of."""
        if self._is_frozen(value) or id(value) in inside:
            return (type(value), value)
        inside = (*inside, id(value))
        if isinstance(value, (list, tuple, deque)):
            return (type(value), tuple(self._picture(x, inside) for x in value))
        if isinstance(value, dict):
            return (type(value), tuple((self._picture(k, inside), self._picture(v, inside)) for k, v in value.items()))
        if isinstance(value, set):
            return (set, frozenset(value))
        if isinstance(value, np.ndarray):
            return (value.shape, value.dtype.str, value.tobytes())
        if hasattr(value, "__dict__"):
            return (id(value), tuple((k, self._picture(v, inside)) for k, v in _own(value).items()))
        return id(value)

    def _is_frozen(self, value: Any) -> bool:
        if isinstance(value, ATOMS) or id(value) in self._frozen:
            return True
        if isinstance(value, (tuple, frozenset)) and all(self._is_frozen(x) for x in value):
            self._frozen[id(value)] = value
            return True
        return False


def _own(value: Any) -> dict[str, Any]:
    """The attributes of an object, without those that are computed once when they are first asked for."""
    return {k: v for k, v in vars(value).items() if not isinstance(inspect.getattr_static(type(value), k, None), cached_property)}

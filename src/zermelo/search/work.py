"""Work records: what an algorithm reads, writes and needs room for, in one place.

Native code gets the record as one pointer: arrays carried as arguments through a recursion cost 4 to 10
times (reference counting). Interpreted, the same algorithm gets the same fields as plain Python values.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..game import Game

#: a field: its name, its type (u8 a word, i8 a number, f8 a float) and its shape, () for a single value
Fields = list[tuple[str, str, tuple[int, ...]]]


def prepare(game: Game, function: Callable[..., Any], fields: Fields, interpreted: bool) -> Callable[..., Any]:
    """`function(game, work)` ready to be run: call it with values for fields, get its work record back.

    The record is new at each call, so calls may run in several threads. Its `value` is what was returned.
    """
    if interpreted:
        return lambda **given: _interpreted(game, function, fields, given)
    ready = _prepared.setdefault(game, {})
    key = (function, tuple(fields))
    if key not in ready:
        ready[key] = _native(game, function, fields)
    return ready[key]


#: what is ready to run, as long as the game lives: to look up its code again would take 30 ms
_prepared: WeakKeyDictionary[Game, dict[Any, Callable[..., Any]]] = WeakKeyDictionary()


def _native(game: Game, function: Callable[..., Any], fields: Fields) -> Callable[..., Any]:
    from ..lower import native

    record = np.dtype([(name, kind, shape) if shape else (name, kind) for name, kind, shape in fields], align=True)
    run = native(game, function, record)

    def call(**given: Any) -> SimpleNamespace:
        work = np.zeros(1, record)
        for name, value in given.items():
            work[name] = value
        value = run(work)
        return SimpleNamespace(value=value, **{name: work[name][0] for name, _, _ in fields})

    return call


def _interpreted(game: Game, function: Callable[..., Any], fields: Fields, given: dict[str, Any]) -> SimpleNamespace:
    work = SimpleNamespace(**{name: given.get(name, _zeros(kind, shape)) for name, kind, shape in fields})
    work.value = function(game, work)
    return work


def _zeros(kind: str, shape: tuple[int, ...]) -> Any:
    if not shape:
        return 0.0 if kind[0] == "f" else 0
    return [_zeros(kind, shape[1:]) for _ in range(shape[0])]

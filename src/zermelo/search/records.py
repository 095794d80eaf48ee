"""Work records: what an algorithm reads, writes and needs room for, in one place.

Native code gets the record as one pointer: arrays carried as arguments through a recursion cost 4 to 10
times (reference counting). Interpreted, the same algorithm gets the same fields as plain Python values.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import ZermeloError
from ..game import Game
from ..system.timer import ALARM
from .notes import UNWATCHED, WATCHED, Log, watched_by

#: a field: its name, its type (u8 a word, i8 a number, f8 a float) and its shape, () for a single value
Fields = list[tuple[str, str, tuple[int, ...]]]

WIDTH = 64  # the shortest row for the actions of a state
WIDEST = 1 << 20  # the longest


def room_for(actions: int) -> int:
    """The length of a row that holds so many actions of a state: a power of two, by which native code fills it."""
    if actions > WIDEST:
        raise ZermeloError(f"expected a game of at most {WIDEST:,} actions in a state, and one has {actions:,}")
    return max(WIDTH, 1 << (actions - 1).bit_length())


class Stop:
    """A request to stop, made from any thread and seen at once by algorithms whose record has a field `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: list[Callable[[], None]] = []
        self.is_set = False

    def set(self) -> None:
        """Ask everything that runs under this request, now or later, to stop."""
        with self._lock:
            self.is_set = True
            for tell in self._told:
                tell()

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call `tell` when the request is made, while this lasts."""
        with self._lock:
            self._told.append(tell)
            if self.is_set:
                tell()
        try:
            yield
        finally:
            with self._lock:
                self._told.remove(tell)

    @contextmanager
    def after(self, seconds: float | None) -> Iterator[None]:
        """Make the request after so many seconds, while this lasts; None: never."""
        with ALARM.after(seconds, self.set):
            yield


def prepare(game: Game, function: Callable[..., Any], fields: Fields, interpreted: bool) -> Callable[..., Any]:
    """`function(game, work)` ready to be run: call it with values for fields, get its work record back.

    The record is new at each call, so calls may run in several threads. Its `value` is what was returned. A
    `Stop` given as the first argument sets the record's field `stop` when it is made.
    """
    log = watched_by() if UNWATCHED in fields else None
    if log is not None:
        fields = [WATCHED if f == UNWATCHED else f for f in fields]
        return _watched(prepare(game, function, fields, interpreted), function, log)
    if interpreted:
        return lambda stop=None, **given: _interpreted(game, function, fields, stop, given)
    ready = _prepared.setdefault(game, {})
    key = (function, tuple(fields), _build.checked)
    if key not in ready:
        ready[key] = _native(game, function, fields)
    return ready[key]


#: which build of native code this process makes: ZERMELO_CHECKED=1 asks for the checked one
_build = SimpleNamespace(checked=os.environ.get("ZERMELO_CHECKED") == "1")


@contextmanager
def checked_build() -> Iterator[None]:
    """Native code that is prepared while this lasts checks every index, shift, division, conversion and size of an integer."""
    before, _build.checked = _build.checked, True
    try:
        yield
    finally:
        _build.checked = before


#: what is ready to run, as long as the game lives: to look up its code again would take 30 ms
_prepared: WeakKeyDictionary[Game, dict[Any, Callable[..., Any]]] = WeakKeyDictionary()


def _watched(run: Callable[..., Any], function: Callable[..., Any], log: Log) -> Callable[..., Any]:
    def call(stop: Stop | None = None, **given: Any) -> Any:
        work = run(stop, watch=log.field(), **given)
        log.close(function, given, work)
        return work

    return call


def _native(game: Game, function: Callable[..., Any], fields: Fields) -> Callable[..., Any]:
    from ..lower.native import native  # brings llvmlite, which the interpreter does not need

    record, names = record_of(fields), [name for name, _, _ in fields]
    run = native(game, function, record, checked=_build.checked)

    def call(stop: Stop | None = None, **given: Any) -> SimpleNamespace:
        work = np.zeros(record.itemsize // 8, np.uint64).view(record)  # ten times as quick as zeros of a record
        for name, value in given.items():
            work[name] = value
        if stop is None:
            value = run(work)
        else:
            with stop.telling(lambda: work["stop"].fill(1)):
                value = run(work)
        return SimpleNamespace(value=value, **dict(zip(names, work.item(), strict=True)))

    return call


def record_of(fields: Fields) -> np.dtype[Any]:
    """The fields as a record in memory."""
    return np.dtype([(name, kind, shape) if shape else (name, kind) for name, kind, shape in fields], align=True)


def _interpreted(game: Game, function: Callable[..., Any], fields: Fields, stop: Stop | None, given: dict[str, Any]) -> SimpleNamespace:
    work = SimpleNamespace(**{name: given.get(name, _zeros(kind, shape)) for name, kind, shape in fields})
    try:
        if stop is None:
            work.value = function(game, work)
        else:
            with stop.telling(lambda: setattr(work, "stop", 1)):
                work.value = function(game, work)
    except RecursionError:
        raise ZermeloError(f"{game.name} has longer lines than the interpreter follows: expected a depth, or native code") from None
    return work


def _zeros(kind: str, shape: tuple[int, ...]) -> Any:
    if not shape:
        return 0.0 if kind[0] == "f" else 0
    if len(shape) == 1:
        return [_zeros(kind, ())] * shape[0]
    return [_zeros(kind, shape[1:]) for _ in range(shape[0])]

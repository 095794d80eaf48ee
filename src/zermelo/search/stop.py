"""A request to stop a search, made from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from ..system.timer import ALARM


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

    def telling(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `tell` when the request is made, while this lasts."""
        return _Telling(self, tell)

    def after(self, seconds: float | None) -> AbstractContextManager[None]:
        """Make the request after so many seconds, while this lasts; None: never."""
        return nullcontext() if seconds is None else ALARM.after(seconds, self.set)

    def _add(self, tell: Callable[[], None]) -> None:
        with self._lock:
            self._told.append(tell)
            if self.is_set:
                tell()

    def _remove(self, tell: Callable[[], None]) -> None:
        with self._lock:
            self._told.remove(tell)


class _Telling:
    """A function that is called by a request, while this lasts. Every search enters it: as a generator it took three times as long."""

    def __init__(self, stop: Stop, tell: Callable[[], None]):
        self._stop, self._tell = stop, tell

    def __enter__(self) -> None:
        self._stop._add(self._tell)

    def __exit__(self, *_: object) -> None:
        self._stop._remove(self._tell)

"""A request to stop a search, made from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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

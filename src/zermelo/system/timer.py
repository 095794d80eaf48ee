"""One thread that calls back when a time has come: to start a thread for each move would cost a third of a millisecond."""

from __future__ import annotations

import heapq
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from .limits import clamped_seconds

LOOK = 3600.0  # seconds after which the thread looks again, whatever it waits for: no wait of the system is as long as any that is asked


class Alarm:
    """Calls functions at their times, each in a moment, from a thread that it starts when it is first needed.

    The thread goes on whatever happens: a function that fails is reported like that of any thread.
    """

    def __init__(self) -> None:
        self._reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)  # a process that was forked has no thread of this

    def _reset(self) -> None:
        self._numbers, self._news = count(), threading.Condition()
        self._thread: threading.Thread | None = None
        self._entries: list[tuple[float, int, Callable[[], None]]] = []

    @contextmanager
    def after(self, seconds: float | None, act: Callable[[], None]) -> Iterator[None]:
        """Call `act` after this many seconds, while this lasts; None: never."""
        if seconds is None:
            yield
            return
        entry = (time.monotonic() + clamped_seconds(seconds), next(self._numbers), act)
        with self._news:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(self._news, self._entries), daemon=True)
                self._thread.start()
            heapq.heappush(self._entries, entry)
            if self._entries[0] is entry:
                self._news.notify()
        try:
            yield
        finally:
            with self._news:
                if entry in self._entries:
                    self._entries.remove(entry)
                    heapq.heapify(self._entries)

    @staticmethod
    def _run(news: threading.Condition, entries: list[tuple[float, int, Callable[[], None]]]) -> None:
        while True:
            with news:
                while not entries or (left := entries[0][0] - time.monotonic()) > 0:
                    news.wait(min(left, LOOK) if entries else None)
                _, _, act = heapq.heappop(entries)
            try:
                act()
            except Exception:
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))


ALARM = Alarm()

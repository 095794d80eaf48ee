"""One thread that calls back when a time has come: to start a thread for each move would cost a third of a millisecond."""

from __future__ import annotations

import heapq
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count


class Alarm:
    """Calls functions at their times, each in a moment, from a thread that it starts when it is first needed."""

    def __init__(self) -> None:
        self._process = -1

    @contextmanager
    def after(self, seconds: float | None, act: Callable[[], None]) -> Iterator[None]:
        """Call `act` after so many seconds, while this lasts; None: never."""
        if seconds is None:
            yield
            return
        if self._process != os.getpid():  # a process that was forked has no thread of this
            self._begin()
        entry = (time.monotonic() + seconds, next(self._numbers), act)
        with self._news:
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

    def _begin(self) -> None:
        self._process, self._numbers, self._news = os.getpid(), count(), threading.Condition()
        self._entries: list[tuple[float, int, Callable[[], None]]] = []
        threading.Thread(target=self._run, args=(self._news, self._entries), daemon=True).start()

    @staticmethod
    def _run(news: threading.Condition, entries: list[tuple[float, int, Callable[[], None]]]) -> None:
        while True:
            with news:
                while not entries or entries[0][0] > time.monotonic():
                    news.wait(entries[0][0] - time.monotonic() if entries else None)
                _, _, act = heapq.heappop(entries)
            act()


ALARM = Alarm()

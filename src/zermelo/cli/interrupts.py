"""Work that yields results step by step, done in a thread while this one waits: native code itself would not see Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ..search.stop import Stop
from ..system import threads

T = TypeVar("T")

AWAKE = 0.5  # seconds after which the thread that waits looks whether there was a signal


def background(get_ready: Callable[[], None], work: Callable[[], Iterator[T]], stop: Stop, on_interrupt: Callable[[], None]) -> Iterator[T]:
    """What `work` yields, after `get_ready` compiled what it needs: that cannot be stopped, and Ctrl-C is a KeyboardInterrupt meanwhile.

    Then the first Ctrl-C calls `on_interrupt` and asks to stop; any other ends as it always does.
    """
    found = SimpleQueue[Any]()
    over = object()
    ready = threading.Event()

    def job() -> None:
        try:
            get_ready()
            ready.set()
            for one in work():
                found.put(one)
            found.put(over)
        except BaseException as error:
            found.put(error)

    def interrupt() -> None:
        if not ready.is_set():
            raise KeyboardInterrupt
        on_interrupt()
        stop.set()

    try:
        with _first_interrupt(interrupt):
            threads.start(job)
            while (got := _next_of(found)) is not over:
                if isinstance(got, BaseException):
                    raise got
                yield got
    finally:
        stop.set()


def _next_of(found: SimpleQueue[Any]) -> Any:
    """What the queue has next. A signal that comes just as this thread goes to sleep is noticed when it wakes, so it does now and then."""
    while True:
        with suppress(Empty):
            return found.get(timeout=AWAKE)


@contextmanager
def _first_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls `act`, any other ends as it always does."""
    usual = signal.getsignal(signal.SIGINT)

    def handler(*_: object) -> None:
        signal.signal(signal.SIGINT, usual)
        act()

    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)

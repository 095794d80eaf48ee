"""Threads in which a search fits: one that is interpreted recurses deeper than the usual stack of a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

STACK = 64 << 20  # bytes of address space, of which only what is used becomes memory

T = TypeVar("T")
_lock = threading.Lock()


def start(work: Callable[[], object]) -> threading.Thread:
    """Run `work` in a new thread with a deep stack, which does not keep the process alive."""
    thread = threading.Thread(target=work, daemon=True)
    with _lock:  # the size is one for the whole process
        before = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


def run(work: Callable[[], T], on_interrupt: Callable[[Future[T]], None]) -> T:
    """What `work` returns, made in such a thread while this one waits: native code itself would not see Ctrl-C.

    On Ctrl-C `on_interrupt` is called with the result to come, then KeyboardInterrupt is raised. A thread that runs native code
    cannot be stopped, only the whole process can.
    """
    done: Future[T] = Future()

    def job() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    start(job)
    try:
        return done.result()
    except KeyboardInterrupt:
        if not done.done():
            on_interrupt(done)
        raise

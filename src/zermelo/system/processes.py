"""Processes that work for another one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from multiprocessing import connection, parent_process


def end_with_parent(end: Callable[[], None] = lambda: os._exit(1)) -> None:
    """Call `end` when the process that started this one has ended, however it did."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        end()

    threading.Thread(target=watch, daemon=True).start()

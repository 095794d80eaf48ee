"""Endings that are built side by side, although which leads to which is not known.

begin with the endings in their order, as many at once as there are threads
one that meets an ending before it that is not built yet is given up, and begun again when another is done
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait


class TooEarly(Exception):
    """An ending leads to one that is not built yet."""


def call_all(work: Callable[[int], None], count: int, threads: int) -> None:
    """Call work(0), work(1), ... in so many threads; what raises TooEarly is called again after another was done."""
    waiting, early, running = list(range(count)), list[int](), dict[Future[None], int]()
    with ThreadPoolExecutor(threads) as pool:
        while waiting or running or early:
            if not waiting and not running:  # the first of these has all before it
                waiting, early = sorted(early), []
            while waiting and len(running) < threads:
                k = waiting.pop(0)
                running[pool.submit(work, k)] = k
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                k = running.pop(future)
                try:
                    future.result()
                    waiting, early = sorted([*waiting, *early]), []
                except TooEarly:
                    early.append(k)

"""How long every searcher takes to stop, asked from another thread at a random time.

    python -m bench.stops [SEARCHER ...] [--times 1000] [--write FILE]

The time is from the call of `Stop.set` to the return of `search`. On a busy machine the threads
wait for a processor, which dominates the longest times.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import zermelo
from zermelo.search.by_name import find, names
from zermelo.search.searcher import Result
from zermelo.search.stop import Stop

from . import report

BAR = 0.020  # seconds
LATEST = 0.030  # seconds after its start that a search is stopped
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")

#: a task for each searcher that it does not finish by itself (default: Connect Four, no settings)
SUITABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "expectiminimax": ("pig:target=60", {"depth": 60}),
    "maxn": ("trio:width=5,height=5", {}),
    "paranoid": ("trio:width=5,height=5", {}),
    "mcts": ("connect4", {"seconds": 60}),
    "montecarlo": ("connect4", {"playouts": 1 << 30}),
    "bestfirst": ("connect4", {"seconds": 60}),
    "rollouts": ("pig:target=60", {"trials": 1 << 16, "confidence": None}),
    "beliefs": ("connect4", {"depth": 14}),
}


@dataclass(frozen=True)
class Stopped:
    """The results of stopping one searcher repeatedly: the seconds it took each time, and the number of illegal answers.

    `worked`: the processor time meanwhile, which does not depend on other load.
    """

    name: str
    game: str
    seconds: tuple[float, ...]
    illegal: int
    early: int  # searches that had ended before they were asked to
    worked: tuple[float, ...]


def measure(name: str, times: int, seed: int = 0) -> Stopped:
    """Stop a searcher `times` times."""
    text, settings = SUITABLE.get(name, ("connect4", {}))
    game, chance = zermelo.game(text), random.Random(seed)
    legal = set(game.actions(game.initial()))
    seconds, worked, illegal, early = [], [], 0, 0
    search = find(name)(**settings)
    find(name)(**{**settings, "seconds": 0.01}).search(game)  # compiles
    for _ in range(times):
        stop, ended = Stop(), list[tuple[Result, float, float]]()

        def job(stop: Stop = stop, ended: list[tuple[Result, float, float]] = ended) -> None:
            ended.append((search.search(game, stop=stop), time.perf_counter(), time.process_time()))

        thread = threading.Thread(target=job)
        thread.start()
        time.sleep(chance.uniform(0.0, LATEST))
        asked, before = time.perf_counter(), time.process_time()
        stop.set()
        thread.join()
        result, answered, after = ended[0]
        illegal += result.action not in legal
        if answered < asked:
            early += 1
        else:
            seconds.append(answered - asked)
            worked.append(after - before)
    return Stopped(name, text, tuple(seconds), illegal, early, tuple(worked))


def show(rows: Sequence[Stopped]) -> str:
    """The table."""
    lines = [
        "| searcher | game | stops | median, ms | 99%, ms | most, ms | over 20 ms | illegal answers | ended before |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        times = sorted(row.seconds) or [0.0]
        figures = [median(times), times[int(0.99 * (len(times) - 1))], times[-1]]
        told = [len(row.seconds), *(f"{1e3 * x:.2f}" for x in figures), sum(x > BAR for x in times), row.illegal, row.early]
        lines.append(f"| {row.name} | {row.game} | {' | '.join(map(str, told))} |")
    return "\n".join(["## Stops", "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.stops", description="How quickly searches stop.")
    parser.add_argument("searchers", nargs="*", metavar="SEARCHER", help=f"which, of: {', '.join(names())} (default: all)")
    parser.add_argument("--times", type=int, default=1000, help="number of stops of each (1000)")
    report.options(parser, rounds=1)
    told = parser.parse_args()
    if wrong := set(told.searchers) - set(names()):
        parser.error(f"there is no searcher {', '.join(sorted(wrong))}: expected some of {', '.join(names())}")
    if told.times < 1:
        parser.error(f"expected at least 1 time, not {told.times}")
    rows = []
    for name in told.searchers or names():
        report.tell(f"{name}: {told.times} stops")
        rows.append(measure(name, told.times))
    report.tell("")
    text = report.header(" ".join(["python -m bench.stops", *sys.argv[1:]]), 1, PACKAGES) + "\n" + show(rows)
    print(text)
    if told.write:
        report.write(told.write, text)


if __name__ == "__main__":
    main()

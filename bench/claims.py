"""Compare what searches call exact with brute force: python -m bench.claims --games 20000 --workers 2 [--interpreted] [--write FILE].

The games are those of `tests/search/random_graphs.py`, as many of each kind. Each part has its own process, so that one that ends by a
signal is reported.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import report

EACH = 500  # games of a part
SEARCH = str(Path(__file__).parent.parent / "tests" / "search")
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")
COUNTS = ("games", "searches", "exact", "refused", "wrong")

ONE = """
import json, sys
from random_graphs import Tally, claims, drawn
kind, first, many, interpreted = json.loads(sys.argv[1])
tally = Tally(wrong=[])
for seed in range(first, first + many):
    tally.add(claims(drawn(kind, seed), interpreted))
print(json.dumps(vars(tally)))
"""


def part(kind: str, first: int, many: int, interpreted: bool) -> tuple[str, Counter[str], list[str]]:
    """What came out of these games: the counts, and what was wrong."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([SEARCH, os.environ.get("PYTHONPATH", "")])}
    asked = json.dumps([kind, first, many, interpreted])
    run = subprocess.run([sys.executable, "-X", "faulthandler", "-c", ONE, asked], capture_output=True, text=True, env=env, check=False)
    if run.returncode != 0:
        return kind, Counter(wrong=1), [f"{kind} from {first} on ended with {run.returncode}: {run.stderr[-1500:]}"]
    told = json.loads(run.stdout.splitlines()[-1])
    counts = Counter(games=many, searches=told["asked"], exact=told["exact"], refused=told["refused"], wrong=len(told["wrong"]))
    return kind, counts, told["wrong"]


def kinds() -> list[str]:
    """The kinds of games that there are."""
    sys.path.insert(0, SEARCH)
    from random_graphs import KINDS  # type: ignore[import-not-found]

    return list(KINDS)


def parts(games: int) -> Iterator[tuple[str, int, int]]:
    """The kind, the first seed and the number of the games of each part."""
    names = kinds()
    for first in range(0, games // len(names), EACH):
        for kind in names:
            yield kind, first, min(EACH, games // len(names) - first)


def table(by_kind: dict[str, Counter[str]]) -> list[str]:
    """The counts of each kind."""
    rows = [*by_kind.items(), ("all", sum(by_kind.values(), Counter[str]()))]
    lines = [f"| {kind} | " + " | ".join(f"{counts[name]:,}" for name in COUNTS) + " |" for kind, counts in rows]
    return ["| kind | " + " | ".join(COUNTS) + " |", "| --- |" + " ---: |" * len(COUNTS), *lines]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.claims", description="What searches call exact, by brute force.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="a file for the table")
    asked = parser.parse_args()
    began, by_kind, wrong = time.monotonic(), dict[str, Counter[str]](), list[str]()
    with ThreadPoolExecutor(asked.workers) as pool:
        for kind, counts, told in pool.map(lambda one: part(*one, asked.interpreted), parts(asked.games)):
            by_kind.setdefault(kind, Counter()).update(counts)
            wrong += told
            print("\n".join([*told, f"{time.monotonic() - began:5.0f} s {kind}: {dict(by_kind[kind])}"]), flush=True)
            if asked.write:
                head = report.origin(f"python -m bench.claims {' '.join(sys.argv[1:])}", PACKAGES)
                report.write(asked.write, "\n".join(["# What searches call exact", "", *head, "", *table(by_kind), *wrong, ""]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

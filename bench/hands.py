"""Hands of seven cards: agreement with phevaluator on all of them, and hands a second of both in one run.

    python -m bench.hands [--hands 1000000] [--seed 1] [--rounds 3] [--write FILE]

phevaluator is measured twice: called from Python, a hand a call, as its package is used; and its C function called from a compiled loop
over all hands, without Python. Agreement: sorted by one of both, neighbours must be in the same order by the other, ties included.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import zermelo
from zermelo.game import Game
from zermelo.lower.memory import Words, load, store
from zermelo.search.prepare import prepare
from zermelo.search.records import Record

from . import report
from .peers import installed

CARDS = 7
Array = np.ndarray[Any, Any]


class Rating(Record):
    """The record of `rate_all`."""

    hands: int
    count: int
    strengths: int


def rate_all(game: Any, work: Rating) -> int:
    """Find the strength of all hands; how many there are."""
    for i in range(work.count):
        store(work.strengths, i, game.strength(load(work.hands, i)))
    return work.count


def random_hands(count: int, seed: int) -> Array:
    """Rows of seven different cards, 13 * suit + rank."""
    chooser = np.random.default_rng(seed)
    return np.argpartition(chooser.random((count, 52), np.float32), CARDS, axis=1)[:, :CARDS]


def ours(game: Game, cards: Array) -> tuple[Callable[[], Any], Words]:
    """Our evaluator over all hands, and where it leaves their strengths."""
    hands = Words.of((np.uint64(1) << cards.astype(np.uint64)).sum(axis=1, dtype=np.uint64), False)
    strengths, run = Words(len(cards), False), prepare(game, rate_all, Rating, False)
    return lambda: run(hands=hands.table, count=len(cards), strengths=strengths.table), strengths


def theirs(module: Any, cards: Array) -> tuple[Callable[[], Any], Callable[[], Any] | None, Array]:
    """phevaluator from Python, from a compiled loop if that can be made, and where the loop leaves ranks; 1 is the strongest."""
    numbers = (4 * (cards % 13) + cards // 13).astype(np.int32)
    rows, ranks = numbers.tolist(), np.zeros(len(cards), np.int32)
    native = module.evaluate_7cards

    def from_python() -> None:
        ranks[:] = [native(*row) for row in rows]

    numba, call = installed("numba"), getattr(ctypes.CDLL(module.__file__), "evaluate_7cards", None)
    if numba is None or call is None:
        return from_python, None, ranks
    call.argtypes, call.restype = [ctypes.c_int] * CARDS, ctypes.c_int

    @numba.njit  # type: ignore[untyped-decorator]
    def loop(numbers: Any, ranks: Any) -> None:
        for i in range(len(ranks)):
            x = numbers[i]
            ranks[i] = call(x[0], x[1], x[2], x[3], x[4], x[5], x[6])

    loop(numbers[:1], ranks[:1])
    return from_python, lambda: loop(numbers, ranks), ranks


def disagreements(strengths: Array, ranks: Array) -> int:
    """Pairs of neighbours that the two order differently: 0 if both order all hands alike."""
    order = np.lexsort((-ranks, strengths))
    x, y = np.sign(np.diff(strengths[order])), np.sign(np.diff(-ranks[order].astype(np.int64)))
    return int((x != y).sum())


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.hands", description="Hands of seven cards, against phevaluator.")
    parser.add_argument("--hands", type=int, default=1_000_000, help="number of hands (1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    report.options(parser, rounds=3)
    given = parser.parse_args()
    if given.hands < 2:
        parser.error(f"expected at least 2 hands, not {given.hands}")
    cards = random_hands(given.hands, given.seed)
    mine, strengths = ours(zermelo.game("holdem"), cards)
    works: dict[str, Callable[[], Any]] = {"zermelo": mine}
    peer, ranks = installed("phevaluator._pheval"), None
    if peer is not None:
        from_python, loop, ranks = theirs(peer, cards)
        works["phevaluator, from Python"] = from_python
        if loop is not None:
            works["phevaluator, C in a compiled loop"] = loop
    best = dict.fromkeys(works, 1e300)
    for _ in range(given.rounds):
        for name, work in works.items():
            best[name] = min(best[name], seconds(work))
    lines = ["| evaluator | hands a second | ours : this |", "| --- | ---: | ---: |"]
    for name, spent in best.items():
        lines.append(f"| {name} | {given.hands / spent:,.0f} | {spent / best['zermelo']:.2f} |")
    if ranks is None:
        lines += ["", "phevaluator is not installed: nothing to agree with"]
    else:
        lines += ["", f"{given.hands:,} hands: {disagreements(strengths.array.view(np.int64), ranks)} neighbours in another order"]
    text = report.header(" ".join(["python -m bench.hands", *sys.argv[1:]]), given.rounds, ("zermelo", "phevaluator", "numba"))
    print("\n".join(lines), flush=True)
    if given.write:
        report.write(given.write, text + "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

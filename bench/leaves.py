"""Evaluated positions a second on a GPU: of a tree of fixed depth all moves are generated and made, and every leaf gets its static value.

    python -m bench.leaves [GAME] [--state TEXT] [--depth 6] [--checked 2000] [--rounds 3]

The states two plies above the leaves are found on the CPU; the kernel has a thread for each of them. The sums of values below some of these
states, drawn at random, are computed by native code of the CPU too, and must be the same to the last bit; the number of leaves is perft's.
With NUMBA_ENABLE_CUDASIM=1 the same code runs without a GPU, for small depths; such speeds mean nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

import zermelo
from zermelo.bits import u64
from zermelo.game import Game, State
from zermelo.lower import device, gpu
from zermelo.search.prepare import prepare, width_of
from zermelo.search.records import WIDTH as ROW
from zermelo.search.records import WORDS, Record, Size, room

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"  # a position that is rich in all kinds of moves
PERFT = {(KIWIPETE, 4): 4_085_603, (KIWIPETE, 5): 193_690_690, (KIWIPETE, 6): 8_031_647_685}
BATCH = 64  # states of one native call
BLOCK = 128  # threads of a block
WIDTH = 256  # room for the actions of a state; given when the kernel is made
ARRAYS = {"states": ("u8", 2), "totals": ("f8", 1), "counts": ("i8", 1)}

Array = np.ndarray[Any, Any]


# ---- the algorithm ---------------------------------------------------------------------------


def kernel(game: Game, states: Any, totals: Any, counts: Any) -> None:
    """Thread i sums up what is below state i."""
    i = gpu.thread()
    if i < len(counts):
        moves, replies = gpu.numbers(WIDTH), gpu.numbers(WIDTH)
        totals[i] = sum_below(game, game.unpack(states[i]), moves, replies, counts, i)


def sum_below(game: Game, s: State, moves: Any, replies: Any, counts: Any, i: int) -> float:
    """The sum of the values, to player 0, of all states two plies below s; counts[i] is their number."""
    total, count = 0.0, 0
    for k in range(game.fill(s, moves)):
        t = game.result(s, moves[k])
        n = game.fill(t, replies)
        for j in range(n):
            total += game.evaluate(game.result(t, replies[j]), 0)
        count += n
    counts[i] = count
    return total


class Sums(Record):
    """The record of sums on the CPU."""

    count: int
    states: list[list[u64]] = room(Size("batch"), WORDS)
    totals: list[float] = room(Size("batch"))
    counts: list[int] = room(Size("batch"))
    moves: list[int] = room(ROW)
    replies: list[int] = room(ROW)


def sum_all(game: Game, work: Sums) -> int:
    """Do what the kernel does for states of the record; their number."""
    for i in range(work.count):
        work.totals[i] = sum_below(game, game.unpack(work.states[i]), work.moves, work.replies, work.counts, i)
    return work.count


class Expanded(Record):
    """The record of a state's children."""

    start: list[u64] = room(WORDS)
    moves: list[int] = room(ROW)
    children: list[list[u64]] = room(ROW, WORDS)


def expand(game: Game, work: Expanded) -> int:
    """Write all states one ply below the start; their number."""
    s = game.unpack(work.start)
    n = game.fill(s, work.moves)
    for k in range(n):
        game.pack(game.result(s, work.moves[k]), work.children[k])
    return n


# ---- running it ------------------------------------------------------------------------------


def frontier(game: Game, s: State, plies: int) -> Array:
    """All states so many plies below s, packed; those that are reached in several ways, so often."""
    states = np.array([game.layout.pack(s)], np.uint64)
    run = prepare(game, expand, Expanded, False, words=game.layout.words, width=width_of(game))
    for _ in range(plies):
        made = [(work := run(start=row)).children[: work.value] for row in states]
        states = np.concatenate(made) if made else states[:0]
    return states


def on_cpu(game: Game, states: Array) -> tuple[Array, Array]:
    """The sums and the numbers of leaves below states, by native code."""
    run = prepare(game, sum_all, Sums, False, words=game.layout.words, width=width_of(game), batch=BATCH)
    totals, counts = [], []
    for first in range(0, len(states), BATCH):
        rows = states[first : first + BATCH]
        padded = np.concatenate([rows, np.repeat(rows[-1:], BATCH - len(rows), 0)])
        work = run(count=len(rows), states=padded)
        totals.append(np.array(work.totals[: len(rows)]))
        counts.append(np.array(work.counts[: len(rows)]))
    return np.concatenate(totals), np.concatenate(counts)


def on_gpu(game: Game, states: Array, rounds: int, block: int) -> tuple[Array, Array, float]:
    """The same by the kernel, and the seconds of its fastest round."""
    cuda = device.require_gpu()
    launch = device.kernel(game, kernel, ARRAYS, {"WIDTH": width_of(game)})
    given = cuda.to_device(states)
    totals, counts, best = cuda.device_array(len(states), np.float64), cuda.device_array(len(states), np.int64), float("inf")
    for _ in range(rounds + 1):  # the first compiles
        began = time.perf_counter()
        launch[-(-len(states) // block), block](given, totals, counts)
        cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    return totals.copy_to_host(), counts.copy_to_host(), best


def measure(name: str, text: str | None, depth: int, checked: int, rounds: int, block: int) -> dict[str, Any]:
    """What the report says; sums that differ raise an AssertionError."""
    game = zermelo.game(name)
    s = game.initial() if text is None else game.read_state(text)
    states = frontier(game, s, depth - 2)
    totals, counts, seconds = on_gpu(game, states, rounds, block)
    some = np.sort(np.random.default_rng(1).permutation(len(states))[:checked])
    on_cpu(game, states[:1])  # compiles
    began = time.perf_counter()
    same, numbers = on_cpu(game, states[some])
    spent = time.perf_counter() - began
    assert (numbers == counts[some]).all(), "other leaves"
    assert (same == totals[some]).all(), "other values"
    leaves = int(counts.sum())
    expected = PERFT.get((text or "", depth), leaves)
    assert leaves == expected, f"{leaves:,} leaves: expected {expected:,}"
    told = {"game": name, "depth": depth, "threads": len(states), "block": block, "leaves": leaves, "sum": float(totals.sum())}
    told |= {"seconds": round(seconds, 4), "leaves_per_s": round(leaves / seconds)}
    told |= {"checked_states": len(some), "checked_leaves": int(numbers.sum())}
    return told | {"cpu_leaves_per_s": round(int(numbers.sum()) / spent)}


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m bench.leaves", description=__doc__, formatter_class=raw)
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--state", help="where the tree begins (default: for chess a position rich in moves, else the start)")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--checked", type=int, default=2000, help="states whose sums are computed on the CPU, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--block", type=int, default=BLOCK, help="threads of a block")
    given = parser.parse_args()
    state = given.state or (KIWIPETE if given.game.startswith("chess") else None)
    print(json.dumps(measure(given.game, state, given.depth, given.checked, given.rounds, given.block)))


if __name__ == "__main__":
    main()

"""Nanoseconds of CPU time that an integer network of chess takes, beside the hand-made evaluation; nodes/s of searches with each.

python -m bench.nnue_speed MODEL
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import zermelo
from zermelo import u64
from zermelo.arena.openings import random_opening
from zermelo.arena.referee import begin
from zermelo.search.evaluation import enter_ply, estimate_at
from zermelo.search.model.model import find_model, with_model
from zermelo.search.model.nnue import make_sums, sums_output
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

MIDDLE_GAMES = (
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r2rk1/pp1b1ppp/1q2pn2/3p4/3P4/1PN1PN2/P2Q1PPP/2R2RK1 b - - 0 15",
)
MODES = ("unpacking", "sums made anew", "sums updated from the parent", "output", "update and output", "hand-made evaluation")
ROUNDS, REPEATS, MOST = 2000, 5, 256
STATES, OPENING, PLAYED, SEARCHES = 16, 8, 16, 2  # states that are searched, plies that lead to them, searches of which the quicker counts


class Timing(Judging):
    start: list[u64] = room(WORDS)
    children: list[list[u64]] = room(MOST, WORDS)
    count: int
    rounds: int
    mode: int
    total: float


def repeat(game: Any, work: Timing) -> int:
    """Do one thing with each child of the start, again and again."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    enter_ply(game, 0, work)
    work.total = estimate_at(game, s, me, 0, work)
    for _ in range(work.rounds):
        for i in range(work.count):
            t = game.unpack(work.children[i])
            if work.mode == 0:
                work.total += float(game.to_move(t))
            elif work.mode == 1:
                enter_ply(game, 0, work)
                work.total += float(make_sums(game, t, 0, work))
            elif work.mode == 2:
                work.total += float(make_sums(game, t, 1, work))
            elif work.mode == 3:
                work.total += float(sums_output(game, t, me, 0, work))
            elif work.mode == 4:
                enter_ply(game, 1, work)
                work.total += estimate_at(game, t, me, 1, work)
            else:
                work.total += game.evaluate(t, me)
    return 0


def nanoseconds(run: Any, game: Any, mode: int) -> float:
    """The least time of some repeats, on average over the positions."""
    found = []
    for text in MIDDLE_GAMES:
        s = game.read_state(text)
        rows = [game.layout.pack(game.result(s, a)) for a in game.actions(s)]
        children = np.zeros((MOST, game.layout.words), np.uint64)
        children[: len(rows)] = np.array(rows, np.uint64)
        times = []
        for _ in range(REPEATS):
            began = time.thread_time()
            run(start=game.layout.pack(s), children=children, count=len(rows), rounds=ROUNDS, mode=mode)
            times.append((time.thread_time() - began) / ROUNDS / len(rows))
        found.append(min(times))
    return 1e9 * float(np.mean(found))


def played(game: Any, seed: int) -> Any:
    """A state of a game that a quick search played after a random opening."""
    history = begin(game, random_opening(game, OPENING, seed))
    for _ in range(PLAYED):
        history.do(zermelo.searcher("alphabeta", nodes=1000).search(game, history).action)
    return history.state


def speeds(game: Any, models: list[str | None], nodes: int) -> list[float]:
    """Nodes per second of CPU time of searches with each, in turn, on the same states: how many there are depends on the tree."""
    searchers = [zermelo.searcher("alphabeta", nodes=nodes, table=64, eval=model) for model in models]
    spent, done = [0.0] * len(models), [0] * len(models)
    for seed in range(STATES):
        s = played(game, seed)
        for k, searcher in enumerate(searchers):
            times = []
            for _ in range(SEARCHES):
                began = time.process_time()
                found = searcher.search(game, s)
                times.append(time.process_time() - began)
            spent[k] += min(times)
            done[k] += found.nodes
    return [n / seconds for n, seconds in zip(done, spent, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--nodes", type=int, default=300_000)
    asked = parser.parse_args()
    game = zermelo.game("chess")
    run = prepare(with_model(game, find_model(asked.model, game)), repeat, Timing, False, plies=4)
    times = [nanoseconds(run, game, mode) for mode in range(len(MODES))]
    for name, ns in zip(MODES, times, strict=True):
        print(f"{name}: {ns:.0f} ns")
    print(f"update and output take {(times[4] - times[0]) / (times[5] - times[0]):.2f} of the hand-made evaluation")
    for model in (None, asked.model):
        zermelo.searcher("alphabeta", nodes=1000, table=64, eval=model).search(game)  # compiling is not searching
    hand, network = speeds(game, [None, asked.model], asked.nodes)
    print(f"nodes/s: hand-made {hand:,.0f}, network {network:,.0f}: {network / hand:.2f}")


if __name__ == "__main__":
    main()

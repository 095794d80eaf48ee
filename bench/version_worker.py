"""One checkout of Zermelo at work for `bench.versions`: a task on each line of standard input, what it took on each of standard output.

It runs with the `src` folder of that checkout on its path and uses only names that every version has.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from functools import cache

import zermelo


def playouts(game: zermelo.Game, n: int) -> Callable[[], float]:
    return lambda: zermelo.playouts(game, n, seed=1, threads=1).moves


def mcts(game: zermelo.Game, n: int) -> Callable[[], float]:
    return lambda: zermelo.MCTS(simulations=n, solver=False, seed=1).search(game).nodes


def alphabeta(game: zermelo.Game, depth: int) -> Callable[[], float]:
    return lambda: zermelo.AlphaBeta(depth=depth).search(game).nodes


def plain(game: zermelo.Game, depth: int) -> Callable[[], float]:
    return lambda: zermelo.AlphaBeta.plain(depth or None).search(game).nodes


def solve(game: zermelo.Game, plies: int) -> Callable[[], float]:
    """300 states after this many random plies that end no game."""
    chance, states = random.Random(plies), []
    while len(states) < 300:
        s = game.initial()
        for _ in range(plies):
            if not game.is_terminal(s):
                s = game.result(s, chance.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            states.append(s)
    return lambda: len(zermelo.AlphaBeta(table=1).solve(game, states).values)


def perft(game: zermelo.Game, depth: int) -> Callable[[], float]:
    return lambda: zermelo.perft(game, depth)


KINDS = {f.__name__: f for f in (playouts, mcts, alphabeta, plain, solve, perft)}


@cache
def work_of(kind: str, game: str, amount: int) -> Callable[[], float]:
    return KINDS[kind](zermelo.game(game), amount)


def main() -> None:
    for line in sys.stdin:
        kind, game, amount, times = json.loads(line)
        work = work_of(kind, game, amount)
        began = time.process_time()
        done = sum(work() for _ in range(times))
        print(json.dumps([done, time.process_time() - began]), flush=True)


if __name__ == "__main__":
    main()

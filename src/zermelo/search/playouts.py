"""Random playouts: games played to the end by uniformly random actions (and chance by its own odds).

The i-th game of a seed is the same game wherever it is played: interpreted, native, in any thread, on a
GPU. Its random words come from a stream of its own, split from the seed by i.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..errors import ZermeloError
from ..game import Game, State
from ..history import start_of
from ..system.limits import MAX_COUNT, check_seconds
from .playouts_cuda import on_device
from .prepare import prepare, width_of, with_room
from .random_games import LIMIT, Games, Playouts, play_chunk

CHUNK = 4096  # games of one native call; sums are made by chunks, so they don't depend on the threads


def playouts(
    game: Game,
    n: int | None = None,
    *,
    seconds: float | None = None,
    seed: int = 0,
    device: str = "cpu",
    state: State | None = None,
    threads: int | None = None,
    limit: int = LIMIT,
    interpreted: bool = False,
) -> Playouts:
    """Play n random games from `state` (or games for so many seconds) and sum them up.

    The same n and seed give the same counts and utilities whatever the number of threads; threads=None
    uses every core. device="cuda" plays on a GPU.
    """
    if (n is None) == (seconds is None):
        raise ZermeloError("playouts: expected a number of games or a number of seconds, one of the two")
    if n is not None and not 1 <= n <= MAX_COUNT:
        raise ZermeloError(f"playouts: expected {f'at most {MAX_COUNT:,} games' if n > 0 else 'at least 1 game'}, not {n}")
    if seconds is not None:
        check_seconds("playouts: ", seconds)
    if threads is not None and threads < 1:
        raise ZermeloError(f"playouts: expected at least 1 thread, not {threads}")
    if limit < 1:
        raise ZermeloError(f"playouts: expected a limit of at least 1 action, not {limit}")
    if interpreted:  # then a game may have any states, and nobody asks who is to move
        start = game.initial() if state is None else state
    else:
        start = game.layout.pack(start_of(game, state, "playouts"))
    seed &= (1 << 64) - 1
    if device == "cuda":
        return on_device(game, start, n, seconds, seed, limit)
    if device != "cpu":
        raise ZermeloError(f"playouts: expected the device cpu or cuda, not '{device}'")
    return _on_cpu(game, start, n, seconds, seed, threads or os.cpu_count() or 1, limit, interpreted)


def _on_cpu(
    game: Game, start: Any, n: int | None, seconds: float | None, seed: int, threads: int, limit: int, interpreted: bool
) -> Playouts:
    size = 16 if interpreted and n is None else CHUNK  # for a time, the interpreter would overrun it by far
    done: list[Games] = []
    spent = 0.0

    def attempt(_: int, width: int) -> Games:
        nonlocal done, spent
        run = prepare(game, play_chunk, Games, interpreted, width=width)
        began = time.perf_counter()

        def chunk(i: int) -> Games:
            return run(start=start, seed=seed, first=i * size, games=size if n is None else min(size, n - i * size), limit=limit)

        done = []
        with ThreadPoolExecutor(threads) as pool:
            for batch in _batches(None if n is None else -(-n // size), threads, None if seconds is None else began + seconds):
                done += pool.map(chunk, batch)
        spent = time.perf_counter() - began
        return max(done, key=lambda work: work.widest)

    widest = int(with_room(attempt, 1, width_of(game), "").widest)
    games = n if n is not None else len(done) * size
    utility = tuple(math.fsum(float(w.totals[p]) for w in done) / games for p in range(game.players))
    moves, unfinished = sum(int(w.value) for w in done), sum(int(w.unfinished) for w in done)
    return Playouts(repr(game), "cpu", threads, games, moves, unfinished, widest, spent, utility)


def _batches(chunks: int | None, threads: int, end: float | None) -> Iterator[range]:
    """Numbers of chunks to play, a batch at a time, until they or the time run out."""
    at = 0
    while (chunks is None or at < chunks) and (at == 0 or end is None or time.perf_counter() < end):
        size = threads * (8 if chunks is not None else 1)
        stop = at + size if chunks is None else min(at + size, chunks)
        yield range(at, stop)
        at = stop

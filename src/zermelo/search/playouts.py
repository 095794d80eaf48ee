"""Random playouts: games played to the end by uniformly random actions (and chance by its own odds).

The i-th game of a seed is the same game wherever it is played: interpreted, native, in any thread, on a
GPU. Its random words come from a stream of its own, split from the seed by i.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ..bits import u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import start_of
from ..rng import below, split, step, unit
from ..system.limits import MOST, check_seconds
from .minimax import width_of
from .records import Fields, prepare, room_for

CHUNK = 4096  # games of one native call; sums are made by chunks, so they don't depend on the threads
LIMIT = 100_000  # actions after which a game is given up


@dataclass(frozen=True)
class Playouts:
    """What random play gave: how many games and actions, and the mean utility of each player."""

    game: str
    device: str
    threads: int
    games: int
    moves: int
    unfinished: int  # games given up after `limit` actions; they count as 0 for everybody
    widest: int  # the most actions that a state had, where they were listed
    seconds: float
    utility: tuple[float, ...]

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else math.inf

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds if self.seconds else math.inf


# ---- the algorithm ---------------------------------------------------------------------------


def play_chunk(game: Game, work: Any) -> int:
    return play(game, game.unpack(work.start), work.seed, work.first, work.games, work.limit, work.moves, work.totals, work.counts)


def play(game: Game, start: State, seed: u64, first: int, games: int, limit: int, moves: Any, totals: Any, counts: Any) -> int:
    """Play the games numbered first..first+games-1; the number of actions taken.

    Adds each player's utility to `totals`; `counts` gets the games given up and the most actions seen.
    One loop steps through all games, so that on a GPU no thread waits for its neighbours' games to end.
    """
    taken, number, ply, unfinished, widest = 0, 0, 0, 0, 0
    s, random = start, split(seed, u64(first)) | 1
    upcoming = split(seed, u64(first + 1)) | 1  # the next game's words: asked for early, they are there when this game ends
    while number < games:
        n = 0  # a state without actions is terminal: where they are listed anyway, nobody needs to be asked
        if game.has_sample:
            over = game.is_terminal(s)
        else:
            n = game.fill(s, moves)
            over = n == 0
        if over or ply == limit:
            if over:
                for p in range(game.players):
                    totals[p] += game.utility(s, p)
            else:
                unfinished += 1
            number += 1
            taken += ply
            s, ply, random = start, 0, upcoming
            upcoming = split(seed, u64(first + number + 1)) | 1
        else:
            random = step(random)
            if game.has_sample and not (game.has_chance and game.to_move(s) == CHANCE):
                a = game.sample(s, random)
            else:
                if game.has_sample:
                    n = game.fill(s, moves)
                widest = max(widest, n)
                a = choose(game, s, random, moves, min(n, len(moves)))
            s = game.result(s, a)
            ply += 1
    counts[0] = unfinished
    counts[1] = widest
    return taken


def choose(game: Game, s: State, random: u64, moves: Any, n: int) -> Any:
    """One of the n actions in `moves`: uniformly, or by its probability where chance is to move."""
    if game.has_chance and game.to_move(s) == CHANCE:
        x = unit(random)
        for i in range(n - 1):
            x -= game.probability(s, moves[i])
            if x < 0.0:
                return moves[i]
        return moves[n - 1]
    return moves[below(random, n)]


# ---- many of them ----------------------------------------------------------------------------


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
    if n is not None and not 1 <= n <= MOST:
        raise ZermeloError(f"playouts: expected {f'at most {MOST:,} games' if n > 0 else 'at least 1 game'}, not {n}")
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
        from .playouts_cuda import on_device

        return on_device(game, start, n, seconds, seed, limit)
    if device != "cpu":
        raise ZermeloError(f"playouts: expected the device cpu or cuda, not '{device}'")
    return _on_cpu(game, start, n, seconds, seed, threads or os.cpu_count() or 1, limit, interpreted)


def _on_cpu(
    game: Game, start: Any, n: int | None, seconds: float | None, seed: int, threads: int, limit: int, interpreted: bool
) -> Playouts:
    size = 16 if interpreted and n is None else CHUNK  # for a time, the interpreter would overrun it by far
    width = width_of(game)
    while True:
        run = prepare(game, play_chunk, _fields(game, width, 1 if interpreted else game.layout.words), interpreted)
        began = time.perf_counter()
        end = None if seconds is None else began + seconds

        def chunk(i: int, run: Callable[..., Any] = run) -> Any:
            return run(start=start, seed=seed, first=i * size, games=size if n is None else min(size, n - i * size), limit=limit)

        done: list[Any] = []
        with ThreadPoolExecutor(threads) as pool:
            for batch in _batches(None if n is None else -(-n // size), threads, end):
                done += pool.map(chunk, batch)
        spent = time.perf_counter() - began
        widest = max(int(w.counts[1]) for w in done)
        if widest <= width:
            break
        width = room_for(widest)  # some state had more actions than there was room for: play again with more
    games = n if n is not None else len(done) * size
    utility = tuple(math.fsum(float(w.totals[p]) for w in done) / games for p in range(game.players))
    moves, unfinished = sum(int(w.value) for w in done), sum(int(w.counts[0]) for w in done)
    return Playouts(repr(game), "cpu", threads, games, moves, unfinished, widest, spent, utility)


def _batches(chunks: int | None, threads: int, end: float | None) -> Iterator[range]:
    """Numbers of chunks to play, a batch at a time, until they or the time run out."""
    at = 0
    while (chunks is None or at < chunks) and (at == 0 or end is None or time.perf_counter() < end):
        size = threads * (8 if chunks is not None else 1)
        stop = at + size if chunks is None else min(at + size, chunks)
        yield range(at, stop)
        at = stop


def _fields(game: Game, width: int, words: int) -> Fields:
    return [
        ("start", "u8", (words,)),
        ("seed", "u8", ()),
        ("first", "i8", ()),
        ("games", "i8", ()),
        ("limit", "i8", ()),
        ("moves", "i8", (width,)),
        ("totals", "f8", (game.players,)),
        ("counts", "i8", (2,)),
    ]

"""Random playouts on a GPU: one thread plays a run of games, by the same function as on the CPU."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from ..game import Game
from ..lower import device, gpu
from .random_games import LIMIT, Playouts, play

BLOCK = 64  # threads of a block
WAVES = 32  # blocks for each multiprocessor: enough for one to compute while another waits for memory
WIDTH, PLAYERS = 16, 2  # room for actions (a power of two) and players; given when the kernel is made

#: the kernel's parameters: element type and number of dimensions
ARRAYS = {
    "start": ("u8", 1),
    "seed": ("u8", 0),
    "first": ("i8", 0),
    "games": ("i8", 0),
    "each": ("i8", 0),
    "limit": ("i8", 0),
    "taken": ("i8", 1),
    "totals": ("f8", 2),
    "counts": ("i8", 2),
}


def kernel(game: Game, start: Any, seed: Any, first: int, games: int, each: int, limit: int, taken: Any, totals: Any, counts: Any) -> None:
    """Thread i plays `each` games from number first + i * each on, and none beyond `games` in all."""
    i = gpu.thread()
    if i < len(taken):
        moves, sums, flags = gpu.numbers(WIDTH), gpu.reals(PLAYERS), gpu.numbers(2)
        for p in range(game.players):
            sums[p] = 0.0
        mine = max(0, min(each, games - i * each))
        taken[i] = play(game, game.unpack(start), seed, first + i * each, mine, limit, moves, sums, flags)
        for p in range(game.players):
            totals[p, i] = sums[p]
        counts[0, i] = flags[0]
        counts[1, i] = flags[1]


def on_device(game: Game, start: list[int], n: int | None, seconds: float | None, seed: int, limit: int) -> Playouts:
    """Play n games, or as many as fit in the seconds, on the GPU; the time includes copying the results."""
    cuda = device.require_gpu()
    threads = 64 if device.simulating() else BLOCK * WAVES * cuda.get_current_device().MULTIPROCESSOR_COUNT
    block = 8 if device.simulating() else BLOCK
    room = _room(game, start)
    while True:
        launch = device.kernel(game, kernel, ARRAYS, {"WIDTH": room, "PLAYERS": game.players})
        _launch(cuda, launch, game, start, seed, 0, 1, 1, limit, block, block)  # compiles
        began = time.perf_counter()
        games, moves, unfinished, widest, sums = 0, 0, 0, 0, [0.0] * game.players
        batch = threads * 4 if n is None else n
        while n is None or games < n:
            each = -(-batch // threads)
            got = _launch(cuda, launch, game, start, seed, games, batch, each, limit, -(-batch // each), block)
            games, moves, unfinished = games + batch, moves + got[0], unfinished + got[1]
            widest, sums = max(widest, got[2]), [a + b for a, b in zip(sums, got[3], strict=True)]
            spent = time.perf_counter() - began
            if seconds is not None:
                if spent >= seconds:
                    break
                batch = max(threads, min(batch * 8, int(games * (seconds - spent) / spent) // 2))
        if widest <= room:
            break
        while room < widest:
            room *= 2
    return Playouts(repr(game), "cuda", threads, games, moves, unfinished, widest, spent, tuple(x / games for x in sums))


def _launch(
    cuda: Any, launch: Any, game: Game, start: list[int], seed: int, first: int, games: int, each: int, limit: int, threads: int, block: int
) -> tuple[int, int, int, list[float]]:
    taken = cuda.device_array(threads, np.int64)
    totals = cuda.device_array((game.players, threads), np.float64)
    counts = cuda.device_array((2, threads), np.int64)
    blocks = math.ceil(threads / block)
    key = seed if device.simulating() else np.uint64(seed)  # the simulator runs Python, where words are ints
    launch[blocks, block](cuda.to_device(np.array(start, np.uint64)), key, first, games, each, limit, taken, totals, counts)
    counted = counts.copy_to_host()
    sums = [float(row.sum()) for row in totals.copy_to_host()]
    return int(taken.copy_to_host().sum()), int(counted[0].sum()), int(counted[1].max()), sums


def _room(game: Game, start: list[int]) -> int:
    """Room for the actions of one state: a power of two, as many as some games show to be needed."""
    if game.has_sample and not game.has_chance:
        return 1
    counts = [0, 0]
    play(game, game.layout.unpack(start), 0, 0, 8, LIMIT, [0] * 4096, [0.0] * game.players, counts)
    return 1 << max(0, counts[1] - 1).bit_length()

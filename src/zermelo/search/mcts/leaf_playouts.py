"""Many playouts of each leaf, natively or on a GPU, instead of one: the leaf is worth their mean.

The games have numbers, and the same number is the same game on any device (`playouts.py`): so is the tree.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...bits import FULL, u64
from ...game import Game
from ...lower import device, gpu
from .. import records
from ..prepare import prepare, room_for
from ..random_games import LIMIT, play
from ..records import Record, Size, room

Array = np.ndarray[Any, Any]
BLOCK = 128  # threads of a block
WIDTH, PLAYERS = 16, 2  # room for actions (a power of two) and players; given when the kernel is made

#: the kernel's parameters: element type and number of dimensions
ARRAYS = {
    "starts": ("u8", 2),
    "seed": ("u8", 0),
    "first": ("i8", 0),
    "games": ("i8", 0),
    "parts": ("i8", 0),
    "limit": ("i8", 0),
    "totals": ("f8", 2),
    "widest": ("i8", 1),
}


LEAVES = Size("leaves")


class LeafGames(Record):
    """The record of games played from leaves."""

    starts: list[list[u64]] = room(LEAVES, records.WORDS)
    count: int
    seed: u64
    first: int
    games: int
    limit: int
    moves: list[int] = room(records.WIDTH)
    totals: list[list[float]] = room(LEAVES, records.PLAYERS)
    counts: list[int] = room(2)


def play_leaves(game: Game, work: LeafGames) -> int:
    """`games` games from each of the leaves; their sums."""
    widest = 0
    for k in range(work.count):
        first = work.first + k * work.games
        play(game, game.unpack(work.starts[k]), work.seed, first, work.games, work.limit, work.moves, work.totals[k], work.counts)
        widest = max(widest, work.counts[1])
    return widest


def kernel(game: Game, starts: Any, seed: Any, first: int, games: int, parts: int, limit: int, totals: Any, widest: Any) -> None:
    """Thread i plays part i % parts of the games from leaf i // parts."""
    i = gpu.thread()
    if i < len(widest):
        moves, sums, flags = gpu.numbers(WIDTH), gpu.reals(PLAYERS), gpu.numbers(2)
        for p in range(game.players):
            sums[p] = 0.0
        each = (games + parts - 1) // parts
        leaf, done = i // parts, i % parts * each
        mine = max(0, min(each, games - done))
        play(game, game.unpack(starts[leaf]), seed, first + leaf * games + done, mine, limit, moves, sums, flags)
        for p in range(game.players):
            totals[p, i] = sums[p]
        widest[i] = flags[1]


class LeafPlayouts:
    """The judge that plays `games` games from each leaf. Games that go on after LIMIT actions count as 0."""

    asks = False

    def __init__(self, game: Game, games: int, batch: int, seed: int, on: str, interpreted: bool):
        self._game, self._games, self._batch, self._seed, self._interpreted = game, games, batch, seed & FULL, interpreted
        self._first, self._width = 0, room_for(game.max_actions)
        self._play = self._on_gpu if on == "cuda" else self._on_cpu
        if on == "cuda":
            device.require_gpu()

    def __call__(self, states: Array, actions: list[list[int]]) -> tuple[None, Array]:
        totals, widest = self._play(states)
        while widest > self._width:  # some state had more actions than there was room for: again with more
            self._width = room_for(widest)
            totals, widest = self._play(states)
        self._first += len(states) * self._games
        return None, totals / self._games

    def _on_cpu(self, states: Array) -> tuple[Array, int]:
        run = prepare(self._game, play_leaves, LeafGames, self._interpreted, leaves=self._batch, width=self._width)
        starts: Any = [self._game.layout.unpack(row) for row in states.tolist()]
        if not self._interpreted:
            starts = np.zeros((self._batch, states.shape[1]), np.uint64)
            starts[: len(states)] = states
        work = run(starts=starts, count=len(states), seed=self._seed, first=self._first, games=self._games, limit=LIMIT)
        return np.array(work.totals, np.float64)[: len(states)], int(work.value)

    def _on_gpu(self, states: Array) -> tuple[Array, int]:
        cuda, leaves = device.require_gpu(), len(states)
        parts = self._parts(cuda, leaves)
        launch = device.kernel(self._game, kernel, ARRAYS, {"WIDTH": self._width, "PLAYERS": self._game.players})
        block = 4 if device.simulating() else BLOCK
        threads = leaves * parts
        totals, widest = cuda.device_array((self._game.players, threads), np.float64), cuda.device_array(threads, np.int64)
        seed = self._seed if device.simulating() else np.uint64(self._seed)  # the simulator runs Python, where words are ints
        launch[math.ceil(threads / block), block](cuda.to_device(states), seed, self._first, self._games, parts, LIMIT, totals, widest)
        sums = totals.copy_to_host().reshape(self._game.players, leaves, parts).sum(axis=2)
        return sums.T, int(widest.copy_to_host().max())

    def _parts(self, cuda: Any, leaves: int) -> int:
        """Threads for each leaf: at most one for each game, and no more than the card runs at once."""
        if device.simulating():
            return min(self._games, 2)
        most = 2048 * cuda.get_current_device().MULTIPROCESSOR_COUNT
        return max(1, min(self._games, most // leaves))

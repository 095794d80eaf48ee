"""Exact values of very many states on a GPU: each thread solves some of them by `solve.py`, and all share one table.

RANKS(states): launch after launch, each thread gets some states and so many nodes
    what was not solved is tried again with more
    of the last few, too hard for one thread each, RANKS(the states after their actions) tells their ranks
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ...lower import device
from ..prepare import room_for, width_of
from ..records import record_of
from .solve import TOP, Solver, frame_words, older, sizes_of, solve

BLOCK = 128  # threads of a block
FIRST_PLIES = 48  # room for lines at first: each thread has its own
RESIDENT = 512  # threads of a multiprocessor: its registers hold no more
SHARE = 64  # states of a thread in a launch
NODES = 200_000  # of a thread in a launch, at first: six seconds of an H200
MORE = 5  # times as many for what is left after all were tried: by then the table has forgotten what was found
FEW = 8  # times fewer states than threads are divided

Rows = np.ndarray[Any, np.dtype[np.uint64]]
Ranks = np.ndarray[Any, np.dtype[np.int64]]


class DeviceRanks:
    """Solves states of one game on the GPU, with a table of so many MiB that is kept from one call to the next."""

    def __init__(self, game: Game, table: int):
        cuda = device.require_gpu()
        self.game, self.nodes = game, 0
        self.threads = RESIDENT * cuda.get_current_device().MULTIPROCESSOR_COUNT
        bits = (table << 20).bit_length() - 1 - 3
        self.shift = 64 - bits
        try:
            self._table = cuda.device_array(1 << bits, np.uint64)
        except Exception:  # the driver's own, which has no name of its own
            raise ZermeloError(f"the GPU has no room for a table of {table:,} MiB: expected a smaller one") from None
        cuda.cudadrv.driver.device_memset(self._table, 0, self._table.nbytes)
        self._plies, self._width = FIRST_PLIES, width_of(game)

    def ranks(self, packed: Rows) -> Ranks:
        """The ranks of states, rows of words."""
        found = np.zeros(len(packed), np.int64)
        for places, ranks in self.solved(packed):
            found[places] = ranks
        return found

    def solved(self, packed: Rows) -> Iterator[tuple[np.ndarray[Any, Any], Ranks]]:
        """Solve states launch after launch: their places among the rows, and their ranks."""
        todo, most, nodes = np.arange(len(packed)), self.threads * SHARE, NODES
        while len(todo):
            left = list[np.ndarray[Any, Any]]()
            for at in range(0, len(todo), most):
                some = todo[at : at + most]
                is_solved, ranks = self._launch(packed[some], nodes)
                yield some[is_solved], ranks[is_solved]
                left.append(some[~is_solved])
            todo, nodes = np.concatenate(left), nodes * MORE
            if len(todo) * FEW < self.threads:
                yield todo, self._divided(packed[todo])
                break

    def _divided(self, packed: Rows) -> Ranks:
        """The ranks of states by those of the states after their actions."""
        game, first, after, is_same = self.game, [0], list[list[int]](), list[bool]()
        for row in packed.tolist():
            s = game.layout.unpack(row)
            for t in (game.result(s, a) for a in game.actions(s)):
                after.append(game.layout.pack(t))
                is_same.append(game.to_move(t) == game.to_move(s))
            first.append(len(after))
        if not after:
            return np.zeros(0, np.int64)
        rows, places = np.unique(np.array(after, np.uint64), axis=0, return_inverse=True)
        ranks = self.ranks(rows)[places.ravel()].tolist()
        seen = [older(r if same else -r) for r, same in zip(ranks, is_same, strict=True)]
        return np.array([max(seen[a:b]) for a, b in pairwise(first)], np.int64)

    def _launch(self, packed: Rows, nodes: int) -> tuple[Any, Any]:
        """Which of these states are solved when all threads have spent their nodes, and their ranks."""
        cuda, each = device.require_gpu(), -(-len(packed) // self.threads)
        count = -(-len(packed) // (each * BLOCK)) * BLOCK  # none in a block without a record: neighbours wait for each other
        states, answers = cuda.to_device(np.ascontiguousarray(packed)), cuda.device_array(count * each, np.uint64)
        while True:
            kind = record_of(Solver.fields(**sizes_of(self.game, self._width)))
            works = np.zeros(count, kind)
            first = np.arange(count) * each
            works["states"] = _address(states) + first * 8 * self.game.layout.words
            works["answers"] = _address(answers) + first * 8
            works["count"] = np.clip(len(packed) - first, 0, each)
            works["limit"], works["low"], works["high"] = nodes, -TOP, TOP
            size = self._plies * frame_words(self.game.layout.words, self._width)
            frames = cuda.device_array(count * size, np.uint64)
            works["frames"], works["plies"] = _address(frames) + np.arange(count) * 8 * size, self._plies
            works["table"], works["shift"] = _address(self._table), self.shift
            on_card = cuda.to_device(works)
            device.record_kernel(self.game, solve, kind, 1, is_local=True)[count // BLOCK, BLOCK](on_card, count)
            on_card.copy_to_host(works)
            self.nodes += int(works["nodes"].sum())
            deepest, widest = int(works["deepest"].max()), int(works["widest"].max())
            if deepest < self._plies and widest <= self._width:
                break
            self._plies, self._width = max(self._plies, room_for(deepest + 1)), max(self._width, room_for(widest))
        is_solved = (np.arange(each) < works["solved"][:, None]).ravel()[: len(packed)]
        return is_solved, answers.copy_to_host()[: len(packed)].view(np.int64)


def _address(array: Any) -> int:
    return int(array.device_ctypes_pointer.value)

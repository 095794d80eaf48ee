"""Exact values of very many states on a GPU: each thread solves one after another by `solve.py`, and all share one table.

RANKS(states): slice after slice, each thread goes on with its state, and takes the next one when that is solved
    when none is left to take and few threads are busy, RANKS(the states after the actions of what is left) tells the rest
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
from .solve import TOP, Solver, frame_words, older, ranks_of, sizes_of, solve

BLOCK = 128  # threads of a block
FIRST_PLIES = 48  # room for lines at first: each thread has its own
RESIDENT = 512  # threads of a multiprocessor: its registers hold no more
NODES = 200_000  # of a thread in a slice: six seconds of an H200
IDLE_FACTOR = 8  # times fewer threads are busy than there are when states are divided

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
            self.table = cuda.device_array(1 << bits, np.uint64)
        except cuda.cudadrv.driver.CudaAPIError:
            raise ZermeloError(f"the GPU has no room for a table of {table:,} MiB: expected a smaller one") from None
        cuda.cudadrv.driver.device_memset(self.table, 0, self.table.nbytes)
        self.plies, self.width = FIRST_PLIES, width_of(game)

    def ranks(self, packed: Rows) -> Ranks:
        """The ranks of states, rows of words."""
        found = np.zeros(len(packed), np.int64)
        for places, ranks in self.solved(packed):
            found[places] = ranks
        return found

    def solved(self, packed: Rows) -> Iterator[tuple[np.ndarray[Any, Any], Ranks]]:
        """Solve states slice after slice: their places among the rows, and their ranks."""
        todo = np.arange(len(packed))
        while len(todo):
            slices = Slices(self, packed[todo])
            known = np.zeros(len(todo), bool)
            for answers in slices:
                new = (answers != 0) & ~known
                known |= new
                yield todo[new], ranks_of(answers[new])
            todo = todo[~known]
            if len(todo) and slices.has_room:
                yield todo, self._divided(packed[todo])
                return

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


class Slices:
    """The work of all threads on some states: iterate for what is solved after each slice, 0 for what is not."""

    def __init__(self, of: DeviceRanks, packed: Rows):
        cuda, self._of, self.has_room, game = device.require_gpu(), of, True, of.game
        count = -(-min(of.threads, len(packed)) // BLOCK) * BLOCK  # whole blocks: neighbours wait for each other
        frame = of.plies * frame_words(game.layout.words, of.width)
        self._works = np.zeros(count, record_of(Solver.fields(**sizes_of(game, of.width))))
        self._states, self._answers = cuda.to_device(np.ascontiguousarray(packed)), cuda.to_device(np.zeros(len(packed), np.uint64))
        self._queue, self._frames = cuda.to_device(np.zeros(1, np.uint64)), cuda.device_array(count * frame, np.uint64)
        memory = {"states": self._states, "answers": self._answers, "queue": self._queue, "table": of.table}
        given = {name: _address(array) for name, array in memory.items()}
        given |= {"count": len(packed), "low": -TOP, "high": TOP, "plies": of.plies, "shift": of.shift}
        for name, value in given.items():
            self._works[name] = value
        self._works["frames"] = _address(self._frames) + np.arange(count) * 8 * frame

    def __iter__(self) -> Iterator[np.ndarray[Any, Any]]:
        cuda, of, works = device.require_gpu(), self._of, self._works
        run = device.record_kernel(of.game, solve, works.dtype, 1, is_local=True)
        busy = len(works)
        while busy and (busy * IDLE_FACTOR >= of.threads or int(self._queue.copy_to_host()[0]) < works["count"][0]):
            before = int(works["nodes"].sum())
            works["limit"], works["stopped"] = works["nodes"] + NODES, 0
            on_card = cuda.to_device(works)
            run[len(works) // BLOCK, BLOCK](on_card, len(works))
            on_card.copy_to_host(works)
            of.nodes += int(works["nodes"].sum()) - before
            yield self._answers.copy_to_host()
            deepest, widest = int(works["deepest"].max()), int(works["widest"].max())
            if deepest >= of.plies or widest > of.width:  # a thread that had no room waits for ever
                of.plies, of.width, self.has_room = max(of.plies, room_for(deepest + 1)), max(of.width, room_for(widest)), False
                return
            busy = int((works["at"] < works["count"]).sum())


def _address(array: Any) -> int:
    return int(array.device_ctypes_pointer.value)

"""Label neighbours of chess positions with the static values of Stockfish 15.1's network, from the file that its `export_net` writes.

    printf 'export_net teacher.nnue\\nquit\\n' | stockfish
    python -m bench.chess_teacher teacher.nnue LABELS FOLDER --neighbours 32 --seed 1

LABELS is a folder of `zermelo label chess` or a file of games (PGN), whose states' quiet neighbours are valued (`learn/neighbours.py`);
FOLDER is one that `zermelo train` reads. A call goes on where the last one ended. A value is a logarithm of odds times `value_scale`;
`eval_error` takes Stockfish's scores for odds in the same way. With `--inputs terms` the labels are of `chess:inputs=terms`.

The network (HalfKAv2_hm): 22,528 inputs a side, 32 places of its king times 11 kinds of pieces on 64 squares, mirrored so that the king
is on files e to h; sums of 1,024 shorts; products of their halves; an output stack of three small layers for each of 8 numbers of pieces;
and for each input what it is worth by itself. Sums of a neighbour are those of its parent, less what left and more what came.
"""

from __future__ import annotations

import argparse
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.bits import FULL
from zermelo.errors import ZermeloError
from zermelo.learn.examples import read_examples
from zermelo.learn.labelling import begin_folder, parts_of, write_part
from zermelo.learn.labels import UNKNOWN
from zermelo.learn.neighbours import neighbours_of
from zermelo.rng import split
from zermelo.search.model.model import shape_for

VERSION = 0x7AF32F20
SUMS, INPUTS, STACKS, OF_A_KING = 1024, 22528, 8, 704
NOTHING = INPUTS  # the number of a row of zeros
SLOTS = np.array([0, 128, 256, 384, 512, 640, 64, 192, 320, 448, 576, 640])  # of own pawns to kings, then of the other side's, in an input
PIECES = np.array([0, 781, 825, 1276, 2538, 0] * 2)  # what Stockfish's scale counts as material
ODDS = 400.0  # of its units in one of the logarithm of odds
NEIGHBOURS, STATES = 1024, 2048  # at once: tries to find neighbours, whose sums should fit the cache, and states of games
Array = np.ndarray[Any, Any]


class Teacher:
    """The network of a file."""

    def __init__(self, path: Path):
        data = path.read_bytes()
        version, _, about = struct.unpack_from("<III", data)
        self.at, self.data = 12 + about, data
        if version != VERSION:
            raise ZermeloError(f"{path} is not a network of Stockfish 15: expected what its export_net writes")
        self._take("<u4", 1)
        self.bias = self._take("<i2", SUMS)
        self.rows = np.zeros((INPUTS + 1, SUMS), np.int16)
        self.rows[:INPUTS] = self._take("<i2", INPUTS * SUMS).reshape(INPUTS, SUMS)
        self.worths = np.zeros((INPUTS + 1, STACKS), np.int32)
        self.worths[:INPUTS] = self._take("<i4", INPUTS * STACKS).reshape(INPUTS, STACKS)
        self.stacks = []
        for _ in range(STACKS):
            self._take("<u4", 1)
            self.stacks.append([self._layer(n, m) for n, m in ((16, SUMS), (32, 32), (1, 32))])
        if self.at != len(data):
            raise ZermeloError(f"{path} has another size: expected the network of Stockfish 15.1")

    def _take(self, kind: str, count: int) -> Array:
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def _layer(self, outputs: int, inputs: int) -> tuple[Array, Array]:
        bias = self._take("<i4", outputs).astype(np.float64)
        return self._take("i1", outputs * inputs).reshape(outputs, inputs).T.astype(np.float32), bias

    def sums(self, inputs: Array, begin: tuple[Array, Array] | None = None, gone: Array | None = None) -> tuple[Array, Array]:
        """Sums of rows of inputs, and what they are worth by themselves; added to others in place, without what is gone."""
        if begin is None:
            sums, worth = np.repeat(self.bias[None], len(inputs), axis=0), np.zeros((len(inputs), STACKS), np.int32)
        else:
            sums, worth = begin
        room = np.empty_like(sums)
        for numbers, combine in ((inputs, np.add), (gone, np.subtract)):
            for column in () if numbers is None else numbers.T:
                combine(sums, np.take(self.rows, column, axis=0, out=room, mode="clip"), out=sums)
                combine(worth, self.worths[column], out=worth)
        return sums, worth

    def outputs(self, own: Array, other: Array, count: Array) -> Array:
        """What the layers make of both sides' sums; `count` is the number of pieces."""
        halves = []
        for sums in (own, other):
            clipped = np.clip(sums, 0, 127)
            halves.append((clipped[:, : SUMS // 2] * clipped[:, SUMS // 2 :]) >> 7)
        x, values = np.concatenate(halves, axis=1), np.zeros(len(own))
        stack_of = (count - 1) // 4
        for k, (first, second, third) in enumerate(self.stacks):
            some = np.flatnonzero(stack_of == k)
            if len(some):
                a = (x[some].astype(np.float32) @ first[0]).astype(np.float64) + first[1]  # below 2^24: exact
                b = np.concatenate([np.minimum(np.floor(a[:, :15] ** 2 / 2**19), 127), np.clip(np.floor(a[:, :15] / 64), 0, 127)], axis=1)
                b = np.concatenate([b, np.zeros((len(b), 2))], axis=1)
                c = np.clip(np.floor((b @ second[0] + second[1]) / 64), 0, 127)
                values[some] = (c @ third[0] + third[1])[:, 0] + np.trunc(a[:, 15] * (600 * 16) / (127 * 64))
        return values


# ---- inputs ------------------------------------------------------------------------------------


def boards(states: Array) -> Array:
    """Rows of twelve words: pawns to kings of the side to move, then those of the other, as the side to move sees them."""
    p, n, d, o, k, me = states[:, :6].T
    kinds = np.stack([p, n, d & ~o, o & ~d, d & o, k], axis=1)
    return np.concatenate([kinds & me[:, None], kinds & ~me[:, None]], axis=1)


def turned(words: Array) -> Array:
    """The same seen from the other side."""
    return np.roll(words, 6, axis=1).byteswap()


def views(words: Array, side: int) -> tuple[Array, Array]:
    """How a side (0 for the one to move) sees each board: what is combined with a square by exclusive or, and the place of its king."""
    kings = np.log2(np.maximum(words[:, 5 + 6 * side], 1).astype(np.float64)).astype(np.int64)  # powers of two: exact
    view = 56 * side ^ np.where(kings & 4, 0, 7)
    king = kings ^ view
    return view, 4 * (7 - (king >> 3)) + 7 - (king & 7)


def bits_of(words: Array) -> tuple[Array, Array, Array]:
    """The bits of rows of words: of each the number of its row, its word there and its place, sorted by rows."""
    row, word = np.nonzero(words)
    left, found = words[row, word], []
    while len(left):
        lowest = left & (~left + np.uint64(1))
        found.append(np.stack([row, word, np.log2(lowest.astype(np.float64)).astype(np.int64)]))  # powers of two: exact
        left = left ^ lowest
        more = left != 0
        left, row, word = left[more], row[more], word[more]
    if not found:
        return row, word, word
    every = np.concatenate(found, axis=1)
    row, word, place = every[:, np.argsort(every[0], kind="stable")]
    return row, word, place


def inputs_of(bits: tuple[Array, Array, Array], rows: int, side: int, view: Array, king: Array) -> Array:
    """The numbers of a side's inputs that these bits of boards name, a row for each board, filled up with NOTHING."""
    board, kind, square = bits
    slots = SLOTS if side == 0 else np.roll(SLOTS, 6)
    number = king[board] * OF_A_KING + slots[kind] + (square ^ view[board])
    place = np.arange(len(board)) - np.searchsorted(board, board)
    found = np.full((rows, int(place.max(initial=-1)) + 1), NOTHING)
    found[board, place] = number
    return found


def values_of(teacher: Teacher, parents: Array, states: Array, parent_of: Array) -> Array:
    """What the network says that each state is worth to the side to move in it, in Stockfish's units."""
    words, before = boards(states), turned(boards(parents))
    there, came, gone = bits_of(before), bits_of(words & ~before[parent_of]), bits_of(before[parent_of] & ~words)
    found, n = [], len(words)
    for side in range(2):
        view, king = views(words, side)
        old_view, old_king = views(before, side)
        sums, worth = (x[parent_of] for x in teacher.sums(inputs_of(there, len(before), side, old_view, old_king)))
        teacher.sums(inputs_of(came, n, side, view, king), (sums, worth), inputs_of(gone, n, side, view, king))
        moved = np.flatnonzero((view != old_view[parent_of]) | (king != old_king[parent_of]))
        if len(moved):
            anew = inputs_of(bits_of(words[moved]), len(moved), side, view[moved], king[moved])
            sums[moved], worth[moved] = teacher.sums(anew)
        found.append((sums, worth))
    count = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    (own, mine), (other, theirs) = found
    of_stack = np.arange(n), (count - 1) // 4
    return np.asarray((teacher.outputs(own, other, count) + np.trunc((mine[of_stack] - theirs[of_stack]) / 2)) / 16)


def odds_of(values: Array, states: Array) -> Array:
    """Values of the network as logarithms of odds: scaled by the pieces that are left, as Stockfish does before it searches with them."""
    material = np.bitwise_count(boards(states)).astype(np.int64) @ PIECES
    return np.asarray(values * (1076 + 96 * material / 5120) / 1024 * 200 / 214 / ODDS)


def labelled(game: Any, teacher: Teacher, part: Array, neighbours: int, seed: int) -> Array:
    """Rows of labels: the neighbours of a part's states with their values."""
    rows, parents = neighbours_of(game, part, neighbours, seed)
    words = game.layout.words
    number = rows[:, words].astype(np.int64)
    some = max(1, NEIGHBOURS // neighbours)
    for first in range(0, len(parents), some):
        low, high = np.searchsorted(number, [first, first + some])
        if low < high:
            values = values_of(teacher, parents[first : first + some], rows[low:high], number[low:high] - first)
            rows[low:high, words] = (odds_of(values, rows[low:high]) * game.value_scale).view(np.uint64)
    rows[:, words + 1] = np.float64(UNKNOWN).view(np.uint64)
    return rows


def parts_from(game: Any, source: Path) -> Iterator[tuple[str, Array]]:
    """States with two words more each, in parts with names: those of a folder of labels, or of games."""
    if source.is_dir():
        yield from ((path.name, np.asarray(part)) for path, part in parts_of(source))
        return
    states = read_examples(game, shape_for(game, 0), [source], 0).states
    for number, first in enumerate(range(0, len(states), STATES)):
        yield f"part-{number:05}.npy", np.pad(states[first : first + STATES], ((0, 0), (0, 2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--neighbours", type=int, default=32)
    parser.add_argument("--positions", type=int, default=30_000_000)
    parser.add_argument("--inputs", default="pieces")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game, teacher = zermelo.game(f"chess:inputs={asked.inputs}"), Teacher(asked.teacher)
    about = {"game": repr(game), "by": "Stockfish 15.1's network", "source": str(asked.labels)}
    begin_folder(asked.folder, {**about, "neighbours": asked.neighbours, "seed": asked.seed})
    done, began = sum(len(part) for _, part in parts_of(asked.folder)), time.monotonic()
    missing = ((n, *part) for n, part in enumerate(parts_from(game, asked.labels)) if not (asked.folder / part[0]).exists())

    def label(number: int, name: str, part: Array) -> tuple[str, Array]:
        return name, labelled(game, teacher, part, asked.neighbours, split(asked.seed & FULL, number))

    with ThreadPoolExecutor(asked.threads) as pool:
        while done < asked.positions and (some := list(islice(missing, asked.threads))):
            for name, rows in pool.map(label, *zip(*some, strict=True)):
                write_part(asked.folder / name, rows)
                done += len(rows)
            print(f"{done:,} positions, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

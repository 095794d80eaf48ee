"""Label neighbours of chess positions with the static values of Stockfish 15.1's network, from the file that its `export_net` writes.

    printf 'export_net teacher.nnue\\nquit\\n' | stockfish
    python -m bench.chess_teacher teacher.nnue LABELS FOLDER --neighbours 32 --seed 1

LABELS is a folder of `zermelo label chess` or a file of games (PGN), whose states' quiet neighbours are valued (`learn/neighbours.py`);
FOLDER is one that `zermelo train` reads. A call goes on where the last one ended. A value is a logarithm of odds times `value_scale`;
`eval_error` takes Stockfish's scores for odds in the same way. With `--inputs terms` the labels are of `chess:inputs=terms`, with
`--device cuda` the network is asked on a GPU.

The network (HalfKAv2_hm): 22,528 inputs a side, 32 places of its king times 11 kinds of pieces on 64 squares, mirrored so that the king
is on files e to h; sums of 1,024 shorts; products of their halves; an output stack of three small layers for each of 8 numbers of pieces;
and for each input what it is worth by itself. It is computed in floats that hold its integers exactly.
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
import torch
from torch.nn import functional as F

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
SLOTS = (0, 128, 256, 384, 512, 640, 64, 192, 320, 448, 576, 640)  # of own pawns to kings, then of the other side's, in an input
PIECES = np.array([0, 781, 825, 1276, 2538, 0] * 2)  # what Stockfish's scale counts as material
ODDS = 400.0  # of its units in one of the logarithm of odds
AT_ONCE = {"cpu": 1024, "cuda": 32768}  # boards: on a processor their sums should fit the cache
STATES = 2048  # of games, in a part
ROUND = 4  # parts of a thread between two lines of progress
Array = np.ndarray[Any, Any]


class Teacher:
    """The network of a file, on a device of torch."""

    def __init__(self, path: Path, where: str = "cpu"):
        data = path.read_bytes()
        version, _, about = struct.unpack_from("<III", data)
        self.at, self.data, self.where = 12 + about, data, where
        if version != VERSION:
            raise ZermeloError(f"{path} is not a network of Stockfish 15: expected what its export_net writes")
        self._take("<u4", 1)
        self.bias = self._take("<i2", SUMS)
        self.rows = self._take("<i2", INPUTS * SUMS).view(INPUTS, SUMS)
        self.worths = self._take("<i4", INPUTS * STACKS).view(INPUTS, STACKS)
        stacks = []
        for _ in range(STACKS):
            self._take("<u4", 1)
            stacks.append([part for n, m in ((16, SUMS), (32, 32), (1, 32)) for part in self._layer(n, m)])
        self.layers = [torch.stack(parts) for parts in zip(*stacks, strict=True)]
        if self.at != len(data):
            raise ZermeloError(f"{path} has another size: expected the network of Stockfish 15.1")

    def _take(self, kind: str, count: int) -> torch.Tensor:
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return torch.from_numpy(found.astype(np.float32)).to(self.where)

    def _layer(self, outputs: int, inputs: int) -> tuple[torch.Tensor, torch.Tensor]:
        bias = self._take("<i4", outputs)
        return bias.double(), self._take("i1", outputs * inputs).view(outputs, inputs).T

    def values(self, states: Array) -> Array:
        """What the network says that each packed state is worth to the side to move, in Stockfish's units."""
        words, some = torch.from_numpy(boards(states).view(np.int64)), AT_ONCE[self.where]
        return np.concatenate([self._values(part.to(self.where)).cpu().numpy() for part in words.split(some)])

    def _values(self, words: torch.Tensor) -> torch.Tensor:
        board, kind, square = (words[:, :, None] >> torch.arange(64, device=self.where) & 1).nonzero(as_tuple=True)
        count = torch.bincount(board, minlength=len(words))
        begins, stack = count.cumsum(0) - count, (count - 1) // 4
        halves, worths = [], []
        for side in range(2):
            king = square[kind == 5 + 6 * side]  # one of each board
            view = 56 * side ^ torch.where(king & 4 > 0, 0, 7)
            place = 4 * (7 - ((king ^ view) >> 3)) + 7 - ((king ^ view) & 7)
            slots = torch.tensor(SLOTS, device=self.where).roll(6 * side)
            inputs = place[board] * OF_A_KING + slots[kind] + (square ^ view[board])
            sums = (F.embedding_bag(inputs, self.rows, begins, mode="sum") + self.bias).clamp_(0, 127)
            halves.append((sums[:, : SUMS // 2] * sums[:, SUMS // 2 :] / 128).floor_())
            worths.append(F.embedding_bag(inputs, self.worths, begins, mode="sum").double())
        of_stack = stack[:, None]
        worth = ((worths[0] - worths[1]).gather(1, of_stack)[:, 0] / 2).trunc()
        return (self._outputs(torch.cat(halves, 1), stack) + worth) / 16

    def _outputs(self, x: torch.Tensor, stack: torch.Tensor) -> torch.Tensor:
        """What the layers of a stack make of the products of halves."""
        bias_1, first, bias_2, second, bias_3, third = self.layers
        every = (x @ first.transpose(0, 1).reshape(SUMS, -1)).view(len(x), STACKS, -1)  # below 2^24: exact
        a = every[torch.arange(len(x), device=self.where), stack].double() + bias_1[stack]
        squares, b = (a[:, :15] ** 2 / 2**19).floor().clamp(max=127), (a[:, :15] / 64).floor().clamp(0, 127)
        b = F.pad(torch.cat([squares, b], 1), (0, 2))
        c = torch.einsum("ni,kij->nkj", b, second.double())[torch.arange(len(x), device=self.where), stack] + bias_2[stack]
        c = (c / 64).floor().clamp(0, 127)
        last = (c * third.double()[stack, :, 0]).sum(1) + bias_3[stack, 0]
        return last + (a[:, 15] * (600 * 16) / (127 * 64)).trunc()


def boards(states: Array) -> Array:
    """Rows of twelve words: pawns to kings of the side to move, then those of the other, as the side to move sees them."""
    p, n, d, o, k, me = states[:, :6].T
    kinds = np.stack([p, n, d & ~o, o & ~d, d & o, k], axis=1)
    return np.concatenate([kinds & me[:, None], kinds & ~me[:, None]], axis=1)


def odds_of(values: Array, states: Array) -> Array:
    """Values of the network as logarithms of odds: scaled by the pieces that are left, as Stockfish does before it searches with them."""
    material = np.bitwise_count(boards(states)).astype(np.int64) @ PIECES
    return np.asarray(values * (1076 + 96 * material / 5120) / 1024 * 200 / 214 / ODDS)


def labelled(game: Any, teacher: Teacher, part: Array, neighbours: int, seed: int) -> Array:
    """Rows of labels: the neighbours of a part's states with their values."""
    rows, _ = neighbours_of(game, part, neighbours, seed)
    words = game.layout.words
    rows[:, words] = (odds_of(teacher.values(rows), rows) * game.value_scale).view(np.uint64)
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
    parser.add_argument("--device", default="cpu", choices=AT_ONCE)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    torch.set_num_threads(1)  # parts are labelled side by side
    game, teacher = zermelo.game(f"chess:inputs={asked.inputs}"), Teacher(asked.teacher, asked.device)
    about = {"game": repr(game), "by": "Stockfish 15.1's network", "source": str(asked.labels)}
    begin_folder(asked.folder, {**about, "neighbours": asked.neighbours, "seed": asked.seed})
    done, began = sum(len(part) for _, part in parts_of(asked.folder)), time.monotonic()
    missing = ((n, *part) for n, part in enumerate(parts_from(game, asked.labels)) if not (asked.folder / part[0]).exists())

    def label(number: int, name: str, part: Array) -> tuple[str, Array]:
        return name, labelled(game, teacher, part, asked.neighbours, split(asked.seed & FULL, number))

    with ThreadPoolExecutor(asked.threads) as pool:
        while done < asked.positions and (some := list(islice(missing, ROUND * asked.threads))):
            for name, rows in pool.map(label, *zip(*some, strict=True)):
                write_part(asked.folder / name, rows)
                done += len(rows)
            print(f"{done:,} positions, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

"""How far evaluations of chess are from Stockfish's on quiet positions of its games: mean square error of the winning chance.

python -m bench.eval_error [MODEL ...]

The positions are in chess/eval_sample.bin.xz of the folder that ZERMELO_DATA names: 36 integers of 16 bits each, of which the first 32 are
the pieces as the side to move sees them (kind * 64 + square, 768 for none) and the next is Stockfish's score. The winning chance is
sigmoid(score / 400). A value v counts as sigmoid(c v) with the one c for which the error is least. The game's own evaluation comes first.
"""

from __future__ import annotations

import argparse
import lzma
import os
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo import u64
from zermelo.lower.memory import Words, load, store, to_word
from zermelo.lower.rows import STEEPEST
from zermelo.search.evaluation import estimate
from zermelo.search.model.model import find_model, with_model
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

RECORD, PIECES, SCORE, PLY = 36, 32, 32, 34
SCALE = 400.0


class Positions(Judging):
    row: list[u64] = room(WORDS)
    states: int
    values: int
    count: int


def value_all(game: Any, work: Positions) -> int:
    """Value each of the states for the player to move."""
    for i in range(work.count):
        for k in range(len(work.row)):
            work.row[k] = load(work.states, i * len(work.row) + k)
        s = game.unpack(work.row)
        store(work.values, i, to_word(estimate(game, s, game.to_move(s), work)))
    return work.count


def read_sample() -> tuple[Any, Any]:
    """The states of the sample, packed, and their winning chances."""
    path = Path(os.environ["ZERMELO_DATA"]) / "chess" / "eval_sample.bin.xz"
    records = np.frombuffer(lzma.decompress(path.read_bytes()), np.int16).reshape(-1, RECORD)
    planes = np.zeros((len(records), 13), np.uint64)
    for column in records[:, :PIECES].T.astype(np.uint64):
        planes[np.arange(len(records)), column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
    pawns, knights, bishops, rooks, queens, kings = (planes[:, k] | planes[:, k + 6] for k in range(6))
    mine = np.bitwise_or.reduce(planes[:, :6], axis=1)
    nothing, plies = np.zeros_like(mine), records[:, PLY].astype(np.uint64) & np.uint64(1)
    states = np.stack([pawns, knights, bishops | queens, rooks | queens, kings, mine, nothing, plies], axis=1)
    return np.ascontiguousarray(states), 1 / (1 + np.exp(-records[:, SCORE] / SCALE))


def error_of(game: Any, states: Any, wanted: Any) -> tuple[float, float]:
    """The least mean square error, and the value that then counts as sigmoid(1)."""
    values = Words(len(states), interpreted=False)
    prepare(game, value_all, Positions, False)(states=states.ctypes.data, count=len(states), values=values.table)
    v = values.array.view(np.float64)
    units = np.geomspace(0.003, 0.1, 120)
    errors = [float(((1 / (1 + np.exp(-np.clip(v / unit, -STEEPEST, STEEPEST))) - wanted) ** 2).mean()) for unit in units]
    return min(errors), float(units[int(np.argmin(errors))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    asked = parser.parse_args()
    game = zermelo.game("chess")
    states, wanted = read_sample()
    print(f"{len(states):,} positions, variance {wanted.var():.4f}")
    for name in (None, *asked.models):
        judged = game if name is None else with_model(game, find_model(name, game))
        error, unit = error_of(judged, states, wanted)
        print(f"{name or 'evaluate'}: error {error:.4f} with sigmoid(1) at {unit:.4f}", flush=True)


if __name__ == "__main__":
    main()

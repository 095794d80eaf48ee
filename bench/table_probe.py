"""Nanoseconds of CPU time that a lookup in an endgame table takes, in states that random play leads to from one of them.

zermelo table build chess kqkr.table --ending KQKR
python -m bench.table_probe kqkr.table "8/8/8/4k3/8/1Q6/7r/K7 w - - 0 1"
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np

import zermelo
from zermelo import u64
from zermelo.errors import ZermeloError
from zermelo.lower.memory import load
from zermelo.search.endgames.probe import Probing, table_value
from zermelo.search.endgames.table import find_table, with_table
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

STATES, ROUNDS, REPEATS = 200_000, 3, 25
BACK = 0.02  # how often play begins again


class Timing(Probing):
    """The record of lookups that are timed."""

    row: list[u64] = room(WORDS)
    states: int
    count: int
    asks: int  # whether states are looked up, or only unpacked


def look_up(game: Any, work: Timing) -> int:
    """Unpack each of the states, and look it up; a sum of what was found, so that nothing is left out."""
    total = 0
    for _ in range(ROUNDS):
        for i in range(work.count):
            for k in range(len(work.row)):
                work.row[k] = load(work.states, i * len(work.row) + k)
            s = game.unpack(work.row)
            total += game.to_move(s)
            if work.asks:
                total += table_value(game, s, work)
    return total


def states_from(game: Any, start: Any) -> Any:
    """Packed states of the table that random play leads to."""
    chance, s, found = random.Random(1), start, list[Any]()
    if game.index(start) < 0:
        raise ZermeloError("expected a state of the table")
    while len(found) < STATES:
        t = game.result(s, chance.choice(list(game.actions(s))))
        s = start if game.is_terminal(t) or game.index(t) < 0 or chance.random() < BACK else t
        found.append(game.layout.pack(s))
    return np.ascontiguousarray(np.array(found, np.uint64))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("state")
    asked = parser.parse_args()
    table = find_table(asked.table)
    game = with_table(zermelo.game(table.about.game), table)
    states = states_from(game, game.read_state(asked.state))
    run = prepare(game, look_up, Timing, False)

    def nanoseconds(asks: int) -> float:
        best = float("inf")
        for _ in range(REPEATS):
            began = time.process_time()
            run(states=states.ctypes.data, count=len(states), asks=asks, row=[0] * game.layout.words)
            best = min(best, time.process_time() - began)
        return best / (ROUNDS * len(states)) * 1e9

    unpacking, whole = nanoseconds(0), nanoseconds(1)
    count = len(np.unique(states, axis=0))
    print(f"{count:,} states: unpacking {unpacking:.1f} ns, with a lookup {whole:.1f} ns, the lookup {whole - unpacking:.1f} ns")


if __name__ == "__main__":
    main()

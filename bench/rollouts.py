"""How wrong learned backgammon is about positions that were rolled out: python -m bench.rollouts RUN [RUN ...]

Of each file of ZERMELO_DATA/backgammon with rollouts: by how much models and GNU Backgammon 0-ply differ from the rollout in the points
that the player on roll gets (cubeless) and in the chance to win.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.bits import u64
from zermelo.errors import ZermeloError
from zermelo.games.backgammon.state import CENTRE, TO_ROLL, State, packed
from zermelo.lower.memory import Words, load
from zermelo.lower.rows import Floats, get, put
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.model.network import model_value, outputs_at
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

from .gnubg import Gnubg

FILES = {"rollouts.jsonl": False, "backgame_player_rollout.txt": True}  # whether the player whom the probabilities mean is on roll
OUTCOMES = 6  # of a model: win, gammon, backgammon, and the same lost

Numbers = np.ndarray[Any, Any]


def positions(path: Path) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Each board of a file and its five probabilities: 26 numbers, men of the player whom the probabilities mean positive."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise ZermeloError(f"there is no {path}: set ZERMELO_DATA to the folder of test data") from None
    for line in lines:
        if path.suffix == ".jsonl":
            told = json.loads(line)
            yield tuple(told["board"]), tuple(told["probs"])
        elif len(numbers := line.split()) == 31:
            yield tuple(map(int, numbers[:26])), tuple(map(float, numbers[26:]))


def sides_of(board: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The men of both sides, on the points from 1 to the bar as each counts them; both bars are positive."""
    mine = [max(0, men) for men in board[1:25]] + [abs(board[25])]
    return mine, [max(0, -men) for men in board[24:0:-1]] + [abs(board[0])]


def state_of(rolls: list[int], waits: list[int]) -> State:
    return State(*packed((0, *rolls)), *packed((0, *waits)), TO_ROLL, 0, 0, CENTRE)


def points(p: Numbers) -> Numbers:
    """What win, gammon, backgammon, lost gammon and lost backgammon make."""
    return 2 * p[:, 0] - 1 + p[:, 1] + p[:, 2] - p[:, 3] - p[:, 4]


class Positions(Judging):
    rows: int
    count: int
    row: list[u64] = room(WORDS)
    found: int  # six floats for each


def value_all(game: Any, work: Positions) -> int:
    """Write down the outputs of the model for every position."""
    for i in range(work.count):
        for k in range(len(work.row)):
            work.row[k] = load(work.rows, i * len(work.row) + k)
        model_value(game, game.unpack(work.row), 0, work)
        for k in range(OUTCOMES):
            put(work.found, i * OUTCOMES + k, get(work.scratch, outputs_at(work) + k))
    return work.count


def by_model(model: Model, states: list[State]) -> Numbers:
    """The five probabilities of each position as a model sees them."""
    game = zermelo.game(model.shape.game)
    words = Words(len(states) * game.layout.words, False)
    words.array[:] = [word for s in states for word in game.layout.pack(s)]
    found = Floats(len(states) * OUTCOMES, False)
    prepare(with_model(game, model), value_all, Positions, False)(rows=words.table, count=len(states), found=found.table)
    return found.array.reshape(-1, OUTCOMES)[:, [0, 1, 2, 4, 5]].astype(float)


def by_gnubg(sides: list[tuple[list[int], list[int]]]) -> Numbers:
    """The same as GNU Backgammon's networks see them."""
    opponent = Gnubg()
    try:
        return opponent.values(np.array([waits + rolls for rolls, waits in sides]))[:, :5]
    finally:
        opponent.close()


def for_the_other(p: Numbers) -> Numbers:
    """The probabilities of the player on roll as those of the other player."""
    return np.stack([1 - p[:, 0], p[:, 3], p[:, 4], p[:, 1], p[:, 2]], axis=1)


def line(name: str, p: Numbers, wanted: Numbers) -> str:
    wrong, chance = points(p) - points(wanted), p[:, 0] - wanted[:, 0]
    return f"| {name} | {np.abs(wrong).mean():.4f} | {np.sqrt((wrong**2).mean()):.4f} | {np.abs(chance).mean():.4f} | {wrong.mean():+.4f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rollouts", description="Models of backgammon against rollouts.")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--without-gnubg", action="store_true")
    told = parser.parse_args()
    folder = Path(os.environ.get("ZERMELO_DATA", "data")) / "backgammon"
    for file, is_on_roll in FILES.items():
        boards, probabilities = zip(*positions(folder / file), strict=True)
        sides = [sides_of(board) if is_on_roll else sides_of(board)[::-1] for board in boards]
        wanted = np.array(probabilities) if is_on_roll else for_the_other(np.array(probabilities))
        states = [state_of(*both) for both in sides]
        print(f"\n{file}: {len(boards):,} positions\n")
        print("| | points wrong by, mean | root of mean square | chance to win, mean | bias |\n| --- | ---: | ---: | ---: | ---: |")
        for name in told.runs:
            print(line(Path(name).name, by_model(find_model(name), states), wanted), flush=True)
        if not told.without_gnubg:
            print(line("GNU Backgammon 0-ply", by_gnubg(sides), wanted), flush=True)


if __name__ == "__main__":
    main()

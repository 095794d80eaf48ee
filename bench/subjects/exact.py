"""Exact scores of Connect Four: value and distance of 500 states in one call, compared with the solver BitBully."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import zermelo

from ..harness import Claim, Table
from ..peers import candidate, installed

OURS, BITBULLY = "Zermelo, AlphaBeta.solve", "BitBully, MTD(f)"


def tables() -> Iterator[Table]:
    folder = os.environ.get("ZERMELO_DATA")
    if folder is None:
        print("exact: not measured, ZERMELO_DATA does not name the folder with Pons' sets")
        return
    for name, bound in (("Test_L3_R1", 100_000), ("Test_L2_R1", 10_000)):
        rows = [line.split() for line in (Path(folder) / "connect4" / name).read_text().splitlines()]
        moves, scores = [m for m, _ in rows], np.array([int(s) for _, s in rows])
        yield Table(
            f"Connect Four, exact scores of the 500 states of {name}, one core",
            "states/s",
            [candidate(OURS, _ours(moves, scores)), candidate(BITBULLY, _bitbully(moves, scores))],
            (Claim("Zermelo, states/s", lambda best: best[OURS], bound),),
            "A table of 1 MiB, empty before each call; BitBully keeps its own from one state to the next, and is emptied before each run.",
        )


def _ours(moves: list[str], scores: np.ndarray) -> Callable[[], float]:
    game = zermelo.game("connect4")
    packed = np.array([game.layout.pack(game.read_state(m)) for m in moves], np.uint64)
    placed = np.array([len(m) for m in moves])

    def work() -> float:
        solved = zermelo.AlphaBeta(table=1).solve(game, packed)
        assert (solved.values * (22 - (placed + solved.plies + 1) // 2) == scores).all(), "a score is wrong"
        return len(scores)

    return work


def _bitbully(moves: list[str], scores: np.ndarray) -> Callable[[], float] | None:
    module = installed("bitbully.bitbully_core")
    if module is None:
        return None
    boards = []
    for text in moves:
        board = module.BoardCore()
        assert board.setBoard([int(c) - 1 for c in text])
        boards.append(board)
    solver = module.BitBullyCore()  # without its opening book

    def work() -> float:
        solver.resetTranspositionTable()
        found = [solver.mtdf(board, 0) for board in boards]
        assert (np.array(found) == scores).all(), "BitBully differs"
        return len(scores)

    return work

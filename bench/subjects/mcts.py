"""MCTS: simulations per second in searches of 10,000, with UCB1 and uniform playouts, on one thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import zermelo
from zermelo.search.mcts.searcher import MCTS

from ..harness import Claim, Table
from ..peers import candidate, openspiel_mcts

SIMULATIONS = 10_000
FILE = Path(__file__).parents[1] / "my_tictactoe.py"
OURS, SPIEL = "Zermelo", "OpenSpiel, C++ MCTSBot"


def tables() -> Iterator[Table]:
    yield _table("tic-tac-toe", "tictactoe", "tic_tac_toe", 6, 50, 10)
    yield _table("Connect Four", "connect4", "connect_four", 30, 50, 2)
    yield _table(
        "tic-tac-toe written by a user (my_tictactoe.py; OpenSpiel's python_tic_tac_toe)",
        f"{FILE}:MyTicTacToe",
        "python_tic_tac_toe",
        300,
        50,
        1,
    )


def _table(title: str, ours: str, spiel: str, bar: float, searches: int, theirs: int) -> Table:
    return Table(
        f"MCTS on {title}, one thread",
        "simulations/s",
        [candidate(OURS, _search(ours, searches)), candidate(SPIEL, openspiel_mcts(spiel, SIMULATIONS, theirs, math.sqrt(2)))],
        [Claim("Zermelo against OpenSpiel", lambda best: best[OURS] / best[SPIEL], bar)],
        f"Searches of {SIMULATIONS:,} simulations from the start, both with C = sqrt(2) and without proofs. CPU time of the process.",
    )


def _search(text: str, searches: int) -> Callable[[], float]:
    game = zermelo.game(text)

    def work() -> float:
        return sum(MCTS(simulations=SIMULATIONS, solver=False, seed=seed).search(game).nodes for seed in range(searches))

    return work

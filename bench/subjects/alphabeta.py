"""Plain alpha-beta: tic-tac-toe solved, and Connect Four searched to a depth at which both sides search the same tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import zermelo
from zermelo.games.connect4 import ConnectFour, State
from zermelo.search.alphabeta.searcher import AlphaBeta

from ..harness import Claim, Table, bar
from ..peers import candidate, openspiel_alphabeta

OURS, SPIEL = "Zermelo, AlphaBeta.plain", "OpenSpiel, alpha_beta_search"
DEPTH, NODES = 10, 155_590


class Constant(ConnectFour):
    """Connect Four with a constant evaluation of 0, as on OpenSpiel's side of the comparison."""

    def evaluate(self, s: State, p: int) -> float:
        return 0.0


def tables() -> Iterator[Table]:
    yield Table(
        "Tic-tac-toe solved by plain alpha-beta, one core",
        "solutions/s",
        [candidate(OURS, solved(200)), candidate(SPIEL, openspiel_alphabeta("tic_tac_toe", None, 0.0, 4))],
        [_claim(bar(100, 110))],
        "From the empty board to the end of the game; compiling apart. OpenSpiel's states are C++, its search is Python. CPU time.",
    )
    yield Table(
        f"Plain alpha-beta, Connect Four to depth {DEPTH}, constant evaluation, one core",
        "nodes/s",
        [candidate(OURS, searched(40)), candidate(SPIEL, openspiel_alphabeta("connect_four", DEPTH, 0.0, NODES))],
        [_claim(100)],
        f"From the empty board, {NODES:,} nodes on both sides. CPU time.",
    )


def _claim(least: float) -> Claim:
    return Claim("Zermelo against OpenSpiel", lambda best: best[OURS] / best[SPIEL], least)


def solved(times: int) -> Callable[[], float]:
    """Solve tic-tac-toe repeatedly."""
    game = zermelo.game("tictactoe")

    def work() -> float:
        for _ in range(times):
            result = AlphaBeta.plain().search(game)
            assert result.exact and result.value == 0, f"tic-tac-toe is a draw, not {result.value}"
        return times

    return work


def searched(times: int) -> Callable[[], float]:
    """Search Connect Four repeatedly; return the nodes of all searches."""
    game = Constant()

    def work() -> float:
        nodes = [AlphaBeta.plain(DEPTH).search(game).nodes for _ in range(times)]
        assert set(nodes) == {NODES}, f"{nodes[0]:,} nodes to depth {DEPTH}, not {NODES:,}"
        return sum(nodes)

    return work

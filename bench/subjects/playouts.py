"""Random playouts on one core: complete games of uniformly random moves."""

from __future__ import annotations

from collections.abc import Iterator

import zermelo

from ..harness import Claim, Table, bar
from ..peers import candidate, easyai_playouts, openspiel_playouts

OURS, SPIEL = "Zermelo", "OpenSpiel, C++ rollouts"


def tables() -> Iterator[Table]:
    claim = Claim("Zermelo against OpenSpiel", lambda best: best[OURS] / best[SPIEL], bar(50, 80))
    yield _table("Connect Four", "connect4", "connect_four", "ConnectFour", 2_000_000, (claim,))
    yield _table("tic-tac-toe", "tictactoe", "tic_tac_toe", "TicTacToe", 2_000_000)


def _table(title: str, ours: str, spiel: str, easy: str, n: int, claims: tuple[Claim, ...] = ()) -> Table:
    game = zermelo.game(ours)

    def play(games: int, interpreted: bool) -> float:
        return zermelo.playouts(game, games, seed=1, threads=1, interpreted=interpreted).games

    return Table(
        f"Random playouts of {title}, one core",
        "games/s",
        [
            candidate(OURS, lambda: play(n, False)),
            candidate("Zermelo, interpreted", lambda: play(n // 4000, True)),
            candidate(SPIEL, openspiel_playouts(spiel, n // 100)),
            candidate("easyAI, a loop in Python", easyai_playouts(easy, n // 50_000)),
        ],
        claims,
        "OpenSpiel: MCTSBot with one simulation and as many rollouts as games. CPU time of the process.",
    )

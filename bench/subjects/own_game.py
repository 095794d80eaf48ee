"""A game in a user's file, compared with the same built-in game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import zermelo

from ..harness import Candidate, Claim, Table
from ..peers import candidate

GAMES = 2_000_000
FILE = Path(__file__).parents[1] / "my_connect4.py"
OWN, BUILT_IN = "a user's file", "built in"


def tables() -> Iterator[Table]:
    yield Table(
        "Connect Four written by a user (my_connect4.py), random playouts, one core",
        "games/s",
        [_candidate(OWN, f"{FILE}:MyConnectFour"), _candidate(BUILT_IN, "connect4")],
        [Claim("the user's file against the built-in game", lambda best: best[OWN] / best[BUILT_IN], 0.9)],
    )


def _candidate(name: str, text: str) -> Candidate:
    game = zermelo.game(text)
    return candidate(name, lambda: zermelo.playouts(game, GAMES, seed=1, threads=1).games)

"""Go in GTP: komi, handicaps, the score; a colour may play twice in a row, and play may go on after two passes."""

from __future__ import annotations

from typing import Any

from ...errors import ZermeloError
from ...history import History
from ...notation import dialects
from .rules import State
from .text import read_vertex, vertex

PASS = "pass"


class Gtp(dialects.Gtp):
    """GTP about Go."""

    has_komi = True
    has_handicap = True

    def turn_to(self, history: History, p: int) -> None:
        """Make it player p's turn: the other one is taken to have passed, and two passes do not end the game."""
        if history.state.passes == 2:
            history.states[-1] = history.state._replace(passes=0)
        if history.state.turn != p:
            history.do(history.game.read_action(history.state, PASS))
            history.states[-1] = history.state._replace(passes=0)

    def score(self, history: Any) -> float:
        return float(history.game.margin(history.state, 0))

    def fixed_handicap(self, game: Any, stones: int) -> list[str]:
        low, high, middle = (2 if game.size < 13 else 3), game.size - (3 if game.size < 13 else 4), game.size // 2
        corners = [(low, low), (high, high), (high, low), (low, high)]
        sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
        if game.size < 7 or not 2 <= stones <= (9 if game.size % 2 and game.size > 7 else 4):
            raise ZermeloError("invalid number of stones")
        points = (corners + (sides[:2] if stones >= 6 else []) + (sides[2:] if stones >= 8 else []))[: stones - stones % 2 * (stones > 4)]
        points += [(middle, middle)] if stones > 4 and stones % 2 else []
        return [vertex(game, y * game.row + x) for y, x in points[:stones]]

    def place(self, game: Any, vertices: list[str]) -> State:
        points = [read_vertex(game, v) for v in vertices]
        if None in points:
            raise ZermeloError("bad vertex list")
        cells = ["X" if p in points else "." for p in game.points]
        rows = ["".join(cells[y * game.size : (y + 1) * game.size]) for y in reversed(range(game.size))]
        return game.read_state(f"{'/'.join(rows)} W - 0 0")  # type: ignore[no-any-return]

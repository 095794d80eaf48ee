"""Tic-tac-toe: every game there is."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from helpers import backed_up, check_games, check_hostile, reachable

from zermelo.errors import ZermeloError
from zermelo.games.mnk import State
from zermelo.games.tictactoe import TicTacToe

GAME = TicTacToe()


def complete_games(s: State, known: dict[State, Counter[float]]) -> Counter[float]:
    """How many games go on from s to each result of the first player."""
    if s not in known:
        ends = [complete_games(GAME.result(s, a), known) for a in GAME.actions(s)]
        known[s] = sum(ends, Counter()) if ends else Counter({GAME.utility(s, 0): 1})
    return known[s]


def test_all_games() -> None:
    known: dict[State, Counter[float]] = {}
    games = complete_games(GAME.initial(), known)
    assert games.total() == 255_168
    assert games == {1: 131_184, -1: 77_904, 0: 46_080}
    assert len(known) == 5_478
    assert sum(GAME.is_terminal(s) for s in known) == 958


def test_it_is_a_draw() -> None:
    assert backed_up(GAME, GAME.initial()) == (0, 0)


def test_symmetries_make_765_positions() -> None:
    assert len({min(s, *GAME.symmetries(s)) for s in reachable(GAME)}) == 765


def test_exactly_the_reachable_positions_are_read() -> None:
    read = set()
    for cells in product("XO.", repeat=9):
        try:
            read.add(GAME.read_state("/".join("".join(cells[i : i + 3]) for i in (0, 3, 6))))
        except ZermeloError:
            continue
    assert read == reachable(GAME)


def test_rules_and_text() -> None:
    check_games(GAME, 1, 20)
    check_hostile(GAME, 3)


def test_name() -> None:
    assert repr(GAME) == GAME.name == "tictactoe"
    assert GAME.parameters == {}
    with pytest.raises(ZermeloError, match=r"tictactoe: .* it takes no parameters"):
        TicTacToe(4)  # type: ignore[call-arg]

"""Nim, solved by search and by its theorem (Bouton, 1901)."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor
from typing import Any

import pytest
from helpers import backed_up, check_games, check_hostile, perft, reachable, refuses

from zermelo.errors import ZermeloError
from zermelo.games.nim import Nim, State


@pytest.mark.parametrize("misere", [False, True])
def test_the_nim_sum_decides(misere: bool) -> None:
    game = Nim((4, 5, 3), misere)
    known: dict[State, tuple[float, ...]] = {}
    for heaps in product(range(5), range(6), range(4)):
        wins = reduce(xor, heaps) != 0
        if misere and max(heaps) <= 1:
            wins = sum(heaps) % 2 == 0
        for turn in (0, 1):
            assert backed_up(game, State(heaps, turn), known)[turn] == (1 if wins else -1)


def test_the_usual_heaps_are_lost_for_the_first() -> None:
    assert backed_up(Nim(), Nim().initial()) == (-1, 1)
    assert backed_up(Nim(misere=True), Nim().initial()) == (-1, 1)


def test_moves() -> None:
    game = Nim((2, 1))
    assert [perft(game, game.initial(), d) for d in range(5)] == [1, 3, 5, 3, 0]
    large = Nim((255, 0, 255))
    s = large.result(large.initial(), 2 * 256 + 255)
    assert s == State((255, 0, 0), 1)
    assert len(list(large.actions(s))) == 255
    assert large.result(s, 255) == State((0, 0, 0), 0)


@pytest.mark.parametrize("game", [Nim(), Nim(misere=True), Nim(5), Nim((0, 0)), Nim((3,) * 32), Nim((255, 255))], ids=repr)
def test_rules_and_text(game: Nim) -> None:
    check_games(game, 1, 3)
    check_hostile(game, 3)


def test_notation() -> None:
    game = Nim()
    s = game.result(game.initial(), game.read_action(game.initial(), "3-4"))
    assert game.write_state(s) == "1,3,1,7 O"
    assert game.show(s) == " 1  | 1\n 2  ||| 3\n 3  | 1\n 4  ||||||| 7\nO to move"
    assert repr(Nim((2, 2), misere=True)) == "nim:heaps=2,2,misere=true"
    refuses(game, "1,3,5 X", "4 heaps")
    refuses(game, "1,3,5,8 X", "larger")
    refuses(game, "1,3,5,-7 X", "4 heaps")
    refuses(game, "1,3,5,7 O", "X to move after 0 moves")
    refuses(game, "1,3,4,6 O", "X to move after 2 moves")
    assert game.read_state("1,3,5,5 X").turn == 0


def test_exactly_the_reachable_states_are_read() -> None:
    game, read = Nim((2, 0, 3)), set()
    for *heaps, who in product("01234", "01234", "01234", "XO"):
        try:
            read.add(game.read_state(f"{','.join(heaps)} {who}"))
        except ZermeloError:
            continue
    assert read == reachable(game)


@pytest.mark.parametrize("wrong", [(), (1,) * 33, (256,), (-1, 3), "135", None, (1, 2.0), (True,), 1.5, {1: 2}])
def test_bad_heaps(wrong: Any) -> None:
    with pytest.raises(ZermeloError, match="nim: expected 1 to 32 heaps of 0 to 255"):
        Nim(wrong)


def test_bad_misere() -> None:
    with pytest.raises(ZermeloError, match="nim: expected misere true or false, not 'yes'"):
        Nim(misere="yes")  # type: ignore[arg-type]

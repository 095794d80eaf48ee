"""A search without a limit is refused before it begins if the game has no reachable end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import zermelo
from zermelo import Game, ZermeloError, i64
from zermelo.search.by_name import find
from zermelo.search.termination import MAX_SEARCH_PLIES, refuse_endless


class Place(NamedTuple):
    place: i64
    turn: i64


class Circle(Game):
    """A walk around a circle in either direction, which may be left at the top."""

    def initial(self) -> Place:
        return Place(1, 0)

    def to_move(self, s: Place) -> int:
        return s.turn

    def actions(self, s: Place) -> Iterator[int]:
        if s.place > 0:
            for a in range(3 if s.place == 6 else 2):
                yield a

    def result(self, s: Place, a: int) -> Place:
        if a == 2:
            return Place(0, 1 - s.turn)
        return Place(1 + (s.place - 1 + (1 if a == 0 else 11)) % 12, 1 - s.turn)

    def is_terminal(self, s: Place) -> bool:
        return s.place == 0

    def utility(self, s: Place, p: int) -> float:
        return 1 if p == s.turn else -1


class Stairs(Circle):
    """The same upwards for ever: no state comes back."""

    def actions(self, s: Place) -> Iterator[int]:
        yield 0

    def result(self, s: Place, a: int) -> Place:
        return Place(s.place + 1, 1 - s.turn)


@pytest.mark.parametrize("name", ["minimax", "plain", "alphabeta", "expectiminimax", "maxn", "paranoid"])
@pytest.mark.parametrize(("game", "why"), [(Circle(), "states that come back"), (Stairs(), "games of more than 4,096 plies")])
def test_no_stopping_condition_in_an_infinite_game_is_refused(name: str, game: Game, why: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        find(name)(interpreted=True).search(game)
    told = str(refused.value)
    expected = f": expected a depth, nodes or seconds, as {type(game).__name__} has no end that a search could reach: {why}"
    assert told.endswith(expected) and "\n" not in told
    for limit in ({"depth": 3}, {"nodes": 50}, {"depth": 5, "seconds": 0.05}):
        result = find(name)(interpreted=True, **limit).search(game)
        assert result.action in set(game.actions(game.initial()))


def test_searches_that_end_by_themselves_are_not_refused() -> None:
    assert find("proofnumber")(interpreted=True).search(Circle()).exact
    assert find("mcts")(interpreted=True, nodes=20).search(Circle()).action is not None


def test_what_comes_back_is_no_matter_where_a_rule_ends_it() -> None:
    class Ruled(Circle):
        repetition = "draw"

    refuse_endless("x", Ruled(), Ruled().initial())
    assert MAX_SEARCH_PLIES == 4096


@pytest.mark.parametrize("text", ["connect4", "tictactoe", "kalah", "nim", "mnk", "uniform", "trio"])
def test_games_with_an_end_pass_in_no_time(text: str) -> None:
    took = []
    for _ in range(10):
        game = zermelo.game(text)
        began = time.process_time()
        refuse_endless("x", game, game.initial())
        took.append(time.process_time() - began)
    began = time.process_time()
    for _ in range(100):
        refuse_endless("x", game, game.initial())
    assert min(took) < 0.01
    assert time.process_time() - began < 0.01  # a game that passed is not looked at again

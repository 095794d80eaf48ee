"""Alpha-beta where few games are: gains that are nobody's loss, turns passed without tactical actions, quiescence without an end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo import AlphaBeta, Game, Minimax, ZermeloError, i8


class Heap(NamedTuple):
    n: i8
    turn: i8


class Passing(Game):
    """Take 1 or 2 of ten; whoever must take from nothing has lost. The turn may be passed, and nothing is listed as tactical."""

    def initial(self) -> Heap:
        return Heap(10, 0)

    def to_move(self, s: Heap) -> int:
        return s.turn

    def actions(self, s: Heap) -> Iterator[int]:
        if s.n > 0:
            yield 1
        if s.n > 1:
            yield 2

    def result(self, s: Heap, a: int) -> Heap:
        return Heap(s.n - a, 1 - s.turn)

    def is_terminal(self, s: Heap) -> bool:
        return s.n == 0

    def utility(self, s: Heap, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def null_move(self, s: Heap) -> Heap:
        return Heap(s.n, 1 - s.turn)

    def allows_null_move(self, s: Heap) -> bool:
        return s.n > 3


class Valued(Passing):
    """The same with an evaluation, a margin, and actions that are tactical."""

    quiet_margin = 0.1

    def evaluate(self, s: Heap, p: int) -> float:
        return (0.2 if s.n % 3 else -0.2) * (1.0 if p == s.turn else -1.0)

    def is_tactical(self, s: Heap, a: int) -> bool:
        return a == 2 and s.n % 2 == 1


class Points(NamedTuple):
    mine: i8
    yours: i8
    n: i8
    turn: i8


class Together(Game):
    """Four actions, each of which gives points: an action 1 gives both three."""

    def initial(self) -> Points:
        return Points(0, 0, 0, 0)

    def to_move(self, s: Points) -> int:
        return s.turn

    def actions(self, s: Points) -> Iterator[int]:
        if s.n < 4:
            yield 0
            yield 1

    def result(self, s: Points, a: int) -> Points:
        mine = s.mine + (3 if a == 1 else 1 if s.turn == 0 else 0)
        yours = s.yours + (3 if a == 1 else 1 if s.turn == 1 else 0)
        return Points(mine, yours, s.n + 1, 1 - s.turn)

    def is_terminal(self, s: Points) -> bool:
        return s.n >= 4

    def utility(self, s: Points, p: int) -> float:
        return float(s.mine if p == 0 else s.yours)


class Counted(Together):
    """The same, and it is known when the game ends."""

    def moves_left(self, s: Points) -> int:
        return 4 - s.n


class Ring(NamedTuple):
    n: i8
    turn: i8


class Circle(Game):
    """A ring of eight places, all of whose actions are tactical."""

    repetition = "draw"

    def initial(self) -> Ring:
        return Ring(0, 0)

    def to_move(self, s: Ring) -> int:
        return s.turn

    def actions(self, s: Ring) -> Iterator[int]:
        if s.n != 3:
            yield 1
            yield 7

    def result(self, s: Ring, a: int) -> Ring:
        return Ring((s.n + a) % 8, 1 - s.turn)

    def is_terminal(self, s: Ring) -> bool:
        return s.n == 3

    def utility(self, s: Ring, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def is_tactical(self, s: Ring, a: int) -> bool:
        return True


@pytest.mark.parametrize("cls", [Passing, Valued])
@pytest.mark.parametrize("depth", [2, 5, None])
def test_a_turn_is_passed_in_a_game_without_tactical_actions(cls: type[Game], depth: int | None) -> None:
    game = cls()
    native, interpreted = (AlphaBeta(depth=depth, interpreted=how).search(game) for how in (False, True))
    assert (native.value, native.line, native.nodes) == (interpreted.value, interpreted.line, interpreted.nodes)
    whole = {"nulls": False, "futility": False, "reductions": False, "extensions": False, "quiescence": False, "distance": False}
    exact = AlphaBeta(depth=depth, **whole).search(game)
    assert exact.value == Minimax(depth=depth, interpreted=True).search(game).value


@pytest.mark.parametrize("cls", [Together, Counted])
def test_a_value_is_not_called_exact_where_both_can_gain(cls: type[Game]) -> None:
    with pytest.raises(ZermeloError, match=f"AlphaBeta: expected utilities whose sum is 0, and those of {cls.__name__} are"):
        AlphaBeta().search(cls())


def test_nothing_is_solved_where_both_can_gain() -> None:
    with pytest.raises(ZermeloError, match="solve: expected utilities whose sum is 0"):
        AlphaBeta().solution(Together())
    assert zermelo.searcher("maxn", interpreted=True).search(Together()).values == (12.0, 12.0)


def test_quiescence_without_an_end_is_named() -> None:
    with pytest.raises(ZermeloError, match="may follow each other without an end: expected quiescence=false"):
        AlphaBeta(depth=4).search(Circle())
    assert AlphaBeta(depth=4, quiescence=False).search(Circle()).value == 0.0


def test_a_network_does_not_learn_utilities_that_it_cannot_tell(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    small = {"model": "resnet:0x8", "games": 64, "slots": 8, "batch": 16, "simulations": 4, "device": "cpu"}
    with pytest.raises(ZermeloError, match="has a utility outside -1 to 1: write value_range in the game"):
        zermelo.train(Together(), method="zero", run=tmp_path / "run", **small)

"""Refused before anything is learned: what cannot be inputs or a unit of an integer network, utilities that alpha-beta cannot negate."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.games.tictactoe import TicTacToe
from zermelo.learn.labelling import Labeller, label
from zermelo.learn.nnue_fitter import TrainedNnue
from zermelo.search.by_name import default_searcher


class More(TicTacToe):
    """Three planes once the mover has two stones."""

    def planes(self, s, p):
        yield s.mine
        yield s.theirs
        if s.mine.bit_count() > 1:
            yield s.mine


class Fewer(TicTacToe):
    def planes(self, s, p):
        yield s.mine
        if s.mine.bit_count() < 2:
            yield s.theirs


class Below(TicTacToe):
    def planes(self, s, p):
        yield ~s.mine


class Real(TicTacToe):
    def planes(self, s, p):
        yield 0.5


class Nothing(TicTacToe):
    def planes(self, s, p):
        yield from ()


class Far(TicTacToe):
    def planes(self, s, p):
        yield s.mine

    def plane_view(self, s, p):
        return 4096


@pytest.mark.parametrize(
    "kind, told",
    [
        (More, "3 planes in one state and 2 in the first"),
        (Fewer, "1 planes in one state and 2 in the first"),
        (Below, "expected planes to yield words of 64 bits, not -"),
        (Real, r"expected planes to yield words of 64 bits, not 0\.5"),
        (Nothing, "planes without a word"),
        (Far, "expected plane_view to be a whole number that makes inputs below 64, not 4096"),
    ],
)
def test_inputs_that_are_none(kind, told):
    with pytest.raises(ZermeloError, match=told):
        TrainedNnue.new(kind(), 32, 0)


@pytest.mark.parametrize(
    "name, value",
    [("quiet_margin", x) for x in (-1.0, float("inf"), float("nan"), "0.1")] + [("value_scale", x) for x in (-0.2, 1e300, "1")],
)
def test_units_that_are_none(name, value):
    game = TicTacToe()
    setattr(game, name, value)
    with pytest.raises(ZermeloError, match=f"expected {name}"):
        TrainedNnue.new(game, 32, 0)


class Paid(TicTacToe):
    """Two points are shared: nobody loses any."""

    value_range = (0.0, 2.0)

    def utility(self, s, p):
        return 1.0 + self.sign(s, p)

    sign = TicTacToe.utility


def test_alphabeta_needs_one_who_can_lose(tmp_path):
    game = Paid()
    with pytest.raises(ZermeloError, match=r"expected utilities whose sum is 0.*subtract 1 from every utility"):
        zermelo.AlphaBeta(depth=3).search(game)
    with pytest.raises(ZermeloError, match="expected utilities whose sum is 0"):
        list(label(game, Labeller(positions=10, nodes=10), tmp_path / "labels"))
    assert default_searcher(game).search(game).values == (1.0, 1.0)  # MaxN needs nobody who loses

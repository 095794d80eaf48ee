"""Searches of two opponents refuse games in which one's gain is not the other's loss, and say what to do."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo
from zermelo import MCTS, AlphaBeta, BestFirst, Expectiminimax, Game, MaxN, Minimax, Paranoid, ProofNumber, ZermeloError, i8
from zermelo.check import check
from zermelo.games.tictactoe import TicTacToe
from zermelo.lookup.best_play import BestPlay
from zermelo.search import zero_sum


class State(NamedTuple):
    n: i8
    turn: i8


class Gift(Game):
    """Player 0 takes a point from the other, or lets it choose between nothing and a gift for both: (1, -1), (0, 0), (3, 1)."""

    def initial(self):
        return State(0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.n in (0, 2):
            yield 0
            yield 1

    def result(self, s, a):
        return State(1 + a, 1) if s.n == 0 else State(3 + a, 0)

    def is_terminal(self, s):
        return s.n == 1 or s.n > 2

    def utility(self, s, p):
        if s.n == 1:
            return 1 if p == 0 else -1
        return 0 if s.n == 3 else 3 - 2 * p


class Fair(Gift):
    """The same, but that the gift comes from the other."""

    def utility(self, s, p):
        gain = 1 if s.n == 1 else 0 if s.n == 3 else 3
        return gain if p == 0 else -gain


OPPOSED = {
    "Minimax": Minimax(interpreted=True),
    "PlainAlphaBeta": AlphaBeta.plain(interpreted=True),
    "AlphaBeta": AlphaBeta(interpreted=True),
    "Expectiminimax": Expectiminimax(interpreted=True),
    "BestFirst": BestFirst(interpreted=True, memory=1),
    "ProofNumber": ProofNumber(interpreted=True, table=1),
}
REFUSED = "expected utilities whose sum is 0, and those of Gift are 3 and 1 at an end: subtract 2 from .* sum is always 4, or use MaxN"


@pytest.mark.parametrize("name", OPPOSED)
def test_a_game_is_looked_at_before_it_is_searched(name):
    with pytest.raises(ZermeloError, match=f"^{name}: {REFUSED}$"):
        OPPOSED[name].search(Gift())
    assert OPPOSED[name].search(Fair()).exact


def test_nothing_is_solved():
    for solve in (
        AlphaBeta().solution,
        lambda game: AlphaBeta().solve(game, [game.initial()]),
        lambda game: BestPlay(game, State(0, 0), 9),
    ):
        with pytest.raises(ZermeloError, match=f"^solve: {REFUSED}$"):
            solve(Gift())


@pytest.mark.parametrize(
    "search", [OPPOSED["Minimax"], OPPOSED["BestFirst"], Minimax(), Expectiminimax(star=0, table=None, interpreted=True)]
)
def test_an_end_that_a_search_meets_is_looked_at(search, monkeypatch):
    monkeypatch.setattr(zero_sum, "unequal_end", lambda game, start: None)
    state = State(2, 0)  # where nothing can be pruned
    with pytest.raises(ZermeloError, match=REFUSED):
        search.search(Gift(), state)
    with pytest.raises(ZermeloError, match=REFUSED):
        AlphaBeta(interpreted=True).solve(Gift(), [State(4, 0)])


def test_random_games_tell_where_there_are_too_many_states(monkeypatch):
    monkeypatch.setattr(zero_sum, "MAX_SAMPLE_STATES", 2)
    with pytest.raises(ZermeloError, match=REFUSED):
        Minimax(interpreted=True).search(Gift())
    assert Minimax(interpreted=True).search(Fair()).exact


def test_others_play_it():
    assert MaxN(interpreted=True).search(Gift()).values == (3.0, 1.0)
    sure = Paranoid(interpreted=True).search(Gift())
    assert (sure.value, sure.exact) == (1.0, True)
    assert not any(MCTS(simulations=n, seed=n, interpreted=True).search(Gift()).exact for n in range(1, 40))
    assert MCTS(simulations=40, win=3.0, interpreted=True).search(Fair()).exact
    assert not MCTS(simulations=2, interpreted=True).search(Fair()).exact  # 1 is not the best that there is


class Vouching(Gift):
    is_zero_sum = True


class Paid(TicTacToe):
    def utility(self, s, p):
        return 1


def test_a_game_may_vouch_and_check_tells_if_it_is_wrong():
    assert OPPOSED["AlphaBeta"].search(Vouching()).value == 1.0
    found = next(f for f in check(Vouching(), native=False, cuda=False).findings if f.what == "utilities are finite")
    assert (found.ok, found.state) == (False, "4 0")
    assert "utility gives 3, 1, but is_zero_sum says that they sum to 0" in found.detail


def test_a_class_that_writes_rules_anew_does_not_vouch():
    assert TicTacToe.is_zero_sum and TicTacToe.ends_without_actions
    assert not Paid.is_zero_sum and Paid.ends_without_actions
    with pytest.raises(ZermeloError, match="those of Paid are 1 and 1"):
        Minimax(interpreted=True, depth=2).search(Paid(), zermelo.game("tictactoe").read_state("XO./XO./..."))

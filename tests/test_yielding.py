"""A game is over where `is_terminal` says so, even if `actions` yields something there."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, AlphaBeta, Game, ZermeloError, i8
from zermelo.arena.players.by_text import player
from zermelo.arena.referee import play_game
from zermelo.history import History
from zermelo.lookup.best_play import reachable
from zermelo.lower.generate import generate
from zermelo.search import playouts_cuda
from zermelo.search.by_name import names, searcher


class Stack(NamedTuple):
    left: i8
    turn: i8
    bonus: i8


class Ended(Game):
    """Take one or two of seven; who takes the last one wins, a point more for each roll of the die on the way."""

    value_range = (-3.0, 3.0)
    yields = False

    def initial(self):
        return Stack(7, 0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.left > 0 or self.yields:
            yield 1
            if s.left != 1:
                yield 2

    def result(self, s, a):
        return Stack(s.left - a, 1 - s.turn, s.bonus)

    def is_terminal(self, s):
        return s.left <= 0

    def utility(self, s, p):
        return -1 if p == s.turn else 1


class Unended(Ended):
    """The same, but that actions are yielded after the end."""

    yields = True


class Rolled(Ended):
    """The same with a die before each turn."""

    def to_move(self, s):
        return CHANCE if s.bonus == 0 else s.turn

    def result(self, s, a):
        return Stack(s.left, s.turn, a) if s.bonus == 0 else Stack(s.left - a * s.bonus, 1 - s.turn, 0)

    def probability(self, s, a):
        return 0.75 if a == 1 and s.left != 1 else 0.25 if a == 2 else 1.0


class Unrolled(Rolled):
    yields = True


PAIRS = [(Ended(), Unended()), (Rolled(), Unrolled())]
SETTINGS = {"rollouts": {"trials": 8}, "montecarlo": {"playouts": 40}, "mcts": {"simulations": 60}, "bestfirst": {"nodes": 300}}
SETTINGS |= {"worlds": {"worlds": 2}, "ismcts": {"simulations": 60}, "beliefs": {"depth": 2}}


def found(name, game, **settings):
    """What this searcher says of the game, or why it refuses it."""
    try:
        return replace(searcher(name, **SETTINGS.get(name, {}), **settings).search(game), seconds=0.0)
    except ZermeloError as error:
        return str(error).replace(type(game).__name__, "it")


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("ended, unended", PAIRS, ids=["turns", "dice"])
def test_every_searcher_finds_the_same(name, ended, unended):
    assert found(name, unended, interpreted=True) == found(name, ended, interpreted=True)


def test_native_searchers_find_the_same():
    assert found("plain", Unended()) == found("plain", Ended())


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("ended, unended", PAIRS, ids=["turns", "dice"])
def test_random_games_and_perft_are_the_same(ended, unended, interpreted):
    for game in (ended, unended):
        assert zermelo.playouts(game, 100, seed=1, interpreted=interpreted).unfinished == 0
    ways = [zermelo.playouts(game, 100, seed=1, interpreted=interpreted).utility for game in (ended, unended)]
    assert ways[0] == ways[1]
    for depth in (*range(8), None):
        assert zermelo.perft(unended, depth, interpreted=interpreted) == zermelo.perft(ended, depth, interpreted=interpreted)


def test_kernels_ask_whether_the_game_is_over_only_where_it_does_not_vouch_for_it():
    source = generate(Unended(), playouts_cuda.kernel, arrays=playouts_cuda.ARRAYS, constants={"WIDTH": 16, "PLAYERS": 2}).source
    assert "def made_fill(s, out_):\n    if rule_is_terminal(s):\n        return 0" in source
    connect4 = zermelo.game("connect4")
    assert "if rule_is_terminal" not in generate(connect4, playouts_cuda.kernel, arrays=playouts_cuda.ARRAYS).source


def test_solving_and_lookup_end_there():
    states = reachable(Ended(), Ended().initial(), 100)
    assert reachable(Unended(), Unended().initial(), 100) == states
    ended, unended = (AlphaBeta(table=1).solve(game, states) for game in PAIRS[0])
    assert (ended.values == unended.values).all() and (ended.plies == unended.plies).all()


def test_matches_end_there():
    endings = [play_game(game, [player("random"), player("random")], seed=3) for game in PAIRS[0]]
    assert endings[0].result == endings[1].result


def test_nothing_is_played_after_the_end():
    history = History(Unended())
    while not history.is_over:
        history.do(1)
    assert list(history.actions()) == []
    with pytest.raises(ZermeloError, match="1 is not a legal action of Unended here"):
        history.do(1)

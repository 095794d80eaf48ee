"""Random playouts: exact expectations, the same games everywhere, none lost."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from zermelo import Game, ZermeloError, game, i64, playouts

GAMES = ["tictactoe", "connect4", "nim", "kalah", "pig:target=20", "kuhn", "bins:game=2", "tree", "trio", "whist"]


@pytest.mark.parametrize("text", GAMES)
def test_native_games_are_the_interpreters(text):
    fast, slow = (playouts(game(text), 60, seed=11, interpreted=i) for i in (False, True))
    assert (fast.games, fast.moves, fast.utility, fast.unfinished, fast.widest) == (60, slow.moves, slow.utility, 0, slow.widest)


@pytest.mark.parametrize("text", ["connect4", "trio", "pig:target=20"])
def test_the_number_of_threads_changes_nothing(text):
    runs = [playouts(game(text), 30_000, seed=5, threads=t) for t in (1, 2, 3, 8)]
    assert len({(r.games, r.moves, r.utility) for r in runs}) == 1


def test_seeds_make_different_games_and_the_same_seed_the_same():
    g = game("connect4")
    moves = [playouts(g, 1000, seed=s).moves for s in (1, 2, 3, -1, 1 << 70, 1)]
    assert len(set(moves)) == 5
    assert moves[0] == moves[-1]


def test_tic_tac_toe_at_random_has_its_known_value():
    """X wins 737/1260 of random games and O 363/1260: exact, by summing over the whole tree."""
    n = 400_000
    mean = playouts(game("tictactoe"), n, seed=1).utility
    assert mean[0] == -mean[1]
    sigma = math.sqrt((1100 / 1260 - (374 / 1260) ** 2) / n)
    assert abs(mean[0] - 374 / 1260) < 4 * sigma


def test_chance_goes_by_its_own_odds():
    """Kuhn poker with all actions at random, and the bins with a fair coin."""
    n = 400_000
    assert abs(playouts(game("kuhn"), n, seed=2).utility[0] - 1 / 8) < 4 * 1.5 / math.sqrt(n)
    assert abs(playouts(game("bins:game=2"), n, seed=2).utility[0] - 7 / 3) < 4 * 35 / math.sqrt(n)


def test_games_go_on_from_a_state():
    g = game("connect4")
    s = g.read_state("112233")
    fast, slow = (playouts(g, 100, state=s, seed=1, interpreted=i) for i in (False, True))
    assert (fast.moves, fast.utility) == (slow.moves, slow.utility)
    won = playouts(g, 10, state=g.result(s, g.read_action(s, "4")))
    assert (won.games, won.moves, won.utility) == (10, 0, (1.0, -1.0))


class Endless(Game):
    """Nobody ever wins."""

    def initial(self):
        return Turn(0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        yield 0

    def result(self, s, a):
        return Turn(1 - s.turn)

    def is_terminal(self, s):
        return False

    def utility(self, s, p):
        return 0


class Turn(NamedTuple):
    turn: i64


def test_endless_games_are_given_up_and_counted():
    r = playouts(Endless(), 10, limit=50)
    assert (r.games, r.unfinished, r.moves, r.utility) == (10, 10, 500, (0.0, 0.0))
    assert playouts(Endless(), 10, limit=50, interpreted=True).unfinished == 10


def test_for_a_time():
    r = playouts(game("tictactoe"), seconds=0.05, seed=1)
    assert r.games > 1000
    assert 5 <= r.moves / r.games <= 9
    assert r.games_per_second == r.games / r.seconds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a number of games or a number of seconds"),
        ({"n": 5, "seconds": 1}, "one of the two"),
        ({"n": 0}, "at least 1 game, not 0"),
        ({"seconds": -1}, "a positive number of seconds, not -1"),
        ({"seconds": math.nan}, "a positive number of seconds, not nan"),
        ({"n": 1, "threads": 0}, "at least 1 thread, not 0"),
        ({"n": 1, "limit": 0}, "a limit of at least 1"),
        ({"n": 1, "device": "tpu"}, "the device cpu or cuda, not 'tpu'"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(arguments, message):
    with pytest.raises(ZermeloError, match=message):
        playouts(game("nim"), **arguments)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["antichess", "backgammon", "chess", "go"])
def test_ten_thousand_games_are_the_same_interpreted_and_native(name):
    here, there = (playouts(game(name), 10_000, seed=8, threads=1, interpreted=x) for x in (True, False))
    assert (here.games, here.moves, here.unfinished, here.utility) == (there.games, there.moves, there.unfinished, there.utility)

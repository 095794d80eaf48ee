"""Flat Monte Carlo: means of random play, reproducible by seed, interpreted and native, however it is stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import backed_up

import zermelo
from zermelo.errors import ZermeloError
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.stop import Stop


def told(result):
    return replace(result, seconds=0)


def test_interpreted_is_native_game_for_game():
    for game in (zermelo.game("tictactoe"), zermelo.game("pig:target=10")):
        assert told(MonteCarlo(playouts=20).search(game)) == told(MonteCarlo(playouts=20, interpreted=True).search(game))


def test_takes_a_win_in_one_and_blocks_the_opponents():
    game = zermelo.game("tictactoe")
    search = MonteCarlo(playouts=300)
    assert search.search(game, game.read_state("OO./XX./...")).action == 5
    assert search.search(game, game.read_state("OO./X../..X")).action == 8  # without it the game is lost


def test_means_are_those_of_all_random_games():
    game = zermelo.game("tictactoe")

    def mean(s):
        below = [mean(game.result(s, a)) for a in game.actions(s)]
        return sum(below) / len(below) if below else game.utility(s, 0)

    s = game.read_state("O.X/.X./O..")
    result = MonteCarlo(playouts=20_000).search(game, s)
    assert list(result.scores) == list(game.actions(s))
    for a, v in result.scores.items():
        assert v == pytest.approx(mean(game.result(s, a)), abs=0.04)  # five standard deviations
    assert result.value == max(result.scores.values()) == result.values[0] == -result.values[1]
    assert result.nodes == 20_000 * game.count(s) and not result.exact


def test_a_random_reply_is_not_the_best_reply():
    """In the lectures' bins the opponent does not choose at random: the best mean is the worst choice."""
    game = zermelo.game("bins:game=2")
    result = MonteCarlo(playouts=4000, interpreted=True).search(game)
    assert result.scores == pytest.approx({0: 2.5, 1: 1.0, 2: 3.5}, abs=2.5)
    assert backed_up(game, game.initial())[0] == -2


def test_depth_and_nodes():
    game = zermelo.game("tictactoe")
    assert MonteCarlo(playouts=5, depth=1, interpreted=True).search(game).scores == dict.fromkeys(range(9), 0.0)  # EVAL has no idea
    short = MonteCarlo(playouts=5, nodes=10, interpreted=True).search(game)
    assert short.nodes == 10 and list(short.scores) == list(range(9))


def test_steps_do_not_change_the_games(monkeypatch):
    game = zermelo.game("tictactoe")
    whole = MonteCarlo(playouts=50, seed=3).search(game)
    monkeypatch.setattr("zermelo.search.montecarlo.FIRST_STEP", 1)
    steps = list(MonteCarlo(playouts=50, seed=3, interpreted=True).deepen(game))
    assert [r.nodes for r in steps[:5]] == [1, 2, 4, 8, 16] and told(steps[-1]) == told(whole)
    assert MonteCarlo(playouts=50, seed=4).search(game).scores != whole.scores


def test_stopped_before_it_began():
    game, stop = zermelo.game("tictactoe"), Stop()
    stop.set()
    for interpreted in (False, True):
        result = MonteCarlo(interpreted=interpreted).search(game, stop=stop)
        assert result.nodes == 1 and result.action == 0


def test_terminal_and_chance():
    game = zermelo.game("tictactoe")
    over = MonteCarlo(interpreted=True).search(game, game.read_state("XXX/OO./..."))
    assert over.action is None and over.values == (1, -1) and over.exact
    with pytest.raises(ZermeloError, match="expected a state where a player is to move"):
        MonteCarlo(interpreted=True).search(zermelo.game("kuhn"))


@pytest.mark.parametrize("wrong", [{"playouts": 0}, {"playouts": 1.5}, {"playouts": True}, {"seed": "x"}, {"seconds": 0}, {"nodes": 0}])
def test_bad_settings(wrong):
    with pytest.raises(ZermeloError, match=r"^MonteCarlo: expected [^\n]+, not "):
        MonteCarlo(**wrong)

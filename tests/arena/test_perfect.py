"""The perfect player: against random players and brute force it holds what can be held, and wins what is won."""

from __future__ import annotations

import pytest
from helpers_brute_force import brute_force

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.history import History


@pytest.mark.parametrize(
    "text",
    [
        "tictactoe",
        "nim:heaps=1,2,3,misere=true",
        *(pytest.param(x, marks=pytest.mark.slow) for x in ("hex:size=3", "kalah:houses=2,seeds=2")),
    ],
)
def test_it_keeps_the_value_of_every_state(text):
    """From both sides against random play: after each of its actions the state is worth as much to it as before."""
    game = zermelo.game(text)
    worth, clock = brute_force(game), Clock(Control(), 2)
    perfect, other = player("perfect"), player("random")
    for seat in (0, 1):
        perfect.begin(game, seat, 1)
        for seed in range(12):
            other.begin(game, 1 - seat, seed)
            history = History(game)
            while not history.is_over:
                s = history.state
                if game.to_move(s) != seat:
                    history.do(other.choose(game, history, clock))
                    continue
                history.do(perfect.choose(game, history, clock))
                t = history.state
                assert (worth(t) if game.to_move(t) == seat else -worth(t)) == worth(s)
                assert (
                    perfect.thought is not None and (perfect.thought.value or 0) == worth(s) and perfect.thought.note.startswith("solved")
                )
    assert perfect.text == "perfect"


def test_a_win_comes_as_quickly_as_it_can():
    game = zermelo.game("connect4", width=4, height=4, line=3)
    sides = [player("perfect"), player("perfect")]
    for seat, side in enumerate(sides):
        side.begin(game, seat, 1)
    history, clock = History(game), Clock(Control(), 2)
    solved = zermelo.AlphaBeta().solution(game)
    while not history.is_over:
        history.do(sides[game.to_move(history.state)].choose(game, history, clock))
    assert len(history.taken) == solved.plies and game.utility(history.state, 0) == solved.value == 1


def test_without_time_the_default_player_plays():
    game, clock = zermelo.game("connect4"), Clock(Control(move=0.05), 2)
    perfect = player("perfect")
    perfect.begin(game, 0, 1)
    beyond = game.read_state("13717734564674")  # which the table of the opening does not have, and a million nodes solve
    assert perfect.choose(game, History(game, beyond), clock) in range(7)
    assert perfect.thought is not None and perfect.thought.note == "not solved in time"


def test_the_opening_of_connect_four_is_known():
    """From the empty board the table that comes with it tells the only winning action, without any time."""
    game, perfect = zermelo.game("connect4"), player("perfect")
    perfect.begin(game, 0, 1)
    assert perfect.choose(game, History(game), Clock(Control(move=0.001), 2)) == 3
    assert perfect.thought is not None and perfect.thought.note == "known from the table: won in 41 plies"
    late = game.read_state("44444432")  # where the table still has the state after each action
    perfect.choose(game, History(game, late), Clock(Control(move=0.001), 2))
    assert perfect.thought.note.startswith("known from the table: ")


@pytest.mark.parametrize(
    ("text", "why"), [("kuhn", "kuhn hides something"), ("chess", "positions that come back"), ("pig", "without chance")]
)
def test_what_it_cannot_solve_is_refused(text, why):
    with pytest.raises(ZermeloError, match=why):
        player("perfect").begin(zermelo.game(text), 0, 1)

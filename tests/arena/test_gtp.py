"""Engines that speak GTP: GNU Go and GRhino play whole games, with their own ideas of passing."""

from __future__ import annotations

import pytest
from arena.programs import needs, play

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Fault
from zermelo.history import History

GNUGO = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --never-resign"


@needs("gnugo")
def test_gnu_go_beats_random_play_with_both_colours():
    gnu, other = player(f"{GNUGO} --play-out-aftermath --capture-all-dead"), player("random")
    for sides, best in (((gnu, other), 0), ((other, gnu), 1)):
        history = play(zermelo.game("go:size=5,komi=0.5"), sides, "600")
        assert history.is_over and history.utility(best) == 1.0
    gnu.close()


@needs("gnugo")
def test_a_game_that_is_taken_back_is_told_anew():
    game = zermelo.game("go:size=5")
    gnu, history = player(GNUGO), History(game)
    gnu.begin(game, 0, 1)
    first = gnu.choose(game, history, Clock(Control(), 2))
    history.do(first)
    history.undo()
    other = next(a for a in history.actions() if a != first)
    history.do(other)
    assert gnu.choose(game, history, Clock(Control(), 2)) != other
    gnu.close()


@needs("gtp-rhino")
@pytest.mark.parametrize("seed", range(4))
def test_grhino_plays_othello_passes_and_all(seed):
    rhino, other = player("gtp:gtp-rhino --level=1"), player("random")
    sides = (rhino, other) if seed % 2 else (other, rhino)
    assert play(zermelo.game("othello"), sides, seed=seed).is_over
    rhino.close()


@needs("gtp-rhino")
def test_grhino_is_told_of_passes():
    """Games between random players that have passes, told to it up to each of them."""
    game, rhino, told = zermelo.game("othello"), player("gtp:gtp-rhino --level=1"), 0
    rhino.begin(game, 0, 1)
    for seed in range(20):
        whole = play(zermelo.game("othello"), (player("random"), player("random")), seed=seed)
        at = next((i for i, a in enumerate(whole.taken) if a == game.cells), None)
        if at is None or at + 1 >= len(whole.taken):
            continue
        history = History(game)
        for a in whole.taken[: at + 1]:
            history.do(a)
        assert rhino.choose(game, history, Clock(Control(), 2)) in history.actions()
        told += 1
    assert told > 3
    rhino.close()


@needs("gtp-rhino")
def test_a_board_that_the_engine_does_not_have():
    rhino = player("gtp:gtp-rhino")
    with pytest.raises(zermelo.ZermeloError, match="4 x 4"):
        rhino.begin(zermelo.game("othello:size=4"), 0, 1)
    rhino.close()


@needs("gnugo")
def test_to_resign_ends_the_game(monkeypatch):
    gnu = player(GNUGO)
    game = zermelo.game("go:size=5")
    gnu.begin(game, 0, 1)
    monkeypatch.setattr(gnu, "_ask", lambda command, seconds=0: ("resign", True))
    with pytest.raises(Fault) as fault:
        gnu.choose(game, History(game), Clock(Control(), 2))
    assert fault.value.kind == "resigned"
    gnu.close()

"""GNU Backgammon: its plays are found among ours, and it plays known openings."""

from __future__ import annotations

import pytest
from arena.programs import needs

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.gnubg import CUBE, PLAY, _about_the_cube
from zermelo.game import CHANCE
from zermelo.history import History
from zermelo.rng import below, draw

NONE = Clock(Control(), 2)


@needs("gnubg")
@pytest.mark.parametrize(("roll", "best"), [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("65", "24/13")])
def test_the_openings_that_everybody_knows(roll, best):
    game = zermelo.game("backgammon")
    side, history = player("gnubg:plies=0"), History(game)
    history.do(game.read_action(history.state, roll))
    side.begin(game, 0, 1)
    assert side.choose(game, history, NONE) == game.read_action(history.state, best)
    assert side.thought.value is not None
    side.close()


@needs("gnubg")
@pytest.mark.parametrize("text", ["backgammon", "backgammon:cube=true"])
def test_whole_games(text):
    game, seen = zermelo.game(text), 0
    sides = [player("gnubg:plies=0"), player("gnubg:plies=0,noise=0.1")]
    for seed in range(3):
        history = History(game)
        for seat, side in enumerate(sides):
            side.begin(game, seat, seed)
        while not history.is_over:
            p = game.to_move(history.state)
            if p == CHANCE:
                actions = list(game.actions(history.state))
                history.do(actions[below(draw(seed, len(history.taken)), len(actions))])
            else:
                history.do(sides[p].choose(game, history, NONE))
                seen += 1
    assert seen > 60
    for side in sides:
        side.close()


def test_what_it_says_is_understood():
    said = "Considering move...      \r    1. Cubeless 0-ply   24/14 bar/22*(2)             Eq.: -0.216\n       0.437 0.099"
    assert PLAY.search(said)[1] == "24/14 bar/22*(2)"
    cube = "1. No double           -0.218\n2. Double, pass        +1.000  (+1.218)\n3. Double, take        -0.693  (-0.475)"
    assert [name for name, _ in CUBE.findall(cube)] == ["No double", "Double, pass", "Double, take"]


@pytest.mark.parametrize(
    ("equities", "is_answer", "word"),
    [
        ({"double": 0.3, "pass": 1.0, "take": 0.5}, False, "double"),
        ({"double": 0.3, "pass": 1.0, "take": 0.1}, False, "roll"),
        ({"double": 1.2, "pass": 1.0, "take": 1.5}, False, "roll"),
        ({"redouble": 0.3, "pass": 1.0, "take": 1.4}, False, "double"),
        ({"double": 0.3, "pass": 1.0, "take": 0.5}, True, "take"),
        ({"double": 0.3, "pass": 1.0, "take": 1.1}, True, "drop"),
    ],
)
def test_what_is_done_about_the_cube(equities, is_answer, word):
    assert _about_the_cube(equities, is_answer)[0] == word

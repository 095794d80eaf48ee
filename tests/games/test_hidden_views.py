"""What a player is shown does not depend on what is hidden: all worlds that look the same to it are drawn the same."""

from __future__ import annotations

import pytest
from helpers import walk

import zermelo
from zermelo.cli.board_view import HIDDEN, seen, seen_line
from zermelo.rng import draw


@pytest.mark.parametrize(
    "text", ["kuhn", "leduc", "liarsdice", "goofspiel", "goofspiel:hidden=true", "phantomttt", "darkhex", "holdem", "nolimit"]
)
def test_worlds_that_look_the_same_are_drawn_the_same(text):
    game, hidden = zermelo.game(text), 0
    for number, s in enumerate(walk(game, 3, 6)):
        for p in range(2) if number % 3 == 0 and not game.is_terminal(s) else ():
            world = game.resample(s, p, draw(99, number))
            assert seen(game, s, p) == seen(game, world, p)
            hidden += world != s and (HIDDEN in seen(game, s, p) or seen(game, s, p) != game.show(s))
            if text not in ("phantomttt", "darkhex", "goofspiel:hidden=true"):  # where even the length of a line tells something
                assert seen_line(game, s, p) == seen_line(game, world, p)
    assert hidden > 3

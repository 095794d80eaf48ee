"""Goofspiel: the size of its tree, points, observations, text."""

from __future__ import annotations

from collections import defaultdict
from math import factorial

import pytest
from helpers import check_games, check_hostile, check_state, everything, refuses

import zermelo
from zermelo import CHANCE, ZermeloError
from zermelo.games.goofspiel import Goofspiel

GAME, HIDDEN = Goofspiel(), Goofspiel(hidden=True)


@pytest.mark.parametrize("game", [Goofspiel(3), Goofspiel(3, "ascending"), Goofspiel(3, "random")], ids=repr)
def test_every_state(game):
    states = list(everything(game))
    ends = [s for s in states if game.is_terminal(s)]
    assert len(states) == len(set(states)) and len(ends) == factorial(3) ** (3 if game.is_random else 2)
    for s in states:
        check_state(game, s)


def test_random_games():
    check_games(Goofspiel(13, "random", True), 1, 5)
    check_games(Goofspiel(5, "random"), 2, 10)


@pytest.mark.parametrize(
    ("text", "points", "first"),
    [("4:4A 3:A4 2:23 A:32", (5, 5), 0), ("4:44 3:32 2:23 A:AA", (3, 2), 1), ("4:A2 3:23 2:34 A:4A", (1, 9), -1)],
)
def test_points(text, points, first):
    s = GAME.read_state(text)
    assert GAME.is_terminal(s) and s.points == points and GAME.utility(s, 0) == -GAME.utility(s, 1) == first


def test_order_of_prizes():
    assert [GAME.write_state(Goofspiel(4, order).initial()) for order in ("descending", "ascending", "random")] == ["4:", "A:", "-"]
    game = Goofspiel(4, "random")
    assert game.to_move(game.initial()) == CHANCE and game.has_chance and not GAME.has_chance


@pytest.mark.parametrize("game", [GAME, HIDDEN], ids=repr)
@pytest.mark.parametrize("p", [0, 1])
def test_resample_gives_every_state_that_looks_the_same(game, p):
    alike = defaultdict(set)
    for s in everything(game):
        alike[game.observe(s, p)].add(s)
    several = [states for states in alike.values() if len(states) > 1]
    assert bool(several) == (p == 1 or game is HIDDEN)
    for states in several[::40]:
        assert {game.resample(next(iter(states)), p, seed) for seed in range(200)} == states


def test_what_is_seen():
    one, other = HIDDEN.read_state("4:4A 3:2"), HIDDEN.read_state("4:42 3:3")
    assert HIDDEN.observe(one, 0) != HIDDEN.observe(other, 0)  # the own bid
    one, other = HIDDEN.read_state("4:4A 3:2"), HIDDEN.read_state("4:42 3:2")
    assert HIDDEN.observe(one, 0) == HIDDEN.observe(other, 0) and GAME.observe(one, 0) != GAME.observe(other, 0)


def test_text():
    assert GAME.show(GAME.read_state("4:4A 3:2")).splitlines() == [
        "prize: 3",
        "player 0:  4 points  bids 4 2 . .  holds A . 3 .",
        "player 1:  0 points  bids A . . .  holds . 2 3 4  to bid",
    ]
    for text in ("3:", "4:5", "4:4A 4:", "4:44A", "4", "-", "4:4A 3:A4 2:23 A:322"):
        refuses(GAME, text, "is not a state of goofspiel: expected each trick as its prize and the bids on it")


def test_hostile_text():
    check_hostile(GAME, 1)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"cards": 1}, "goofspiel: expected 2 to 13 cards, not 1"),
        ({"order": "up"}, "goofspiel: expected the order to be one of descending, asc"),
    ],
)
def test_parameters(parameters, sentence):
    with pytest.raises(ZermeloError, match=sentence):
        zermelo.game("goofspiel", **parameters)

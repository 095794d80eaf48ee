"""Liar's dice: the size of its tree, who wins, observations, text."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from helpers import check_games, check_hostile, check_state, everything, refuses

import zermelo
from zermelo import ZermeloError
from zermelo.games.liarsdice import LiarsDice

GAME, SMALL = LiarsDice(), LiarsDice(1, 3)


def test_every_state_of_a_small_one():
    states = list(everything(SMALL))
    # dice in 9 ways; a set of bids (2^6), each but the empty one called or not; before the dice 1 + 3 states
    assert len(states) == len(set(states)) == 4 + 9 * (2**6 + 2**6 - 1)
    for s in states:
        check_state(SMALL, s)


def test_random_games():
    check_games(GAME, 1, 20)
    check_games(LiarsDice(2), 2, 10)


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("3/5 1x3 liar", 0),
        ("3/5 1x4 liar", 1),
        ("6/5 1x4 liar", 0),  # six is any face
        ("3/5 1x3 2x3 liar", 0),
        ("3/6 1x3 2x3 liar", 1),
        ("3/6 1x3 2x3 2x6 liar", 1),
        ("6/6 1x3 2x3 2x6 liar", 0),
    ],
)
def test_who_wins(text, winner):
    s = GAME.read_state(text)
    assert [GAME.utility(s, p) for p in range(2)] == [1 if p == winner else -1 for p in range(2)]


def test_dice_of_one_player_are_seen_without_their_order():
    game = LiarsDice(2)
    assert game.observe(game.read_state("36/51 1x2"), 0) == game.observe(game.read_state("63/22 1x2"), 0)
    assert game.observe(game.read_state("36/51 1x2"), 1) != game.observe(game.read_state("36/52 1x2"), 1)


@pytest.mark.parametrize("p", [0, 1])
def test_resample_gives_every_state_that_looks_the_same(p):
    alike = defaultdict(set)
    for s in everything(SMALL):
        alike[SMALL.observe(s, p)].add(s)
    for states in list(alike.values())[::10]:
        drawn = Counter(SMALL.resample(next(iter(states)), p, seed) for seed in range(60))
        assert set(drawn) == states
        assert max(drawn.values()) <= 3 * min(drawn.values())


def test_text():
    assert GAME.write_state(GAME.initial()) == "./." and LiarsDice(2).write_state(LiarsDice(2).initial()) == "../.."
    assert GAME.show(GAME.read_state("3/5 1x2")).splitlines() == ["player 0: 3", "player 1: 5  to bid", "bids: 1x2"]
    for text in ("3", "3/7", "3/5 1x2 1x1", "3/5 liar", "3/5 3x1", "./5", "3/5 1x2 liar 1x3", "35"):
        refuses(GAME, text, "is not a state of liarsdice: expected 1 faces of each player")


def test_hostile_text():
    check_hostile(GAME, 1)


@pytest.mark.parametrize(("dice", "sides"), [(0, 6), (6, 6), (1, 1), (1, 10), ("one", 6)])
def test_parameters(dice, sides):
    with pytest.raises(ZermeloError, match="liarsdice: expected dice of 2 to 9 sides"):
        zermelo.game("liarsdice", dice=dice, sides=sides)

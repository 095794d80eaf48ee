"""Trio: payoffs of three players, symmetries, text."""

from __future__ import annotations

import pytest
from helpers import backed_up, check_games, check_hostile, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.trio import Trio

SIZES = [(4, 4, 3), (3, 3, 3), (8, 8, 4), (8, 8, 8), (16, 4, 4), (4, 16, 5), (64, 1, 5), (1, 64, 3), (32, 2, 3), (2, 32, 2), (5, 3, 4)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_random_games(size):
    game = Trio(*size)
    check_games(game, 1, 2)
    for turn, s in enumerate(walk(game, 2)):
        assert game.to_move(s) == turn % 3


def test_payoffs():
    game = Trio()
    won = game.read_state("..../ZZ../OO../XXX.")
    assert game.is_terminal(won) and [game.utility(won, p) for p in range(3)] == [1, -0.5, -0.5]
    won = game.read_state("Z.../ZX../ZOOX/X.O.")
    assert game.is_terminal(won) and [game.utility(won, p) for p in range(3)] == [-0.5, -0.5, 1]
    drawn = Trio(2, 2, 2)
    assert max(len(list(walk(drawn, seed))) for seed in range(9)) == 5, "the fourth stone is X's second, and any two are a line"
    full = Trio(3, 1, 3).read_state("XOZ")
    assert [Trio(3, 1, 3).utility(full, p) for p in range(3)] == [0, 0, 0]


def test_small_boards_are_solved():
    assert backed_up(Trio(2, 2, 2), Trio(2, 2, 2).initial()) == (1, -0.5, -0.5)
    assert backed_up(Trio(3, 1, 2), Trio(3, 1, 2).initial()) == (0, 0, 0)


def test_text():
    game = Trio(4, 3, 3)
    s = game.initial()
    for move in ("a1", "b2", "d3"):
        s = game.result(s, game.read_action(s, move))
    assert game.write_state(s) == "...Z/.O../X..."
    assert game.show(s) == "3 . . . Z\n2 . O . .\n1 X . . .\n  a b c d"
    with pytest.raises(ZermeloError, match="'b2' is not a legal action here: expected one of b1, c1"):
        game.read_action(s, "b2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "4 rows of 4 letters out of XOZ., joined by /, top row first"),
        ("..../..../....", "4 rows of 4 letters"),
        ("..../..../..../.....", "4 rows of 4 letters"),
        ("..../..../..../...x", "4 rows of 4 letters"),
        ("..../..../..../...O", "as many X, O and Z as after some turns, X first"),
        ("..../..../..../XXO.", "as many X, O and Z"),
        ("X..Z/XOOZ/XOOZ/X..Z", "no line but one that the last stone made"),
        ("..../.ZZ./.OO./XXXX", "as many X, O and Z"),
        ("OOZ./OZ.Z/OZ.X/XXX.", "no line but one"),
    ],
)
def test_refused_text(text, why):
    refuses(Trio(), text, f"'{text}' is not a state of trio: expected {why}")


def test_two_lines_that_no_single_stone_made_are_refused():
    game = Trio(8, 8, 3)
    rows = ["........"] * 3 + ["ZZ.ZZ.ZZ", "OO.OO.OO", "........", "XXX.XXX."]
    refuses(game, "/".join([*rows, "........"]), "no line but one that the last stone made")
    rows = ["........"] * 3 + ["ZZ.ZZ...", "OO.OO...", "........", "XXXXX..."]
    assert game.is_terminal(game.read_state("/".join([*rows, "........"]))), "the stone in the middle made them all"


def test_symmetries():
    game = Trio()
    for s in walk(game, 3, 3):
        for image in game.symmetries(s):
            assert game.to_move(image) == game.to_move(s) and s in set(game.symmetries(image))
            assert game.is_terminal(image) == game.is_terminal(s)
    corner = game.result(game.initial(), 0)
    assert {game.write_state(image) for image in game.symmetries(corner)} == {
        "X.../..../..../....", "...X/..../..../....", "..../..../..../X...", "..../..../..../...X"
    }  # fmt: skip


def test_hostile_text():
    check_hostile(Trio(), 1)


def test_parameters():
    wrong = [
        (0, 4, 3),
        (4, 0, 3),
        (9, 8, 3),
        (65, 1, 3),
        (4, 4, 1),
        (4, 4, 5),
        (4, 4, -1),
        ("4", 4, 3),
        (4, 4.0, 3),
        (None, 4, 3),
        (4, 4, True),
    ]
    for size in wrong:
        with pytest.raises(ZermeloError, match="trio: expected a board of at most 64 cells and a line of 2 to the longer side, not"):
            Trio(*size)
    assert repr(Trio(width=5)) == "trio:width=5"

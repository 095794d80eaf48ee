"""Perft: published counts, equal in the interpreter and in native code."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo
from zermelo import Game, ZermeloError, game, i8, perft

CONNECT4 = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]


def test_connect_four_counts():
    g = game("connect4")
    assert [perft(g, d) for d in range(9)] == CONNECT4
    assert [perft(g, d, interpreted=True) for d in range(5)] == CONNECT4[:5]


def test_tic_tac_toe_has_255168_games():
    g = game("tictactoe")
    assert perft(g, None) == 255_168
    assert [perft(g, d) for d in range(10)] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert perft(g, 10) == 0


def test_tic_tac_toe_has_5478_positions():
    g = game("tictactoe")
    seen, border = {g.initial()}, [g.initial()]
    while border:
        border = list({g.result(s, a) for s in border for a in g.actions(s)} - seen)
        seen.update(border)
    assert len(seen) == 5_478


@pytest.mark.parametrize(
    ("text", "depth"),
    [("mnk:width=4,height=4,line=3", 4), ("nim", 4), ("kalah:houses=3,seeds=2", 7), ("pig:target=8", 6), ("kuhn", None),
     ("bins:game=2", None), ("tree", None), ("tree:file=three-players", None), ("trio:width=3,height=3", 5), ("whist:ranks=2", None)],
)  # fmt: skip
def test_native_counts_are_the_interpreters(text, depth):
    g = game(text)
    assert perft(g, depth) == perft(g, depth, interpreted=True)


def test_it_counts_from_any_state():
    g = game("connect4")
    s = g.read_state("4444444"[:6])
    assert perft(g, 1, s) == 6
    assert perft(g, 3, s) == perft(g, 3, s, interpreted=True)


def test_more_actions_than_there_is_room_for_are_counted_again_with_more():
    """100 + 100 actions at the first ply, where the room begins with 64."""
    g = game("nim:heaps=100,100")
    assert perft(g, 2) == sum(200 - k for k in range(1, 101)) * 2
    assert perft(g, 2) == perft(g, 2, interpreted=True)


def test_deep_trees_are_counted_again_with_more_room():
    g = game("nim:heaps=" + ",".join(["1"] * 6))
    assert perft(g, None) == 720
    long = game("connect4:width=1,height=63,line=64")
    assert perft(long, None) == 1
    assert perft(long, 63) == 1
    assert perft(game("mnk:width=1,height=64,line=64"), 2) == 64 * 63


def test_a_negative_depth_is_refused():
    with pytest.raises(ZermeloError, match="expected a depth of 0 to 1,024, not -1"):
        perft(zermelo.game("nim"), -1)


def test_games_without_end_are_told_not_counted():
    class Pass(Game):
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

    assert perft(Pass(), 100) == 1
    with pytest.raises(ZermeloError, match="has no end after 1,024 actions"):
        perft(Pass(), None)


class Turn(NamedTuple):
    turn: i8

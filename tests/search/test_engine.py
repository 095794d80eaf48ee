"""Alpha-beta beyond exact search, if a game allows it: type B, extensions, repetition."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo import AlphaBeta, Game, History, ZermeloError, i8
from zermelo.search.mate_distance import PLY_VALUE

DATA = os.environ.get("ZERMELO_DATA")
CHESS = zermelo.game("chess")
MATES = {  # plies to the mate, that only one first move forces
    "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1": (1, "Ra8#"),
    "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1": (3, "Nf6+"),
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": (3, "Ra6"),
}


class State(NamedTuple):
    place: i8
    turn: i8


class Circle(Game):
    """Walk around a circle of four places for ever, or give up and lose; player 0 likes it."""

    repetition = "draw"

    def initial(self):
        return State(0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.place < 4:
            yield 0
            yield 1

    def result(self, s, a):
        return State((s.place + 1) % 4 if a == 0 else 4, 1 - s.turn)

    def is_terminal(self, s):
        return s.place == 4

    def utility(self, s, p):
        return 1 if p == s.turn else -1

    def evaluate(self, s, p):
        return 0.5 if p == 0 else -0.5


class Endless(Circle):
    """The same where nothing ends the walk."""

    repetition = ""


class Once(Circle):
    """The same where nobody may come back."""

    repetition = "forbidden"


def same(interpreted_and_native):
    """Both Results are the same but for the time."""
    here, there = interpreted_and_native
    assert (here.value, here.action, here.nodes, here.line, here.scores) == (
        there.value,
        there.action,
        there.nodes,
        there.line,
        there.scores,
    )
    return there


def test_a_position_that_comes_back_is_a_draw():
    for game, depth, value in ((Endless(), 9, 0.5), (Circle(), 3, 0.5), (Circle(), 4, 0.0), (Circle(), 9, 0.0)):
        found = same([AlphaBeta(depth=depth, interpreted=x).search(game) for x in (True, False)])
        assert (found.action, found.value, found.exact) == (0, value, False)


def test_the_history_of_a_game_counts():
    game, told = Circle(), History(Circle())
    for _ in range(3):
        told.do(0)
    for interpreted in (True, False):  # back to where the game began: it may go on from there
        assert AlphaBeta(depth=1, interpreted=interpreted).search(game, told).value == -0.5
    for _ in range(4):
        told.do(0)
    for interpreted in (True, False):  # now the start would come for the third time
        assert AlphaBeta(depth=1, interpreted=interpreted).search(game, told).value == 0.0
    assert AlphaBeta(depth=1).search(game, told.state).value == -0.5
    told.do(0)
    assert told.is_over and told.is_repeated and told.utility(0) == 0.0  # the start for the third time
    over = AlphaBeta(depth=3).search(game, told)
    assert (over.action, over.value) == (None, 0.0)
    with pytest.raises(ZermeloError, match="not a legal action"):
        told.do(0)
    told.undo()
    assert not told.is_over


def test_what_must_not_come_back_is_not_tried_at_the_root():
    told = History(Once())
    for _ in range(3):
        assert list(told.actions()) == [0, 1]
        told.do(0)
    assert list(told.actions()) == [1]  # the next place is where the walk began
    found = AlphaBeta(depth=3).search(told.game, told)
    assert (found.action, set(found.scores)) == (1, {1})


@pytest.mark.parametrize("fen", MATES)
@pytest.mark.parametrize(
    "off",  # without reductions a null move happens to be tried in the last of them, which is a zugzwang
    [{}, {"nulls": False}, {"futility": False}, {"reductions": False, "nulls": False}, {"extensions": False}, {"quiescence": False}],
)
def test_mates_are_found_with_every_switch(fen, off):
    plies, move = MATES[fen]
    s = CHESS.read_state(fen)
    found = AlphaBeta(depth=plies + 2, distance=True, **off).search(CHESS, s)
    assert CHESS.write_action(s, found.action) == move
    assert found.value == 1 - plies * PLY_VALUE


def test_type_b_searches_less_and_says_so():
    s = CHESS.read_state("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9")
    full = AlphaBeta(depth=6, nulls=False, futility=False, reductions=False).search(CHESS, s)
    for only in ("nulls", "futility", "reductions"):
        switches = {name: name == only for name in ("nulls", "futility", "reductions")}
        found = AlphaBeta(depth=6, **switches).search(CHESS, s)
        assert found.nodes < full.nodes, only
        assert not found.exact
    blocked = CHESS.read_state("8/8/8/8/8/1k6/1p6/1K6 w - - 0 1")  # stalemate to come or to avoid: never null where only pawns are left
    assert (
        AlphaBeta(depth=9).search(CHESS, blocked).value
        == AlphaBeta(depth=9, nulls=False, futility=False, reductions=False).search(CHESS, blocked).value
    )


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        ("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 8),  # deep enough for singular extensions and probable cutoffs
    ],
)
def test_chess_interpreted_is_native(fen, depth):
    s = CHESS.read_state(fen)
    same([AlphaBeta(depth=depth, table=1, interpreted=x).search(CHESS, s) for x in (True, False)])


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: the mates are not here")
def test_mates_in_two_of_the_collection():
    lines = [line for line in (Path(DATA) / "chess" / "mate2.fen").read_text().splitlines() if line.strip()][:40]
    for line in lines:
        s = CHESS.read_state(" ".join(line.split()[:4]))  # some of them count moves from 0
        assert AlphaBeta(depth=5, distance=True).search(CHESS, s).value >= 1 - 3 * PLY_VALUE, line


def test_a_dead_draw_is_not_searched_for_ever():
    blocked = CHESS.read_state("k7/P7/1K6/8/8/8/8/4B3 w - - 0 1")
    found = AlphaBeta(nodes=300_000).search(CHESS, blocked)
    assert found.value == 0 and found.depth <= 64 and found.nodes < 100_000

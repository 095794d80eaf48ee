"""Dark Hex: play beside OpenSpiel's, what players find out, what they cannot tell apart, text."""

from __future__ import annotations

import random

import pytest
from helpers import check_games, check_hostile, refuses, walk

import zermelo
from zermelo.check.whole import check
from zermelo.games.darkhex import DarkHex
from zermelo.history import History
from zermelo.search.beliefs.exact import exact_belief

SMALL, GAME = DarkHex(3), DarkHex(4)


def test_random_games():
    check_games(SMALL, 1, 10)
    check_games(GAME, 2, 3)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_openspiel_plays_the_same(size):
    spiel, chooser = pytest.importorskip("pyspiel"), random.Random(3)
    theirs, game = spiel.load_game(f"dark_hex(num_cols={size},num_rows={size})"), DarkHex(size)
    for _ in range(60):
        s, t = game.initial(), theirs.new_initial_state()
        while not t.is_terminal():
            assert (game.to_move(s), list(game.actions(s))) == (t.current_player(), t.legal_actions())
            a = chooser.choice(t.legal_actions())
            s = game.result(s, a)
            t.apply_action(a)
        assert game.is_terminal(s) and [game.utility(s, p) for p in range(2)] == t.returns()


def test_a_player_who_finds_a_stone_chooses_again():
    s = GAME.result(GAME.initial(), GAME.read_action(GAME.initial(), "b2"))
    assert GAME.announce(s, GAME.read_action(s, "b2"), 1) == "b2: occupied" and GAME.announce(s, 5, 0) == ""
    t = GAME.result(s, GAME.read_action(s, "b2"))
    assert GAME.to_move(t) == 1 and GAME.read_action(s, "b2") not in GAME.actions(t)
    assert GAME.observe(s, 0) == GAME.observe(t, 0) and GAME.observe(s, 1) != GAME.observe(t, 1)
    assert GAME.show_to(s, 1).count("X") == 0 and GAME.show_to(t, 1).count("X") == 1


def test_resample_looks_the_same():
    others = total = 0
    for number, s in enumerate(walk(GAME, 4, 8)):
        for p in range(0 if GAME.is_terminal(s) else 2):
            t = GAME.resample(s, p, number)
            assert GAME.observe(t, p) == GAME.observe(s, p) and not GAME.is_terminal(t) and GAME.show_to(t, p) == GAME.show_to(s, p)
            others, total = others + (t.marks != s.marks), total + 1
    assert others > total / 2


def test_exact_beliefs_contain_the_truth_and_what_is_dealt():
    history, chooser = History(SMALL), random.Random(1)
    for _ in range(4):
        history.do(chooser.choice(list(history.actions())))
    for p in range(2):
        worlds = exact_belief(history, p)
        assert history.state in worlds
        assert {SMALL.resample(history.state, p, k) for k in range(50)} <= set(worlds)


def test_check_finds_nothing_wrong():
    report = check(DarkHex(2), games=5, native=False, cuda=False)
    assert not [f for f in report.findings if f.ok is False]


def test_text():
    s = SMALL.read_state("a1 c1 c3")
    assert SMALL.show(s).splitlines() == ["  a b c", "1 X . O", " 2 . . .", "  3 . . X"]
    for text in ("a1 a1", "a1!", "d1", "a4", "X.O", "a1 b1 a2 b2 a3 b3"):
        refuses(SMALL, text, "is not a state of darkhex: expected the cells that were tried, a1 to c3")
    with pytest.raises(zermelo.ZermeloError, match="expected a size from 2 to 4, not 5"):
        DarkHex(5)


def test_hostile_text():
    check_hostile(SMALL, 1)

"""Phantom tic-tac-toe: play, what players find out, what they cannot tell apart, text."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from helpers import check_games, check_hostile, refuses, walk

from zermelo.games.phantomttt import PhantomTicTacToe

GAME = PhantomTicTacToe()


def test_random_games():
    check_games(GAME, 1, 30)


@pytest.mark.parametrize(("text", "first"), [("1 4 2 5 3", 1), ("1 4 2 5 7 6", -1), ("1 2 3 5 4 6 8 7 9", 0), ("1 1! 4 4! 2 2! 5 3", 1)])
def test_who_wins(text, first):
    s = GAME.read_state(text)
    assert GAME.is_terminal(s) and GAME.utility(s, 0) == -GAME.utility(s, 1) == first


def test_a_player_who_finds_a_cell_occupied_chooses_again():
    s = GAME.read_state("5 5!")
    assert GAME.to_move(s) == 1 and list(GAME.actions(s)) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert list(GAME.actions(GAME.read_state("5 5! 1"))) == [0, 1, 2, 3, 5, 6, 7, 8]  # X does not see where O is


def test_what_is_seen():
    one, other = GAME.read_state("5 1"), GAME.read_state("5 5! 9")
    assert GAME.observe(one, 0) == GAME.observe(other, 0) and GAME.observe(one, 1) != GAME.observe(other, 1)


def everything_up_to(plies: int) -> list:
    level, states = [GAME.initial()], []
    for _ in range(plies + 1):
        states += level
        level = [GAME.result(s, a) for s in level for a in GAME.actions(s)]
    return states


@pytest.mark.parametrize("p", [0, 1])
def test_resample_gives_what_looks_the_same_and_can_be(p):
    states = set(everything_up_to(4))
    alike = defaultdict(set)
    for s in states:
        alike[GAME.observe(s, p)].add(s)
    for group in sorted(alike.values(), key=len)[::100]:
        drawn = {GAME.resample(min(group), p, seed) for seed in range(40)}
        assert {GAME.observe(t, p) for t in drawn} == {GAME.observe(min(group), p)}
        assert drawn & states <= group


def test_resample_does_not_give_away_the_truth():
    """After many moves, too, most states drawn are others, and all of them can be played."""
    others = total = 0
    for s in walk(GAME, 5, 40):
        for p in range(2 if not GAME.is_terminal(s) else 0):
            t = GAME.resample(s, p, 7)
            assert GAME.read_state(GAME.write_state(t)) == t and GAME.observe(t, p) == GAME.observe(s, p)
            others, total = others + (t != s), total + 1
    assert others > 0.75 * total  # at the start there is but one


def test_openspiel_plays_the_same():
    theirs, chooser = pytest.importorskip("pyspiel").load_game("phantom_ttt"), random.Random(3)
    for _ in range(100):
        s, t = GAME.initial(), theirs.new_initial_state()
        while not t.is_terminal():
            assert (GAME.to_move(s), list(GAME.actions(s))) == (t.current_player(), t.legal_actions())
            a = chooser.choice(t.legal_actions())
            s = GAME.result(s, a)
            t.apply_action(a)
        assert GAME.is_terminal(s) and [GAME.utility(s, p) for p in range(2)] == t.returns()


def test_text():
    assert GAME.write_state(GAME.initial()) == "-"
    assert GAME.show(GAME.read_state("5 5! 1 9")).splitlines() == ["O . .", ". X .", ". . X"]
    for text in ("5 5", "5!", "0", "5 5! 5!", "1 4 2 5 3 6", "10", "x"):
        refuses(GAME, text, "is not a state of phantomttt: expected the cells that were tried")


def test_hostile_text():
    check_hostile(GAME, 1)

"""Kuhn poker: the size of its tree, its equilibrium, observations."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from helpers import check_hostile, check_state, everything

from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.kuhn import BET, PASS, Kuhn, State

GAME = Kuhn()


def test_size_of_the_tree():
    states = list(everything(GAME))
    movers = Counter("over" if GAME.is_terminal(s) else GAME.to_move(s) for s in states)
    assert len(states) == len(set(states)) == 58
    assert movers == {CHANCE: 4, 0: 12, 1: 12, "over": 30}
    assert len({GAME.observe(s, GAME.to_move(s)) for s in states if GAME.to_move(s) >= 0 and not GAME.is_terminal(s)}) == 12


def test_every_state():
    for s in everything(GAME):
        check_state(GAME, s)
        if GAME.is_terminal(s):
            assert GAME.utility(s, 0) == -GAME.utility(s, 1)


@pytest.mark.parametrize(
    ("text", "first"),
    [("KQ pp", 1), ("JQ pp", -1), ("JK bp", 1), ("KJ pbp", -1), ("KJ bb", 2), ("QK bb", -2), ("QJ pbb", 2), ("JK pbb", -2)],
)
def test_payoffs(text, first):
    assert GAME.utility(GAME.read_state(text), 0) == first


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_published_equilibrium(alpha):
    """It is worth -1/18 to player 0, and nobody gains by deviating, at whatever information set."""
    third = Fraction(1, 3)
    bets = {  # how often a player bets, by card and betting so far
        ("J", ""): alpha, ("Q", ""): Fraction(0), ("K", ""): 3 * alpha,
        ("J", "pb"): Fraction(0), ("Q", "pb"): alpha + third, ("K", "pb"): Fraction(1),
        ("J", "p"): third, ("Q", "p"): Fraction(0), ("K", "p"): Fraction(1),
        ("J", "b"): Fraction(0), ("Q", "b"): third, ("K", "b"): Fraction(1),
    }  # fmt: skip

    def situation(s: State) -> tuple[str, str]:
        cards, _, betting = GAME.write_state(s).partition(" ")
        return cards[GAME.to_move(s)], betting

    def value(s: State, plan: dict) -> Fraction:
        if GAME.is_terminal(s):
            return Fraction(GAME.utility(s, 0))
        if GAME.to_move(s) == CHANCE:
            return sum(Fraction(1, GAME.count(s)) * value(GAME.result(s, a), plan) for a in GAME.actions(s))
        bet = plan[situation(s)]
        return bet * value(GAME.result(s, BET), plan) + (1 - bet) * value(GAME.result(s, PASS), plan)

    worth = value(GAME.initial(), bets)
    assert worth == Fraction(-1, 18)
    for (card, betting), never in ((k, f) for k in bets for f in (Fraction(0), Fraction(1))):
        other = value(GAME.initial(), bets | {(card, betting): never})
        assert other <= worth if betting in ("", "pb") else other >= worth


def test_players_see_their_card_and_the_betting():
    assert GAME.observe(GAME.read_state("KQ pb"), 0) == (3, 2, 5)
    assert GAME.observe(GAME.read_state("KQ pb"), 1) == (2, 2, 5)
    assert GAME.observe(GAME.read_state("K."), 1) == GAME.observe(GAME.read_state("J."), 1)


@pytest.mark.parametrize("p", [0, 1])
def test_resample_gives_every_state_that_looks_the_same(p):
    states = list(everything(GAME))
    alike = defaultdict(set)
    for s in states:
        alike[GAME.observe(s, p)].add(s)
    for s in states:
        drawn = Counter(GAME.resample(s, p, seed) for seed in range(60))
        assert set(drawn) == alike[GAME.observe(s, p)]
        assert max(drawn.values()) <= 2.5 * min(drawn.values())


def test_text():
    assert GAME.write_state(GAME.initial()) == ".."
    assert GAME.write_action(GAME.initial(), 3) == "K"
    assert [GAME.write_action(State(1, 2, 1), a) for a in GAME.actions(State(1, 2, 1))] == ["pass", "bet"]
    for text in ("KK", ".K", "KQ bbb", "KQ ppp", "K. p", ". .", "", "kq"):
        with pytest.raises(ZermeloError, match="is not a state of kuhn: expected two different cards out of JQK"):
            GAME.read_state(text)


def test_hostile_text():
    check_hostile(GAME, 1)

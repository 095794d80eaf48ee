"""Whist with hidden hands and Hearts: rules by hand, and deals that fit all that was played, each as likely as another."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from helpers import check_state, refuses, walk

from zermelo import ZermeloError
from zermelo.bits import popcount
from zermelo.equilibrium.form import sequence_form
from zermelo.games.hearts import Hearts
from zermelo.games.hiddenwhist import HiddenWhist

SMALL = HiddenWhist(players=3, suits=3, ranks=3, trump=0)
PAIR = HiddenWhist(players=2, suits=2, ranks=3, hand=2)
FOUR, HEARTS = HiddenWhist(suits=3, ranks=4, trump=-1), Hearts()
GAMES = [SMALL, PAIR, FOUR, HiddenWhist(players=2, hand=5), HEARTS]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_random_games(game):
    for number, s in enumerate(walk(game, 1)):
        if number % 4 == 0 or game.is_terminal(s):
            check_state(game, s)


def after(game, hands, cards):
    """The state after these cards, each of which must be legal."""
    s = game.read_state(f"{hands} -")
    for card in cards.split():
        s = game.result(s, game.read_action(s, card))
    return s


def test_a_trick_is_won_by_the_highest_trump_or_the_highest_of_the_suit_led():
    s = after(SMALL, "A.A.A K.K.K Q.Q.Q", "HA HK HQ")
    assert s.scores == (1, 0, 0) and s.leader == 0 and s.lacks == (0, 0, 0)
    s = after(SMALL, "-.A.AK K.KQ.- AQ.-.Q", "DA SK DQ")
    assert s.scores == (0, 1, 0) and s.lacks == (0, 0b100, 0) and SMALL.to_move(s) == 1
    s = after(SMALL, "-.A.AK K.KQ.- AQ.-.Q", "DA SK DQ HK SA HA SQ DK HQ")
    assert s.scores == (0, 1, 2) and s.lacks == (0b001, 0b101, 0b010) and SMALL.is_terminal(s)
    assert [SMALL.utility(s, p) for p in range(3)] == [-1.5, 0, 1.5]
    refuses(SMALL, "-.A.AK K.KQ.- AQ.-.Q DA,SK,SA", "played one after another, not SA")


def test_four_are_partners():
    s = after(FOUR, "AKQ.-.- J.AK.- -.QJ.A -.-.KQJ", "SA SJ DA DJ SK HA HJ DQ SQ HK HQ DK")
    assert s.scores == (3, 0, 0, 0) and [FOUR.utility(s, p) for p in range(4)] == [3, -3, 3, -3]


def test_hearts_are_led_when_one_was_played_or_nothing_else_is_held():
    hands = "AKQJT98765432.-.-.- -.AKQJT98765432.-.- -.-.AKQJT98765432.- -.-.-.AKQJT98765432"
    s = HEARTS.read_state(f"{hands} -")
    assert popcount(HEARTS.playable(s)) == 13
    s = after(HEARTS, hands, "SQ HA D2 C2")
    assert s.scores == (14, 0, 0, 0) and s.lacks == (0, 0b1, 0b1, 0b1)
    s = after(HEARTS, hands, " ".join(f"S{r} H{r} D{r} C{r}" for r in "AKQJT98765432"))
    assert s.scores == (26, 0, 0, 0) and [HEARTS.utility(s, p) for p in range(4)] == pytest.approx([26, -26 / 3, -26 / 3, -26 / 3])
    s = HEARTS.read_state("K.A.AKQJT98765.2 A.KQJ.432.AKQJT9 QJT.T98765432.-.8 98765432.-.-.76543 -")
    assert not {"HA"} & {HEARTS.write_action(s, a) for a in HEARTS.actions(s)}
    s = HEARTS.read_state("-.AKQJT98765432.-.- AKQJT98765432.-.-.- -.-.AKQJT98765432.- -.-.-.AKQJT98765432 -")
    s = HEARTS.result(s, HEARTS.read_action(s, "H2"))
    assert s.lacks == (0b1101, 0, 0, 0)


def deals(game, s, p):
    """All deals that fit what p knows, by trying all."""
    others = [q for q in range(game.players) if q != p]
    unseen = [c for c in range(game.deck) if game.unseen(s, p) >> c & 1]

    def rest_of(cards, players):
        if not players:
            yield ()
            return
        q = players[0]
        for held in combinations(cards, popcount(s.hands[q])):
            if not any(s.lacks[q] >> c // game.ranks & 1 for c in held):
                for more in rest_of([c for c in cards if c not in held], players[1:]):
                    yield (sum(1 << c for c in held), *more)

    return set(rest_of(unseen, others))


def test_every_deal_that_fits_is_as_likely_as_another():
    """The most entangled states of some games: chi squared of 40 deals each on average."""
    tested = 0
    for seed in range(12):
        for s in walk(FOUR, seed):
            p = FOUR.to_move(s)
            if p < 0 or FOUR.is_terminal(s) or sum(map(bool, s.lacks)) < 2 or s.played not in (4, 5):
                continue
            fitting = deals(FOUR, s, p)
            n = 40 * len(fitting)
            found = Counter(tuple(h for q, h in enumerate(FOUR.resample(s, p, k).hands) if q != p) for k in range(n))
            assert set(found) == fitting
            square = sum((x - 40) ** 2 / 40 for x in found.values())
            assert square < len(fitting) + 5 * (2 * len(fitting)) ** 0.5 + 10
            tested += len(fitting) > 5
    assert tested >= 3


@pytest.mark.parametrize("game", [HiddenWhist(), HEARTS], ids=repr)
def test_deals_of_a_full_deck_fit(game):
    """No deal falls back on the truth, however much is known."""
    for seed in range(2):
        for number, s in enumerate(walk(game, seed)):
            if number >= 60 and number % 3 == 0 and not game.is_terminal(s):
                p = game.to_move(s)
                t = game.resample(s, p, number)
                assert game.observe(t, p) == game.observe(s, p) and game.resample(t, p, number) == t
                assert all(not t.hands[q] & game.suit[i] for q in range(4) for i in range(4) if t.lacks[q] >> i & 1 and q != p)
                assert sorted(game.actions(t)) == sorted(game.actions(s))


def test_safe_deals_fit():
    """Where uniform deals are too rare, each card goes where all others still find a place."""
    for game in (SMALL, FOUR, PAIR):
        for s in walk(game, 3):
            p = game.to_move(s)
            if p < 0 or game.is_terminal(s):
                continue
            found = {game.dealt_safely(s, p, seed).hands for seed in range(20)}
            assert {tuple(h for q, h in enumerate(hands) if q != p) for hands in found} <= deals(game, s, p)
    s = [s for s in walk(HEARTS, 0) if not HEARTS.is_terminal(s)][-12]
    t = HEARTS.dealt_safely(s, 0, 1)
    assert HEARTS.cards_of(t) == HEARTS.cards_of(s) and HEARTS.observe(t, 0) == HEARTS.observe(s, 0)


def test_nobody_forgets():
    """The sequence form refuses a game in which a player forgets."""
    assert sequence_form(PAIR, interpreted=True).sets > 100


def test_views():
    s = after(SMALL, "-.A.AK K.KQ.- AQ.-.Q", "DA SK")
    assert SMALL.show_to(s, 0).splitlines() == [
        "trump S, won 0 0 0",
        "0: S:- H:A D:K  played DA",
        "1: 2 cards, no D  played SK",
        "2: 3 cards  to play",
    ]
    assert SMALL.announce(s, SMALL.read_action(s, "DQ"), 0) == "DQ" and SMALL.announce(SMALL.initial(), 0, 0) == ""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"players": 5}, "2 to 4 players"),
        ({"suits": 5}, "1 to 4 suits"),
        ({"hand": 14}, "a hand of 1 to 13 cards"),
        ({"trump": 4}, "trump 0 to 3"),
        ({"ranks": "x"}, "whole numbers"),
    ],
)
def test_wrong_parameters(parameters, expected):
    with pytest.raises(ZermeloError, match=expected):
        HiddenWhist(**parameters)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-", "3 hands"),
        ("A.A A.A A.A -", "a hand as 3 suits"),
        ("A.A.A A.A.A A.A.A -", "every card once"),
        ("A.A.A K.K.- Q.Q.Q -", "hands of 3 cards"),
        ("A.A.A K.K.K Q.Q.Q XX", "played one after another, not XX"),
        ("-.-.- -.-.- -.-.- +99", "at most 9"),
        ("-.-.A -.-.- -.-.- +3", "still to be dealt"),
    ],
)
def test_wrong_states(text, expected):
    refuses(SMALL, text, expected)

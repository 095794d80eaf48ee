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
FOUR, HEARTS, PASSING = HiddenWhist(suits=3, ranks=4, trump=-1), Hearts("none"), Hearts()
GAMES = [SMALL, PAIR, FOUR, HiddenWhist(players=2, hand=5), HEARTS, PASSING]


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


@pytest.mark.parametrize(("passing", "seats"), [("left", 1), ("across", 2), ("right", 3)])
def test_three_cards_change_hands_when_all_have_chosen(passing, seats):
    game = Hearts(passing)
    hands = "AKQJT98765432.-.-.- -.AKQJT98765432.-.- -.-.AKQJT98765432.- -.-.-.AKQJT98765432"
    s = after(game, hands, "SQ SK")
    assert [game.write_action(s, a) for a in game.actions(s)] == ["SA"]  # in the order of cards
    assert [game.announce(s, game.read_action(s, "SA"), p) for p in range(3)] == ["SA", "", ""]
    s = after(game, hands, "SQ SK SA H2 H3 H4 D2 D3 D4 C2 C3")
    assert game.to_move(s) == 3 and s.hands == game.read_state(f"{hands} -").hands
    s = after(game, hands, "SQ SK SA H2 H3 H4 D2 D3 D4 C2 C3 C4")
    names = [game.hand_name(h).split(".") for h in s.hands]
    gifts = ["AKQ", "432", "432", "432"]
    assert all(names[(q + seats) % 4][q] == gifts[q] for q in range(4)) and game.to_move(s) == 0
    assert game.write_state(s).startswith(hands)
    for p in range(4):  # who sees what was passed: who gave it, and who got it
        seen = game.observe(s, p)
        assert [game.gift(seen, q) == game.gift(s, q) for q in range(4)] == [q in (p, (p - seats) % 4) for q in range(4)]
    for seed in range(40):
        t = game.resample(s, 0, seed)
        assert (
            t.hands[seats] & game.gift(s, 0) == game.gift(s, 0) and t.hands[0] == s.hands[0] and game.read_state(game.write_state(t)) == t
        )


def test_what_was_passed_is_remembered():
    """Players who see the same have seen the same all along; others may have passed anything that fits what they played."""
    before: dict = {}
    for seed in range(2):
        seen = [()] * 4
        for number, s in enumerate(walk(PASSING, seed)):
            for p in range(4 if s.dealt == 52 else 0):
                if not seen[p] or seen[p][-1] != PASSING.observe(s, p):
                    seen[p] = (*seen[p][-2:], PASSING.observe(s, p))
                assert before.setdefault((p, PASSING.observe(s, p)), seen[p]) == seen[p]
                if number % 9 == 0 and not PASSING.is_terminal(s):
                    t = PASSING.resample(s, p, number)
                    assert PASSING.observe(t, p) == PASSING.observe(s, p) and PASSING.read_state(PASSING.write_state(t)) == t


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


@pytest.mark.parametrize("game", [HiddenWhist(), HEARTS, PASSING], ids=repr)
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
    with pytest.raises(ZermeloError, match="expected passing none, left, across, right, not 'up'"):
        Hearts("up")


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

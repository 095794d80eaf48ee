"""Whist with open hands, compared with an independent implementation and with brute force."""

from __future__ import annotations

import random

import pytest
from helpers import backed_up, check_games, check_hostile, check_state, everything, walk

from zermelo.errors import ZermeloError
from zermelo.games.whist import State, Whist

ORDER = "23456789TJQKA"


def hands_of(game: Whist, s: State) -> list[set[str]]:
    return [{game.write_action(s, c) for c in range(52) if hand >> c & 1} for hand in s.hands]


def winner_of(table: list[tuple[int, str]], trump: str) -> int:
    """Who wins a trick of (player, card): the highest trump, or else the highest of the suit led."""
    led = table[0][1][0]
    strength = [(card[0] == trump, card[0] == led, ORDER.index(card[1])) for _, card in table]
    return table[strength.index(max(strength))][0]


def legal(hand: set[str], table: list[tuple[int, str]]) -> set[str]:
    return {card for card in hand if table and card[0] == table[0][1][0]} or hand


def brute_force(hands: list[set[str]], turn: int, table: list[tuple[int, str]], trump: str) -> int:
    """The most tricks, less those lost, that players 0 and 2 can still force."""
    if len(table) == 4:
        turn = winner_of(table, trump)
        return (1 if turn % 2 == 0 else -1) + brute_force(hands, turn, [], trump)
    if not hands[turn]:
        return 0
    values = [
        brute_force([h - {card} if p == turn else h for p, h in enumerate(hands)], (turn + 1) % 4, [*table, (turn, card)], trump)
        for card in sorted(legal(hands[turn], table))
    ]
    return max(values) if turn % 2 == 0 else min(values)


@pytest.mark.parametrize("deal", range(6))
@pytest.mark.parametrize(("suits", "ranks", "hand", "trump"), [(4, 4, 3, 0), (3, 4, 3, 2), (2, 6, 3, -1), (4, 13, 3, 3), (1, 8, 2, 0)])
def test_brute_force(suits, ranks, hand, trump, deal):
    game = Whist(suits, ranks, hand, trump, deal)
    s = game.initial()
    expected = brute_force(hands_of(game, s), 0, [], "SHDC"[trump] if trump >= 0 else "")
    assert backed_up(game, s) == (expected, -expected, expected, -expected)


@pytest.mark.parametrize("game", [Whist(), Whist(ranks=13), Whist(ranks=13, trump=-1, deal=7), Whist(3, 9, 5, 1, 2), Whist(1, 4)], ids=repr)
def test_random_games_follow_the_rules(game):
    check_games(game, 1, 3)
    trump = "SHDC"[game.trump] if game.trump >= 0 else ""
    for seed in range(3):
        choose, s = random.Random(seed), game.initial()
        hands, turn, table, won = hands_of(game, s), 0, [], [0, 0]
        while not game.is_terminal(s):
            assert game.to_move(s) == turn and hands_of(game, s) == hands and s.tricks == tuple(won)
            assert {game.write_action(s, a) for a in game.actions(s)} == legal(hands[turn], table)
            card = choose.choice(sorted(legal(hands[turn], table)))
            s = game.result(s, game.read_action(s, card))
            hands[turn] = hands[turn] - {card}
            table, turn = [*table, (turn, card)], (turn + 1) % 4
            if len(table) == 4:
                turn = winner_of(table, trump)
                won[turn % 2] += 1
                table = []
        assert not any(hands) and sum(won) == game.hand
        assert [game.utility(s, p) for p in range(4)] == [won[p % 2] - won[1 - p % 2] for p in range(4)]


def test_every_state_of_a_small_deal():
    for s in everything(Whist(2, 4, 2)):
        check_state(Whist(2, 4, 2), s)


def test_deals():
    deals = [Whist(ranks=13, deal=seed).initial().hands for seed in range(50)]
    assert len(set(deals)) == 50
    for hands in deals:
        assert [h.bit_count() for h in hands] == [13] * 4 and hands[0] | hands[1] | hands[2] | hands[3] == (1 << 52) - 1
    assert Whist(deal=3).initial() == Whist(deal=3).initial()
    assert Whist(ranks=13, hand=2).hand == 2 and Whist(suits=3, ranks=5).hand == 3
    assert all(any(h[p] & 1 for h in deals) for p in range(4)), "the first card goes to every player at times"


def test_text():
    game = Whist(ranks=13, hand=2)
    s = game.read_state("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 - 0-0")
    assert game.write_action(s, 12) == "SA"
    assert [game.write_action(s, a) for a in game.actions(s)] == ["SA", "CT"]
    s = game.result(s, game.read_action(s, "CT"))
    assert game.write_state(s) == "A.-.-.- -.32.-.- K.-.2.- -.A.-.2 0 CT 0-0"
    assert game.show(s) == (
        "trump S, tricks 0 for 0 and 2, 0 for 1 and 3\n"
        "0: S:A H:- D:- C:-  played CT\n"
        "1: S:- H:32 D:- C:-  to play\n"
        "2: S:K H:- D:2 C:-\n"
        "3: S:- H:A D:- C:2"
    )
    for card in ("H2", "SK", "C2"):
        s = game.result(s, game.read_action(s, card))
    assert game.write_state(s) == "A.-.-.- -.3.-.- -.-.2.- -.A.-.- 2 - 1-0", "the trump took it"
    assert game.show(s).startswith("trump S, tricks 1") and Whist(trump=-1).show(Whist().initial()).startswith("no trump")
    assert game.evaluate(s, 0) == 1 and game.evaluate(s, 3) == -1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "four hands, leader, table and tricks, like"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 - 0-0 0", "four hands, leader, table and tricks, like"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.x 0 - 0-0", "a hand as 4 suits of ranks out of AKQJT98765432 in that order, - for none"),
        ("A.-.T -.32.-.- K.-.2.- -.A.-.2 0 - 0-0", "a hand as 4 suits"),
        ("A.-.-.T -.23.-.- K.-.2.- -.A.-.2 0 - 0-0", "a hand as 4 suits"),
        ("A.-.-.T -.22.-.- K.-.2.- -.A.-.2 0 - 0-0", "a hand as 4 suits"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 4 - 0-0", "a leader from 0 to 3"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 S1 0-0", "at most three cards like S2 on the table, or -"),
        ("-.-.-.- -.-.-.- -.-.-.- -.-.-.- 0 S2,S3,S4,S5 0-0", "at most three cards like S2"),
        ("A.-.-.T -.32.-.- A.-.2.- -.A.-.2 0 - 0-0", "every card once"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.- 0 - 0-0", "hands of equal size, but for the cards on the table"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 C9 0-0", "hands of equal size"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 - 1-0", "tricks that make 2 with the 2 to come"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 0 - 00-0", "tricks that make 2 with the 2 to come"),
        ("AK.-.-.T -.432.-.- QJ.-.2.- -.A.-.32 0 - 0-0", "tricks that make 2 with the 3 to come"),
        ("A.-.-.T -.32.-.- K.-.2.- -.A.-.2 1 - 0-0", "a leader who won the last trick, or 0 before the first"),
        ("A.-.-.- -.3.-.- -.-.2.- -.A.-.- 1 - 1-0", "a leader who won the last trick"),
        ("A.-.-.- -.3.-.4 K.-.2.- -.A.-.2 0 CT 0-0", None),
        ("A.-.-.- -.3.-.- K.-.2.- -.A.-.2 0 CT,C4 0-0", None),
        ("A.-.-.- -.-.-.4 K.-.2.- -.A.-.2 0 CT,H3 0-0", "the suit led to be followed by all who hold it"),
    ],
)
def test_validated_text(text, why):
    game = Whist(ranks=13, hand=2)
    if why is None:
        check_state(game, game.read_state(text))
    else:
        with pytest.raises(ZermeloError, match=f"'{text}' is not a state of whist: expected {why}"):
            game.read_state(text)


def test_hostile_text():
    check_hostile(Whist(), 1)


def test_states_of_other_deals_can_be_read():
    for s in walk(Whist(deal=9), 1, 3):
        assert Whist().read_state(Whist(deal=9).write_state(s)) == s


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"suits": 0}, "1 to 4 suits of 1 to 13 ranks, 4 cards at least, not 0 of 4"),
        ({"suits": 5}, "1 to 4 suits"),
        ({"ranks": 14}, "1 to 4 suits"),
        ({"suits": 1, "ranks": 3}, "1 to 4 suits"),
        ({"hand": 5}, "a hand of 1 to 4 cards, or 0 for all, not 5"),
        ({"hand": -1}, "a hand of 1 to 4 cards"),
        ({"trump": 4}, "trump 0 to 3, or -1 for none, not 4"),
        ({"trump": -2}, "trump 0 to 3"),
        ({"deal": -1}, "deal to be a whole number of at most 64 bits, not -1"),
        ({"deal": 1 << 64}, "deal to be a whole number"),
        ({"suits": "4"}, "whole numbers, not 4, 4, 0, 0, 0"),
        ({"trump": None}, "whole numbers, not 4, 4, 0, None, 0"),
        ({"deal": 1.5}, "whole numbers"),
    ],
)
def test_parameters(wrong, why):
    with pytest.raises(ZermeloError, match=f"whist: expected {why}"):
        Whist(**wrong)

"""Texas hold'em for two: hands by the published counts, betting, payoffs, observations, text."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from helpers import check_games, check_hostile, refuses, walk

from zermelo import Game, ZermeloError
from zermelo.bits import u64
from zermelo.games.holdem import Holdem
from zermelo.games.holdem.hands import RANKS, SUITS, class_of, strength
from zermelo.search.prepare import prepare
from zermelo.search.records import Record, room

GAME = Holdem()
#: hands of five cards in each class, from no pair to straight flush
PUBLISHED = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]


class Counting(Record):
    """The record of `count_classes`."""

    counts: list[int] = room(9)
    strongest: int


def count_classes(game: Game, work: Counting) -> int:
    """Count all hands of five cards by class; how many there are."""
    total = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        cards = u64(1) << a | u64(1) << b | u64(1) << c | u64(1) << d | u64(1) << e
                        value = strength(cards)
                        work.counts[class_of(value)] += 1
                        work.strongest = max(work.strongest, value)
                        total += 1
    return total


def test_all_hands_of_five_cards():
    work = prepare(GAME, count_classes, Counting, interpreted=False)()
    assert work.value == 2_598_960 and list(work.counts) == PUBLISHED
    assert work.strongest == strength(cards("AsKsQsJsTs"))


def cards(text: str) -> int:
    return sum(1 << 13 * SUITS.index(text[i + 1]) + RANKS.index(text[i]) for i in range(0, len(text), 2))


def naive(hand: tuple[int, ...]) -> tuple[int, list[int]]:
    """Class and ranks of five cards, by counting."""
    counts = Counter(c % 13 for c in hand)
    ranks = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    shape, is_flush = sorted(counts.values(), reverse=True), len({c // 13 for c in hand}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    is_straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 8 if is_flush and is_straight else max(kinds[tuple(shape)], 5 * is_flush, 4 * is_straight)
    return kind, ranks


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_best_five_of_more_cards(size):
    """Compared with the best of all subsets of five, in pairs of hands: the order is the same, ties are ties."""
    chooser, found = random.Random(size), []
    for _ in range(1500):
        hand = chooser.sample(range(52), size)
        found.append((strength(sum(1 << c for c in hand)), max(naive(five) for five in itertools.combinations(hand, 5))))
    for (one, expected), (other, rival) in itertools.pairwise(sorted(found, key=lambda pair: pair[1])):
        assert (one < other) == (expected < rival) and (one == other) == (expected == rival)
        assert class_of(one) == expected[0]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("6s5s4s3s2s", "5sAs2s3s4s"),
        ("5h4d3s2cAs", "AsKdQhJc9s"),
        ("2s2h2d2cAs", "AsAhAdKsKh"),
        ("AsAhKsKh3d", "AdAcQsQhKd"),
        ("AsAhAdKsKhKdQc", "AsAhAdQsQhJdTc"),
        ("Ts9s8s7s6sAhAd", "AsKsQsTs2sAhAd"),
    ],
)
def test_hands_that_are_easily_confused(better, worse):
    assert strength(cards(better)) > strength(cards(worse))


def test_fewer_ranks():
    game = Holdem(ranks=5)
    assert game.write_cards(game.deck) == "".join(rank + suit for rank in "AKQJT" for suit in SUITS) and repr(game) == "holdem:ranks=5"
    assert game.probability(game.initial(), 8) == 1 / 20 and len(list(game.actions(game.initial()))) == 20
    with pytest.raises(ZermeloError, match="expected 4 to 13 ranks, not 3"):
        Holdem(ranks=3)


# ---- the game ------------------------------------------------------------------------------------


def test_random_games():
    check_games(GAME, 1, 15)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("AsKd QhQc f", -1),
        ("AsKd QhQc rf", 2),
        ("AsKd QhQc crf", -2),
        ("AsKd QhQc rrrf", 6),
        ("AsKd QhQc cc/Th7s2c cc/3d cc/4h cc", -2),
        ("AsKd QhQc cc/Th7s2c cc/3d cc/Ah cc", 2),
        ("AsKd AhKc rrrc/Th7s2c rrrrc/3d rrrrc/4h rrrrc", 0),
        ("AsAd KhKc rrrc/Th7s2c rrrrc/3d rrrrc/4h rrrrc", 48),
    ],
)
def test_payoffs(text, first):
    s = GAME.read_state(text)
    assert GAME.is_terminal(s) and GAME.utility(s, 0) == -GAME.utility(s, 1) == first


def test_betting():
    names = {
        text: [GAME.write_action(s, a) for s in [GAME.read_state(text)] for a in GAME.actions(s)]
        for text in ("AsKd QhQc", "AsKd QhQc c", "AsKd QhQc rr", "AsKd QhQc rrr", "AsKd QhQc cc/Th7s2c", "AsKd QhQc cc/Th7s2c rrrr")
    }
    assert names == {
        "AsKd QhQc": ["fold", "call", "raise"],
        "AsKd QhQc c": ["call", "raise"],
        "AsKd QhQc rr": ["fold", "call", "raise"],
        "AsKd QhQc rrr": ["fold", "call"],
        "AsKd QhQc cc/Th7s2c": ["call", "raise"],
        "AsKd QhQc cc/Th7s2c rrrr": ["fold", "call"],
    }
    assert [GAME.to_move(GAME.read_state(text)) for text in names] == [0, 1, 0, 1, 1, 1]


def test_what_is_seen_and_dealt_again():
    s = GAME.read_state("AsKd QhQc rc/Th7s2c cr")
    drawn = [GAME.resample(s, 0, seed) for seed in range(3000)]
    assert {GAME.observe(t, 0) for t in drawn} == {GAME.observe(s, 0)}
    counts = Counter(c for t in drawn for c in range(52) if t.hands[1] >> c & 1)
    assert len(counts) == 47 and max(counts.values()) < 1.6 * min(counts.values())  # 128 each on average
    assert not any(t.hands[1] & (t.hands[0] | GAME.board(t)) for t in drawn)
    assert GAME.observe(GAME.read_state("AsKd QhQc"), 1) == GAME.observe(GAME.read_state("As2d QhQc"), 1)


def test_random_games_are_fair():
    """Both seats get as much on average if all call."""
    gains = []
    for seed in range(400):
        chooser, s = random.Random(seed), GAME.initial()
        while not GAME.is_terminal(s):
            s = GAME.result(s, chooser.choice(list(GAME.actions(s))) if GAME.is_deal(s) else 1)
        gains.append(GAME.utility(s, 0))
    assert set(gains) <= {-2, 0, 2} and abs(np.mean(gains)) < 4 * 2 / 20


def test_text():
    assert GAME.write_state(GAME.initial()) == "- -"
    assert {GAME.read_state(GAME.write_state(s)) == s for s in walk(GAME, 3, 5)} == {True}
    assert GAME.show(GAME.read_state("AsKd QhQc rc/Th7s2c cr")).splitlines() == [
        "board: Th7s2c",
        "player 0: AsKd  paid 6",
        "player 1: QhQc  paid 4  to act",
        "betting: rc/cr",
    ]
    for text in ("AsAs QhQc", "KdAs QhQc", "AsKd QhQc ff", "AsKd QhQc c/Th7s2c", "AsKd", "AsKd QhQc rrrr"):
        refuses(GAME, text, "is not a state of holdem: expected the cards of both players")


def test_hostile_text():
    check_hostile(GAME, 1)

"""Gin rummy: deadwood by trying all melds, whole hands and their scores beside OpenSpiel's rules, and deals that fit what was seen."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest
from helpers import check_state, refuses, walk

from zermelo import ZermeloError
from zermelo.bits import popcount
from zermelo.equilibrium.form import sequence_form
from zermelo.game import CHANCE
from zermelo.games.ginrummy import DEAL, DISCARD, FIRST, FROM_STOCK, KNOCK, PASS, RANK, TAKE, WALL, GinRummy

GIN = GinRummy()
SMALL = GinRummy(knock=3, bonus=5, hand=2, suits=2, ranks=4)


def cards_of(word):
    return [c for c in range(52) if word >> c & 1]


def word(text):
    """The cards of a hand written as text."""
    return GIN._read_hand(text)


@cache
def all_melds():
    """All melds as words: sets of three and four, runs of three and more."""
    found = [sum(1 << 13 * suit + rank for suit in some) for rank in range(13) for n in (3, 4) for some in combinations(range(4), n)]
    runs = [(first, last) for first in range(13) for last in range(first + 2, 13)]
    return found + [sum(1 << 13 * suit + rank for rank in range(first, last + 1)) for suit in range(4) for first, last in runs]


def least_deadwood(hand):
    """The least deadwood, by trying all melds one after the other."""
    own = [m for m in all_melds() if m & hand == m]

    def least(left, after):
        best = sum(min(c % 13 + 1, 10) for c in cards_of(left))
        for i in range(after, len(own)):
            if own[i] & left == own[i]:
                best = min(best, least(left ^ own[i], i + 1))
        return best

    return least(hand, 0)


def test_deadwood_is_that_of_all_melds():
    """Random hands, and hands of few ranks or suits, in which melds compete for cards."""
    chooser = random.Random(1)
    for number in range(240):
        deck = range(52) if number % 3 == 0 else [c for c in range(52) if c % 13 in (3, 4, 5, 6) or (number % 3 == 1 and c < 9)]
        hand = sum(1 << c for c in chooser.sample(list(deck), chooser.choice((7, 10, 11))))
        assert GIN.deadwood(hand) == least_deadwood(hand), GIN.hand_name(hand)
        sets, runs = GIN.melds(hand)
        assert sets & runs == 0 and (sets | runs) & ~hand == 0 and least_deadwood(sets) == least_deadwood(runs) == 0


def test_layoffs():
    sets, runs = word("K.K.K.-"), word("-.654.-.-")
    assert GIN.deadwood_laid_off(word("-.98732.-.K"), sets, runs) == 0  # the king, 7 to 9 and 3 to 2 on both ends
    assert GIN.deadwood_laid_off(word("-.982.-.-"), sets, runs) == 19  # nothing joins
    assert GIN.deadwood_laid_off(word("7.7.7.-"), sets, runs) == 0  # a set is worth more than the seven of hearts laid off
    assert GIN.deadwood_laid_off(word("A.-.A.-"), word("-.A.-.A"), word("KQJ.-.-.-")) == 2  # runs do not go round the corner


# ---- beside OpenSpiel ------------------------------------------------------------------------------


def plausible(game, s, chooser):
    """An action that makes knocks likely: upcards that help are taken, and what helps least is discarded."""
    p, actions = s.turn, list(game.actions(s))
    knocks = [a for a in actions if KNOCK <= a < TAKE]
    if knocks and chooser.random() < 0.6:
        return chooser.choice(knocks)
    if s.phase == DISCARD:
        return min((a for a in actions if a < KNOCK), key=lambda a: (game.deadwood(s.hands[p] ^ 1 << a), chooser.random()))
    if TAKE in actions and game.deadwood(s.hands[p] | 1 << s.upcard) < game.deadwood(s.hands[p]) + 2:
        return TAKE
    return chooser.choice([a for a in actions if a >= TAKE])


def theirs(card):
    """OpenSpiel's number of a card: its suits are in another order."""
    return 13 * "SCDH".index("SHDC"[card // RANK]) + card % RANK


def pieces(game, hand):
    """The melds of the knocker one by one, runs of six and more in parts, as OpenSpiel wants them; as sets of its numbers."""
    sets, runs = game.melds(hand)
    found = [[13 * suit + rank for suit in range(4) if sets >> 13 * suit + rank & 1] for rank in range(13)]
    for suit in range(4):
        run = []
        for rank in range(14):
            if rank < 13 and runs >> 13 * suit + rank & 1:
                run.append(13 * suit + rank)
                continue
            while len(run) > 5:
                found.append(run[:3])
                run = run[3:]
            found.append(run)
            run = []
    return [frozenset(map(theirs, meld)) for meld in found if meld]


def score_by_openspiel(state, knocker, melds):
    """What the knocker gets after it lays these melds, if the other lays off and melds as well as possible: by trying everything."""
    names = {}
    while melds:
        for action in state.legal_actions():
            text = state.action_to_string(state.current_player(), action).split(": ")[-1]
            if text != "Pass":
                cards = zip(text[::2], text[1::2], strict=True)
                names[frozenset(13 * "scdh".index(suit) + "A23456789TJQK".index(rank) for rank, suit in cards)] = action
        state.apply_action(names[melds.pop()])
    state.apply_action(54)

    def least(state):
        return state.returns()[knocker] if state.is_terminal() else min(least(state.child(a)) for a in state.legal_actions())

    return least(state)


def play_by_openspiel(game, spiel, chooser, waits):
    """Play a hand beside OpenSpiel's; what the knocker gets by both, and the phase in which it knocked, -1 if nobody did.

    If players wait, nobody knocks before the wall.
    """
    s, state = game.initial(), spiel.new_initial_state()
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        if game.to_move(s) == CHANCE:
            assert sorted(map(theirs, actions)) == state.legal_actions()
            a = chooser.choice(actions)
            assert game.probability(s, a) == pytest.approx(dict(state.chance_outcomes())[theirs(a)])
        else:
            assert state.current_player() == s.turn
            knocks = {theirs(a - KNOCK) for a in actions if KNOCK <= a < TAKE}
            mine = {theirs(a) for a in actions if a < KNOCK} | {a - TAKE + 52 for a in actions if a >= TAKE}
            back = {theirs(s.taken)} if s.taken >= 0 else set()  # OpenSpiel lets a player discard the upcard just taken
            back |= {theirs(s.upcard)} if s.phase == WALL else set()
            assert mine == set(state.legal_actions()) - back - {55}
            if 55 in state.legal_actions():
                assert set(state.child(55).legal_actions()) - back == knocks
            else:
                assert not knocks
            a = plausible(game, s, chooser)
            if waits and s.phase == WALL:
                a = chooser.choice(actions)
            elif waits and KNOCK <= a < TAKE:
                a -= KNOCK
        phase, s = s.phase, game.result(s, a)
        if KNOCK <= a < TAKE:
            state.apply_action(55)
            state.apply_action(theirs(a - KNOCK))
            return game.utility(s, s.knocker), score_by_openspiel(state, s.knocker, pieces(game, s.hands[s.knocker])), phase
        state.apply_action(theirs(a) if a < KNOCK else a - TAKE + 52)
    assert state.is_terminal() and state.returns() == [0, 0] == [game.utility(s, p) for p in range(2)]
    return 0, 0, -1


def compare_hands(games, seed):
    """Play so many hands beside OpenSpiel; how many ended with gin, an undercut, a knock at the wall, and dead."""
    pyspiel = pytest.importorskip("pyspiel")
    spiel, chooser, ends = pyspiel.load_game("gin_rummy"), random.Random(seed), [0, 0, 0, 0]
    for number in range(games):
        ours, other, phase = play_by_openspiel(GIN, spiel, chooser, waits=number % 8 == 7)
        assert ours == (-25 if other == 0 and phase >= 0 else other)  # OpenSpiel gives nothing for equal deadwood
        ends = [n + x for n, x in zip(ends, (ours >= 25, ours < 0, phase == WALL, phase < 0), strict=True)]
    return ends


def test_hands_agree_with_openspiel():
    compare_hands(8, 1)


@pytest.mark.slow
def test_a_thousand_hands_agree_with_openspiel():
    assert min(compare_hands(1000, 2)) > 0


# ---- what players know -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GIN, SMALL], ids=repr)
def test_random_games(game):
    for number, s in enumerate(walk(game, 1)):
        if number % 9 == 0 or game.is_terminal(s):
            check_state(game, s)


def test_deals_fit_all_that_was_seen():
    """Upcards taken stay where they are, what was discarded is gone, and the deal does not depend on what is hidden."""
    for number, s in enumerate(walk(GIN, 2)):
        for p in range(2 if number % 7 == 0 and not GIN.is_terminal(s) else 0):
            t = GIN.resample(s, p, number)
            assert GIN.observe(t, p) == GIN.observe(s, p) and GIN.show_to(t, p) == GIN.show_to(s, p)
            assert t.hands[p] == s.hands[p] and t.hands[1 - p] & s.known[1 - p] == s.known[1 - p]
            assert popcount(t.hands[1 - p]) == popcount(s.hands[1 - p]) and not t.hands[1 - p] & (s.pile | s.hands[p])
            assert GIN.resample(t, p, number) == t


def test_every_deal_is_as_likely_as_another():
    s = next(s for s in walk(SMALL, 5) if s.phase == FIRST)
    n = popcount(SMALL.stock(s)) + 2
    found = [SMALL.resample(s, 0, k).hands[1] for k in range(3000)]
    counts = [found.count(h) for h in set(found)]
    assert len(counts) == n * (n - 1) // 2 and min(counts) > 0.6 * 3000 / len(counts)


def test_perfect_recall():
    """Players who see the same have seen the same all along."""
    before: dict = {}
    for seed in range(12):
        seen = [(), ()]
        for s in walk(SMALL, seed, 1):
            for p in range(2 if s.phase != DEAL else 0):
                if not seen[p] or seen[p][-1] != SMALL.observe(s, p):
                    seen[p] = (*seen[p][-3:], SMALL.observe(s, p))
                assert before.setdefault((p, SMALL.observe(s, p)), seen[p]) == seen[p]


@pytest.mark.slow
def test_nobody_forgets():
    """The sequence form refuses a game in which a player forgets."""
    assert sequence_form(GinRummy(knock=1, hand=1, suits=1, ranks=6)).sets == 107_430


def test_views_and_announcements():
    s = GIN.read_state("KQJ.T98.7.32A T9.-.KQ.QJT987 -.-.-.- S2 first0")
    s = GIN.result(s, TAKE)
    assert GIN.show_to(s, 0).splitlines() == ["stock 31, upcard -, pile -", "0: S:KQJ2 H:T98 D:7 C:32A  deadwood 9  to play", "1: 10 cards"]
    assert GIN.show_to(s, 1).splitlines()[1] == "0: 11 cards, S:2 among them  to play"
    t = GIN.result(s, GIN.read_action(s, "D7"))
    assert GIN.announce(s, GIN.read_action(s, "D7"), 1) == "D7" and GIN.announce(t, FROM_STOCK, 0) == "draw"
    t = GIN.result(t, FROM_STOCK)
    assert [GIN.announce(t, 0, p) for p in range(2)] == ["", "SA"]
    knocked = GIN.result(s, GIN.read_action(s, "knock-D7"))
    assert GIN.utility(knocked, 0) == -GIN.utility(knocked, 1) == 10 + 10 - 2 and "deadwood" in GIN.show_to(
        knocked, 1
    )  # ten and nine of spades are laid off
    assert "S2" not in {GIN.write_action(s, a) for a in GIN.actions(s)}  # it was just taken


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"knock": 11}, "to knock with 0 to 10 points"),
        ({"bonus": -1}, "a bonus of 0 to 25"),
        ({"hand": 10, "suits": 1}, "1 to 4 suits"),
        ({"ranks": "x"}, "whole numbers"),
    ],
)
def test_wrong_parameters(parameters, expected):
    with pytest.raises(ZermeloError, match=expected):
        GinRummy(**parameters)


@pytest.mark.parametrize(
    "text",
    [
        "-",
        "2.A.-.- 3.4.-.- -.-.-.- H2 draw0 known=A.-.-.-/-.-.-.-",
        "2.A.-.- 2.4.-.- -.-.-.- H2 first0",
        "2.A.-.- 3.4.-.- -.-.-.- - first0",
        "2.A.-.- 3.4.-.- -.-.-.- H2 discard0",
        "2.A.-.- 3.4.-.- -.-.-.- H2 wall0",
        "2.A.-.- 3.4.-.- -.-.-.- H2 first0 passes=3",
        "2.A.-.- 3.4.-.- -.-.-.- H2 first0 knocker=1",
        "5.A.-.- 3.4.-.- -.-.-.- H2 first0",
    ],
)
def test_wrong_states(text):
    refuses(SMALL, text, "is not a state of ginrummy: expected")


def test_states():
    for text in ("2.A.-.- 3.4.-.- -.-.-.- H2 first0", "2.A.-.- 3.4.-.- -.-.-.- H2 first1 passes=1"):
        assert SMALL.write_state(SMALL.read_state(text)) == text
    s = SMALL.read_state("2.A.-.- 3.4.-.- -.-.-.- H2 first0 passes=2")
    assert list(SMALL.actions(s)) == [FROM_STOCK] and PASS not in SMALL.actions(s)
